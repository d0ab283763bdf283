"""Graphs behind real endpoints, at the size of real data."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from kgcore.errors import BadReplyError, InputError, ServiceError
from kgcore.kg.connections import Connection
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.sparql import SparqlGraph
from kgcore.kg.sparql.label_index import Progress
from kgcore.kg.sparql.probe import probe
from kgcore.model import Entity, EntityId, RelationId, Triple
from kgcore.transport.cache import ResponseCache
from tests.servers.asking import transport
from tests.servers.counting_proxy import CountingProxy
from tests.servers.faulty_server import FaultyServer, Received, Reply
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.virtuoso_server import VirtuosoServer, require_virtuoso

NOLAN, INCEPTION = EntityId("wd:Q25191"), EntityId("wd:Q25188")
DIRECTOR = RelationId("wdt:P57")


def behind(address: str, profile: str, **how: object) -> SparqlGraph:
    connection = Connection("g", "sparql", address, profile)
    return SparqlGraph(connection, how.pop("transport", None) or transport(timeout_s=30), **how)  # type: ignore[arg-type]


def key(triple: Triple) -> tuple[str, ...]:
    end = triple.object
    return (triple.subject.id, triple.relation.id, end.id if isinstance(end, Entity) else end.value)


# --- Wikidata's shape, behind Oxigraph


@pytest.fixture(scope="module")
def codex(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("codex")
    with OxigraphServer([shared_data / "codex" / "kg.nt.gz"], folder=folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def films(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("films")
    with OxigraphServer([shared_data / "2wiki" / "kg.nt.gz"], folder=folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def indexed(films: str, home: Path) -> tuple[SparqlGraph, list[Progress]]:
    graph, told = behind(films, "wikidata", folder=home), list[Progress]()
    graph.build_label_index(told.append)
    return graph, told


def test_relations_of_twenty_things_are_one_request(codex: str) -> None:
    with CountingProxy(codex) as proxy:
        graph = behind(proxy.address, "wikidata")
        films = graph.edges([EntityId("wd:Q11424")], RelationId("wdt:P31"), "in", limit=20)
        asked = [t.subject.id for t in films.triples]
        assert len(asked) == 20
        before = len(proxy.requests)
        options = graph.relations(asked).items
        assert len(proxy.requests) - before == 1
    assert len(options) > 5
    assert len({i for option in options for i in option.touches}) == 20
    assert not any(option.is_at_least for option in options)


def test_edges_bring_labels_descriptions_and_types_in_one_request(codex: str) -> None:
    with CountingProxy(codex) as proxy:
        found = behind(proxy.address, "wikidata").edges([NOLAN], DIRECTOR, "in")
        assert len(proxy.requests) == 1
    films = {t.subject.label: t.subject for t in found.triples}
    assert (
        films["Inception"].description == "2010 science fiction film directed by Christopher Nolan"
    )
    assert films["Inception"].types == ("film",)
    assert {t.relation.label for t in found.triples} == {"director"}


def test_a_question_asked_twice_is_sent_once_and_two_at_once_share_it(
    codex: str, tmp_path: Path
) -> None:
    with CountingProxy(codex) as proxy:
        shared = transport(cache=ResponseCache(tmp_path / "replies.sqlite"), timeout_s=30)
        graph = behind(proxy.address, "wikidata", transport=shared)
        start = threading.Barrier(4)

        def ask(_: int) -> object:
            start.wait()
            return graph.edges([NOLAN], DIRECTOR, "in")

        with ThreadPoolExecutor(4) as pool:
            assert len(set(map(repr, pool.map(ask, range(4))))) == 1
        graph.edges([NOLAN], DIRECTOR, "in")
        assert len(proxy.requests) == 1


def test_a_new_version_of_the_data_is_asked_for_again(codex: str, tmp_path: Path) -> None:
    with CountingProxy(codex) as proxy:
        shared = transport(cache=ResponseCache(tmp_path / "replies.sqlite"), timeout_s=30)
        connections = [
            Connection("g", "sparql", proxy.address, "wikidata", data_version=v) for v in "112"
        ]
        graphs = [SparqlGraph(connection, shared) for connection in connections]
        for graph in graphs:
            graph.describe([NOLAN])
        assert len(proxy.requests) == 2
        assert graphs[0].version == graphs[1].version != graphs[2].version


def test_the_version_is_of_the_address_the_profile_and_the_languages() -> None:
    versions = {
        behind("http://127.0.0.1:9/a", "wikidata").version,
        behind("http://127.0.0.1:9/b", "wikidata").version,
        behind("http://127.0.0.1:9/a", "generic").version,
        behind("http://127.0.0.1:9/a", "generic", languages=("de",)).version,
    }
    assert len(versions) == 4


def test_a_label_index_finds_what_an_embedded_graph_finds(
    indexed: tuple[SparqlGraph, list[Progress]], shared_data: Path, tmp_path: Path
) -> None:
    graph, told = indexed
    assert told[-1].is_done
    assert told[-1].n_things > 2_000
    assert told[-1].share == 1
    assert [p.n_things for p in told] == sorted(p.n_things for p in told)
    import_graph([shared_data / "2wiki" / "kg.nt.gz"], home=tmp_path, name="films")
    local = open_graph(tmp_path, "films")
    lines = (shared_data / "2wiki" / "questions.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines[:80]]
    best: dict[str, bool] = {}
    for record in asked:
        text = record["question"]
        here = {c.mention: c.entity.id for c in reversed(local.link(text, is_question=True).items)}
        there = {c.mention: c.entity.id for c in reversed(graph.link(text, is_question=True).items)}
        assert here.keys() == there.keys(), text
        best |= {mention: here[mention] == there[mention] for mention in here}
    assert len(best) > 80
    # among things of one name counts of edges decide, and an index from outside counts those that leave
    assert sum(best.values()) >= 0.97 * len(best)
    local.close()


def test_a_label_index_is_kept_and_belongs_to_its_endpoint_and_version(
    indexed: tuple[SparqlGraph, list[Progress]], films: str, home: Path
) -> None:
    assert behind(films, "wikidata", folder=home).has_label_index
    other = Connection("g", "sparql", films, "wikidata", data_version="2")
    assert not SparqlGraph(other, transport(), folder=home).has_label_index


def test_an_index_that_could_not_be_built_is_not_there(tmp_path: Path) -> None:
    graph = behind("http://127.0.0.1:9/sparql", "generic", folder=tmp_path)
    with pytest.raises(ServiceError):
        graph.build_label_index()
    assert not graph.has_label_index
    assert not list((tmp_path / "label-indexes").iterdir())
    with pytest.raises(InputError, match="no folder"):
        behind("http://127.0.0.1:9/sparql", "generic").build_label_index()


def test_without_an_index_names_are_found_exactly_and_questions_not(codex: str) -> None:
    graph = behind(codex, "wikidata")
    assert graph.link("inception").items[0].entity.id == INCEPTION
    assert graph.link("Who directed Inception?", is_question=True).items == ()


def test_a_probe_tells_what_an_endpoint_holds(codex: str) -> None:
    found = probe(Connection("g", "sparql", codex, "wikidata"), transport(timeout_s=30))
    assert (found.is_up, found.problem) == (True, "")
    assert (found.n_triples, found.is_at_least) == (393_952, False)
    assert found.label_relations[0] == "rdfs:label"
    assert found.languages == ("en",)
    assert found.seconds > 0


def test_a_probe_of_nothing_says_why_in_one_line() -> None:
    found = probe(Connection("g", "sparql", "http://127.0.0.1:9/sparql"), transport())
    assert not found.is_up
    assert "cannot be reached" in found.problem
    assert probe(Connection("g", "sparql", "http://x", "none"), transport()).problem


def test_a_count_that_takes_too_long_is_unknown() -> None:
    row = {"s": {"type": "uri", "value": "urn:x"}}
    one = json.dumps({"head": {}, "results": {"bindings": [row]}}).encode()

    def answer(request: Received) -> Reply:
        text = request.path + request.body.decode()
        return Reply(500, body=b"QueryTimeoutException") if "COUNT" in text else Reply(body=one)

    with FaultyServer([answer]) as server:
        found = probe(Connection("g", "sparql", server.url("/q")), transport())
    assert found.is_up
    assert found.n_triples is None


# --- a search service in the shape of wbsearchentities

PROFILE = """\
labels: [rdfs:label]
search:
  hosts: [127.0.0.1]
  url: {url}
