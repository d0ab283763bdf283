"""How often what a run really took lies in what was foretold; and the typical sizes that estimates are made of.

    python bench/estimates.py [--questions 30] [--write]

Asks the sample questions with every method and the offline matcher. Tokens are counted on the prompts as they were sent and
on the replies; the matcher's replies have the form that the templates ask for, a language model's may be longer. `--write`
writes the sizes that were measured to kgcore/runs/typical.yaml, which estimates are made of from then on.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task
from kgcore.bootstrap.studio import language_of
from kgcore.model.text import estimate_tokens
from kgcore.prompts import PromptSet
from kgcore.reasoners import REASONERS
from kgcore.runs import Run, StepDone
from kgcore.runs.estimate import Wording, fixed_tokens
from kgcore.steps import Replies

OUT = ROOT / "kgcore" / "runs" / "typical.yaml"
HEAD = """\
# Tokens of what a request holds beside its template and the question, and of one reply: the 5th and the 95th percentile
# over the sample questions, asked of the demo graphs with every method. Replies are also those of the worked
# examples. Written by bench/estimates.py.
"""
Sizes = dict[str, dict[str, list[int]]]


def asked(run: Run, prompts: PromptSet) -> Iterator[tuple[str, int, list[int]]]:
    """Return, for each request of a run, its template, the tokens of what it holds, and of its replies."""
    started = run.journal.started
    wording = Wording(prompts, language_of(started.question), started.question)
    for entry in run.journal.entries:
        body = entry.body
        if isinstance(body, StepDone) and isinstance(body.result, Replies) and body.via == "live":
            name = str(body.step["template"])
            held = estimate_tokens(body.result.prompt) - fixed_tokens(name, wording)
            yield name, max(0, held), [estimate_tokens(reply.text) for reply in body.result.items]


def tokens_of(run: Run) -> int:
    """Return the tokens of all prompts and replies of a run."""
    replies = [
        e.body.result
        for e in run.journal.entries
        if isinstance(e.body, StepDone) and isinstance(e.body.result, Replies)
    ]
    return sum(
        estimate_tokens(r.prompt) + sum(estimate_tokens(item.text) for item in r.items)
        for r in replies
    )


def share(values: list[int], part: float) -> int:
    """Return a percentile."""
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))]


def examples_of(name: str) -> list[int]:
    """Return the tokens of the replies in the worked examples of a request."""
    file = ROOT / "kgcore" / "prompts" / "templates" / "en" / "examples" / f"{name}.yaml"
    if not file.is_file():
        return []
    return [estimate_tokens(str(e["reply"])) for e in yaml.safe_load(file.read_text("utf-8")) or ()]


def main() -> None:
    """Ask, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    entries = yaml.safe_load((ROOT / "assets" / "questions.yaml").read_text("utf-8"))
    questions = [e["question"] for e in entries][:: max(1, len(entries) // args.questions)]
    prompts_held: dict[str, list[int]] = defaultdict(list)
    replies: dict[str, list[int]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Path(folder), environ={})
        print(f"{len(questions)} questions; share of the runs that took what was foretold")
        for name in REASONERS:
            line = method_line(studio, name, questions, prompts_held, replies)
            print(f"{name:<22}{line}", flush=True)
    sizes: Sizes = {
        name: {
            "prompt": [share(held, 0.05), share(held, 0.95)],
            "reply": reply_sizes(name, replies[name]),
        }
        for name, held in sorted(prompts_held.items())
    }
    if args.write:
        OUT.write_text(HEAD + yaml.safe_dump(sizes, default_flow_style=None), "utf-8")
        print(f"wrote the sizes of {len(sizes)} requests")


def reply_sizes(name: str, seen: list[int]) -> list[int]:
    """Return the usual least and most tokens of a reply."""
    least, most = share(seen, 0.05), share(seen, 0.95)
    shown = examples_of(name)
    return [min([least, *shown]), max([most, *shown])]


def method_line(
    studio: Studio,
    name: str,
    questions: list[str],
    prompts_held: dict[str, list[int]],
    replies: dict[str, list[int]],
) -> str:
    """Ask all questions by one method and say how the estimates did."""
    n_runs = n_requests = n_tokens = n_told = 0
    most = 0.0
    for question in questions:
        task = Task(question, method=name, model="offline")
        told = studio.estimate(task)
        run = studio.ask(task)
        run.drive()
        n_runs += 1
        for template, held, tokens in asked(run, studio.prompts()):
            prompts_held[template].append(held)
            replies[template] += tokens
        if told is None:
            continue
        n_told += 1
        spent, tokens = run.journal.usage.llm_requests, tokens_of(run)
        n_requests += told.requests.least <= spent <= told.requests.most
        n_tokens += told.tokens.least <= tokens <= told.tokens.most
        most += told.requests.most / max(1, spent)
    if not n_told:
        return "tells nothing beforehand"
    return (
        f"requests {n_requests / n_told:6.0%}   tokens {n_tokens / n_told:6.0%}   "
        f"the most is {most / n_told:4.1f} times what a run took, of {n_told} runs"
    )


if __name__ == "__main__":
    main()
