"""SPARQL over graphs: which queries are run, and the edges behind their rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.vocabulary import Prefixes
from kgcore.sources.graphs.query import prepare
from kgcore.sources.graphs.source import GraphSource, open_graph_source
from kgcore.sources.spec import SourceSpec
from kgcore.steps import BadQuery, Evidence, Passages
from kgcore.testing import MemoryGraph

TURTLE = """\
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en .
wd:P19 a wikibase:Property ; wikibase:directClaim wdt:P19 ; rdfs:label "place of birth"@en .
wd:P577 a wikibase:Property ; wikibase:directClaim wdt:P577 ; rdfs:label "publication date"@en .
wd:Q1 rdfs:label "Inception"@en ; wdt:P57 wd:Q9 ; wdt:P577 "2010-07-08"^^xsd:date .
wd:Q2 rdfs:label "Memento"@en ; wdt:P57 wd:Q9 ; wdt:P577 "2000-09-05"^^xsd:date .
wd:Q3 rdfs:label "Heat"@en ; wdt:P57 wd:Q8 .
wd:Q9 rdfs:label "Christopher Nolan"@en ; wdt:P19 wd:Q7 . wd:Q8 rdfs:label "Michael Mann"@en .
wd:Q7 rdfs:label "London"@en . <urn:x:odd> rdfs:label "Odd one"@en ; wdt:P57 wd:Q8 .
"""
DIRECTED = "Inception – director – Christopher Nolan"
BORN = "Christopher Nolan – place of birth – London"

REFUSED = {
    "": "SELECT or ASK",
    "hello": "SELECT or ASK",
    "INSERT DATA { <a:b> <a:c> <a:d> }": "SELECT or ASK",
    "DELETE WHERE { ?s ?p ?o }": "SELECT or ASK",
    "PREFIX a: <a:b> DROP ALL": "SELECT or ASK",
    "CLEAR ALL": "SELECT or ASK",
    "LOAD <http://example.org/x>": "SELECT or ASK",
    "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }": "SELECT or ASK",
    "DESCRIBE <wd:Q1>": "SELECT or ASK",
    "DEFINE input:inference 'x' SELECT ?s { ?s ?p ?o }": "SELECT or ASK",
    "SELECT ?s { ?s ?p ?o } ; SELECT ?s { ?s ?p ?o }": "SELECT or ASK",
    "SELECT ?s { ?s ?p ?o } ; INSERT DATA { <a:b> <a:c> <a:d> }": "SELECT or ASK",
    "SELECT ?s FROM <http://example.org/g> { ?s ?p ?o }": "FROM",
    "SELECT ?s FROM NAMED <http://example.org/g> { ?s ?p ?o }": "FROM",
    "ask from <http://example.org/g> { ?s ?p ?o }": "FROM",
    "SELECT ?s { SERVICE <http://example.org/sparql> { ?s ?p ?o } }": "SERVICE",
    "SELECT ?s { service silent ?x { ?s ?p ?o } }": "SERVICE",
    "SELECT ?s { ?s ?p ?o FILTER EXISTS { SERVICE <x:y> { ?s ?p ?o } } }": "SERVICE",
    "SELECT (bif:sys_stat('x') AS ?x) { ?s ?p ?o }": "bif:sys_stat",
    "SELECT ?s { ?s ?p ?o FILTER(<http://example.org/f>(?s)) }": "example.org/f",
    "SELECT ?s { ?s ?p ?o": "open",
    "SELECT ?s { ?s ?p ?o } }": "closes",
    "SELECT ?s { ?s ?p 'open }": "not closed",
    "SELECT ?s { ?s ?p ?o } LIMIT ?x": "LIMIT",
    "SELECT ?s { ?s <wd:Q1 2> ?o }": "",
    "SELECT ?s { ?s <nothing> ?o }": "no id",
    "SELECT ?s " + "{" * 60 + "?s ?p ?o" + "}" * 60: "deeply",
    "SELECT ?s { ?s ?p ?o } #" + "x" * 30_000: "too long",
    "SELECT \x00 { ?s ?p ?o }": "character",
}


def prepared(query: str, most: int = 10) -> str:
    return prepare(query, Prefixes(), most=most, most_details=100).text


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphSource]:
    home = tmp_path_factory.mktemp("home")
    (home / "films.ttl").write_text(TURTLE)
    import_graph([home / "films.ttl"], home=home, name="films")
    graph = open_graph(home, "films")
    source = open_graph_source(
        SourceSpec("films", "graph", ("films",)), graph, home, most=5, time_limit_s=5
    )
    yield source
    source.close()


def items(source: GraphSource, query: str) -> list[Evidence]:
    result = source.run(query)
    assert isinstance(result, Passages), result
    return list(result.items)


def edges(item: Evidence) -> list[str]:
    return [triple.text for triple in item.triples]


@pytest.mark.parametrize("query", REFUSED, ids=lambda query: query[:60])
def test_a_query_that_may_do_harm_is_refused(films: GraphSource, query: str) -> None:
    result = films.run(query)
    assert isinstance(result, BadQuery), result
    assert REFUSED[query] in result.message
    assert result.message and "\n" not in result.message


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s rdfs:label 'SERVICE <http://x> { INSERT }' }",
        'SELECT ?s { ?s rdfs:label """FROM \' } { ; DROP""" }',
        "SELECT ?s { ?s ?p ?o } # DROP ALL ; SERVICE",
        "SELECT ?s { ?s <urn:x:FROM> ?o }",
        "SELECT ?from ?service { ?from ?service ?o }",
        "SELECT ?s { ?s ?p ?o FILTER(xsd:integer(?o) < 5 && ?o > 3) }",
    ],
)
def test_words_inside_texts_names_and_comments_are_no_commands(
    films: GraphSource, query: str
) -> None:
    assert isinstance(films.run(query), Passages)