"""
FOUND = {
    "search": [
        {
            "id": "Q25188",
            "concepturi": "http://www.wikidata.org/entity/Q25188",
            "label": "Inception",
            "description": "2010 film",
            "match": {"type": "label", "language": "en", "text": "Inception"},
        },
        {
            "id": "Q1",
            "concepturi": "http://www.wikidata.org/entity/Q1",
            "label": "The Beginning",
            "match": {"type": "alias", "language": "en", "text": "Inception"},
        },
        {"id": "bad", "concepturi": "no address", "label": "x"},
    ]
}


def searching(tmp_path: Path, server: FaultyServer) -> SparqlGraph:
    (tmp_path / "profiles").mkdir(parents=True)
    own = PROFILE.format(url=server.url("/w/api.php"))
    (tmp_path / "profiles" / "mine.yaml").write_text(own)
    return behind("http://127.0.0.1:9/sparql", "mine", folder=tmp_path)


def test_a_search_service_is_asked_where_the_profile_names_one(tmp_path: Path) -> None:
    with FaultyServer([Reply(body=json.dumps(FOUND).encode())]) as server:
        graph = searching(tmp_path, server)
        items = graph.link("inception").items
        assert graph.link("something else").items == ()
        fields = parse_qs(urlsplit(server.received[0].path).query)
    assert [c.entity.id for c in items] == ["wd:Q25188", "wd:Q1"]
    assert items[0].score > items[1].score
    assert (fields["action"], fields["search"]) == (["wbsearchentities"], ["inception"])


@pytest.mark.parametrize(
    "body", [b"<html>", b"[]", b'{"error": {"code": "x"}}', b'{"search": [1]}']
)
def test_a_search_that_answers_something_else_is_an_error(tmp_path: Path, body: bytes) -> None:
    with FaultyServer([Reply(body=body)]) as server, pytest.raises(BadReplyError):
        searching(tmp_path, server).link("inception")


# --- Freebase's shape, behind Virtuoso

MEDIATED = """\
<http://rdf.freebase.com/ns/m.film> <http://rdf.freebase.com/ns/type.object.name> "Inception"@en .
<http://rdf.freebase.com/ns/m.film> <http://rdf.freebase.com/ns/type.object.type> <http://rdf.freebase.com/ns/common.topic> .
<http://rdf.freebase.com/ns/m.film> <http://rdf.freebase.com/ns/film.film.starring> <http://rdf.freebase.com/ns/m.cvt> .
<http://rdf.freebase.com/ns/m.cvt> <http://rdf.freebase.com/ns/type.object.type> <http://rdf.freebase.com/ns/film.performance> .
<http://rdf.freebase.com/ns/m.cvt> <http://rdf.freebase.com/ns/film.performance.actor> <http://rdf.freebase.com/ns/m.leo> .
<http://rdf.freebase.com/ns/m.cvt> <http://rdf.freebase.com/ns/film.performance.film> <http://rdf.freebase.com/ns/m.film> .
<http://rdf.freebase.com/ns/m.cvt> <http://rdf.freebase.com/ns/film.performance.character> <http://rdf.freebase.com/ns/m.cobb> .
<http://rdf.freebase.com/ns/m.leo> <http://rdf.freebase.com/ns/type.object.name> "Leonardo DiCaprio"@en .
<http://rdf.freebase.com/ns/m.leo> <http://rdf.freebase.com/ns/film.actor.film> <http://rdf.freebase.com/ns/m.cvt> .
<http://rdf.freebase.com/ns/m.film> <http://rdf.freebase.com/ns/film.film.directed_by> <http://rdf.freebase.com/ns/m.nolan> .
<http://rdf.freebase.com/ns/m.nolan> <http://rdf.freebase.com/ns/type.object.name> "Christopher Nolan"@en .
<http://rdf.freebase.com/ns/m.cobb> <http://rdf.freebase.com/ns/type.object.type> <http://rdf.freebase.com/ns/common.topic> .
"""
FILM, LEO = EntityId("fb:m.film"), EntityId("fb:m.leo")
STARRING = "fb:film.film.starring..film.performance."


@pytest.fixture(params=["oxigraph", "virtuoso"])
def serve(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Serves N-Triples; returns the address."""
    with ExitStack() as ends:

        def start(text: str) -> str:
            path = tmp_path / "served.nt"
            path.write_text(text)
            if request.param == "oxigraph":
                return ends.enter_context(OxigraphServer([path], folder=tmp_path)).address
            server: VirtuosoServer = request.getfixturevalue("virtuoso")
            ends.callback(server.sql, "delete from DB.DBA.load_list where ll_graph = 'urn:test:s';")
            ends.callback(server.sql, "SPARQL CLEAR GRAPH <urn:test:s>;")
            return server.load("urn:test:s", [path])

        yield start


