"""How well the offline matcher answers: published question sets over graphs it has never seen.

    python bench/offline_accuracy.py [--data FOLDER] [--set NAME]... [--sample N] [--seed N] [--home FOLDER]
                                     [--workers N] [--without-baseline] [--setting KEY=VALUE]... [--wrong] [--json FILE]

Asks every question (or a sample of each set) with the default set-up and prints Hits@1, F1 and EM-in by type
beside the baseline "name everything within two hops", the causes of wrong answers, how values order right and
wrong ones, seconds and memory, and the targets. Failures count as wrong. With --home the imported graphs are kept
for the next time. Exit code 1 when a target that was measured is not met.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import DEMO_GRAPHS, Studio, Task, build
from kgcore.evaluation import SOURCES, Case, Dataset, Evaluator, Outcome, Report
from kgcore.evaluation.datasets import read_dataset, read_samples
from kgcore.evaluation.report import (
    ALL,
    calibration_table,
    causes_table,
    details_table,
    results_table,
    time_table,
    wrong_list,
)
from kgcore.runs import RunView

DEMO = ("demo", "demo-zh")
SETS = tuple(name for name in SOURCES if name != "freebase")  # asked by bench/think_on_graph.py
MAX_MB = 600
MAX_MEDIAN_S = 1.5


@dataclass(frozen=True)
class Target:
    """What a set is to reach, in one of its figures."""

    set: str
    type: str
    figure: str
    least: float


TARGETS = (
    Target("2wiki", ALL, "hits", 0.60),
    Target("metaqa", "1-hop", "f1", 0.85),
    Target("metaqa", "2-hop", "f1", 0.65),
    Target("metaqa", "3-hop", "f1", 0.45),
    Target("pathquestion", ALL, "hits", 0.60),
)


@dataclass(frozen=True)
class Job:
    """Some cases of a set, for one process."""

    home: Path
    dataset: Dataset
    cases: tuple[Case, ...]
    settings: tuple[tuple[str, str], ...] = ()


def main() -> int:
    """Ask, print, and say whether the targets are met."""
    options = _options()
    start = time.perf_counter()
    with _home(options.home) as home:
        reports = [
            evaluate(dataset.sample(options.sample, options.seed), home, options)
            for dataset in _datasets(options.set, options.data)
        ]
    print(f"\nAnswers (per cent); {_words(options)}\n{results_table(reports)}")
    print(f"\nCauses of wrong | of incomplete answers\n{causes_table(reports)}")
    print(f"\nWhat shows the causes, commonest first\n{details_table(reports)}")
    print(f"\nRated answers: share that is right, by value\n{calibration_table(reports)}")
    print(f"\nTime and memory, {options.workers} at a time\n{time_table(reports)}")
    is_met = _print_targets(reports)
    print(f"\n{time.perf_counter() - start:.0f} s in all")
    if options.wrong:
        print("\nWrong and incomplete answers", *map(wrong_list, reports), sep="\n")
    if options.json:
        rows = [report.to_dict() for report in reports]
        options.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    return 0 if is_met else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--set", action="append", choices=[*SETS, *DEMO], metavar="NAME")
    parser.add_argument("--sample", type=int, default=0, help="questions of each set; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--home", type=Path, help="keep the imported graphs here")
    parser.add_argument("--workers", type=int, default=1, choices=(1, 2))
    parser.add_argument("--without-baseline", action="store_true")
    parser.add_argument("--json", type=Path, help="write figures and every case to a file")
    parser.add_argument("--wrong", action="store_true", help="print every wrong answer")
    parser.add_argument(
        "--setting", action="append", default=[], metavar="KEY=VALUE", help="not the default set-up"
    )
    return parser.parse_args()


@contextmanager
def _home(path: Path | None) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _datasets(names: Sequence[str] | None, data: Path) -> Iterator[Dataset]:
    for name in names or (*SETS, *DEMO):
        if name in DEMO:
            language = name.partition("-")[2] or "en"
            yield read_samples(ROOT / "assets" / "questions.yaml", language)
        else:
            yield read_dataset(name, data)


def _words(options: argparse.Namespace) -> str:
    which = f"{options.sample} of each set, seed {options.seed}" if options.sample else "all"
    return which + "".join(f", {text}" for text in options.setting)


def evaluate(dataset: Dataset, home: Path, options: argparse.Namespace) -> Report:
    """Ask the cases of a set in processes of their own, so that memory is the set's alone."""
    start = time.perf_counter()
    settings = tuple(tuple(text.split("=", 1)) for text in options.setting)
    parts = [dataset.cases[i :: options.workers] for i in range(options.workers)]
    jobs = [Job(home, replace(dataset, cases=()), part, settings) for part in parts if part]  # type: ignore[arg-type]
    spawn = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        pool.submit(import_graphs, jobs[0]).result()
    with ProcessPoolExecutor(options.workers, mp_context=spawn) as pool:
        done = list(pool.map(ask_all, jobs))
    asked_in = time.perf_counter() - start
    if not options.without_baseline:
        with ProcessPoolExecutor(options.workers, mp_context=spawn) as pool:
            outcomes = [
                o for part in pool.map(add_baseline, jobs, [d[0] for d in done]) for o in part
            ]
    else:
        outcomes = [o for part, _ in done for o in part]
    order = {case.id: i for i, case in enumerate(dataset.cases)}
    outcomes.sort(key=lambda o: order[o.case.id])
    report = Report(dataset.name, tuple(outcomes), max(mb for _, mb in done))
    row = report.row()
    print(
        f"{dataset.name}: {row.n} asked in {asked_in:.0f} s, Hits@1 {100 * row.hits:.1f}",
        file=sys.stderr,
        flush=True,
    )
    return report


