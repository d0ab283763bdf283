"""Questions that need MusicBrainz and Wikidata together: over local graphs, and over the same graphs behind HTTP.

    python bench/cross_graph.py [--data FOLDER] [--only local|http] [--sample N] [--no-label-index] [--wrong]
                                [--json FILE]

Asks the MusicBrainz question set with the default set-up (the offline matcher). First over two imported graphs,
then over two SPARQL servers that serve the same files, with label indexes built through the endpoints (or, with
--no-label-index, with names looked up by queries). Prints Hits@1, F1 and seconds of both, and every question that
they answer differently. Exit code 1 when Hits@1 misses its target or the answers differ.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task, build
from kgcore.evaluation import Case, Dataset, Evaluator, Outcome, Report
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.report import causes_table, results_table, time_table, wrong_list
from kgcore.kg.connections import Connection
from kgcore.runs import RunView
from tests.servers.oxigraph_server import OxigraphServer

LEAST_HITS = 0.50
WAYS = ("local", "http")


def main() -> int:
    """Ask both ways, print, and say whether they reach the target and agree."""
    options = _options()
    dataset = read_dataset("musicbrainz", options.data).sample(options.sample, 0)
    reports: dict[str, Report] = {}
    for way in [options.only] if options.only else WAYS:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            start = time.perf_counter()
            open_graphs = _local if way == "local" else _behind_http
            studio = stack.enter_context(open_graphs(dataset, Path(folder), options))
            ready = time.perf_counter()
            reports[way] = Report(way, tuple(_ask_all(studio, dataset.cases, dataset.graphs)))
            asked = time.perf_counter() - ready
            print(f"{way}: ready in {ready - start:.0f} s, asked in {asked:.0f} s", file=sys.stderr)
    shown = list(reports.values())
    print(f"\nAnswers (per cent)\n{results_table(shown)}")
    print(f"\nCauses of wrong | of incomplete answers\n{causes_table(shown)}")
    print(f"\nTime\n{time_table(shown)}")
    if options.wrong:
        print("\nWrong and incomplete answers", *map(wrong_list, shown), sep="\n")
    if options.json:
        rows = [report.to_dict() for report in shown]
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    return 0 if _is_met(shown) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", choices=WAYS)
    parser.add_argument("--sample", type=int, default=0, help="questions to ask; 0: all")
    parser.add_argument("--no-label-index", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="print every wrong answer")
    parser.add_argument("--json", type=Path, help="write figures and every case to a file")
    return parser.parse_args()


@contextmanager
def _local(dataset: Dataset, home: Path, options: argparse.Namespace) -> Iterator[Studio]:
    studio = build(home, environ={})
    for name, files in dataset.graphs.items():
        studio.import_graph(files, name)
    yield studio


@contextmanager
def _behind_http(dataset: Dataset, home: Path, options: argparse.Namespace) -> Iterator[Studio]:
    """Serve the graphs and add them as remote ones, under the names the local ones have."""
    studio = build(home / "studio", environ={"KGCORE_ALLOW_PRIVATE_ENDPOINTS": "1"})
    with ExitStack() as stack:
        for name, files in dataset.graphs.items():
            folder = home / name
            folder.mkdir()
            server = stack.enter_context(OxigraphServer(files, folder=folder))
            health = studio.add_connection(Connection(name, "sparql", server.address))
            if not health.is_up:
                raise SystemExit(f"{name} does not answer: {health.problem}")
            if not options.no_label_index:
                studio.graph((name,)).build_label_index()  # type: ignore[attr-defined]
        yield studio


def _ask_all(studio: Studio, cases: Sequence[Case], kgs: Sequence[str]) -> Iterator[Outcome]:
    names = tuple(kgs)

    def answer(question: str) -> RunView:
        run = studio.ask(Task(question, names, model="offline"))
        run.drive()
        return studio.view(run.id)

    evaluator = Evaluator(answer, studio.graph(names))
    for case in cases:
        yield evaluator.evaluate(case)


def _is_met(reports: Sequence[Report]) -> bool:
    """Print the target of each way and where the two differ; True when all is well."""
    print("\nTargets")
    is_met = True
    for report in reports:
        hits = report.row().hits
        is_met = is_met and hits >= LEAST_HITS
        verdict = "met" if hits >= LEAST_HITS else "NOT MET"
        print(f"{report.name + ', Hits@1':<28}{hits:10.2f}  ≥ {LEAST_HITS:.2f}   {verdict}")
    if len(reports) == len(WAYS):
        n = _print_differences(*reports)
        is_met = is_met and n == 0
    return is_met


def _print_differences(one: Report, other: Report) -> int:
    """Print what the two do not answer with the same things; in which order they name them does not count."""
    pairs = [
        (a, b)
        for a, b in zip(one.outcomes, other.outcomes, strict=True)
        if (a.status, _named(a)) != (b.status, _named(b))
    ]
    same = "the same answers" if not pairs else f"{len(pairs)} answers differ"
    print(f"{one.name} and {other.name}: {same}")
    for a, b in pairs:
        print(f"  {a.case.question}\n    {one.name}: {_said(a)}\n    {other.name}: {_said(b)}")
    return len(pairs)


def _named(outcome: Outcome) -> list[str]:
    return sorted(outcome.answer.split(", "))


def _said(outcome: Outcome) -> str:
    right = "right" if outcome.score.hit else "wrong"
    return f"{outcome.answer or outcome.status} ({right})"


if __name__ == "__main__":
    sys.exit(main())
