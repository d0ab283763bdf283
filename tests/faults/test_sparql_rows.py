"""Rows of the fault table that graphs behind an endpoint answer for, on real servers, or on scripted ones over HTTP."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import DefaultGraph, QueryResultsFormat, QuerySolutions, RdfFormat, Store

from kgcore.errors import (
    BadReplyError,
    InputError,
    RateLimitedError,
    ServiceError,
    TimedOutError,
    TooHeavyError,
    UnreachableError,
)
from kgcore.kg.connections import Connection
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.sparql import SparqlGraph, load_profile
from kgcore.kg.sparql import queries as q
from kgcore.kg.sparql.name_queries import names_query
from kgcore.kg.sparql.replies import parse_rows, to_end
from kgcore.kg.vocabulary import NO_VALUE, UNKNOWN_VALUE, Prefixes
from kgcore.model import Entity, EntityId, Literal, RelationId, Triple
from tests.faults import sparql_world as w
from tests.servers.asking import transport
from tests.servers.counting_proxy import CountingProxy
from tests.servers.faulty_server import Cut, Drip, Endless, FaultyServer, Hang, Reply, redirect
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.virtuoso_server import VirtuosoServer

ADA, TOWN = EntityId("wd:Q1"), EntityId("wd:Q10")
TABLE = "application/sparql-results+json"
NONE = Reply(body=b'{"head": {"vars": []}, "results": {"bindings": []}}', content_type=TABLE)


def prop(number: int) -> RelationId:
    return RelationId(f"wdt:P{number}")


def behind(address: str, profile: str = "wikidata", **more: str) -> SparqlGraph:
    return SparqlGraph(Connection("g", "sparql", address, profile, **more), transport())


def ends(graph: SparqlGraph, thing: str, relation: str, **how: str) -> list[Entity | Literal]:
    found = graph.edges([EntityId(thing)], RelationId(relation), **how)  # type: ignore[arg-type]
    side = "subject" if how.get("direction") == "in" else "object"
    return [getattr(t, side) for t in found.triples]


def key(triple: Triple) -> tuple[object, ...]:
    end = triple.object
    return (
        triple.subject.id,
        triple.relation.id,
        end.id if isinstance(end, Entity) else (end.value, end.datatype, end.lang),
    )


# --- servers


@pytest.fixture(scope="module")
def oxigraph_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("world")
    path = folder / "world.ttl"
    path.write_text(w.world(), "utf-8")
    with OxigraphServer([path], folder=folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def virtuoso_world(virtuoso: VirtuosoServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    store = Store()
    store.load(w.world().encode(), RdfFormat.TURTLE)
    path = tmp_path_factory.mktemp("world") / "world.nt"
    path.write_bytes(store.dump(format=RdfFormat.N_TRIPLES, from_graph=DefaultGraph()) or b"")
    return virtuoso.load("urn:test:world", [path])


@pytest.fixture(params=["oxigraph", "virtuoso"])
def world(request: pytest.FixtureRequest) -> SparqlGraph:
    return behind(request.getfixturevalue(f"{request.param}_world"))


Serve = Callable[..., FaultyServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[FaultyServer] = []

    def start(*script: object) -> FaultyServer:
        server = FaultyServer(list(script))  # type: ignore[arg-type]
        running.append(server.__enter__())
        return running[-1]

    yield start
    for server in running:
        server.__exit__(None, None, None)


# --- K3 K4 K5 K7: answers that are not whole


def rows(n: int) -> bytes:
    """An answer to edges_query with n ends of the first thing."""
    found = [
        {
            "e": {"type": "literal", "value": "0"},
            "x": {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{i}"},
        }
        for i in range(n)
    ]
    return json.dumps({"head": {"vars": ["e", "x"]}, "results": {"bindings": found}}).encode()


def test_K3_an_answer_that_ends_early_is_asked_once_for_less_and_marked(serve: Serve) -> None:
    early = Reply(body=rows(40)[:-300] + b"\ntime limit reached", content_type=TABLE)
    server = serve(early, Reply(body=rows(3), content_type=TABLE))
    found = behind(server.url("/sparql")).edges([ADA], prop(57), limit=50)
    assert found.is_partial
    assert len(found.triples) == 3
    assert any("gave the whole question up" in note for note in found.notes)
    asked = [request.body.decode() for request in server.received]
    assert len(asked) == 2
    assert "LIMIT+51" in asked[0]
    assert "LIMIT+6+" in asked[1]


def test_K3_an_answer_that_always_ends_early_is_an_error_and_never_rows(serve: Serve) -> None:
    server = serve(Reply(body=rows(40)[:-300], content_type=TABLE))
    with pytest.raises(TooHeavyError, match="ends before its end"):
        behind(server.url("/sparql")).edges([ADA], prop(57))
    assert server.n_requests == 2


@pytest.mark.parametrize("header", ["X-SPARQL-MaxRows", "X-SQL-State"])
def test_K4_an_answer_that_was_cut_says_so(serve: Serve, header: str) -> None:
    value = {"X-SPARQL-MaxRows": "3", "X-SQL-State": "S1TAT"}[header]
    server = serve(Reply(headers={header: value}, body=rows(3), content_type=TABLE))
    found = behind(server.url("/sparql")).edges([ADA], prop(57))
    assert found.is_partial
    assert found.notes == ("g cut the answer at 3 rows",)


def test_K4_as_many_rows_as_were_asked_for_are_not_taken_for_all(
    tmp_path: Path, oxigraph_world: str
) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "small.yaml").write_text(
        "labels: [rdfs:label]\nonly_declared: true\ndeclarations: [wikibase:directClaim]\nmax_rows: 4\n"
    )
    connection = Connection("g", "sparql", oxigraph_world, "small")
    graph = SparqlGraph(connection, transport(), folder=tmp_path)
    assert graph.edges([EntityId("wd:Q900")], prop(57), "in").is_partial
    assert graph.relations([ADA]).is_partial
    assert graph.describe([ADA, TOWN, EntityId("wd:Q4")]).is_partial


def test_K4_a_real_virtuoso_that_cuts_is_seen_through(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("many") / "many.nt"
    path.write_text("".join(f"<urn:s> <urn:p> <urn:o:{i}> .\n" for i in range(300)))
    with VirtuosoServer(folder=tmp_path_factory.mktemp("cutting"), max_rows=200) as server:
        graph = behind(server.load("urn:g", [path]), "generic")
        found = graph.edges([EntityId("<urn:s>")], RelationId("<urn:p>"), limit=250)
    assert found.is_partial
    assert found.notes == ("g cut the answer at 200 rows",)
    assert len(found.triples) < 250


@pytest.mark.parametrize(
    "reply, kind, words",
    [
        (
            Reply(body=b"<html><body>Sorry</body></html>", content_type="text/html"),
            BadReplyError,
            "web page",
        ),
        (
            Reply(body=b"<sparql/>", content_type="application/sparql-results+xml"),
            BadReplyError,
            "HTML or XML",
        ),
        (Reply(body=b"s,p,o\r\n", content_type="text/csv"), BadReplyError, "some other text"),
        (Reply(body=b"", content_type=TABLE), BadReplyError, "empty"),
        (Reply(body=b'{"boolean": true}', content_type=TABLE), BadReplyError, "no table"),
        (Reply(body=b"[1, 2]", content_type=TABLE), BadReplyError, "no table"),
        (Reply(400, body=b"Lexical error at line 1"), BadReplyError, "does not understand"),
        (Reply(500, body=b"oops"), BadReplyError, "500"),
        (Reply(429, {"Retry-After": "600"}, b""), RateLimitedError, "too many requests"),
        (Reply(405, {"Retry-After": "600"}, b""), RateLimitedError, "too many requests"),
        (Hang(), TimedOutError, "did not answer"),
        (Drip(), TimedOutError, "did not answer"),
        (Cut(), ServiceError, "."),
        (Endless(), ServiceError, "."),
        (redirect("/sparql"), ServiceError, "."),
    ],
)
def test_K5_what_is_no_table_is_an_error_of_ours(
    serve: Serve, reply: object, kind: type[ServiceError], words: str
) -> None:
    server = serve(reply)
    with pytest.raises(kind, match=words) as caught:
        SparqlGraph(
            Connection("g", "sparql", server.url("/sparql"), "wikidata"), transport(timeout_s=0.5)
        ).describe([ADA])
    assert "\n" not in str(caught.value)


def test_K5_a_byte_order_mark_is_no_fault(serve: Serve) -> None:
    server = serve(Reply(body=b"\xef\xbb\xbf" + NONE.body, content_type=TABLE))
    assert behind(server.url("/sparql")).describe([ADA]).entities == ()


def test_K5_nobody_at_the_address_is_an_error_of_ours() -> None:
    with pytest.raises(UnreachableError):
        behind("http://127.0.0.1:9/sparql").relations([ADA])


@pytest.mark.parametrize(
    "text",
    [
        "Virtuoso S1T00 Error SR171: Transaction timed out",
        "Virtuoso 22023 Error SR353: Sorted TOP clause specifies more then 10001 rows to sort",
        "Virtuoso 42000 Error The estimated execution time 900 (sec) exceeds the limit of 400 (sec)",
        "java.util.concurrent.TimeoutException\n\tat java.util.concurrent.FutureTask.get",
        "com.bigdata.rdf.sail.webapp.DatasetNotFoundException: QueryTimeoutException",
        '{"exception": "Operation timed out. Last operation: Join"}',
    ],
)
def test_K7_an_engine_that_gives_up_is_asked_once_for_less(serve: Serve, text: str) -> None:
    heavy = Reply(500, body=text.encode(), content_type="text/plain")
    server = serve(heavy, Reply(body=rows(2), content_type=TABLE))
    found = behind(server.url("/sparql")).edges([ADA], prop(57))
    assert found.is_partial
    assert len(found.triples) == 2
    assert server.n_requests == 2
    with pytest.raises(TooHeavyError, match="gave the query up"):
        behind(serve(heavy).url("/sparql")).relations([ADA])


def test_K7_a_real_virtuoso_out_of_time_is_told_so(
    virtuoso: VirtuosoServer, virtuoso_world: str
) -> None:
    product = " ".join(f"?s{i} ?p{i} ?o{i} ." for i in range(6))
    client = behind(f"{virtuoso.address}?timeout=1000")._client
    try:
        found = client.select(f"SELECT (COUNT(*) AS ?n) {{ {product} }}", timeout_s=20)
    except (TooHeavyError, TimedOutError, BadReplyError):
        return
    assert found.is_cut


# --- K8: hubs


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A thing with 100,000 edges of one relation into it, and one edge of another."""
    folder = tmp_path_factory.mktemp("hub")
    lines = [
        f"<http://www.wikidata.org/entity/P{n}> <http://wikiba.se/ontology#directClaim>"
        f" <http://www.wikidata.org/prop/direct/P{n}> ."
        for n in (31, 999)
    ]
    claim = "<http://www.wikidata.org/entity/Q{}> <http://www.wikidata.org/prop/direct/P{}> <http://www.wikidata.org/entity/Q5> ."
    lines += [claim.format(n, 31) for n in range(10, 100_010)]
    lines.append(claim.format(7, 999))
    (folder / "hub.nt").write_text("\n".join(lines))
    with OxigraphServer([folder / "hub.nt"], folder=folder) as server:
        yield server.address


