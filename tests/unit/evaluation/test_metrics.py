"""Hits@1, precision, recall, F1 and EM-in."""

from __future__ import annotations

import pytest

from kgcore.evaluation.case import Gold
from kgcore.evaluation.metrics import RIGHT, WRONG, Score, score_answer
from kgcore.model import EntityId, Literal
from kgcore.steps import Answer
from tests.unit.evaluation.world import NAMES, answer, case

TWO = case(
    gold=(Gold(EntityId("a:rome"), ("Rome",)), Gold(EntityId("a:oslo"), ("Oslo",))),
    texts=("Rome", "Oslo"),
)
CANNOT = Answer("I cannot tell", is_answer=False)


def test_the_right_answer_alone_is_right() -> None:
    assert score_answer(answer("a:rome"), case(), NAMES) == RIGHT


def test_only_the_first_counts_as_a_hit() -> None:
    assert score_answer(answer("a:oslo", "a:rome"), case(), NAMES) == Score(0.0, 0.5, 1.0, True)
    assert score_answer(answer("a:rome", "a:oslo"), case(), NAMES) == Score(1.0, 0.5, 1.0, True)


def test_half_of_what_is_right_has_half_the_recall() -> None:
    score = score_answer(answer("a:rome"), TWO, NAMES)
    assert (score.hit, score.precision, score.recall) == (1.0, 1.0, 0.5)
    assert score.f1 == pytest.approx(2 / 3)
    assert not score.is_complete


def test_one_thing_named_twice_finds_one_gold_answer() -> None:
    score = score_answer(answer("a:rome", "b:rome"), TWO, NAMES)
    assert (score.precision, score.recall) == (1.0, 0.5)


@pytest.mark.parametrize("given", [None, CANNOT])
def test_no_answer_is_wrong_where_there_is_one(given: Answer | None) -> None:
    assert score_answer(given, case(), NAMES) == WRONG


def test_no_answer_is_right_where_there_is_none() -> None:
    none = case(answer_kind="none", gold=(), texts=())
    assert score_answer(CANNOT, none, NAMES) == RIGHT
    assert score_answer(answer("a:rome"), none, NAMES) == WRONG


def test_a_text_that_names_nothing_of_the_graph_has_em_in_only() -> None:
    assert score_answer(answer(Literal("Rome")), case(), NAMES) == Score(em_in=True)


def test_em_in_knows_the_labels_of_the_graph() -> None:
    chinese = answer("b:rome", text="罗马")
    assert not score_answer(chinese, case(), NAMES).em_in
    assert score_answer(chinese, case(), NAMES, ("罗马",)).em_in


def test_yes_and_no_are_judged_by_the_text() -> None:
    yes = case(answer_kind="boolean", gold=(Gold(texts=("yes",)),), texts=("yes",))
    assert score_answer(answer(Literal("Yes, both")), yes, NAMES) == RIGHT
    assert score_answer(answer(Literal("no")), yes, NAMES) == WRONG
    assert score_answer(answer("a:rome"), yes, NAMES) == WRONG