@pytest.fixture
def mediated(serve: Callable[[str], str]) -> SparqlGraph:
    return behind(serve(MEDIATED), "freebase")


def test_a_relation_over_a_mediator_reads_as_one(mediated: SparqlGraph) -> None:
    options = {(o.relation.id, o.direction): o for o in mediated.relations([FILM]).items}
    assert set(options) == {
        ("fb:film.film.directed_by", "out"),
        (f"{STARRING}actor", "out"),
        (f"{STARRING}character", "out"),
        ("fb:film.actor.film..film.performance.film", "in"),
    }
    starring = options[RelationId(f"{STARRING}actor"), "out"]
    assert (starring.relation.label, starring.targets) == ("actor", ("Leonardo DiCaprio",))
    for (relation, direction), option in options.items():
        assert len(mediated.edges([FILM], relation, direction).triples) == option.count == 1


def test_edges_over_a_mediator_lead_from_thing_to_thing(mediated: SparqlGraph) -> None:
    (triple,) = mediated.edges([LEO], RelationId(f"{STARRING}actor"), "in").triples
    assert triple.text == "Inception – actor – Leonardo DiCaprio"
    (triple,) = mediated.edges([FILM], RelationId(f"{STARRING}character")).triples
    assert key(triple)[2] == "fb:m.cobb"  # a proper thing without a name is no mediator
    assert mediated.edges([FILM], RelationId("fb:film.film.starring")).triples == ()