@pytest.mark.parametrize("profile", ["wikidata", "generic"])
def test_K8_a_hub_takes_two_bounded_queries_and_counts_at_least(hub: str, profile: str) -> None:
    with CountingProxy(hub) as proxy:
        graph = behind(proxy.address, profile)
        started = time.monotonic()
        options = {o.relation.id: o for o in graph.relations([EntityId("wd:Q5")]).items}
        assert time.monotonic() - started < 20
        assert len(proxy.requests) <= 2
    assert options[prop(31)].is_at_least
    assert options[prop(31)].count >= 1000
    if (
        profile == "wikidata"
    ):  # each declared relation is tried, so a rare one is not lost in the crowd
        assert options[prop(999)].count == 1


def test_K8_edges_of_a_hub_are_few_and_the_rest_is_a_least_count(hub: str) -> None:
    with CountingProxy(hub) as proxy:
        found = behind(proxy.address).edges([EntityId("wd:Q5")], prop(31), "in", limit=20)
        assert len(proxy.requests) == 1
    assert len(found.triples) == 20
    assert found.is_at_least
    assert found.more == ((EntityId("wd:Q5"), 981),)


# --- K9 K10 K11: labels


def test_K9_labels_come_as_they_are(world: SparqlGraph) -> None:
    found = {e.id: e.label for e in ends(world, "wd:Q900", "wdt:P57", direction="in")}  # type: ignore[union-attr]
    assert found == w.LABELS


