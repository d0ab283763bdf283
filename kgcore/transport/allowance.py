"""What a step may spend on requests, and how an adapter learns of it.

A model is handed its allowance. A graph is not: its port speaks of entities and edges only. So the run lays the
allowance of a graph's step in a context variable, and the transport, far below, finds it there. Threads that an
adapter starts see it when they are started with `contextvars.copy_context().run`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


def _unlimited() -> None:
    """Allow it."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a step may spend: a deadline and a permit for every request sent.

    A model calls `take()` just before each request it sends to a provider, retries included; it raises
    BudgetExceededError or StoppedError when no more may be sent. `check()` raises StoppedError when the person
    stopped the run. `wait(seconds, why)` is how an adapter waits between requests: it shows the reason and ends
    early, by StoppedError, when the person stops the run.
    """

    deadline: float | None = None  # on time.monotonic()
    take: Callable[[], None] = field(default=_unlimited)
    check: Callable[[], None] = field(default=_unlimited)
    wait: Callable[[float, str], None] = field(default=lambda seconds, why: time.sleep(seconds))

    def seconds_left(self, timeout: float) -> float:
        """Return the smaller of `timeout` and the time to the deadline; never below 0."""
        if self.deadline is None:
            return timeout
        return max(0.0, min(timeout, self.deadline - time.monotonic()))


_current: ContextVar[Allowance] = ContextVar("allowance")


@contextmanager
def spending(allowance: Allowance) -> Iterator[None]:
    """Let what is called in this block find the allowance."""
    token = _current.set(allowance)
    try:
        yield
    finally:
        _current.reset(token)


def current_allowance() -> Allowance:
    """Return the allowance of the step under way; an unlimited one outside a run."""
    return _current.get(None) or Allowance()
