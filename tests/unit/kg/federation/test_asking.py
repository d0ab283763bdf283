"""How much time members get, and when they are left alone."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

from kgcore.errors import TimedOutError
from kgcore.kg.federation.asking import Members
from kgcore.testing import MemoryGraph


@pytest.fixture
def members() -> Members:
    return Members([MemoryGraph("one"), MemoryGraph("two")], patience_s=16)


def test_a_late_member_is_busy_until_all_its_questions_have_ended(members: Members) -> None:
    one, two = members.graphs
    asked: list[Future[Any]] = [Future(), Future()]
    members.give_up(one, asked)
    assert (members.is_busy(one), members.is_busy(two)) == (True, False)
    asked[0].set_result(None)
    assert members.is_busy(one)
    asked[1].set_result(None)
    assert not members.is_busy(one)


def test_a_member_that_hangs_again_and_again_gets_less_and_less_time(members: Members) -> None:
    one, two = members.graphs
    seen = []
    for _ in range(6):
        asked: Future[Any] = Future()
        seen.append(members.patience(one))
        members.give_up(one, [asked])
        asked.set_exception(TimedOutError("nothing"))
    assert seen == [16, 8, 4, 2, 2, 2]
    assert members.patience(two) == 16
    members.note_answer(one)
    assert members.patience(one) == 16


def test_a_member_that_answers_late_keeps_its_time(members: Members) -> None:
    one, _ = members.graphs
    asked: Future[Any] = Future()
    members.give_up(one, [asked])
    assert members.patience(one) == 8
    asked.set_result(None)
    assert members.patience(one) == 16


def test_who_is_impatient_is_not_made_to_wait_longer() -> None:
    members = Members([MemoryGraph("one")], patience_s=0.5)
    assert members.patience(members.graphs[0]) == 0.5