def test_K10_a_thing_is_shown_in_another_language_or_by_its_id(world: SparqlGraph) -> None:
    (place,) = ends(world, "wd:Q1", "wdt:P19")
    assert place.name == "Лондон"
    (country,) = ends(world, "wd:Q1", "wdt:P27")
    assert country.name == "wd:Q3"


@pytest.mark.parametrize(
    "languages, label", [(("ru", "en"), "Ада"), (("de",), "Ada"), (("en",), "Ada")]
)
def test_K10_the_wanted_language_comes_first_then_english(
    oxigraph_world: str, languages: tuple[str, ...], label: str
) -> None:
    connection = Connection("g", "sparql", oxigraph_world, "wikidata")
    graph = SparqlGraph(connection, transport(), languages=languages)
    assert graph.describe([ADA]).entities[0].label == label


def test_K11_things_of_one_label_stay_two(world: SparqlGraph) -> None:
    cities = {e.id for e in ends(world, "wd:Q515", "wdt:P31", direction="in")}  # type: ignore[union-attr]
    assert cities == {"wd:Q4", "wd:Q6"}
    found = world.link("Springfield").items
    assert {c.entity.id for c in found} == {"wd:Q4", "wd:Q6"}
    assert len({c.score for c in found}) == 1


# --- K12: literals


