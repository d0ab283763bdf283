"""What every knowledge source promises, against each of those this package ships.

Each holds, in its own way, that Inception is a film of 2010 directed by Christopher Nolan.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgcore.errors import StoppedError
from kgcore.kg.connections import Connection
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.sparql import SparqlGraph
from kgcore.sources import HealthySource
from kgcore.sources.graphs.source import open_graph_source
from kgcore.sources.spec import LANGUAGES, Kind, SourceSpec
from kgcore.sources.tables.source import open_tables
from kgcore.sources.texts.source import open_texts
from kgcore.sources.wiki.source import WikiSource
from kgcore.steps import BadQuery, Passages
from kgcore.transport import Allowance, spending
from kgcore.transport.transport import Transport
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.wiki_server import WikiServer

PAGES = {
    "Inception": "Inception is a 2010 film directed by Christopher Nolan.",
    "Heat (film)": "Heat is a 1995 film directed by Michael Mann.",
    "Rome": "Rome is the capital of Italy & older than 2,000 years.",
}
TURTLE = """\
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en .
wd:P577 a wikibase:Property ; wikibase:directClaim wdt:P577 ; rdfs:label "publication date"@en .
wd:Q25188 rdfs:label "Inception"@en ; a wd:Q11424 ; wdt:P57 wd:Q25191 ; wdt:P577 "2010" .
wd:Q42198 rdfs:label "Heat"@en ; a wd:Q11424 ; wdt:P57 wd:Q9545 ; wdt:P577 "1995" .
wd:Q25191 rdfs:label "Christopher Nolan"@en . wd:Q9545 rdfs:label "Michael Mann"@en .
wd:Q11424 rdfs:label "film"@en .
"""
ROWS = [("Inception", 2010, "Christopher Nolan"), ("Heat", 1995, "Michael Mann")]


@dataclass(frozen=True)
class Known:
    """A source with queries whose outcome is known: one that finds Nolan, one that finds nothing, bad ones."""

    source: HealthySource
    kind: Kind
    finds: str
    finds_nothing: str
    bad: tuple[str, ...]


def of_tables(file: Path, home: Path) -> Known:
    spec = SourceSpec("films", "table", (str(file),), ("factual",), "films and who made them")
    table = file.stem
    return Known(
        open_tables(spec, home),
        "table",
        f"SELECT director FROM {table} WHERE title = 'Inception'",
        f"SELECT director FROM {table} WHERE title = 'Nothing'",
        ("", "hello", "SELECT nobody FROM films", f"DROP TABLE {table}"),
    )


def build_csv(folder: Path, home: Path) -> Known:
    file = folder / "films.csv"
    file.write_text("title,year,director\n" + "".join(f"{t},{y},{d}\n" for t, y, d in ROWS))
    return of_tables(file, home)


def build_json(folder: Path, home: Path) -> Known:
    file = folder / "films.json"
    file.write_text(json.dumps([{"title": t, "year": y, "director": d} for t, y, d in ROWS]))
    return of_tables(file, home)


def build_parquet(folder: Path, home: Path) -> Known:
    duckdb = pytest.importorskip("duckdb")
    file = folder / "films.parquet"
    with closing(duckdb.connect()) as db:
        db.execute("CREATE TABLE films (title VARCHAR, year INTEGER, director VARCHAR)")
        db.executemany("INSERT INTO films VALUES (?, ?, ?)", ROWS)
        db.execute(f"COPY films TO '{file}' (FORMAT parquet)")
    return of_tables(file, home)


def build_sqlite(folder: Path, home: Path) -> Known:
    file = folder / "films.sqlite"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE films (title TEXT, year INTEGER, director TEXT)")
        db.executemany("INSERT INTO films VALUES (?, ?, ?)", ROWS)
    return of_tables(file, home)


def build_texts(folder: Path, home: Path) -> Known:
    lines = [json.dumps({"title": title, "text": text}) for title, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("\n".join(lines))
    spec = SourceSpec("pages", "text", (str(folder),), ("factual",))
    return of_sentences(open_texts(spec, home), "text")


def of_sentences(source: HealthySource, kind: Kind) -> Known:
    bad = ("", "?!", "words " * 2_000)
    return Known(source, kind, "Who directed Inception?", "zzyzx qwfpgj", bad)


def of_graph(source: HealthySource) -> Known:
    return Known(
        source,
        "graph",
        "SELECT ?who WHERE { <wd:Q25188> <wdt:P57> ?who }",
        "SELECT ?who WHERE { <wd:Q25188> <wdt:P999> ?who }",
        ("", "hello", "SELECT ?x WHERE { ?x ?y }", "CLEAR ALL", "SELECT ?x { ?x <nothing> ?y }"),
    )


def build_local(folder: Path, home: Path) -> Known:
    file = folder / "films.ttl"
    file.write_text(TURTLE)
    import_graph([file], home=home, name="films")
    graph = open_graph(home, "films")
    return of_graph(open_graph_source(SourceSpec("films", "graph", ("films",)), graph, home))


HERE: dict[str, Callable[[Path, Path], Known]] = {
    "CSV": build_csv,
    "JSON": build_json,
    "Parquet": build_parquet,
    "SQLite": build_sqlite,
    "passages": build_texts,
    "embedded graph": build_local,
}


@pytest.fixture(scope="module")
def transport() -> Transport:
    return Transport(user_agent="traversal-studio-tests/1 (tests@example.org)", allow_private=True)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("oxigraph")
    file = folder / "films.ttl"
    file.write_text(TURTLE)
    with OxigraphServer([file], folder=folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def wiki() -> Iterator[WikiServer]:
    with WikiServer(PAGES) as server:
        yield server


@pytest.fixture(params=[*HERE, "graph behind an endpoint", "wiki"], scope="module")
def known(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Known]:
    files, home = tmp_path_factory.mktemp("files"), tmp_path_factory.mktemp("home")
    if request.param in HERE:
        built = HERE[request.param](files, home)
    elif request.param == "wiki":
        spec = SourceSpec("pages", "wiki", (request.getfixturevalue("wiki").address,))
        built = of_sentences(WikiSource(spec, request.getfixturevalue("transport")), "wiki")
    else:
        address = request.getfixturevalue("endpoint")
        connection = Connection("films", "sparql", address, "wikidata")
        graph = SparqlGraph(connection, request.getfixturevalue("transport"))
        spec = SourceSpec("films", "graph", ("films",))
        built = of_graph(open_graph_source(spec, graph, home))
    yield built
    if hasattr(built.source, "close"):
        built.source.close()


def found(known: Known, query: str) -> Passages:
    result = known.source.run(query)
    assert isinstance(result, Passages), result
    return result


def test_the_card_says_how_to_ask_it(known: Known) -> None:
    card = known.source.card()
    assert (card.id, card.version) == (known.source.id, known.source.version)
    assert card.language == LANGUAGES[known.kind]
    assert card.description and card.schema
    assert card.domains == known.source.spec.domains  # type: ignore[attr-defined]
    assert bool(card.kg) == (known.kind == "graph")


def test_a_query_finds_what_it_asks_for(known: Known) -> None:
    result = found(known, known.finds)
    first = result.items[0]
    assert "Christopher Nolan" in first.text
    assert "\n" not in first.text
    assert result.query


def test_each_piece_of_evidence_tells_where_it_stands_and_what_was_found(known: Known) -> None:
    for item in found(known, known.finds).items:
        assert item.origin
        assert json.loads(item.raw)


def test_finding_nothing_is_no_error(known: Known) -> None:
    assert found(known, known.finds_nothing).items == ()


def test_a_query_it_cannot_run_is_a_bad_query_in_one_line(known: Known) -> None:
    for query in known.bad:
        result = known.source.run(query)
        assert isinstance(result, BadQuery), query
        assert result.message and "\n" not in result.message
        assert "Traceback" not in result.message


def test_a_bad_query_does_no_harm_to_the_next(known: Known) -> None:
    before = found(known, known.finds)
    for query in known.bad:
        known.source.run(query)
    assert found(known, known.finds) == before


def test_threads_may_ask_at_once(known: Known) -> None:
    expected = found(known, known.finds)
    queries = [known.finds, known.bad[0]] * 8
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(known.source.run, queries))
    assert results[::2] == [expected] * 8
    assert all(isinstance(result, BadQuery) for result in results[1::2])


def test_the_version_stays_while_the_data_do(known: Known) -> None:
    before = known.source.version
    found(known, known.finds)
    assert known.source.version == before


def test_its_health_tells_that_it_answers(known: Known) -> None:
    health = known.source.health()
    assert health.is_up
    assert health.unit
    assert health.problem == ""


def test_a_stopped_run_does_not_wait_for_it(known: Known) -> None:
    """What is fast enough may answer all the same; nothing else may be raised."""

    def stop() -> None:
        raise StoppedError("stopped")

    with spending(Allowance(check=stop)), suppress(StoppedError):
        assert isinstance(known.source.run(known.finds), Passages)
    assert found(known, known.finds).items
