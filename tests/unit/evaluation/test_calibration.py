"""Values of rated answers against right and wrong."""

from __future__ import annotations

import pytest

from kgcore.evaluation.calibration import Rated, calibrate, rated_answers
from kgcore.steps import Answer
from tests.unit.evaluation.world import NAMES, TO_ANN, TO_ROME, answer, case, run


def rated(*pairs: tuple[float, bool], of: str = "1") -> list[Rated]:
    return [Rated(of, value, is_right) for value, is_right in pairs]


def test_buckets_count_every_answer_once() -> None:
    found = calibrate(rated((0.0, False), (0.2, True), (0.8, True), (1.0, False), (1.0, True)))
    assert [(b.low, b.n, b.n_right) for b in found.buckets if b.n] == [
        (0.0, 1, 0),
        (0.2, 1, 1),
        (0.8, 3, 2),
    ]
    assert found.buckets[1].share == 1.0
    assert found.buckets[2].share is None


@pytest.mark.parametrize(
    "pairs, auc",
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False)], 0.5),
        ([(0.9, True), (0.4, True), (0.5, False), (0.1, False)], 0.75),
        ([(0.9, True)], None),
        ([], None),
    ],
)
def test_auc_is_the_chance_that_right_is_above_wrong(
    pairs: list[tuple[float, bool]], auc: float | None
) -> None:
    assert calibrate(rated(*pairs)).auc == auc


def test_auc_within_a_question_compares_answers_to_one_question() -> None:
    hard = rated((0.4, True), (0.2, False), of="hard")
    easy = rated((0.9, True), (0.8, False), of="easy")
    found = calibrate([*hard, *easy])
    assert found.auc_within == 1.0
    assert found.auc == 0.75


def test_every_rated_answer_of_a_run_counts_not_only_the_one_given() -> None:
    given, other = answer("a:ann"), answer("a:rome", value=0.6)
    view = run(TO_ANN, TO_ROME, rated=[given, other], end=given)
    assert rated_answers(view, case(), NAMES) == (Rated("1", 0.9, False), Rated("1", 0.6, True))


def test_a_right_answer_rated_0_is_right_all_the_same() -> None:
    """A value of 0 makes an answer none, without parts."""
    zero = Answer("Rome", value=0.0, is_answer=False)
    unknown = Answer("cannot tell", value=0.0, is_answer=False)
    view = run(TO_ANN, TO_ROME, rated=[zero, unknown])
    assert rated_answers(view, case(), NAMES) == (Rated("1", 0.0, True),)
