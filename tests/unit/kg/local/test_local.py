"""What a local graph shows of its data, and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.local.index_builder import HUB_EDGES, HUB_KEPT
from kgcore.model import EntityId, Literal, RelationId

PREFIXES = """@prefix ex: <http://ex.org/> .
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wdno: <http://www.wikidata.org/prop/novalue/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix kg: <urn:kg:vocabulary:> .
"""
A, B, P = EntityId("ex:a"), EntityId("ex:b"), RelationId("ex:p")
Load = Callable[..., LocalGraph]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    opened: list[LocalGraph] = []

    def load(text: str, *languages: str) -> LocalGraph:
        path = tmp_path / "g.ttl"
        path.write_text(PREFIXES + text, "utf-8")
        import_graph([path], home=tmp_path, name="graph")
        opened.append(open_graph(tmp_path, "graph", languages=languages or ("en",)))
        return opened[-1]

    yield load
    for graph in opened:
        graph.close()


def relations(graph: LocalGraph, entity: str) -> dict[str, str]:
    options = graph.relations([EntityId(entity)]).items
    return {f"{o.relation.id} {o.direction}": o.phrase for o in options}


def ends(graph: LocalGraph, entity: str, relation: str, direction: str = "out") -> list[str]:
    edges = graph.edges(
        [EntityId(entity)], RelationId(relation), "in" if direction == "in" else "out"
    )
    found = [t.subject if direction == "in" else t.object for t in edges.triples]
    return [end.value if isinstance(end, Literal) else end.id for end in found]


# --- labels


def test_wikidata_properties_get_their_label_through_the_direct_claim(load: Load) -> None:
    graph = load(
        'wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en,'
        ' "导演"@zh ; skos:altLabel "directed by"@en . wd:Q1 wdt:P57 wd:Q2 .'
    )
    assert relations(graph, "wd:Q1") == {"wdt:P57 out": "director"}
    assert relations(graph, "wd:Q2") == {"wdt:P57 in": "is director of"}
    assert graph.labels.relation_aliases(RelationId("wdt:P57")) == ("directed by",)
    assert graph.labels.relation_aliases(RelationId("wdt:P1")) == ()
    assert relations(load_again(graph, "zh"), "wd:Q1") == {"wdt:P57 out": "导演"}


def load_again(graph: LocalGraph, *languages: str) -> LocalGraph:
    home = Path(graph._reader._path).parents[3]
    return open_graph(home, graph.id, languages=languages)


@pytest.mark.parametrize("label", ["rdfs:label", "skos:prefLabel", "schema:name", "foaf:name"])
def test_plain_properties_get_their_label_from_the_usual_properties(load: Load, label: str) -> None:
    graph = load(f'ex:p {label} "knows" . ex:a {label} "Anna" ; ex:p ex:b .')
    assert relations(graph, "ex:a") == {"ex:p out": "knows"}
    assert graph.describe([A]).entities[0].label == "Anna"
    assert graph.link("Anna").items[0].entity.id == A


def test_the_local_name_is_the_last_resort(load: Load) -> None:
    graph = load("ex:a ex:birthPlace ex:b ; ex:has_part ex:c .")
    assert relations(graph, "ex:a") == {
        "ex:birthPlace out": "birth place",
        "ex:has_part out": "has part",
    }


def test_the_most_trusted_label_wins_and_the_others_can_be_found(load: Load) -> None:
    graph = load('ex:a schema:name "Name"@en ; rdfs:label "Label"@en ; skos:altLabel "Alias"@en .')
    assert graph.describe([A]).entities[0].label == "Label"
    assert [graph.link(text).items[0].entity.id for text in ("Name", "Label", "Alias")] == [A] * 3


def test_inverse_labels_come_from_declarations(load: Load) -> None:
    graph = load(
        'ex:p rdfs:label "parent of"@en ; owl:inverseOf ex:q . ex:q rdfs:label "child of"@en .'
        'ex:r rdfs:label "wrote"@en ; kg:inverseLabel "written by"@en, "作者"@zh .'
        "ex:a ex:p ex:b ; ex:r ex:b . ex:c ex:q ex:d ."
    )
    assert relations(graph, "ex:b") == {"ex:p in": "child of", "ex:r in": "written by"}
    assert relations(graph, "ex:d") == {"ex:q in": "parent of"}
    assert relations(load_again(graph, "zh"), "ex:b")["ex:r in"] == "作者"


def test_labels_follow_the_wanted_languages_then_none_then_any(load: Load) -> None:
    text = (
        'ex:a rdfs:label "English"@en, "中文"@zh, "Deutsch"@de . ex:b rdfs:label "中文"@zh-hans .'
        'ex:c rdfs:label "plain", "Deutsch"@de . ex:d rdfs:label "Deutsch"@de, "русский"@ru .'
        "ex:e ex:p ex:a ."
    )
    graph = load(text, "zh", "en")
    asked = [EntityId(f"ex:{x}") for x in "abcde"]
    labels = [entity.label for entity in graph.describe(asked).entities]
    assert labels == ["中文", "中文", "plain", "Deutsch", ""]
    assert graph.describe([EntityId("ex:e")]).entities[0].name == "ex:e"


def test_names_of_every_language_can_be_found(load: Load) -> None:
    graph = load('ex:a rdfs:label "Vienna"@en, "Wien"@de, "维也纳"@zh, "Вена"@ru .')
    for text in ("wien", "维也纳", "ВЕНА"):
        candidate = graph.link(text).items[0]
        assert (candidate.entity.id, candidate.entity.label) == (A, "Vienna")


def test_types_are_labels_of_classes_the_commonest_first(load: Load) -> None:
    graph = load(
        'ex:Film rdfs:label "film"@en . ex:Drama rdfs:label "drama"@en . ex:Odd rdfs:label "odd"@en .'
        "ex:a a ex:Odd, ex:Film, ex:Drama, ex:Nameless . ex:b a ex:Film, ex:Drama . ex:c wdt:P31 ex:Film ."
    )
    assert graph.describe([A]).entities[0].types == ("film", "drama", "odd")
    assert graph.describe([EntityId("ex:c")]).entities[0].types == ("film",)


# --- what is offered


def test_labels_links_and_declarations_are_not_offered_as_relations(load: Load) -> None:
    graph = load(
        'wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en ;'
        " wikibase:propertyType wikibase:WikibaseItem . ex:p a owl:ObjectProperty ; rdfs:domain ex:c ."
        'ex:a rdfs:label "A"@en ; skos:altLabel "AA" ; schema:description "d"@en ; rdfs:comment "c" ;'
        ' owl:sameAs ex:other ; kg:inverseLabel "x" ; wdt:P57 ex:b ; ex:p ex:b .'
    )
    assert relations(graph, "ex:a").keys() == {"wdt:P57 out", "ex:p out"}
    assert relations(graph, "wd:P57") == {}
    assert relations(graph, "ex:c") == {}


def test_an_article_is_a_further_name_and_no_entity(load: Load) -> None:
    graph = load(
        '<https://en.wikipedia.org/wiki/Inception> schema:about ex:a ; schema:name "Inception (film)"@en ;'
        ' schema:inLanguage "en" . ex:a rdfs:label "Inception"@en . ex:essay schema:about ex:a .'
    )
    assert relations(graph, "ex:a") == {"schema:about in": "is about of"}
    assert ends(graph, "ex:a", "schema:about", "in") == ["ex:essay"]
    assert graph.link("Inception (film)").items[0].entity.id == A
    assert graph.manifest.n_entities == 2


def test_classes_are_offered_when_they_have_a_label(load: Load) -> None:
    graph = load('ex:a a ex:Film, ex:Nameless ; wdt:P31 ex:Film . ex:Film rdfs:label "film"@en .')
    assert relations(graph, "ex:a").keys() == {"rdf:type out", "wdt:P31 out"}
    assert ends(graph, "ex:a", "rdf:type") == ["ex:Film"]
    assert ends(graph, "ex:Film", "rdf:type", "in") == ["ex:a"]


def test_properties_are_described_but_never_linked(load: Load) -> None:
    graph = load(
        'wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en .'
        "wd:Q1 wdt:P57 wd:Q2 ."
    )
    assert graph.link("director").items == ()
    assert graph.describe([EntityId("wd:P57")]).entities[0].label == "director"


def test_examples_and_kinds_of_ends_are_told(load: Load) -> None:
    graph = load(
        'ex:Film rdfs:label "film"@en . ex:b a ex:Film ; rdfs:label "Bee"@en . ex:c a ex:Film .'
        'ex:a ex:p ex:b, ex:c, "text", 5, "2010-01-01"^^xsd:date ; ex:q "01.50"^^xsd:decimal .'
    )
    options = {o.relation.id: o for o in graph.relations([A]).items}
    assert options[P].count == 5
    assert set(options[P].target_types) <= {"film", "date", "number", "text"}
    assert len(options[P].targets) <= 3
    decimal = options[RelationId("ex:q")]
    assert (decimal.targets, decimal.target_types) == (("01.50",), ("number",))


# --- edges


def test_ends_with_many_edges_come_first_then_by_id_and_literals_last(load: Load) -> None:
    graph = load('ex:a ex:p ex:d, ex:c, ex:z, "lit" . ex:z ex:q ex:y, ex:x .')
    assert ends(graph, "ex:a", "ex:p") == ["ex:z", "ex:c", "ex:d", "lit"]


def test_a_hub_is_ordered_like_any_other_however_much_is_asked(load: Load) -> None:
    n = HUB_KEPT + 50
    lines = [f"ex:i{i:05} ex:p ex:hub ." for i in range(n)]
    lines += [f"ex:i{i:05} ex:q ex:x{j} ." for i in range(0, n, 97) for j in range(i % 5)]
    graph = load("\n".join(lines))
    hub = EntityId("ex:hub")
    everything = [t.subject.id for t in graph.edges([hub], P, "in", limit=10_000).triples]
    assert len(everything) == n
    assert everything[0] == "ex:i00194"
    for limit in (1, 10, HUB_EDGES, HUB_KEPT, HUB_KEPT + 1):
        edges = graph.edges([hub], P, "in", limit=limit)
        assert [t.subject.id for t in edges.triples] == everything[:limit]
        assert edges.more == ((hub, n - limit),)
    assert graph.edges([hub], P, "in", limit=0).more == ((hub, n),)


@pytest.mark.parametrize(
    "written",
    ['"-0044-03-15"^^xsd:date', '"1990"^^xsd:gYear', '"1e400"^^xsd:double', '"-0"^^xsd:integer',
     '"+8848.86"^^xsd:decimal', '"007"^^xsd:long', '"2010-01-01T00:00:00.000Z"^^xsd:dateTime',
     '"Point(1 2)"^^geo:wktLiteral', '"x"@zh-hant', '" x "',
     '"12"^^ex:metre'],
)  # fmt: skip
def test_a_literal_is_shown_as_it_was_written(load: Load, written: str) -> None:
    graph = load(f"ex:a ex:p {written} .")
    (triple,) = graph.edges([A], P).triples
    assert isinstance(triple.object, Literal)
    value, _, kind = written[1:].rpartition('"')
    shown = f"^^{triple.object.datatype}" if triple.object.datatype else ""
    assert triple.object.value == value
    assert kind == shown + (f"@{triple.object.lang}" if triple.object.lang else "")


def test_texts_in_several_languages_are_all_kept(load: Load) -> None:
    graph = load('ex:a ex:p "motto"@en, "motto"@fr, "motto" .')
    objects = [t.object for t in graph.edges([A], P).triples]
    assert objects == [Literal("motto"), Literal("motto", lang="en"), Literal("motto", lang="fr")]


def test_identity_links_of_old_and_new_entities_come_with_the_edges(load: Load) -> None:
    graph = load("ex:a ex:p ex:b ; owl:sameAs ex:a2 . ex:b2 owl:sameAs ex:b .")
    assert graph.edges([A], P).same_as == ((A, "ex:a2"), (B, "ex:b2"))


def test_an_iri_may_be_asked_for_an_id(load: Load) -> None:
    graph = load("ex:a ex:p ex:b .")
    for written in ("http://ex.org/a", "<http://ex.org/a>"):
        assert ends(graph, written, "<http://ex.org/p>") == ["ex:b"]
        assert graph.relations([EntityId(written)]).items[0].touches == (written,)


NODES = st.sampled_from(["ex:a", "ex:b", "ex:c", "ex:Kind"])
ENDS = st.one_of(NODES, st.sampled_from(['"1"', '"01"^^xsd:integer', '"x"@en', "_:n", "_:m", "[]"]))
EDGES = st.lists(
    st.tuples(NODES, st.sampled_from(["ex:p", "ex:q", "rdf:type", "wdt:P31"]), ENDS), max_size=25
)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EDGES)
def test_counts_are_exact_whatever_the_graph(load: Load, edges: list[tuple[str, str, str]]) -> None:
    lines = [f"{s} {p} {o} ." for s, p, o in edges]
    graph = load(
        'ex:Kind rdfs:label "kind"@en . ex:a rdfs:label "A"@en . _:m ex:p "y" .' + "\n".join(lines)
    )
    for node in ("ex:a", "ex:b", "ex:c", "ex:Kind"):
        for option in graph.relations([EntityId(node)]).items:
            found = graph.edges([EntityId(node)], option.relation.id, option.direction, limit=1000)
            assert len(found.triples) == option.count, (node, option)
            assert len(set(found.triples)) == len(found.triples)
            assert not any("_:" in t.text for t in found.triples)
