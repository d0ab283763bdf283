"""What knowledge sources find, and how long they take.

    python bench/sources.py [--data ../shared/data]

HotpotQA: each question is put to an index of its passages as it stands; is a supporting page among the first five?
Half of the supporting pages are not in the file, so shares are also given of what can be found. FeTaQA: each table
becomes one of a SQL source, and queries of five kinds are run on each.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import build
from kgcore.ranking import Ranker, default_ranker
from kgcore.sources.spec import SourceSpec
from kgcore.sources.tables.source import open_tables
from kgcore.sources.texts.source import open_texts
from kgcore.steps import BadQuery, Passages


def records(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def recall(data: Path, folder: Path, ranker: Ranker | None) -> None:
    file = folder / "pages.jsonl"
    file.write_bytes(gzip.decompress((data / "hotpotqa_passages.jsonl.gz").read_bytes()))
    started = time.perf_counter()
    source = open_texts(SourceSpec("pages", "text", (str(file),)), folder / "home", ranker=ranker)
    opened = time.perf_counter() - started
    held = {record["title"] for record in records(file)}
    questions = records(data / "hotpotqa.jsonl")
    any_found = any_held = pages_found = pages_held = 0
    seconds = []
    for question in questions:
        wanted = {title for title, _ in question["supporting_facts"]}
        started = time.perf_counter()
        result = source.run(question["question"])
        seconds.append(time.perf_counter() - started)
        assert isinstance(result, Passages)
        titles = {json.loads(item.raw)["title"] for item in result.items}
        any_found += bool(wanted & titles)
        any_held += bool(wanted & held)
        pages_found += len(wanted & titles)
        pages_held += len(wanted & held)
    how = "BM25" if ranker is None else f"BM25 and {ranker.name}"
    print(f"HotpotQA, {how}: {len(questions)} questions, {source.health().n_items} passages")
    print(f"  opened in {opened:.2f} s, {statistics.median(seconds) * 1000:.1f} ms a question")
    print(
        f"  a supporting page in the first five: {any_found / len(questions):.0%} of all questions,"
    )
    print(f"    {any_found / any_held:.0%} of the {any_held} for which the file holds one")
    print(f"  supporting pages found: {pages_found} of the {pages_held} the file holds")


def tables(data: Path, folder: Path) -> None:
    files = []
    for record in records(data / "fetaqa.jsonl"):
        file = folder / f"table_{record['id']}.csv"
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(record["table"])
        files.append(file)
    started = time.perf_counter()
    source = open_tables(
        SourceSpec("fetaqa", "table", tuple(map(str, files))), folder / "tables", most=5
    )
    print(f"FeTaQA: {len(files)} tables read in {time.perf_counter() - started:.1f} s")
    heads = {str(t["name"]): [name for name, _ in t["columns"]] for t in source.tables}
    kinds: dict[str, Callable[[str, Sequence[str]], str]] = {
        "all rows": lambda t, c: f"SELECT * FROM {t}",
        "count": lambda t, c: f"SELECT count(*) FROM {t}",
        "where": lambda t, c: f"SELECT * FROM {t} WHERE lower({c[-1]}::VARCHAR) LIKE '%1%'",
        "order": lambda t, c: f"SELECT {c[0]}, {c[-1]} FROM {t} ORDER BY {c[-1]} DESC LIMIT 3",
        "group": lambda t, c: (
            f"SELECT {c[0]}, count(*) AS n FROM {t} GROUP BY 1 ORDER BY 2 DESC, 1"
        ),
    }
    for kind, query in kinds.items():
        seconds, n_run = [], 0
        for table, columns in heads.items():
            quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
            started = time.perf_counter()
            result = source.run(query(table, quoted))
            seconds.append(time.perf_counter() - started)
            n_run += not isinstance(result, BadQuery)
        median = statistics.median(seconds) * 1000
        print(f"  {kind}: runs on {n_run} of {len(heads)}, {median:.1f} ms")
    source.close()


def graph(folder: Path) -> None:
    source = build(folder / "studio", environ={}).source("demo-wikidata")
    query = "SELECT DISTINCT ?place { ?film <wdt:P57> ?who . ?who <wdt:P19> ?place }"
    seconds = []
    for _ in range(20):
        started = time.perf_counter()
        result = source.run(query)
        seconds.append(time.perf_counter() - started)
    assert isinstance(result, Passages)
    with_proof = sum(bool(item.triples) for item in result.items)
    print(f"SPARQL on demo-wikidata: {len(result.items)} rows, {with_proof} with their edges")
    print(f"  first {seconds[0]:.2f} s, then {statistics.median(seconds[1:]) * 1000:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    data = parser.parse_args().data / "cok"
    with tempfile.TemporaryDirectory() as folder:
        recall(data, Path(folder), None)
        recall(data, Path(folder), default_ranker())
        tables(data, Path(folder))
        graph(Path(folder))


if __name__ == "__main__":
    main()
