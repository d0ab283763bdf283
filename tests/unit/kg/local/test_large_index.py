"""The index that is built on disk answers as the one that is built in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.kg.files.importer import import_graph
from kgcore.kg.local import large_index
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.model import EntityId

ROOT = Path(__file__).resolve().parents[4]
TRICKY = """\
@prefix e: <http://ex.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix schema: <http://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:a rdfs:label "A"@en, "Ä"@de, "A two"@en ; skos:altLabel "first" ; schema:description "a thing"@en ; a e:Class, owl:Thing, e:Unnamed ;
  e:p e:a, e:b, "text", 01, "x"@en, _:u ; e:q _:v ; owl:sameAs e:z ; wdt:P434 "b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d" .
e:Class rdfs:label "Class" . e:b e:p e:a ; a e:Class ; rdfs:comment "b" ; e:n 1, 2, 3, 4, 5.50 .
_:v e:r "inside" .
wd:Q1 wdt:P570 <http://www.wikidata.org/.well-known/genid/x>, "1990"^^xsd:gYear ; wdt:P31 wd:Q2, wd:Q3 ;
  a <http://www.wikidata.org/prop/novalue/P570>, <http://www.wikidata.org/prop/novalue/P20> .
wd:Q2 rdfs:label "kind" . wd:Q4 wdt:P31 wd:Q3 .
wd:P570 a <http://wikiba.se/ontology#Property> ; <http://wikiba.se/ontology#directClaim> wdt:P570 ; rdfs:label "died"@en ; wdt:P31 wd:Q9 .
<https://en.wikipedia.org/wiki/A> schema:about e:a ; schema:name "The A"@en .
e:p rdfs:label "has"@en ; owl:inverseOf e:ip . e:ip rdfs:label "had by"@en .
"""


def hubs() -> str:
    """Groups larger than those that are sorted when asked for."""
    lines = [f"<http://ex.org/n{i}> <http://ex.org/in> <http://ex.org/hub> ." for i in range(300)]
    lines += [f"<http://ex.org/hub> <http://ex.org/out> <http://ex.org/n{i}> ." for i in range(100)]
    lines += [
        f"<http://ex.org/n{i}> <http://ex.org/k> <http://ex.org/n{i % 9}> ." for i in range(300)
    ]
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://ex.org/C>"
    lines += [f"<http://ex.org/n{i}> {kind} ." for i in range(200)]
    lines.append('<http://ex.org/C> <http://www.w3.org/2000/01/rdf-schema#label> "Many" .')
    return "\n".join(lines)


def answers(graph: LocalGraph) -> dict[str, object]:
    """Everything a graph says, in an order that does not depend on how its nodes are numbered."""
    keys = [
        key
        for (key,) in graph.labels.reader.select("SELECT key FROM node ORDER BY key", exactly=())
    ]
    found: dict[str, object] = {}
    for key in keys:
        ids = [EntityId(key)]
        found[f"{key} described"] = [
            (e.id, e.label, e.description, e.types) for e in graph.describe(ids).entities
        ]
        found[f"{key} same as"] = sorted(graph.same_as(ids))
        for option in graph.relations(ids).items:
            edges = graph.edges(ids, option.relation.id, option.direction, limit=80)
            found[f"{key} {option.direction} {option.relation.id}"] = (
                option.relation.label, option.relation.inverse_label, option.count, len(option.targets),
                sorted(option.target_types)[:1] if option.count < 4 else [],
                [(t.subject.id, t.object) for t in edges.triples], edges.more,
            )  # fmt: skip
    texts = [t for (t,) in graph.labels.reader.select("SELECT text FROM name", exactly=())]
    for text in sorted(set(texts))[:200]:
        found[f"link {text}"] = [(c.entity.id, c.score) for c in graph.link(text, limit=3).items][
            :1
        ]
    return found


FILES = {
    "tricky": TRICKY,
    "hubs": hubs(),
    "demo": (ROOT / "assets/demo/demo-wikidata.ttl").read_text("utf-8"),
}


@pytest.mark.parametrize("name", FILES)
def test_both_indexes_give_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(FILES[name], "utf-8")
    graphs = []
    for folder, limit in (("memory", 10**9), ("disk", 1)):
        monkeypatch.setattr(large_index, "LARGE_TRIPLES", limit)
        import_graph([path], home=tmp_path / folder, name="g")
        graphs.append(open_graph(tmp_path / folder, "g"))
    small, large = graphs
    for field in ("n_triples", "n_entities", "n_relations", "n_edges", "n_blank", "version"):
        assert getattr(large.manifest, field) == getattr(small.manifest, field), field
    assert sorted(large.manifest.languages) == sorted(small.manifest.languages)
    expected = answers(small)
    assert answers(large) == expected
    assert expected
    for graph in graphs:
        graph.close()
    left = [p.name for p in (tmp_path / "disk").rglob("*scratch*")]
    assert left == []
