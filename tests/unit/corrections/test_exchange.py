"""Corrections as files: what is written, what is left out, and that reading gives back what was said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Dataset, NamedNode, RdfFormat, Store, parse

from kgcore.corrections import CorrectedGraph, Correction, mint
from kgcore.corrections.exchange import export_corrections, read_csv
from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from tests.unit.corrections.toys import HOME, OLD, REDS, moves_home

TURTLE = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
t:ann rdfs:label "Ann" ; t:plays t:reds .
t:reds rdfs:label "Reds" ; t:home t:old ; t:founded "1901"^^xsd:gYear ; t:motto "vor\\"wärts\\n"@de .
t:old rdfs:label "Old Park" . t:new rdfs:label "New Park" ; t:near t:old .
t:plays rdfs:label "plays for" . t:home rdfs:label "home venue" . t:founded rdfs:label "founded" .
t:near rdfs:label "near" . t:motto rdfs:label "motto" .
"""
WD_REDS, WD_OLD, WD_NEW = (Entity(EntityId(f"wd:Q{n}"), f"thing {n}") for n in (1, 2, 3))
WD_HOME = Relation(RelationId("wdt:P115"), "home venue")


def local(folder: Path, text: str, name: str = "toy") -> LocalGraph:
    file = folder / f"{name}.ttl"
    file.write_text(text, "utf-8")
    import_graph([file], home=folder, name=name)
    return open_graph(folder, name)


def everything(graph: Any) -> dict[str, Any]:
    """All that can be asked of the toy graph."""
    names = [f"t:{n}" for n in ("ann", "reds", "old", "new")] + [mint("Third Arena").id]
    found: dict[str, Any] = {}
    for name in names:
        for option in graph.relations((name,)).items:
            edges = graph.edges((name,), option.relation.id, option.direction).triples
            ends = {(t.subject.id, getattr(t.object, "id", t.object)) for t in edges}
            found[f"{name} {option.relation.id} {option.direction}"] = (option.count, ends)
        found[name] = [e.label for e in graph.describe((name,)).entities]
    return found


def corrections_of(graph: LocalGraph) -> list[Correction]:
    def edge(relation: str) -> Any:
        (triple,) = graph.edges((EntityId("t:reds"),), RelationId(relation)).triples
        return triple

    home, founded, motto = edge("t:home"), edge("t:founded"), edge("t:motto")
    new = graph.describe((EntityId("t:new"),)).entities[0]
    ann = graph.describe((EntityId("t:ann"),)).entities[0]
    arena = mint("Third Arena")
    return [
        Correction("c1", "replace", home.subject, home.relation, home.object, arena, kg="toy"),
        Correction(
            "c2",
            "replace",
            founded.subject,
            founded.relation,
            founded.object,
            Literal("1899", "xsd:gYear"),
            kg="toy",
        ),
        Correction("c3", "retract", motto.subject, motto.relation, motto.object, kg="toy"),
        Correction("c4", "add", new, Relation(RelationId("t:near"), "near"), ann, kg="toy"),
    ]


def test_a_sparql_update_makes_of_the_source_what_the_view_shows(tmp_path: Path) -> None:
    graph = local(tmp_path, TURTLE)
    corrections = corrections_of(graph)
    update = export_corrections(
        corrections, "sparql", lambda _kg, name: graph.prefixes.expand(name)
    )
    assert (update.n, update.left_out) == (4, ())
    copy = Store()
    copy.load(TURTLE.encode(), format=RdfFormat.TURTLE)
    copy.update(update.text)
    prefix = "@prefix t: <http://toy.example/> .\n"
    dumped = copy.dump(format=RdfFormat.TURTLE, from_graph=_default()).decode()
    changed = local(tmp_path, prefix + dumped, "changed")
    assert everything(changed) == everything(CorrectedGraph(graph, corrections))
    assert everything(changed) != everything(graph)


def _default() -> Any:
    from pyoxigraph import DefaultGraph

    return DefaultGraph()


def test_a_turtle_patch_holds_removals_additions_and_who_said_so(tmp_path: Path) -> None:
    graph = local(tmp_path, TURTLE)
    first, *rest = corrections_of(graph)
    said = replace(first, author='Ann "the" Admin\n', reason="moved", evidence="https://a.org/1")
    patch = export_corrections([said, *rest], "turtle", lambda _kg, n: graph.prefixes.expand(n))
    data = Dataset(parse(patch.text.encode(), format=RdfFormat.TURTLE))
    cs = "http://purl.org/vocab/changeset/schema#"
    assert len(list(data.quads_for_predicate(NamedNode(cs + "removal")))) == 3
    assert len(list(data.quads_for_predicate(NamedNode(cs + "addition")))) == 4  # one names it
    (author, *_) = [
        q.object.value
        for q in data.quads_for_predicate(NamedNode(cs + "creatorName"))
        if q.subject.value.endswith("c1")
    ]
    assert author == said.author


@pytest.mark.parametrize("text", ["https://a.org/1 (page 3)", "http://a.org/<b>", "https://"])
def test_what_only_begins_like_an_address_is_text_in_a_turtle_patch(
    tmp_path: Path, text: str
) -> None:
    graph = local(tmp_path, TURTLE)
    first, *rest = corrections_of(graph)
    said = replace(first, author=text, reason=text)
    patch = export_corrections([said, *rest], "turtle", lambda _kg, n: graph.prefixes.expand(n))
    assert (patch.n, patch.left_out) == (4, ())
    data = Dataset(parse(patch.text.encode(), format=RdfFormat.TURTLE))
    assert {text} == {
        q.object.value
        for name in ("creatorName", "changeReason")
        for q in data.quads_for_predicate(
            NamedNode(f"http://purl.org/vocab/changeset/schema#{name}")
        )
        if q.subject.value.endswith("c1")
    }


