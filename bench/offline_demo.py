"""Ask the sample questions with the offline matcher; print right and wrong, and the path of the wrong ones.

    python bench/offline_demo.py [ID or KIND or LANGUAGE]... [--paths]

Exit code 1 when fewer than 90 % of those that need no language model are right.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kgcore.bootstrap import Studio, Task, build
from kgcore.model import Entity
from kgcore.runs import RunView
from kgcore.steps import Answer

QUESTIONS = Path(__file__).resolve().parent.parent / "assets" / "questions.yaml"
ENOUGH = 0.9
_YES, _NO = ("yes", "是"), ("no", "否")


@dataclass(frozen=True)
class Sample:
    """A sample question in one of its languages."""

    id: str
    language: str
    text: str
    record: dict[str, Any]

    @property
    def needs_model(self) -> bool:
        """Whether the sample says that words and structure are not enough."""
        return "needs" in self.record


def samples(names: list[str]) -> Iterator[Sample]:
    """Yield the samples with one of these ids, kinds or languages; all without names."""
    for record in yaml.safe_load(QUESTIONS.read_text(encoding="utf-8")):
        for language, field in (("en", "question"), ("zh", "question_zh")):
            if field not in record:
                continue
            if not names or {record["id"], record["kind"], language} & set(names):
                yield Sample(record["id"], language, record[field], record)


def is_right(answer: Answer | None, record: dict[str, Any], studio: Studio) -> bool:
    """Compare an answer with the gold: all of it, and no more."""
    gold = record["answers"]
    if answer is None or not answer.is_answer:
        return not gold
    if record["kind"] == "yes_no":
        wanted = _YES if gold[0]["value"] == "true" else _NO
        return answer.text.casefold() in wanted
    if record["kind"] == "count":
        return answer.text == gold[0]["value"]
    found = [_names(part.value, studio, record["kgs"]) for part in answer.parts]
    wanted_ids = [str(row.get("id", row.get("value"))) for row in gold]
    hit = [any(g in names for names in found) for g in wanted_ids]
    return bool(gold) and all(hit) and len(found) == len(wanted_ids)


def _names(value: Any, studio: Studio, kgs: list[str]) -> set[str]:
    """Return a value's text, or all ids an entity has in the graphs."""
    if not isinstance(value, Entity):
        return {value.value}
    links = studio.graph(kgs).same_as([value.id])
    return {value.id, *(other for _, other in links)}


def path_of(view: RunView) -> list[str]:
    """Return the run's log in words."""
    return [f"    {line.text}" for line in view.log]


def main() -> int:
    """Ask, print, and say whether it was enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument(
        "--paths", action="store_true", help="print every path, not only wrong ones"
    )
    options = parser.parse_args()
    n_right = n_asked = 0
    with tempfile.TemporaryDirectory() as home:
        studio = build(Path(home), environ={})
        for sample in samples(options.names):
            start = time.perf_counter()
            run = studio.ask(Task(sample.text, tuple(sample.record["kgs"]), model="offline"))
            run.drive()
            view = studio.view(run.id)
            seconds = time.perf_counter() - start
            right = is_right(view.answer, sample.record, studio)
            if not sample.needs_model:
                n_asked += 1
                n_right += right
            mark = "right" if right else "needs a model" if sample.needs_model else "WRONG"
            answer = view.answer.text if view.answer else view.status
            value = view.answer.value if view.answer else 0.0
            print(f"{mark:13} {sample.id} ({sample.language}): {sample.text}")
            print(f"{'':13} {answer[:100]}  value {value:.2f}, {seconds:.2f} s")
            if options.paths or mark == "WRONG":
                print("\n".join(path_of(view)))
    print(f"{n_right} of {n_asked} right")
    return 0 if n_asked and n_right >= ENOUGH * n_asked else 1


if __name__ == "__main__":
    sys.exit(main())
