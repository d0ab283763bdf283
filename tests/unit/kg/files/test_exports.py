"""Exports: what is written is read back as the same graph."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, NamedNode, Quad, RdfFormat, parse, serialize
from pyoxigraph import Literal as OxLiteral

from kgcore.errors import InputError
from kgcore.kg.files.export_formats import SUFFIXES, ExportFormat
from kgcore.kg.files.exports import export_graph, export_triples
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.vocabulary import NO_VALUE, UNKNOWN_VALUE
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple

XSD, RDFS = "http://www.w3.org/2001/XMLSchema#", "http://www.w3.org/2000/01/rdf-schema#"
LABEL = NamedNode(RDFS + "label")
FORMATS: tuple[ExportFormat, ...] = ("turtle", "nquads", "graphml", "csv")
UGLY = [
    "=1+1", "+44", "-5", "@SUM(A1)", "\tcell", "\rcell", "\ncell", "'=1", "''-1", "'quoted'", 'say "hi"', "a,b;c|d",
    "two\r\nlines", " padded ", "مرحبا", "👩‍👩‍👧‍👦", "<b>&amp;</b>", "https://a.b/c", "wd:Q42", "12", "_:b0", "x" * 500, "]]>",
]  # fmt: skip


def thing(name: object) -> NamedNode:
    return NamedNode(f"http://ex.org/{name}")


def quads() -> list[Quad]:
    """A graph with all that is hard to keep."""
    found = []
    for number, text in enumerate(UGLY):
        found.append(
            Quad(thing(number), LABEL, OxLiteral(text, language="en" if number % 2 else None))
        )
        found.append(Quad(thing(number), thing("note"), OxLiteral(text)))
        found.append(Quad(thing(number), thing("next"), thing(number + 1)))
    for value, datatype in (("01.50", "decimal"), ("1e400", "double"), ("-0044-03-15", "date"), ("1990", "gYear"),
                            ("007", "integer"), ("true", "boolean"), ("not a number", "integer")):  # fmt: skip
        found.append(
            Quad(thing(0), thing("value"), OxLiteral(value, datatype=NamedNode(XSD + datatype)))
        )
    found += [
        Quad(thing(0), thing("kind"), OxLiteral("5", datatype=NamedNode("urn:unit:metre"))),
        Quad(thing(1), thing("empty"), OxLiteral("")),
        Quad(thing(1), thing("cycle"), thing(1)),
        Quad(NamedNode("mailto:a@b.c"), thing("p"), NamedNode("tag:x,2020:y")),
        Quad(NamedNode("urn:kg:films:The%20Matrix"), NamedNode("urn:kg:films:p:by"), NamedNode("urn:x:日本")),
        Quad(BlankNode("b1"), thing("p"), BlankNode("b2")),
    ]  # fmt: skip
    return found


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGraph]:
    home = tmp_path_factory.mktemp("exports")
    path = home / "g.nt"
    path.write_bytes(serialize(quads(), format=RdfFormat.N_TRIPLES) or b"")
    import_graph([path], home=home, name="films")
    opened = open_graph(home, "films")
    yield opened
    opened.close()


def written(graph: LocalGraph) -> set[str]:
    """All triples as they were written in the files, blank nodes without their names."""
    from kgcore.kg.files.exports import graph_statements

    return {
        " ".join("_:" if isinstance(t, BlankNode) else str(t) for t in (s.subject, s.predicate, s.object))
        for s in graph_statements(graph)
    }  # fmt: skip


def shown(graph: LocalGraph) -> object:
    ids = [EntityId(f"<{thing(number).value}>") for number in range(len(UGLY))]
    return [(e.id, e.label) for e in graph.describe(ids).entities]


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_exported_is_imported_as_the_same_graph(
    graph: LocalGraph, tmp_path: Path, kind: ExportFormat
) -> None:
    path = tmp_path / f"export{SUFFIXES[kind]}"
    with path.open("wb") as out:
        n = export_graph(graph, out, kind)
    assert n == graph.manifest.n_triples
    manifest = import_graph([path], home=tmp_path, name="films")
    again = open_graph(tmp_path, "films")
    assert written(again) == written(graph)
    assert manifest.n_triples == graph.manifest.n_triples
    assert shown(again) == shown(graph)
    again.close()


def test_what_was_written_is_kept_to_the_letter(graph: LocalGraph) -> None:
    assert any('"01.50"^^' in line for line in written(graph))
    assert any('"1e400"^^' in line for line in written(graph))


def test_no_cell_of_a_table_begins_like_a_formula(graph: LocalGraph) -> None:
    out = io.BytesIO()
    export_graph(graph, out, "csv")
    cells = [
        cell for row in csv.reader(io.StringIO(out.getvalue().decode(), newline="")) for cell in row
    ]
    assert not [
        cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") and cell
    ]
    assert "'=1+1" in cells


def test_the_named_graph_of_a_triple_is_the_graph_it_came_from(graph: LocalGraph) -> None:
    out = io.BytesIO()
    export_graph(graph, out, "nquads")
    names = {quad.graph_name for quad in parse(out.getvalue(), RdfFormat.N_QUADS)}
    assert names == {NamedNode("urn:kg:films")}


def run_triples() -> list[Triple]:
    tom = Entity(EntityId("films:Tom"), "Tom Hanks", "an actor", "films")
    city = Entity(EntityId("wd:Q1"), "Concord", "", "wikidata")
    where = Provenance("films", "SELECT ?x", "2026-01-01T00:00:00+00:00", "preferred", "c1")
    born, tall = (
        Relation(RelationId("wdt:P19"), "born in", kg="films"),
        Relation(RelationId("films:p:tall"), "height"),
    )
    return [
        Triple(tom, born, city, where),
        Triple(tom, tall, Literal("1.83", "xsd:decimal", unit="metre"), Provenance("films")),
        Triple(tom, Relation(RelationId("wdt:P570")), NO_VALUE, Provenance("films")),
        Triple(tom, Relation(RelationId("wdt:P20")), UNKNOWN_VALUE, Provenance("wikidata")),
        Triple(
            tom, Relation(RelationId("wdt:P1")), Literal("hallo", lang="de"), Provenance("films")
        ),
    ]


@pytest.mark.parametrize("kind", FORMATS)
def test_triples_of_a_run_come_back_with_labels_and_values(
    tmp_path: Path, kind: ExportFormat
) -> None:
    path = tmp_path / f"run{SUFFIXES[kind]}"
    prefixes = {"films": "urn:kg:films:"}
    with path.open("wb") as out:
        same_as = [(EntityId("films:Tom"), EntityId("wd:Q2263"))]
        export_triples(run_triples(), out, kind, same_as=same_as, prefixes=prefixes)
    import_graph([path], home=tmp_path, name="films")
    graph = open_graph(tmp_path, "films")
    tom = "<urn:kg:films:Tom>" if kind == "nquads" else "films:Tom"
    (entity,) = graph.describe([EntityId(tom)]).entities
    assert (entity.label, entity.description) == ("Tom Hanks", "an actor")
    found = {
        triple.object
        for option in graph.relations([EntityId(tom)]).items
        for triple in graph.edges([EntityId(tom)], option.relation.id).triples
    }
    assert found == {triple.object for triple in run_triples()}
    assert {other for _, other in graph.same_as([EntityId(tom)])} == {"wd:Q2263"}
    graph.close()


def test_a_table_tells_where_each_triple_came_from() -> None:
    out = io.BytesIO()
    export_triples(run_triples(), out, "csv")
    first = next(csv.DictReader(io.StringIO(out.getvalue().decode())))
    assert [first[name] for name in ("subject_name", "relation_name", "object_name")] == [
        "Tom Hanks", "born in", "Concord",
    ]  # fmt: skip
    assert [first[name] for name in ("kg", "query", "rank", "correction")] == [
        "films", "SELECT ?x", "preferred", "c1",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", FORMATS)
def test_an_export_of_nothing_is_a_file_without_triples(tmp_path: Path, kind: ExportFormat) -> None:
    path = tmp_path / f"empty{SUFFIXES[kind]}"
    with path.open("wb") as out:
        assert export_triples([], out, kind) == 0
    with pytest.raises(InputError, match="no triples"):
        import_graph([path], home=tmp_path, name="films")
