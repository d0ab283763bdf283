"""How Chain-of-Knowledge does on the sample questions of the demo's sources, with the offline matcher.

    python bench/chain_of_knowledge.py [--mode step|parallel] [--model NAME]

Asks every question of assets/source_questions.yaml in each of its languages, over all sources of the demo. An answer
is right when its text holds the gold answers as words; "by its source" says whether it follows from the source that
states it. Questions marked with * are said to need a language model. Requests are those put to the model, samples in
one request counted once; the offline matcher answers them without any network.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task, build
from kgcore.evaluation.comparing import occurs

FILE = ROOT / "assets" / "source_questions.yaml"


@dataclass(frozen=True)
class Asked:
    """A question in one language, and what came of it."""

    question: str
    language: str
    field: str
    needs_model: bool
    answer: str
    is_right: bool
    is_by_source: bool
    requests: int


def ask(studio: Studio, model: str, mode: str) -> Iterator[Asked]:
    """Ask every wording of every question."""
    for item in yaml.safe_load(FILE.read_text("utf-8")):
        for language, end in (("en", ""), ("zh", "_zh")):
            if f"question{end}" in item:
                yield ask_one(studio, item, language, Task(
                    item[f"question{end}"], method="chain-of-knowledge", model=model, settings={"mode": mode}
                ))  # fmt: skip


def ask_one(studio: Studio, item: dict[str, Any], language: str, task: Task) -> Asked:
    """Run one question and compare its answer with the gold."""
    run = studio.ask(task)
    run.drive()
    view = studio.view(run.id)
    answer = view.answer if view.answer and view.answer.is_answer else None
    gold = item["answers" if language == "en" else "answers_zh"]
    return Asked(
        task.question,
        language,
        item["field"],
        item.get("needs") == "language model",
        answer.text if answer else "",
        answer is not None and all(occurs(text, answer.text) for text in gold),
        answer is not None and item["source"] in {k.source for k in answer.knowledge},
        view.usage.llm_requests,
    )


def line(name: str, asked: Sequence[Asked]) -> str:
    """Return the figures of some questions."""
    n = len(asked)
    if not n:
        return f"{name:<26} none"
    answered, right = sum(bool(a.answer) for a in asked), sum(a.is_right for a in asked)
    by = sum(a.is_by_source for a in asked)
    requests = sum(a.requests for a in asked) / n
    return f"{name:<26}{n:>5}{answered:>10}{right:>8}{by:>15}{requests:>12.1f}"


def main() -> None:
    """Ask all and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mode", choices=("step", "parallel"), default="step")
    parser.add_argument("--model", default="offline")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        studio = build(Path(home), environ={})
        asked = list(ask(studio, options.model, options.mode))
        studio.store.close()
    for one in asked:
        state = "right" if one.is_right else "WRONG" if one.answer else "cannot tell"
        star = "*" if one.needs_model else " "
        print(f"{star}{state:<12}{one.requests:>3}  {one.question}  →  {one.answer[:90] or '–'}")
    head = (
        f"\n{'':<26}{'asked':>5}{'answered':>10}{'right':>8}{'by its source':>15}{'requests':>12}"
    )
    print(head)
    usual = [a for a in asked if not a.needs_model]
    for name in dict.fromkeys(a.field for a in asked):
        for language in ("en", "zh"):
            part = [a for a in usual if a.field == name and a.language == language]
            if part:
                print(line(f"{name}, {language}", part))
    print(line("all without *", usual))
    print(line("* need a language model", [a for a in asked if a.needs_model]))


if __name__ == "__main__":
    main()
