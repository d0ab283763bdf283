"""When to ask again, and how long to wait before."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from kgcore.transport.retry import RetryPolicy, parse_retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

HEADERS = [
    (None, None),
    ("", None),
    ("2", 2.0),
    (" 2 ", 2.0),
    ("0", 0.0),
    ("1.5", 1.5),
    ("9999", 9999.0),
    ("-3", None),
    ("nan", None),
    ("inf", None),
    ("soon", None),
    ("Sun, 01 Mar 2026 12:00:07 GMT", 7.0),
    ("Sunday, 01-Mar-26 12:00:07 GMT", 7.0),
    ("Sun Mar  1 12:00:07 2026", 7.0),
    ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
    ("Sun, 99 Mar 2026 11:00:00 GMT", None),
]


@pytest.mark.parametrize("value, seconds", HEADERS)
def test_retry_after_is_read_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


def policy(**settings: Any) -> RetryPolicy:
    return RetryPolicy(rng=random.Random(7), **settings)


def test_it_gives_up_after_the_last_retry() -> None:
    assert policy(max_retries=2).wait_s(2) is not None
    assert policy(max_retries=2).wait_s(3) is None
    assert policy(max_retries=0).wait_s(1) is None


def test_waits_are_drawn_between_nothing_and_a_bound_that_doubles_up_to_a_cap() -> None:
    schedule = policy(max_retries=9, base_s=1.0, cap_s=5.0)
    for n_failed, bound in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (9, 5.0)):
        waits = [schedule.wait_s(n_failed) for _ in range(400)]
        known = [w for w in waits if w is not None]
        assert len(known) == 400
        assert min(known) < 0.1 * bound
        assert 0.9 * bound < max(known) <= bound


def test_a_service_is_given_the_seconds_it_asks_for() -> None:
    for _ in range(50):
        wait_s = policy().wait_s(1, retry_after=2.0)
        assert wait_s is not None
        assert 2.0 <= wait_s <= 2.2


def test_a_service_that_asks_for_too_much_is_not_waited_for() -> None:
    assert policy(retry_after_cap_s=30).wait_s(1, retry_after=31.0) is None
    assert policy(retry_after_cap_s=30).wait_s(1, retry_after=29.0) is not None


def test_asking_for_seconds_does_not_lift_the_number_of_retries() -> None:
    assert policy(max_retries=1).wait_s(2, retry_after=0.0) is None