def test_quickstatements_remove_and_add_with_a_reference() -> None:
    said = Correction(
        "c",
        "replace",
        WD_REDS,
        WD_HOME,
        WD_OLD,
        WD_NEW,
        kg="wikidata",
        when="2026-03-04T05:06:07.000+00:00",
        evidence="https://example.org/a?b=c",
    )
    assert export_corrections([said], "quickstatements").text.splitlines() == [
        "-Q1\tP115\tQ2",
        'Q1\tP115\tQ3\tS854\t"https://example.org/a?b=c"\tS813\t+2026-03-04T00:00:00Z/11',
    ]


VALUES = {
    "+1970-07-30T00:00:00Z/11": Literal("1970-07-30", "xsd:date"),
    "+1970-07-00T00:00:00Z/10": Literal("1970-07", "xsd:gYearMonth"),
    "+1970-00-00T00:00:00Z/9": Literal("1970", "xsd:gYear"),
    "-0044-03-15T00:00:00Z/11": Literal("-0044-03-15T00:00:00Z", "xsd:dateTime"),
    "12.50": Literal("12.50", "xsd:decimal"),
    '"=1+1"': Literal("=1+1"),
    'de:"Wärts"': Literal("Wärts", lang="de"),
    "somevalue": Literal("unknown value", "kg:unknown"),
    "novalue": Literal("no value", "kg:none"),
}
LEFT_OUT = {
    "a tab": Literal("a\tb"),
    "a line break": Literal("a\nP31"),
    "a bar": Literal("a|b"),
    "a quote": Literal('a"b'),
    "a unit": Literal("12", "xsd:decimal", unit="metre"),
    "no precision": Literal("1970-01-01T00:00:00Z", "xsd:dateTime"),
    "no number": Literal("NaN", "xsd:double"),
    "a place on a map": Literal("Point(1 2)", "geo:wktLiteral"),
    "another vocabulary": OLD,
}


@pytest.mark.parametrize("written", VALUES)
def test_quickstatements_write_values_as_wikidata_does(written: str) -> None:
    said = Correction("c", "add", WD_REDS, WD_HOME, VALUES[written], kg="wikidata")
    assert export_corrections([said], "quickstatements").text == f"Q1\tP115\t{written}\n"


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_quickstatements_cannot_say_is_left_out_and_told(case: str) -> None:
    said = Correction("c", "add", WD_REDS, WD_HOME, LEFT_OUT[case], kg="wikidata")
    exported = export_corrections([said], "quickstatements")
    assert (exported.text, exported.n) == ("", 0)
    assert len(exported.left_out) == 1


def test_an_unknown_value_is_no_rdf_and_an_unknown_form_no_form() -> None:
    said = Correction("c", "retract", WD_REDS, WD_HOME, VALUES["somevalue"], kg="wikidata")
    assert export_corrections([said], "sparql").left_out
    with pytest.raises(InputError, match="none of"):
        export_corrections([said], "excel")


UGLY = [
    "=1+1",
    "+x",
    "-x",
    "@x",
    "\tx",
    "\nx",
    "\rx",
    "'=x",
    "''x",
    "a,b",
    'a"b',
    "a|b",
    "a\r\nb",
    " x ",
    "é–中",
]


@pytest.mark.parametrize("text", UGLY)
def test_s20_a_csv_is_harmless_and_reads_back_as_it_was(text: str) -> None:
    said = Correction(
        "c1",
        "replace",
        Entity(REDS.id, text, kg="toy"),
        Relation(HOME.id, text, kg="toy"),
        Literal(text, "", "de"),
        mint(text),
        author=text.strip() or "x",
        reason=text,
        kg="toy",
        when="2026-01-01",
        evidence="https://a.org/",
    )
    others = [moves_home(), Correction("c3", "add", REDS, HOME, Literal(text, unit=text), kg="toy")]
    written = export_corrections([said, *others], "csv").text
    assert not _formulas(written)
    back = read_csv(written.encode())
    assert back == (said, *others)
    assert back[0].subject.label == text
    assert back[0].minted == said.minted
    assert export_corrections(back, "csv").text == written


def _formulas(text: str) -> list[str]:
    import csv
    import io

    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    return [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")]


def test_a_csv_that_is_none_is_refused_with_its_line() -> None:
    good = export_corrections([moves_home()], "csv").text
    broken = {
        "a,b\r\n1,2\r\n": "line 1: the column id is missing",
        good + "x,y\r\n": "line 3: the row has more or fewer cells",
        good.replace("replace", "burn"): "line 2: a correction can",
        good.replace(",entity,t:home", ",thing,t:home"): "line 2: 'thing' is none of",
        good.replace(",toy,", ",,"): "line 2: a correction names the graph",
        good.rstrip() + "javascript:x\r\n": "line 2: the evidence is a link",
    }
    for text, message in broken.items():
        with pytest.raises(ImportFileError, match=message):
            read_csv(text.encode(), "f.csv")
    with pytest.raises(InputError, match="UTF-8"):
        read_csv(b"\xff\xfe")
    assert read_csv(b"\xef\xbb\xbf" + good.encode()) == (moves_home(),)
