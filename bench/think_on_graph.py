"""Think-on-Graph and ToG-R: how well they answer, and how many requests a question takes.

    python bench/think_on_graph.py [--data FOLDER] [--set NAME]... [--method NAME]... [--sample N] [--seed N]
                                   [--model NAME [--api-base URL]] [--setting KEY=VALUE]... [--wrong]

Asks PathQuestion over an embedded graph, and questions over a part of Freebase behind a SPARQL server (Oxigraph on
loopback, profile freebase), with the default set-up or another. Prints Hits@1 and EM-in by type, then every request
a question took: to the model, from the names in it to the answer; and to the graph, of which one for each mention is
allowed beside those of the search. Exit code 1 when a target is not met.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task, build
from kgcore.evaluation import Dataset, Evaluator, Outcome, Report
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.report import results_table, table, wrong_list
from kgcore.kg.connections import Connection
from kgcore.runs import RunView
from tests.servers.oxigraph_server import OxigraphServer

SETS = ("pathquestion", "freebase")
METHODS = ("think-on-graph", "think-on-graph-r")
LEAST_HITS = {"pathquestion": 0.60}
MOST_REQUESTS = 12  # to the model, and to the graph beside one for each mention


@dataclass(frozen=True)
class Cost:
    """What a question took: all requests to the model and to the graph, and how many mentions were linked."""

    model: int = 0
    graph: int = 0
    mentions: int = 0

    @classmethod
    def of(cls, view: RunView) -> Cost:
        """Read it off a run; what was remembered costs nothing."""
        n_mentions = len({seed.mention for seed in view.seeds})
        return cls(view.usage.llm_requests, view.usage.kg_requests, n_mentions)

    @property
    def beside(self) -> int:
        """Requests to the graph beside one for each mention."""
        return max(0, self.graph - self.mentions)


@dataclass(frozen=True)
class Measured:
    """A method on a set."""

    set: str
    report: Report
    costs: tuple[Cost, ...]


def main() -> int:
    """Ask, print, and say whether the targets are met."""
    options = _options()
    start = time.perf_counter()
    done: list[Measured] = []
    for name in options.set or SETS:
        dataset = read_dataset(name, options.data).sample(options.sample, options.seed)
        with _studio(dataset) as studio:
            done += [
                measure(dataset, method, studio, options) for method in options.method or METHODS
            ]
    print(f"\nAnswers (per cent)\n{results_table([m.report for m in done])}")
    print(f"\nRequests a question, mean and most\n{_costs_table(done)}")
    is_met = _print_targets(done)
    print(f"\n{time.perf_counter() - start:.0f} s in all")
    if options.wrong:
        print("\nWrong and incomplete answers", *(wrong_list(m.report) for m in done), sep="\n")
    return 0 if is_met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--set", action="append", choices=SETS)
    parser.add_argument("--method", action="append", choices=METHODS)
    parser.add_argument("--sample", type=int, default=0, help="questions of each set; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="offline")
    parser.add_argument("--api-base", default="")
    parser.add_argument("--setting", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--wrong", action="store_true", help="print every wrong answer")
    return parser.parse_args()


@contextmanager
def _studio(dataset: Dataset) -> Iterator[Studio]:
    """Open a studio that holds the graph of a set, Freebase's behind a server."""
    ((name, files),) = dataset.graphs.items()
    with tempfile.TemporaryDirectory() as folder:
        studio = build(Path(folder) / "home", environ={})
        if name != "freebase":
            studio.import_graph(files, name)
            yield studio
            return
        with OxigraphServer(files, folder=Path(folder)) as server:
            studio.add_connection(Connection(name, "sparql", server.address, "freebase"))
            studio.index_names(name)
            yield studio


def measure(dataset: Dataset, method: str, studio: Studio, options: argparse.Namespace) -> Measured:
    """Ask the cases of a set with a method."""
    kgs = tuple(dataset.graphs)
    settings = dict(text.split("=", 1) for text in options.setting)
    costs: list[Cost] = []

    def answer(question: str) -> RunView:
        task = Task(
            question, kgs, method, options.model, api_base=options.api_base, settings=settings
        )
        run = studio.ask(task)
        run.drive()
        view = studio.view(run.id)
        studio.store.delete(run.id)
        costs.append(Cost.of(view))
        return view

    evaluator = Evaluator(answer, studio.graph(kgs))
    outcomes: list[Outcome] = []
    for i, case in enumerate(dataset.cases, 1):
        outcomes.append(evaluator.evaluate(case))
        if i % 50 == 0:
            print(f"{dataset.name}, {method}: {i} of {len(dataset.cases)}", file=sys.stderr)
    report = Report(f"{dataset.name}, {method}", tuple(outcomes))
    return Measured(dataset.name, report, tuple(costs))


def _costs_table(done: Sequence[Measured]) -> str:
    lines = [
        [
            "set and method",
            "model",
            "most",
            "graph",
            "most",
            "mentions",
            "graph – mentions",
            "most",
            "s",
        ]
    ]
    for measured in done:
        line = [measured.report.name]
        for field in ("model", "graph", "mentions", "beside"):
            numbers = [getattr(cost, field) for cost in measured.costs]
            line.append(f"{statistics.fmean(numbers):.1f}")
            if field != "mentions":
                line.append(str(max(numbers)))
        lines.append([*line, f"{measured.report.median_s:.2f}"])
    return table(lines, 1)


def _print_targets(done: Sequence[Measured]) -> bool:
    lines: list[tuple[str, float, str, bool]] = []
    for measured in done:
        name = measured.report.name
        if measured.set in LEAST_HITS:
            hits, least = measured.report.row().hits, LEAST_HITS[measured.set]
            lines.append((f"{name}, Hits@1", hits, f"≥ {least:.2f}", hits >= least))
        for field, what in (("model", "to the model"), ("beside", "to the graph beside mentions")):
            most = max(getattr(cost, field) for cost in measured.costs)
            line = (f"{name}, most requests {what}", most)
            lines.append((*line, f"≤ {MOST_REQUESTS}", most <= MOST_REQUESTS))
    print("\nTargets")
    for text, value, bound, is_met in lines:
        print(f"{text:<76}{value:6.2f}  {bound:<8}{'met' if is_met else 'NOT MET'}")
    return all(is_met for *_, is_met in lines)


if __name__ == "__main__":
    sys.exit(main())
