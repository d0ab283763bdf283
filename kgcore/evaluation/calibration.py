"""Do values order right and wrong answers? Over all answers a search rated, not only those it gave."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from kgcore.evaluation.case import Case
from kgcore.evaluation.comparing import Names
from kgcore.evaluation.metrics import score_answer
from kgcore.prompts.answers import is_unknown
from kgcore.prompts.wording import fold
from kgcore.runs import RunView
from kgcore.steps import Answer

BOUNDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Rated:
    """A rated answer: which case it was for, its value, and whether what it names first is right."""

    case: str
    value: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class Bucket:
    """The answers with values from `low` up to `high`."""

    low: float
    high: float
    n: int
    n_right: int

    @property
    def share(self) -> float | None:
        """The part of them that is right; None when there are none."""
        return self.n_right / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Buckets of values, and how well values order.

    `auc` is the chance that a right answer has a higher value than a wrong one, ties counting half: of any two
    answers, or of two answers to one question (`auc_within`). None without both right and wrong ones.
    """

    buckets: tuple[Bucket, ...]
    auc: float | None
    auc_within: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        rows = [{"low": b.low, "high": b.high, "n": b.n, "right": b.n_right} for b in self.buckets]
        return {"buckets": rows, "auc": self.auc, "auc_within_question": self.auc_within}


def rated_answers(
    view: RunView, case: Case, names: Names, texts: Sequence[str] = ()
) -> tuple[Rated, ...]:
    """Return the answers of a run that were rated; what says it cannot tell is none."""
    found = []
    for node in view.nodes.values():
        if node.answer is None or node.value is None or is_unknown(node.answer.text):
            continue
        found.append(Rated(case.id, node.value, _is_right(node.answer, case, names, texts)))
    return tuple(found)


def _is_right(answer: Answer, case: Case, names: Names, texts: Sequence[str]) -> bool:
    """A value of 0 makes an answer none, and it has no parts: its text decides."""
    if answer.is_answer:
        return score_answer(answer, case, names, texts).hit > 0
    return fold(answer.text) in {fold(text) for text in (*case.texts, *texts)}


def calibrate(rated: Iterable[Rated]) -> Calibration:
    """Return how values and right answers go together."""
    rated = tuple(rated)
    buckets = []
    for low, high in pairwise(BOUNDS):
        is_last = high == BOUNDS[-1]
        inside = [r for r in rated if low <= r.value < high or (is_last and r.value >= high)]
        buckets.append(Bucket(low, high, len(inside), sum(r.is_right for r in inside)))
    by_case: dict[str, list[Rated]] = defaultdict(list)
    for one in rated:
        by_case[one.case].append(one)
    within = [_ordered(group) for group in by_case.values()]
    return Calibration(tuple(buckets), _share([_ordered(rated)]), _share(within))


def _ordered(rated: Sequence[Rated]) -> tuple[float, int]:
    """Return how many pairs of a right and a wrong answer are in order, and how many there are."""
    in_order, n_right, n_wrong = 0.0, 0, 0
    by_value: dict[float, list[int]] = defaultdict(lambda: [0, 0])
    for one in rated:
        by_value[one.value][one.is_right] += 1
    for _, (wrong, right) in sorted(by_value.items()):
        in_order += right * (n_wrong + wrong / 2)
        n_wrong, n_right = n_wrong + wrong, n_right + right
    return in_order, n_right * n_wrong


def _share(counts: Iterable[tuple[float, int]]) -> float | None:
    counts = list(counts)
    n_pairs = sum(n for _, n in counts)
    return sum(in_order for in_order, _ in counts) / n_pairs if n_pairs else None
