"""Rows of the fault table that a federation answers for, with real servers: one lives, others are dead or hang.

Three sources: `notes` in memory, `films` behind a SPARQL server, and `people` behind the same server by a way
that can be cut.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from kgcore.errors import StoppedError, UnreachableError
from kgcore.kg.connections import Connection
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.sparql.graph import SparqlGraph
from kgcore.model import EntityId, RelationId
from kgcore.testing import MemoryGraph
from kgcore.transport import Allowance, spending
from kgcore.transport.breaker import Breaker
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.transport import Transport
from tests.servers.faulty_server import FaultyServer, Hang, Reply, Reset
from tests.servers.outage import Outage
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.processes import free_port

FILM, NOLAN = EntityId("wd:Q25188"), EntityId("wd:Q25191")
DIRECTOR, NOTE = RelationId("wdt:P57"), RelationId("demo:note")
TURTLE = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:Q25188 rdfs:label "Inception"@en ; wdt:P57 wd:Q25191 .
wd:Q25191 rdfs:label "Christopher Nolan"@en .
"""
QUICK = RetryPolicy(max_retries=1, base_s=0.02, cap_s=0.05)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a SPARQL server that lives."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.ttl").write_text(TURTLE, "utf-8")
    with OxigraphServer([folder / "films.ttl"], folder=folder) as server:
        yield server.address


def transport(*, after: int = 100, seconds: float = 30.0) -> Transport:
    breaker = Breaker(after=after, seconds=seconds)
    return Transport(user_agent="test", allow_private=True, retry=QUICK, breaker=breaker)


def remote(name: str, address: str, sender: Transport) -> SparqlGraph:
    return SparqlGraph(Connection(name, "sparql", address), sender)


def federation(films: str, people: str, sender: Transport, **more: float) -> FederatedGraph:
    notes = MemoryGraph("notes", [(FILM, NOTE, FILM)], labels={FILM: "Inception"})
    others = [remote("films", films, sender), remote("people", people, sender)]
    return FederatedGraph([notes, *others], **more)


def test_K20_a_dead_endpoint_among_three_is_named_and_the_others_answer(films: str) -> None:
    dead = f"http://127.0.0.1:{free_port()}/query"
    graph = federation(films, dead, transport())
    relations = graph.relations([FILM])
    assert {o.relation.id for o in relations.items} == {DIRECTOR, NOTE}
    edges = graph.edges([FILM], DIRECTOR)
    assert [t.text for t in edges.triples] == ["Inception – p57 – Christopher Nolan"]
    for result in (relations, edges, graph.link("Inception"), graph.describe([FILM])):
        assert (result.is_partial, result.missing) == (True, ("people",))
        (note,) = result.notes
        assert note.startswith("people did not answer: ")
        assert "refuses connections" in note


def test_K20_the_breaker_keeps_the_dead_one_out_and_lets_it_in_again_after_its_wait(
    films: str,
) -> None:
    with Outage(films) as people:
        people.failing = Reset()
        graph = federation(films, people.address, transport(after=2, seconds=1.0))
        while "left alone" not in "".join(graph.relations([FILM]).notes):
            assert people.n_requests < 10
        n = people.n_requests
        assert graph.relations([FILM]).missing == ("people",)
        assert people.n_requests == n, "it is not asked while it is left alone"
        people.failing = None
        time.sleep(1.1)
        result = graph.relations([FILM])
        assert (result.is_partial, result.missing) == (False, ())
        assert people.n_requests > n


def test_K20_when_all_are_dead_the_error_names_each(films: str) -> None:
    sender = transport()
    dead = [remote(n, f"http://127.0.0.1:{free_port()}/q", sender) for n in ("one", "two")]
    graph = FederatedGraph(dead)
    with pytest.raises(UnreachableError, match=r"one did not answer: .*; two did not answer: "):
        graph.relations([FILM])


@pytest.mark.parametrize(
    "entry, words",
    [
        (Reply(500, body=b"<html>"), "500"),
        (Reply(200, body=b"<html>down for repair", content_type="text/html"), "web page"),
        (Reset(), "broke off"),
    ],
    ids=["status 500", "a page of HTML", "reset"],
)
def test_K5_an_endpoint_that_answers_nonsense_is_a_missing_one(
    films: str, entry: Reply | Reset, words: str
) -> None:
    with FaultyServer([entry]) as server:
        graph = federation(films, server.url("/query"), transport())
        result = graph.edges([FILM], DIRECTOR)
        assert len(result.triples) == 1
        assert result.missing == ("people",)
        assert words in result.notes[0]


def test_K1_an_endpoint_that_hangs_is_gone_without(films: str) -> None:
    with FaultyServer([Hang()]) as server:
        graph = federation(films, server.url("/query"), transport(), patience_s=0.5)
        started = time.monotonic()
        result = graph.relations([FILM])
        assert time.monotonic() - started < 15
        assert {o.relation.id for o in result.items} == {DIRECTOR, NOTE}
        assert result.notes[0].startswith("people did not answer: nothing came within")
        n = server.n_requests
        assert graph.relations([FILM]).missing == ("people",)
        assert server.n_requests == n, "nobody asks it while it hangs"


def test_K1_a_stop_is_seen_within_a_second_while_endpoints_hang() -> None:
    is_stopped = threading.Event()

    def check() -> None:
        if is_stopped.is_set():
            raise StoppedError("stopped")

    with FaultyServer([Hang()]) as server:
        sender = transport()
        graph = FederatedGraph([remote(n, server.url(f"/{n}"), sender) for n in ("one", "two")])
        threading.Timer(0.3, is_stopped.set).start()
        started = time.monotonic()
        with spending(Allowance(check=check)), pytest.raises(StoppedError):
            graph.relations([FILM])
        assert time.monotonic() - started < 10