def test_a_graph_knows_which_relations_it_has(mediated: SparqlGraph) -> None:
    relations = ["film.film.directed_by", "film.film.starring..film.performance.actor"]
    assert all(mediated.has_relation(RelationId(f"fb:{name}")) for name in relations)
    others = ["film.film.written_by", "film.film.starring..film.performance.director"]
    assert not any(mediated.has_relation(RelationId(f"fb:{name}")) for name in others)


# --- values that are ids in another graph

MBID = "0383dadf-2a4e-4d10-a46a-e9e041da8eb3"
LINKED = f"""\
<http://www.wikidata.org/entity/Q2831> <http://www.wikidata.org/prop/direct/P434> "{MBID}" .
<http://www.wikidata.org/entity/Q2831> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q5> .
<http://www.wikidata.org/entity/Q5> <http://www.wikidata.org/prop/direct/P434> "none" .
"""


@pytest.mark.parametrize("profile", ["wikidata", "generic"])
def test_ids_of_musicbrainz_are_links_from_either_side(
    serve: Callable[[str], str], profile: str
) -> None:
    graph = behind(serve(LINKED), profile)
    item, human, artist = EntityId("wd:Q2831"), EntityId("wd:Q5"), EntityId(f"mb:artist/{MBID}")
    assert graph.same_as([item, human]) == ((item, artist),)
    assert graph.same_as([artist]) == ((artist, item),)
    assert set(graph.describe([artist, item]).same_as) == {(artist, item), (item, artist)}
    assert graph.edges([item], RelationId("wdt:P31")).same_as == ((item, artist),)


@pytest.fixture(scope="module")
def freebase(
    shared_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[SparqlGraph, LocalGraph]]:
    """The same data behind a Virtuoso of its own, and embedded."""
    require_virtuoso()
    file = shared_data / "freebase" / "kg.nt.gz"
    home = tmp_path_factory.mktemp("freebase")
    with VirtuosoServer(folder=home / "virtuoso") as server:
        server.load("urn:test:freebase", [file])
        import_graph([file], home=home, name="freebase")
        local = open_graph(home, "freebase")
        yield behind(server.address, "freebase"), local
        local.close()


def test_freebase_behind_virtuoso_answers_as_the_embedded_graph(
    freebase: tuple[SparqlGraph, LocalGraph], shared_data: Path
) -> None:
    remote, local = freebase
    lines = (shared_data / "freebase" / "questions.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines[:24]]
    topics = [local.prefixes.shorten(t["iri"]) for r in records for t in r["topic_entities"]]
    things = list(dict.fromkeys(topics))[:8]
    n_edges = 0
    for start in range(0, len(things), 8):
        asked = things[start : start + 8]
        here = {(o.relation.id, o.direction): o for o in local.relations(asked).items}
        there = {(o.relation.id, o.direction): o for o in remote.relations(asked).items}
        assert here.keys() == there.keys()
        for which, option in here.items():
            other = there[which]
            assert other.count == option.count or other.is_at_least, which
            assert set(other.touches) == set(option.touches)
        for relation, direction in sorted(here)[::9]:
            expected = local.edges(asked, relation, direction, limit=300)
            if not expected.more:
                got = remote.edges(asked, relation, direction, limit=300)
                assert set(map(key, got.triples)) == set(map(key, expected.triples))
                n_edges += len(got.triples)
    assert n_edges > 10
