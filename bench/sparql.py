"""What a graph behind an endpoint adds to the endpoint's own answer time, and how many requests it sends.

    python bench/sparql.py [--data ../shared/data] [--things 60]

An Oxigraph server serves `codex/kg.nt.gz` in the shape of Wikidata. Each question is put to the graph, without kept
replies, and the very same request is sent by plain `requests`, turn by turn; the difference is what we add.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.kg.connections import Connection
from kgcore.kg.sparql import SparqlGraph
from kgcore.kg.sparql.replies import parse_rows
from kgcore.model import EntityId, RelationId
from kgcore.transport import HttpRequest, HttpResponse
from kgcore.transport.cache import ResponseCache
from kgcore.transport.transport import Transport
from tests.servers.counting_proxy import CountingProxy
from tests.servers.oxigraph_server import OxigraphServer

AGENT = "traversal-studio-bench/1 (bench@example.org)"
KIND, DIRECTOR = RelationId("wdt:P31"), RelationId("wdt:P57")
FILM = EntityId("wd:Q11424")
MOST_ROWS = 100


class Watched(Transport):
    """A transport that keeps the last request and reply."""

    last: tuple[HttpRequest, HttpResponse]

    def fetch(self, request: HttpRequest, **how: object) -> HttpResponse:  # type: ignore[override]
        response = super().fetch(request, **how)  # type: ignore[arg-type]
        self.last = (request, response)
        return response


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def added(transport: Watched, call: Callable[[], object]) -> tuple[float, float] | None:
    """Time a question and its bare request; None when the answer has too many rows."""
    call()  # once, so that both find the endpoint warm
    request, response = transport.last
    if len(parse_rows(response.body)) > MOST_ROWS:
        return None

    def bare() -> None:
        session.request(
            request.method, request.url, headers=dict(request.headers), data=request.body or None
        )

    with requests.Session() as session:
        bare()
        ours, theirs = [], []
        for _ in range(5):
            theirs.append(milliseconds(bare))
            ours.append(milliseconds(call))
    return statistics.median(ours), statistics.median(theirs)


def overhead(address: str, n_things: int) -> None:
    """Print what is added to each kind of question."""
    transport = Watched(user_agent=AGENT, allow_private=True)
    graph = SparqlGraph(Connection("codex", "sparql", address, "wikidata"), transport)
    films = [t.subject.id for t in graph.edges([FILM], KIND, "in", limit=n_things).triples]
    labels = {e.id: e.label for e in graph.describe(films).entities}
    kinds: dict[str, Callable[[EntityId], object]] = {
        "edges": lambda film: graph.edges([film], DIRECTOR),
        "describe": lambda film: graph.describe([film]),
        "relations": lambda film: graph.relations([film]),
        "link": lambda film: graph.link(labels[film]),
    }
    for name, ask in kinds.items():
        times = [added(transport, partial(ask, film)) for film in films]
        kept = [pair for pair in times if pair is not None]
        if not kept:
            continue
        more = statistics.median(ours - theirs for ours, theirs in kept)
        bare = statistics.median(theirs for _, theirs in kept)
        print(
            f"{name:10} {len(kept):4} questions  endpoint {bare:6.1f} ms  added {more:5.1f} ms (goal 5)"
        )


def requests_sent(address: str, folder: Path) -> None:
    """Print how many requests reach the endpoint."""
    with CountingProxy(address) as proxy:
        cache = ResponseCache(folder / "replies.sqlite")
        transport = Transport(user_agent=AGENT, allow_private=True, cache=cache)
        graph = SparqlGraph(Connection("codex", "sparql", proxy.address, "wikidata"), transport)
        films = [t.subject.id for t in graph.edges([FILM], KIND, "in", limit=20).triples]
        before = len(proxy.requests)
        took = milliseconds(lambda: graph.relations(films))
        print(
            f"relations of {len(films)} things: {len(proxy.requests) - before} request, {took:.0f} ms"
        )
        graph.relations(films)
        print(f"asked again: {len(proxy.requests) - before} request in all")
        before, start = len(proxy.requests), threading.Barrier(2)

        def branch() -> None:
            start.wait()
            graph.edges(films, DIRECTOR)

        branches = [threading.Thread(target=branch) for _ in range(2)]
        for one in branches:
            one.start()
        for one in branches:
            one.join()
        print(f"two branches at once: {len(proxy.requests) - before} request")
        before = len(proxy.requests)
        took = milliseconds(lambda: graph.relations([EntityId("wd:Q5")]))
        print(
            f"relations of the hub 'human': {len(proxy.requests) - before} requests, {took:.0f} ms"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--things", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with OxigraphServer([args.data / "codex" / "kg.nt.gz"], folder=folder) as server:
            overhead(server.address, args.things)
            requests_sent(server.address, folder)


if __name__ == "__main__":
    main()