def test_K12_a_year_is_a_year_and_a_quantity_has_its_unit(world: SparqlGraph) -> None:
    assert ends(world, "wd:Q1", "wdt:P569") == [Literal("1815", "xsd:gYear")]
    (height,) = ends(world, "wd:Q1", "wdt:P2048")
    assert isinstance(height, Literal)
    assert (height.unit, height.datatype, float(height.value)) == ("metre", "xsd:decimal", 1.7)


def test_K12_dates_before_christ_and_places_keep_their_form(oxigraph_world: str) -> None:
    graph = behind(oxigraph_world)
    assert ends(graph, "wd:Q10", "wdt:P571") == [Literal("-0044-03-15T00:00:00Z", "xsd:dateTime")]
    assert ends(graph, "wd:Q10", "wdt:P625") == [
        Literal("Point(-0.1275 51.507222)", "geo:wktLiteral")
    ]


@pytest.mark.parametrize(
    "value, datatype",
    [
        ("-0044-03-15", "xsd:date"),
        ("1815", "xsd:gYear"),
        ("1e400", "xsd:double"),
        ("-0", "xsd:integer"),
        ("1.10", "xsd:decimal"),
        ("Point(1 2)", "geo:wktLiteral"),
        ("x", "<urn:own:type>"),
    ],
)
def test_K12_a_literal_is_taken_as_the_endpoint_wrote_it(value: str, datatype: str) -> None:
    bound = {"type": "literal", "value": value, "datatype": Prefixes().expand(datatype)}
    assert to_end(bound, Prefixes()) == Literal(value, datatype)


# --- K13 K14 K15 K16 K17


def test_K13_what_nobody_knows_and_what_there_is_none_of_have_words(world: SparqlGraph) -> None:
    assert ends(world, "wd:Q1", "wdt:P22") == [UNKNOWN_VALUE]
    assert ends(world, "wd:Q1", "wdt:P26") == [UNKNOWN_VALUE]
    assert ends(world, "wd:Q1", "wdt:P40") == [NO_VALUE]
    options = {o.relation.id: o for o in world.relations([ADA]).items if o.direction == "out"}
    assert options[prop(40)].targets == ("no value",)
    for number in (22, 26, 40):
        assert options[prop(number)].count == 1
    assert options[prop(22)].targets == ("unknown value",)


