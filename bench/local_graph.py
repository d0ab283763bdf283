"""How fast an embedded graph is: import against pyoxigraph's own loader, hubs, linking, memory.

    python bench/local_graph.py [--file ../shared/data/codex/kg.nt.gz] [--repeat 3]

The import ratio is (time of Store.bulk_load) / (time of our import without the label index), on the same unpacked
file in the same run, the median of pairs that take turns.  Hubs are the 100 entities with the most edges.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from pyoxigraph import RdfFormat, Store

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kgcore.kg.files.importer import Progress, import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.model import EntityId

QUESTIONS = (
    "Which actor starred in both Inception and Interstellar?",
    "Was Barack Obama born in the same country as Paul McCartney?",
    "who is the author of the lord of the rings",
    "Which band was founded by John Lennon before Yoko Ono joined him in New York City?",
    "What is the capital of the country in which Lionel Messi was born?",
    "Was Leonrado DiCaprio in Los Angles when Titanic (1997) was released?",
)
TEXTS = ("Barack Obama", "obama", "Leonrado DiCaprio", "United Sates", "new york", "Titanic (1997)")
HUBS = 100


def timed(call: Callable[[], object]) -> float:
    """Seconds a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def show(name: str, seconds: list[float]) -> None:
    """Print the middle and the tail of some durations."""
    p50, p99 = percentile(seconds, 0.5) * 1000, percentile(seconds, 0.99) * 1000
    print(f"{name:44} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   n {len(seconds)}")


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock, and of all processors together."""

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Spent:
        """The present state of both clocks."""
        return cls(time.perf_counter(), time.process_time())

    def since(self, start: Spent) -> Spent:
        """What was spent after `start`."""
        return Spent(self.wall - start.wall, self.cpu - start.cpu)


def own_import(path: Path, home: Path) -> tuple[Spent, Spent]:
    """What reading took, and what indexing took."""
    stages: dict[str, Spent] = {}

    def note(progress: Progress) -> None:
        stages.setdefault(progress.stage, Spent.now())

    start = Spent.now()
    import_graph([path], home=home, name="bench", progress=note)
    return stages["indexing"].since(start), Spent.now().since(stages["indexing"])


def peer_import(path: Path, folder: Path) -> Spent:
    """What pyoxigraph's bulk loader takes for the same file, into a new store, until it is flushed."""
    start = Spent.now()
    store = Store(str(folder))
    store.bulk_load(path=str(path), format=RdfFormat.N_TRIPLES)
    store.flush()
    spent = Spent.now().since(start)
    del store
    shutil.rmtree(folder)
    return spent


def bench_import(path: Path, home: Path, repeat: int) -> None:
    """Print import times, ours and the peer's in turn."""
    reading, indexing, peers = [], [], []
    for _ in range(repeat):
        peers.append(peer_import(path, home / "peer"))
        mine, index = own_import(path, home)
        reading.append(mine)
        indexing.append(index)
    for name, spent in (
        ("pyoxigraph bulk_load", peers),
        ("our import, label index apart", reading),
        ("label index", indexing),
    ):
        wall, cpu = (statistics.median(getattr(s, kind) for s in spent) for kind in ("wall", "cpu"))
        print(f"{name:44} {wall:6.2f} s   processor {cpu:6.2f} s")
    pairs = list(zip(peers, reading, strict=True))
    wall, cpu = (
        statistics.median(getattr(p, kind) / getattr(m, kind) for p, m in pairs)
        for kind in ("wall", "cpu")
    )
    print(
        f"{'import speed as a share of bulk_load':44} {wall:6.0%}     processor {cpu:6.0%}   (at least 60%)"
    )


def find_hubs(graph: LocalGraph) -> list[EntityId]:
    """The entities with the most edges."""
    rows = graph.labels.reader.select(
        "SELECT key FROM node WHERE NOT is_hidden ORDER BY degree DESC, key LIMIT ?",
        exactly=(HUBS,),
    )
    return [EntityId(key) for (key,) in rows]


def bench_hubs(graph: LocalGraph) -> None:
    """Print times for hubs: all relations, then the edges of each relation in turn."""
    both, relations, edges = [], [], []
    for hub in find_hubs(graph):
        start = time.perf_counter()
        options = graph.relations([hub]).items
        relations.append(time.perf_counter() - start)
        largest = max(options, key=lambda o: o.count)
        start = time.perf_counter()
        graph.edges([hub], largest.relation.id, largest.direction)
        both.append(relations[-1] + time.perf_counter() - start)
        for option in options:
            start = time.perf_counter()
            graph.edges([hub], option.relation.id, option.direction)
            edges.append(time.perf_counter() - start)
    show("hubs: relations", relations)
    show("hubs: edges, every relation offered", edges)
    show("hubs: relations + edges of the largest", both)


def bench_linking(graph: LocalGraph) -> None:
    """Print times for linking and for finding names in questions, the first call apart."""
    first = timed(lambda: graph.link("Leonrado DiCaprio"))
    print(f"{'first link with a typing error':44} {first * 1000:7.2f} ms")
    show("link a text", [timed(lambda t=t: graph.link(t)) for t in TEXTS * 20])  # type: ignore[misc]
    for question in QUESTIONS:
        times = [timed(lambda q=question: graph.link(q, is_question=True)) for _ in range(20)]  # type: ignore[misc]
        show(question[:43], times)


def memory_mb() -> float:
    """The most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def resident_mb() -> float:
    """Memory this process holds now, in MB (Linux)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return memory_mb()
    line = next(x for x in status.read_text().splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def memory_of_use(home: Path) -> float:
    """MB that an open graph takes once everything in it has been used, typing errors too."""
    before = resident_mb()
    graph = open_graph(home, "bench")
    for text in (*TEXTS, *QUESTIONS):
        graph.link(text, is_question=text in QUESTIONS)
    for hub in find_hubs(graph):
        for option in graph.relations([hub]).items:
            graph.edges([hub], option.relation.id, option.direction)
    grown = resident_mb() - before
    graph.close()
    return grown


def main() -> None:
    """Run everything on one file."""
    here = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--file", type=Path, default=here.parent / "shared/data/codex/kg.nt.gz")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        plain = home / "kg.nt"
        opener = gzip.open if options.file.suffix == ".gz" else open
        with opener(options.file, "rb") as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target)
        before = resident_mb()
        bench_import(plain, home, options.repeat)
        print(
            f"{'most memory during import':44} {memory_mb():6.0f} MB  (+{memory_mb() - before:.0f})"
        )
        start = time.perf_counter()
        graph = open_graph(home, "bench")
        graph.link("Q")
        print(f"{'open and first link':44} {(time.perf_counter() - start) * 1000:7.2f} ms")
        bench_hubs(graph)
        bench_linking(graph)
        graph.close()
        with get_context("spawn").Pool(1) as pool:
            grown = pool.apply(memory_of_use, (home,))
        print(f"{'memory of the open graph, label index too':44} {grown:6.0f} MB")


if __name__ == "__main__":
    main()
