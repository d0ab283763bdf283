"""The queue before each host: its limits, its pauses, and whether it is left alone."""

from __future__ import annotations

import threading

from kgcore.errors import RateLimitedError
from kgcore.transport.breaker import Breaker
from kgcore.transport.limits import POLL_S, Limits, Place, Wait
from kgcore.transport.outcomes import Outcome
from kgcore.transport.timing import TimeLeft

MAX_PAUSE_S = 3600.0  # a host that asks for more is asked again after an hour


class HostQueue:
    """Lets requests pass one after the other, in the order they came; safe to share between threads."""

    def __init__(self, limits: Limits, breaker: Breaker, *, longest_pause_s: float) -> None:
        self._limits, self._breaker = limits, breaker
        self._longest_pause_s = longest_pause_s
        self._lines: dict[str, list[object]] = {}
        self._lock = threading.Lock()

    def enter(self, host: str, time_left: TimeLeft) -> Place:
        """Return a place when it is this request's turn.

        Raises UnreachableError while the host is left alone, and RateLimitedError where waiting is no use.
        """
        self._breaker.enter(host)
        try:
            return self._place(host, time_left)
        except BaseException:
            self._breaker.left(host)
            raise

    def leave(self, place: Place, host: str, *, seconds: float, outcome: Outcome | None) -> None:
        """Give the place back and remember what became of the request; None when it was stopped."""
        is_error = outcome is not None and outcome.error is not None
        self._limits.leave(place, seconds=seconds, is_error=is_error)
        if outcome is None:
            self._breaker.left(host)
        elif outcome.is_down:
            self._breaker.failed(host)
        else:
            self._breaker.succeeded(host)

    def pause(self, host: str, seconds: float) -> None:
        """Leave the host in peace, in all threads and processes."""
        self._limits.pause(host, min(seconds, MAX_PAUSE_S))

    def _place(self, host: str, time_left: TimeLeft) -> Place:
        ticket = object()
        with self._lock:
            self._lines.setdefault(host, []).append(ticket)
        try:
            while True:
                got = self._look(host, ticket, time_left)
                if isinstance(got, Place):
                    return got
                self._wait(got, host, time_left)
        finally:
            with self._lock:
                self._lines[host].remove(ticket)
                if not self._lines[host]:
                    del self._lines[host]

    def _look(self, host: str, ticket: object, time_left: TimeLeft) -> Place | Wait:
        with self._lock:
            n_ahead = self._lines[host].index(ticket)
        if n_ahead == 0:
            return self._limits.enter(host, until=time_left.end)
        per_second = self._limits.of(host).per_second
        return Wait(max(POLL_S, (n_ahead - 1) / per_second if per_second else 0))

    def _wait(self, wait: Wait, host: str, time_left: TimeLeft) -> None:
        is_too_long = wait.is_pause and (
            wait.seconds > self._longest_pause_s or wait.seconds > time_left.left
        )
        if is_too_long or not time_left.allows(wait.seconds):
            raise RateLimitedError(f"{host} takes no more requests for {wait.seconds:.0f} s")
        time_left.wait(wait.seconds, host, is_counted=wait.is_pause)