def test_K14_deprecated_is_left_out_preferred_wins_and_the_rank_is_told(world: SparqlGraph) -> None:
    (triple,) = world.edges([TOWN], prop(1082)).triples
    assert isinstance(triple.object, Literal)
    assert triple.object.value == "5"
    assert triple.provenance is not None
    assert triple.provenance.rank == "preferred"


def test_K15_a_merged_id_is_followed_once_and_both_ids_are_kept(oxigraph_world: str) -> None:
    old = EntityId("wd:Q99")
    with CountingProxy(oxigraph_world) as proxy:
        graph = behind(proxy.address)
        (entity,) = graph.describe([old]).entities
        assert (entity.id, entity.label) == (old, "Ada")
        found = graph.edges([old], prop(19))
        assert [t.subject.id for t in found.triples] == [old]
        assert (old, ADA) in found.same_as
        options = graph.relations([old]).items
        assert {o.touches for o in options} == {(old,)}
        assert {o.relation.id for o in options} == {
            o.relation.id for o in graph.relations([ADA]).items
        }
        # one question more for the first that met it; later ones know
        assert len(proxy.requests) == 5


def test_K15_the_old_and_the_new_id_of_a_thing_count_as_one(world: SparqlGraph) -> None:
    both = [EntityId("wd:Q99"), ADA]
    assert len(world.edges(both, prop(19)).triples) == 2
    (option,) = [o for o in world.relations(both).items if o.relation.id == prop(19)]
    assert (option.count, set(option.touches)) == (1, set(both))


def test_K15_a_merged_id_is_followed_on_virtuoso_too(virtuoso_world: str) -> None:
    graph = behind(virtuoso_world)
    assert [t.subject.label for t in graph.edges([EntityId("wd:Q99")], prop(19)).triples] == ["Ada"]


def test_K16_loops_and_duplicates_end_and_count_once(world: SparqlGraph) -> None:
    assert {e.id for e in ends(world, "wd:Q7", "wdt:P361")} == {"wd:Q7", "wd:Q8"}  # type: ignore[union-attr]
    options = {o.direction: o.count for o in world.relations([EntityId("wd:Q7")]).items}
    assert options == {"out": 2, "in": 2}


def test_K17_an_id_the_graph_does_not_hold_names_the_graph_that_was_asked(
    world: SparqlGraph,
) -> None:
    missing = EntityId("wd:Q123456789")
    for result in (world.describe([missing, ADA]), world.relations([missing])):
        (note,) = result.notes
        assert note.startswith("g (127.0.0.1) does not hold wd:Q123456789")
        assert "scholarly" in note


def test_properties_are_no_things_of_the_world(world: SparqlGraph) -> None:
    assert all(
        not e.id.startswith("wd:P") for e in ends(world, "wd:Q515", "wdt:P31", direction="in")
    )  # type: ignore[union-attr]


# --- K21


def test_K21_the_same_question_has_the_same_edges_everywhere(
    shared_data: Path, tmp_path: Path, virtuoso: VirtuosoServer
) -> None:
    file = shared_data / "2wiki" / "kg.nt.gz"
    import_graph([file], home=tmp_path, name="films")
    local = open_graph(tmp_path, "films")
    things = [
        EntityId(k)
        for (k,) in local.labels.reader.select(
            "SELECT key FROM node WHERE NOT is_hidden AND key LIKE 'wd:%' ORDER BY degree DESC, id LIMIT 24"
        )
    ]
    (tmp_path / "server").mkdir()
    with OxigraphServer([file], folder=tmp_path / "server") as server:
        addresses = [server.address, virtuoso.load("urn:test:2wiki", [file])]
        remote = [behind(address, "generic") for address in addresses]
        n_edges = 0
        for start in range(0, len(things), 8):
            asked = things[start : start + 8]
            options = {(o.relation.id, o.direction): o.count for o in local.relations(asked).items}
            for graph in remote:
                found = graph.relations(asked).items
                assert {(o.relation.id, o.direction): o.count for o in found} == options
            for relation, direction in sorted(options)[::6]:
                expected = set(map(key, local.edges(asked, relation, direction, limit=400).triples))
                n_edges += len(expected)
                for graph in remote:
                    got = graph.edges(asked, relation, direction, limit=400)
                    assert set(map(key, got.triples)) == expected, (relation, direction)
        assert n_edges > 100
    local.close()


