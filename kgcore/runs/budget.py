"""What a run may spend, and the meter that holds it to that.

A call is a request to a model. It is reserved before it is sent, so calls are never exceeded; tokens and money
are known only when a reply arrives and are exceeded by at most what is in flight.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from kgcore.errors import BudgetExceededError, InputError
from kgcore.model import wired
from kgcore.steps import Usage


@wired
@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; None is no limit. Money in US dollars, time in seconds of driving."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "usd", "seconds"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise InputError(f"budget {name} must be 0 or more, not {value}")


class Meter:
    """Counts what a run spends; safe to use from several threads."""

    def __init__(self, budget: Budget) -> None:
        self._lock = threading.Lock()
        self._held: float | None = None  # since when the run waits for a person
        self.start(budget, Usage(), 0.0)

    def start(self, budget: Budget, spent: Usage, seconds: float) -> None:
        """Begin to count, going on from what earlier drives spent."""
        with self._lock:
            self.budget = budget
            self._calls, self._tokens, self._usd = (
                spent.llm_requests,
                spent.tokens,
                spent.cost_usd,
            )
            self._started, self._held = time.monotonic() - seconds, None

    @contextlib.contextmanager
    def holding(self) -> Iterator[None]:
        """Let the clock stand still: waiting for a person is no driving."""
        since = self._held = time.monotonic()
        try:
            yield
        finally:
            self._started, self._held = self._started + time.monotonic() - since, None

    @property
    def seconds(self) -> float:
        """Seconds of driving, earlier drives included."""
        held = self._held
        return (time.monotonic() if held is None else held) - self._started

    @property
    def deadline(self) -> float | None:
        """The end of the time budget on time.monotonic()."""
        return None if self.budget.seconds is None else self._started + self.budget.seconds

    @property
    def shares(self) -> dict[str, float]:
        """How much of each limited resource is used, 1 being all of it."""
        with self._lock:
            used = {
                "calls": self._calls,
                "tokens": self._tokens,
                "usd": self._usd,
                "seconds": self.seconds,
            }
        limits = {name: getattr(self.budget, name) for name in used}
        return {
            n: used[n] / limit if limit else 1.0 for n, limit in limits.items() if limit is not None
        }

    def check(self) -> None:
        """Raise BudgetExceededError when no step may start any more."""
        budget = self.budget
        with self._lock:
            if budget.seconds is not None and self.seconds >= budget.seconds:
                raise BudgetExceededError("seconds", budget.seconds)
            if budget.tokens is not None and self._tokens >= budget.tokens:
                raise BudgetExceededError("tokens", budget.tokens)
            if budget.usd is not None and self._usd >= budget.usd:
                raise BudgetExceededError("usd", budget.usd)

    def take_call(self) -> None:
        """Reserve one request to a model, or raise BudgetExceededError."""
        self.check()
        with self._lock:
            if self.budget.calls is not None and self._calls >= self.budget.calls:
                raise BudgetExceededError("calls", self.budget.calls)
            self._calls += 1

    def add(self, usage: Usage) -> None:
        """Count tokens and money of a reply; its calls were counted when they were reserved."""
        with self._lock:
            self._tokens += usage.tokens
            self._usd += usage.cost_usd
