"""How fast tables and dumps are imported, and how much memory that takes.

    python bench/import_files.py [--rows 300000] [--repeat 3] [--dump-sizes 20000,80000]

The ratio is (time of Store.bulk_load for the same triples as N-Triples) / (time of our import of the CSV file without
the label index), in the same run, the median of pairs that take turns. Files are generated. Memory is what a process of
its own held at most, less what it held before it began.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pyoxigraph import RdfFormat, Store, serialize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kgcore.kg.files.importer import Progress, import_graph
from kgcore.kg.local import large_index
from kgcore.kg.local.graph import open_graph

RELATIONS = (
    "directed by",
    "starred actors",
    "has genre",
    "release year",
    "in language",
    "written by",
)
GOAL = 0.6


def rows(n: int) -> Iterator[tuple[str, str, object]]:
    """Rows as people have them: names that come up again, a few relations, some numbers."""
    chance = random.Random(7)
    for i in range(n):
        relation = RELATIONS[i % len(RELATIONS)]
        name = f"The Film With Number {i // len(RELATIONS)}"
        end: object = f"Person {chance.randrange(n // 10 + 1)}"
        yield name, relation, chance.randrange(1900, 2030) if relation == "release year" else end


def write_csv(path: Path, n: int) -> None:
    """Write a table with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("subject", "relation", "object"))
        writer.writerows(rows(n))


def write_dump(path: Path, n: int) -> None:
    """Write a dump in the shape of Wikidata's."""
    chance = random.Random(7)

    def claim(kind: str, value: Any) -> dict[str, Any]:
        data = {"snaktype": "value", "datavalue": {"type": kind, "value": value}}
        return {"rank": "normal", "mainsnak": data}

    with path.open("w", encoding="utf-8") as file:
        file.write("[\n")
        for i in range(1, n + 1):
            labels = {tag: {"language": tag, "value": f"thing {i} {tag}"} for tag in ("en", "de")}
            born = {"time": f"+{1900 + i % 100}-01-02T00:00:00Z", "precision": 11}
            claims = {
                "P31": [claim("wikibase-entityid", {"id": f"Q{i % 97 + 1}"})],
                "P50": [claim("wikibase-entityid", {"id": f"Q{chance.randrange(n) + 1}"})],
                "P569": [claim("time", born)],
            }
            entity = {"type": "item", "id": f"Q{i}", "labels": labels, "claims": claims}
            file.write(json.dumps(entity) + (",\n" if i < n else "\n"))
        file.write("]\n")


def resident_mb() -> float:
    """Most memory this process has held, in MB; what its parent held does not count (Linux)."""
    status = Path("/proc/self/status").read_text("utf-8")
    line = next(x for x in status.splitlines() if x.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def own_import(path: str, home: str) -> dict[str, float]:
    """Import a file in this process; seconds of both stages, and memory on top of what was there."""
    before, stages, start = resident_mb(), {}, time.perf_counter()
    cpu = time.process_time()

    def note(progress: Progress) -> None:
        if progress.stage not in stages:
            stages[progress.stage] = (
                time.perf_counter() - start,
                time.process_time() - cpu,
                resident_mb(),
            )

    if Path(path).name.startswith("dump"):
        large_index.LARGE_TRIPLES = 1
    manifest = import_graph([Path(path)], home=Path(home), name="bench", progress=note)
    reading, reading_cpu, reading_mb = stages["indexing"]
    return {
        "reading": reading,
        "cpu": reading_cpu,
        "indexing": time.perf_counter() - start - reading,
        "reading_mb": reading_mb - before,
        "mb": resident_mb() - before,
        "triples": manifest.n_triples,
    }


def peer_import(path: str, folder: str) -> dict[str, float]:
    """What pyoxigraph's own loader takes for the same triples, into a new store, until it is flushed."""
    before, start, cpu = resident_mb(), time.perf_counter(), time.process_time()
    store = Store(folder)
    store.bulk_load(path=path, format=RdfFormat.N_TRIPLES)
    store.flush()
    spent = {"reading": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    return {**spent, "mb": resident_mb() - before}


def apart(call: Any, *arguments: str) -> dict[str, float]:
    """Call in a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        found: dict[str, float] = pool.apply(call, arguments)
        return found


def bench_csv(home: Path, n: int, repeat: int) -> None:
    """Print how the import of a table compares."""
    table, same = home / "t.csv", home / "same.nt"
    write_csv(table, n)
    import_graph([table], home=home, name="bench")
    graph = open_graph(home, "bench")
    with same.open("wb") as out:
        serialize(graph.quads(), out, format=RdfFormat.N_TRIPLES)
    graph.close()
    mine, peers = [], []
    for number in range(repeat):
        peers.append(apart(peer_import, str(same), str(home / f"peer{number}")))
        mine.append(apart(own_import, str(table), str(home)))
        shutil.rmtree(home / f"peer{number}")
    print(f"{n:,} rows, {mine[0]['triples']:,.0f} triples")
    for name, found in (
        ("pyoxigraph bulk_load of the same triples", peers),
        ("our import of the table, index apart", mine),
    ):
        wall, cpu, mb = (
            statistics.median(f[k] for f in found)
            for k in ("reading", "cpu", "mb" if found is peers else "reading_mb")
        )
        print(f"{name:44} {wall:6.2f} s   processor {cpu:6.2f} s   +{mb:5.0f} MB")
    print(
        f"{'label index':44} {statistics.median(f['indexing'] for f in mine):6.2f} s   +{statistics.median(f['mb'] for f in mine):5.0f} MB with reading"
    )
    wall, cpu = (
        statistics.median(p[k] / m[k] for p, m in zip(peers, mine, strict=True))
        for k in ("reading", "cpu")
    )
    verdict = "reached" if wall >= GOAL else "missed"
    print(
        f"{'import speed as a share of bulk_load':44} {wall:6.0%}     processor {cpu:6.0%}   (at least {GOAL:.0%}: {verdict})"
    )


def bench_dumps(home: Path, sizes: list[int]) -> None:
    """Print that memory does not grow with the size of a dump; the index is built as that of a large graph is."""
    for n in sizes:
        dump = home / f"dump{n}.json"
        write_dump(dump, n)
        found = apart(own_import, str(dump), str(home))
        print(
            f"dump of {n:,} entities, {dump.stat().st_size / 2**20:,.0f} MB: read in {found['reading']:.1f} s "
            f"(+{found['reading_mb']:.0f} MB), indexed in {found['indexing']:.1f} s (+{found['mb']:.0f} MB in all)"
        )
        dump.unlink()


def main() -> None:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--dump-sizes", default="20000,80000")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench_csv(Path(folder), options.rows, options.repeat)
        bench_dumps(Path(folder), [int(n) for n in options.dump_sizes.split(",") if n])


if __name__ == "__main__":
    main()