# --- K22


def test_K22_every_fact_says_when_it_was_fetched(world: SparqlGraph) -> None:
    (triple,) = world.edges([ADA], prop(19)).triples
    assert triple.provenance is not None
    assert triple.provenance.when.startswith("20")
    assert "<http://www.wikidata.org/prop/direct/P19>" in triple.provenance.query


# --- S3: nothing that comes from outside changes a query


NASTY = [
    'x" } UNION { ?s ?p ?o } #',
    "x> } UNION { ?s ?p ?o",
    "\\",
    '\\"',
    "\\u0022 } #",
    "\u2028\u202e\x85",
    "a\nb\rc\td",
    "'''",
    '"""',
    "?x ${y} %s {0}",
    "\ud800",
    "\x00",
]


@pytest.mark.parametrize("text", NASTY)
def test_S3_a_search_text_stays_a_text(world: SparqlGraph, text: str) -> None:
    assert world.link(text).items == ()


def parse(query: str) -> None:
    """Let a parser of its own look at a query."""
    Store().query(query)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text() | st.sampled_from(NASTY))
def test_S3_any_text_gives_a_query_with_that_text_in_it(text: str) -> None:
    store = Store()
    clean = text.encode("utf-8", "replace").decode().replace("\0", " ")
    query = names_query(load_profile("generic"), [text], ("en", ""))
    parse(query)
    for row in parse_rows(_answer(store, f"SELECT ({_first_text(query)} AS ?v) {{}}")):
        assert row["v"]["value"] == clean


def _first_text(query: str) -> str:
    """The first text that a names_query looks for, as it is written there."""
    start = query.index("VALUES ?v { ") + len("VALUES ?v { ")
    end = start + 1
    while query[end] != '"':
        end += 2 if query[end] == "\\" else 1
    return query[start : end + 1]


def _answer(store: Store, query: str) -> bytes:
    found = store.query(query)
    assert isinstance(found, QuerySolutions)
    return found.serialize(format=QueryResultsFormat.JSON) or b""


@settings(max_examples=100, deadline=None)
@given(
    st.text()
    | st.sampled_from(NASTY)
    | st.builds("wd:{}".format, st.text())
    | st.builds("<urn:{}>".format, st.text())
)
def test_S3_an_id_is_refused_or_gives_the_query_of_that_id(identifier: str) -> None:
    profile = load_profile("wikidata")
    graph = behind("http://127.0.0.1:9/sparql")
    try:
        asked = graph._asked([EntityId(identifier)])
    except InputError:
        return
    things = [thing.iri for thing in asked]
    safe = ["urn:safe"] * len(things)
    for build in (
        lambda t: q.describe_query(profile, t, ("en",)),
        lambda t: q.links_query(profile, t),
        lambda t: q.edges_query(profile, t, "urn:p", "out", ("en",), limit=5),
        lambda t: q.relations_query(profile, [(0, t[0], "in")], ("en",), window=5),
    ):
        assert build(things).replace(f"<{things[0]}>", "<urn:safe>") == build(safe)
        parse(build(things))


@pytest.mark.parametrize("tag", ['en" } #', "en\n", "<x>", "", "e" * 300])
def test_S3_a_language_that_is_none_cannot_change_a_query(tag: str) -> None:
    profile = load_profile("generic")
    with contextlib.suppress(InputError):
        parse(q.describe_query(profile, ["urn:x"], (tag,)))
    with contextlib.suppress(InputError):
        parse(names_query(profile, ["x"], (tag,)))


def test_S9_a_password_is_sent_and_is_in_no_error(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(Reply(401, body=b"no: canary-8f1d"))
    connection = Connection("g", "sparql", server.url("/sparql"), "generic", user="me")
    graph = SparqlGraph(connection, transport(), password=lambda: "canary-8f1d")
    with pytest.raises(ServiceError) as caught:
        graph.describe([ADA])
    assert server.received[0].headers["authorization"].startswith("Basic ")
    assert "canary" not in str(caught.value) + caplog.text + repr(graph.version)