@pytest.mark.parametrize(
    "query, limit",
    [
        ("SELECT ?s { ?s ?p ?o }", "LIMIT 11"),
        ("SELECT ?s { ?s ?p ?o } LIMIT 3", "LIMIT 3"),
        ("SELECT ?s { ?s ?p ?o } LIMIT 999999", "LIMIT 11"),
        (
            "SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 999999 OFFSET 2",
            "ORDER BY ?s OFFSET 2 LIMIT 11",
        ),
        ("SELECT ?s { ?s ?p ?o } limit 0", "LIMIT 0"),
        ("SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 2 } }", "LIMIT 11"),
        ("ASK { ?s ?p ?o }", "SELECT * { ?s ?p ?o } LIMIT 11"),
        ("SELECT ?s { ?s ?p ?o } VALUES ?s { wd:Q1 }", "LIMIT 11 VALUES ?s { wd:Q1 }"),
    ],
)
def test_every_query_gets_a_limit(query: str, limit: str) -> None:
    assert prepared(query).endswith(limit)


def test_ids_become_iris_and_known_prefixes_are_declared() -> None:
    text = prepared("SELECT ?d { <wd:Q1> wdt:P57 ?d ; <urn:x:1> <http://example.org/> }")
    assert "<http://www.wikidata.org/entity/Q1>" in text
    assert "<urn:x:1> <http://example.org/>" in text
    assert text.startswith("PREFIX wdt: <http://www.wikidata.org/prop/direct/>")
    own = prepared("PREFIX wdt: <urn:mine:> SELECT ?d { ?s wdt:P57 ?d }")
    assert own.count("PREFIX wdt:") == 1


def test_the_label_service_of_wikidata_is_left_out(films: GraphSource) -> None:
    query = "SELECT ?d ?dLabel { <wd:Q1> wdt:P57 ?d . SERVICE wikibase:label { bd:serviceParam wikibase:language 'en' . } }"
    (item,) = items(films, query)
    assert item.text == DIRECTED
    with pytest.raises(InputError, match="SERVICE"):
        prepared("SELECT ?d { SERVICE <http://example.org/wikibase:label> { ?s ?p ?d } }")


def test_a_row_becomes_a_sentence_with_the_edge_behind_it(films: GraphSource) -> None:
    (item,) = items(films, "SELECT ?d { <wd:Q1> <wdt:P57> ?d }")
    assert (item.text, item.origin) == (DIRECTED, "films, row 1")
    assert json.loads(item.raw) == {"d": {"id": "wd:Q9", "label": "Christopher Nolan"}}
    (triple,) = item.triples
    assert (triple.subject.id, triple.relation.id, triple.object.name) == (
        "wd:Q1", "wdt:P57", "Christopher Nolan",
    )  # fmt: skip
    assert triple.kg == "films"


def test_the_triples_are_those_the_graph_itself_gives(films: GraphSource) -> None:
    query = "SELECT ?f ?when { ?f <wdt:P57> <wd:Q9> ; <wdt:P577> ?when } ORDER BY ?when"
    for item in items(films, query):
        for triple in item.triples:
            found = films.graph.edges((triple.subject.id,), triple.relation.id, "out").triples
            assert triple in found
    assert items(films, query)[0].text == (
        "Memento – director – Christopher Nolan; Memento – publication date – 2000-09-05"
    )


