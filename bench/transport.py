"""What the transport adds to a request: to one that is sent, and to one whose reply is kept.

    python bench/transport.py [--requests 500]

A server in a process of its own answers at once with a SPARQL result of 100 rows. The same request is sent by plain
`requests` and by the transport, with its limits and its cache in files, turn by turn.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.transport import HttpRequest
from kgcore.transport.cache import ResponseCache
from kgcore.transport.limits import Limits
from kgcore.transport.transport import Transport
from tests.servers.faulty_server import FaultyServer, row_set

ROWS = row_set(*({"s": f"http://example.org/{n}", "label": f"thing {n}"} for n in range(100)))


def serve(pipe: Connection) -> None:
    """Serve until the other side says so."""
    with FaultyServer([ROWS]) as server:
        pipe.send(server.url("/sparql"))
        pipe.recv()


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=500)
    n_requests = parser.parse_args().requests
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(far,), daemon=True)
    process.start()
    request = HttpRequest(near.recv(), headers=(("Accept", "application/json"),))
    session = requests.Session()
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(
            user_agent="bench",
            allow_private=True,
            limits=Limits(file=Path(folder) / "limits.sqlite"),
            cache=ResponseCache(Path(folder) / "replies.sqlite"),
        )
        ways: dict[str, Callable[[], object]] = {
            "plain requests": lambda: session.get(request.url, timeout=9).content,
            "transport": lambda: transport.fetch(request),
            "transport, reply kept": lambda: transport.fetch(request, scope="graph"),
        }
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for call in ways.values():
            call()
        for _ in range(n_requests):
            for name, call in ways.items():
                taken[name].append(milliseconds(call))
    near.send("done")
    process.join()
    for name, times in taken.items():
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"{name:22} median {statistics.median(times):5.2f} ms, p95 {p95:5.2f} ms")
    added = statistics.median(taken["transport"]) - statistics.median(taken["plain requests"])
    print(f"{'added by the transport':22} median {added:5.2f} ms")


if __name__ == "__main__":
    main()