def import_graphs(job: Job) -> None:
    """Import the graphs of a set that the home folder does not hold yet."""
    from kgcore.kg.files.importer import list_graphs

    studio = build(job.home, environ={})
    held = {m.name: m.files for m in list_graphs(job.home)}
    for name, files in job.dataset.graphs.items():
        if name in DEMO_GRAPHS:
            studio.ensure_demo()
        elif held.get(name) != tuple(f.name for f in files):
            studio.import_graph(files, name)


def ask_all(job: Job) -> tuple[list[Outcome], float]:
    """Ask the cases and return their outcomes with the most memory in MB."""
    studio = build(job.home, environ={})
    evaluator = _evaluator(studio, job)
    outcomes = []
    for i, case in enumerate(job.cases, 1):
        outcomes.append(evaluator.evaluate(case))
        if i % 50 == 0:
            print(f"{job.dataset.name}: {i} of {len(job.cases)}", file=sys.stderr, flush=True)
    return outcomes, peak_mb()


def add_baseline(job: Job, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Score the baseline on the same cases."""
    evaluator = _evaluator(build(job.home, environ={}), job)
    return [replace(o, baseline=evaluator.score_baseline(o.case)) for o in outcomes]


def _evaluator(studio: Studio, job: Job) -> Evaluator:
    kgs, language = tuple(job.dataset.graphs), job.dataset.language
    settings = {name: _value(text) for name, text in job.settings}

    def answer(question: str) -> RunView:
        run = studio.ask(Task(question, kgs, model="offline", settings=settings))
        run.drive()
        view = studio.view(run.id)
        studio.store.delete(run.id)  # thousands of runs would fill the folder
        return view

    return Evaluator(answer, studio.graph(kgs, language=language))


def _value(text: str) -> bool | int | float | str:
    try:
        value: bool | int | float | str = json.loads(text)
    except ValueError:
        return text
    return value


def peak_mb() -> float:
    """Return the most memory this process held; 0 where the platform does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _print_targets(reports: Sequence[Report]) -> bool:
    """Print each target that was measured, and whether it is met."""
    print("\nTargets")
    by_name = {report.name: report for report in reports}
    lines: list[tuple[str, float, str, bool]] = []
    for target in TARGETS:
        if target.set in by_name and by_name[target.set].of_type(target.type):
            value = getattr(by_name[target.set].row(target.type), target.figure)
            name = f"{target.set} {target.type}, {'Hits@1' if target.figure == 'hits' else 'F1'}"
            lines.append((name, value, f"≥ {target.least:.2f}", value >= target.least))
    for report in reports:
        if "codex" in _graphs_of(report.name):
            is_fast = report.median_s < MAX_MEDIAN_S
            lines.append(
                (f"{report.name}, median s", report.median_s, f"< {MAX_MEDIAN_S}", is_fast)
            )
        if report.peak_mb:
            is_small = report.peak_mb < MAX_MB
            lines.append((f"{report.name}, peak MB", report.peak_mb, f"< {MAX_MB}", is_small))
    for name, value, bound, is_met in lines:
        print(f"{name:<28}{value:10.2f}  {bound:<8} {'met' if is_met else 'NOT MET'}")
    return all(is_met for *_, is_met in lines)


def _graphs_of(name: str) -> Sequence[str]:
    return tuple(SOURCES[name].graphs) if name in SOURCES else DEMO_GRAPHS


if __name__ == "__main__":
    sys.exit(main())
