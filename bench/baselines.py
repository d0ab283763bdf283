"""The baselines beside the three systems: how often they answer, how often rightly, and from what.

    python bench/baselines.py [--data FOLDER] [--set 2wiki|pathquestion|metaqa] [--method NAME]... [--sample N] [--seed N]
                              [--model NAME [--api-base URL]] [--setting KEY=VALUE]... [--wrong]

Asks questions of a set with every method, each over the set's graph and, for 2wiki, the paragraphs that come with its
questions. An answer is right when its text holds a gold text as words (EM-in), which is fair to methods that name no
entities. "Memory" are answers that rest on nothing that was looked up. Requests are those put to the model, samples in
one request counted once; tokens are those the provider counted, or an estimate.

Without --model the embedded matcher answers. It is no language model and remembers nothing, so the figures of methods
that work from memory say nothing about these methods; they only show that they end honestly.
"""

from __future__ import annotations

import argparse
import gzip
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
from kgcore.config import OFFLINE
from kgcore.evaluation import Dataset, Evaluator, Outcome
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.report import table
from kgcore.reasoners import REASONERS, reasoner
from kgcore.reasoners.base import asks_sources
from kgcore.runs import RunView
from kgcore.sources.spec import SourceSpec

SETS = ("2wiki", "pathquestion", "metaqa")
PASSAGES = {"2wiki": "2wiki/passages.jsonl.gz"}
FROM_MEMORY = ("io", "chain-of-thought", "chain-of-thought-sc", "verify-and-edit")
OFFLINE_NOTE = f"""\
The embedded matcher answers. It is NO LANGUAGE MODEL: it matches the words of a question with labels and sentences.
- {", ".join(FROM_MEMORY)} start from what a model remembers. The matcher remembers
  nothing: they must end in "cannot tell", and their 0 % says nothing about the methods.
- react, and react-cot up to its fallback, are driven by matching words with relations, as the searches are.
- flare never trusts the matcher's first sentence, which is the question itself: it looks the question up in passages
  and answers with the sentence that shares most words with it.
A comparison of methods needs --model NAME."""


@dataclass(frozen=True)
class Asked:
    """A question put to a method, and what came of it."""

    outcome: Outcome
    is_memory: bool
    requests: int
    tokens: int

    @property
    def is_answered(self) -> bool:
        """Whether an answer was given."""
        return self.outcome.status == "answered"


def main() -> int:
    """Ask and print."""
    options = _options()
    start = time.perf_counter()
    dataset = read_dataset(options.set, options.data).sample(options.sample, options.seed)
    if options.model.startswith(OFFLINE):
        print(f"{OFFLINE_NOTE}\n")
    lines = [
        [
            "method",
            "n",
            "answered",
            "right",
            "right of answered",
            "memory",
            "requests",
            "tokens",
            "s",
        ]
    ]
    wrong: list[str] = []
    with _studio(dataset, options.data) as studio:
        for method in options.method or list(REASONERS):
            if asks_sources(reasoner(method).config_class) and options.set not in PASSAGES:
                lines.append([method, *["no passages come with this set", *[""] * 7]])
                continue
            asked = list(ask_all(dataset, method, studio, options))
            lines.append(line(method, asked))
            wrong += [
                f"{method}: {a.outcome.case.question} → {a.outcome.answer}"
                for a in asked
                if not a.outcome.score.em_in
            ]
    print(
        f"{options.set}, {len(dataset.cases)} questions, model {options.model} (per cent; means a question)"
    )
    print(table(lines, 1))
    print(f"\n{time.perf_counter() - start:.0f} s in all")
    if options.wrong:
        print("\nNot right", *wrong, sep="\n")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--set", choices=SETS, default="2wiki")
    parser.add_argument("--method", action="append", choices=tuple(REASONERS))
    parser.add_argument("--sample", type=int, default=40, help="questions; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="offline")
    parser.add_argument("--api-base", default="")
    parser.add_argument("--setting", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--wrong", action="store_true", help="print what was not answered rightly")
    return parser.parse_args()


@contextmanager
def _studio(dataset: Dataset, data: Path) -> Iterator[Studio]:
    """Open a studio that holds the graph of a set, and the passages that come with it."""
    with tempfile.TemporaryDirectory() as folder:
        studio = build(Path(folder) / "home", environ={})
        studio.import_graph(dataset.graphs[dataset.name], dataset.name)
        if dataset.name in PASSAGES:
            file = Path(folder) / "passages.jsonl"
            file.write_bytes(gzip.decompress((data / PASSAGES[dataset.name]).read_bytes()))
            spec = SourceSpec(
                "passages", "text", (str(file),), ("factual",), "paragraphs of an encyclopedia"
            )
            studio.add_source(spec)
        yield studio
        studio.store.close()


def ask_all(
    dataset: Dataset, method: str, studio: Studio, options: argparse.Namespace
) -> Iterator[Asked]:
    """Ask the cases of a set with a method."""
    kgs = (dataset.name,)
    settings = dict(text.split("=", 1) for text in options.setting)
    sources = ("passages",) if asks_sources(reasoner(method).config_class) else ()
    seen: list[RunView] = []

    def answer(question: str) -> RunView:
        task = Task(
            question, kgs, method, options.model, api_base=options.api_base, settings=settings, sources=sources
        )  # fmt: skip
        run = studio.ask(task)
        run.drive()
        seen.append(studio.view(run.id))
        studio.store.delete(run.id)
        return seen[-1]

    evaluator = Evaluator(answer, studio.graph(kgs))
    for i, case in enumerate(dataset.cases, 1):
        outcome = evaluator.evaluate(case)
        view = seen[-1]
        is_memory = view.answer is not None and view.answer.is_model_memory
        yield Asked(outcome, is_memory, view.usage.llm_requests, view.usage.tokens)
        if i % 50 == 0:
            print(f"{method}: {i} of {len(dataset.cases)}", file=sys.stderr)


def line(method: str, asked: Sequence[Asked]) -> list[str]:
    """Return the figures of a method."""
    n = len(asked)
    answered = [a for a in asked if a.is_answered]
    right = sum(a.outcome.score.em_in for a in answered)
    of_answered = f"{100 * right / len(answered):.1f}" if answered else "–"
    return [
        method,
        str(n),
        f"{100 * len(answered) / n:.1f}",
        f"{100 * right / n:.1f}",
        of_answered,
        f"{100 * sum(a.is_memory for a in asked) / n:.1f}",
        f"{statistics.fmean(a.requests for a in asked):.1f}",
        f"{statistics.fmean(a.tokens for a in asked):.0f}",
        f"{statistics.median(a.outcome.seconds for a in asked):.2f}",
    ]


if __name__ == "__main__":
    sys.exit(main())
