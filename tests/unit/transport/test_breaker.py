"""Leaving a host alone, on a clock of the test's own."""

from __future__ import annotations

import pytest

from kgcore.errors import UnreachableError
from kgcore.transport.breaker import Breaker

HOST = "graph.invalid"


class Bench:
    """A breaker and the clock it looks at."""

    def __init__(self) -> None:
        self.now = 0.0
        self.breaker = Breaker(after=3, seconds=30, clock=lambda: self.now)

    def is_open(self, host: str = HOST) -> bool:
        try:
            self.breaker.enter(host)
        except UnreachableError:
            return False
        return True

    def fail(self, times: int) -> None:
        for _ in range(times):
            self.breaker.enter(HOST)
            self.breaker.failed(HOST)


def test_failures_in_a_row_close_a_host_and_no_other() -> None:
    bench = Bench()
    bench.fail(3)
    with pytest.raises(
        UnreachableError, match=r"^graph.invalid is left alone for 30 s after 3 failures$"
    ):
        bench.breaker.enter(HOST)
    assert bench.is_open("other.invalid")


def test_a_success_between_failures_begins_the_count_anew() -> None:
    bench = Bench()
    bench.fail(2)
    bench.breaker.succeeded(HOST)
    bench.fail(2)
    assert bench.is_open()


def test_after_the_pause_one_request_decides_for_all() -> None:
    bench = Bench()
    bench.fail(3)
    bench.now = 30
    assert [bench.is_open(), bench.is_open()] == [True, False]
    bench.breaker.failed(HOST)
    assert not bench.is_open()
    bench.now = 60
    assert bench.is_open()
    bench.breaker.succeeded(HOST)
    assert [bench.is_open(), bench.is_open()] == [True, True]


def test_a_trial_that_was_stopped_leaves_the_trial_to_another() -> None:
    bench = Bench()
    bench.fail(3)
    bench.now = 30
    assert bench.is_open()
    bench.breaker.left(HOST)
    assert bench.is_open()