def test_variables_that_are_not_shown_still_join_the_proof(films: GraphSource) -> None:
    query = "SELECT DISTINCT ?place { <wd:Q1> <wdt:P57> ?who . ?who <wdt:P19> ?place }"
    (item,) = items(films, query)
    assert edges(item) == [DIRECTED, BORN]
    assert json.loads(item.raw) == {"place": {"id": "wd:Q7", "label": "London"}}


def test_a_count_rests_on_the_edges_that_were_counted(films: GraphSource) -> None:
    (item,) = items(films, "SELECT (COUNT(?f) AS ?n) { ?f <wdt:P57> <wd:Q9> }")
    assert item.text == "n: 2"
    assert sorted(edges(item)) == [DIRECTED, "Memento – director – Christopher Nolan"]


def test_groups_have_each_their_own_edges(films: GraphSource) -> None:
    query = "SELECT ?who (COUNT(?f) AS ?n) { ?f <wdt:P57> ?who } GROUP BY ?who ORDER BY ?n ?who"
    for item in items(films, query):
        name = json.loads(item.raw)["who"]["label"]
        assert len(item.triples) == 2
        assert all(triple.object.name == name for triple in item.triples)


@pytest.mark.parametrize(
    "query, text, proof",
    [
        ("ASK { <wd:Q1> <wdt:P57> <wd:Q9> }", f"yes: {DIRECTED}", [DIRECTED]),
        ("ASK { <wd:Q1> <wdt:P57> <wd:Q8> }", "no: films holds nothing of the kind", []),
    ],
)
def test_a_yes_or_no_question_is_answered(
    films: GraphSource, query: str, text: str, proof: list[str]
) -> None:
    (item,) = items(films, query)
    assert (item.text, edges(item)) == (text, proof)


def test_patterns_that_do_not_hold_are_no_proof(films: GraphSource) -> None:
    query = "SELECT ?f { ?f <wdt:P57> <wd:Q8> MINUS { ?f <wdt:P577> ?when } FILTER NOT EXISTS { ?f <wdt:P19> ?x } } ORDER BY ?f"
    found = items(films, query)
    assert [edges(item) for item in found] == [
        ["Heat – director – Michael Mann"],
        ["Odd one – director – Michael Mann"],
    ]
    optional = items(films, "SELECT ?f ?w { ?f <wdt:P57> <wd:Q8> OPTIONAL { ?f <wdt:P577> ?w } }")
    assert all(len(item.triples) == 1 for item in optional)


def test_a_computed_value_is_told_beside_the_edges(films: GraphSource) -> None:
    (item,) = items(films, "SELECT (YEAR(?w) AS ?y) { <wd:Q1> <wdt:P577> ?w }")
    assert item.text == "Inception – publication date – 2010-07-08; y: 2010"
    query = "SELECT DISTINCT (YEAR(?w) AS ?y) { ?f <wdt:P57> <wd:Q9> ; <wdt:P577> ?w } ORDER BY ?w"
    assert [(json.loads(i.raw)["y"], i.triples[0].subject.label) for i in items(films, query)] == [
        ("2000", "Memento"),
        ("2010", "Inception"),
    ]


def test_rows_above_the_limit_are_noted(films: GraphSource) -> None:
    result = films.run("SELECT ?s ?o { ?s ?p ?o }")
    assert isinstance(result, Passages)
    assert (len(result.items), result.n_more, result.is_partial) == (5, 1, False)
    assert result.notes == ("films shows the first 5 rows; there are more",)


def test_a_query_that_does_not_end_is_ended(films: GraphSource) -> None:
    bomb = "SELECT (SUM(1) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?q ?o . ?r ?s ?t . ?u ?v ?w . ?x ?y ?z }"
    result = films.run(bomb)
    assert isinstance(result, BadQuery)
    assert "ended after 5 s" in result.message
    assert items(films, "SELECT ?d { <wd:Q1> <wdt:P57> ?d }")


def test_the_schema_lists_relations_by_frequency(films: GraphSource) -> None:
    lines = films.card().schema.splitlines()
    assert lines[1:] == [
        "<wdt:P57> director (4)",
        "<wdt:P577> publication date (2)",
        "<wdt:P19> place of birth (1)",
    ]


def test_a_graph_without_sparql_is_refused(tmp_path: Path) -> None:
    graph = MemoryGraph("small", [], labels={})
    with pytest.raises(InputError, match="cannot be asked in SPARQL"):
        open_graph_source(SourceSpec("small", "graph", ("small",)), graph, tmp_path)
