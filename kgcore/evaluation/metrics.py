"""How good is an answer? Hits@1, precision, recall and F1 on what it names, and EM-in on its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.evaluation.case import Case
from kgcore.evaluation.comparing import Names, is_same, occurs, truth_of
from kgcore.model import Entity, Literal
from kgcore.steps import Answer

Named = Entity | Literal


@dataclass(frozen=True, slots=True)
class Score:
    """How well an answer does. `hit`: what it names first is right; `em_in`: its text holds a gold text."""

    hit: float = 0.0
    precision: float = 0.0
    recall: float = 0.0
    em_in: bool = False

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def is_complete(self) -> bool:
        """Whether the answer names all that is right and nothing else."""
        return self.hit == self.precision == self.recall == 1.0


WRONG = Score()
RIGHT = Score(1.0, 1.0, 1.0, True)


def score_answer(
    answer: Answer | None, case: Case, names: Names, texts: Sequence[str] = ()
) -> Score:
    """Score an answer; no answer is wrong unless the case has none. `texts` are further gold texts."""
    if answer is None or not answer.is_answer:
        return RIGHT if case.answer_kind == "none" else WRONG
    if case.answer_kind == "none":
        return WRONG
    named = [part.value for part in answer.parts]
    if case.answer_kind == "boolean":
        is_right = len(named) < 2 and truth_of(answer.text) == truth_of(case.gold[0].texts[0])
        return RIGHT if is_right else WRONG
    em_in = any(occurs(text, answer.text) for text in (*case.texts, *texts))
    hit, precision, recall = overlap(named, case, names)
    return Score(hit, precision, recall, em_in)


def overlap(named: Sequence[Named], case: Case, names: Names) -> tuple[float, float, float]:
    """Return Hits@1, precision and recall of what is named, in its order."""
    if not named or not case.gold:
        return 0.0, 0.0, 0.0
    right = [any(is_same(item, gold, names) for gold in case.gold) for item in named]
    found = [any(is_same(item, gold, names) for item in named) for gold in case.gold]
    return float(right[0]), sum(right) / len(right), sum(found) / len(found)
