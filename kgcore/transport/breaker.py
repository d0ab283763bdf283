"""Leaving a host alone after it failed again and again, and trying it once more after a while.

A dead host costs each request the whole timeout. After some failures in a row requests to it fail at once; when the
pause is over one request may try, and what becomes of it decides for all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from kgcore.errors import UnreachableError


@dataclass(slots=True)
class _State:
    n_failures: int = 0
    until: float = 0.0
    is_tried: bool = False


class Breaker:
    """Counts the failures of each host; safe to share between threads."""

    def __init__(
        self,
        *,
        after: int = 5,
        seconds: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._after, self._seconds, self._clock = after, seconds, clock
        self._states: dict[str, _State] = {}
        self._lock = threading.Lock()

    def enter(self, host: str) -> None:
        """Let a request to the host pass; UnreachableError while it is left alone."""
        with self._lock:
            state = self._states.get(host)
            if state is None or state.n_failures < self._after:
                return
            if self._clock() < state.until or state.is_tried:
                seconds, n = f"{self._seconds:g} s", state.n_failures
                raise UnreachableError(f"{host} is left alone for {seconds} after {n} failures")
            state.is_tried = True

    def succeeded(self, host: str) -> None:
        """Note that the host did its work."""
        with self._lock:
            self._states.pop(host, None)

    def failed(self, host: str) -> None:
        """Note that the host did not do its work."""
        with self._lock:
            state = self._states.setdefault(host, _State())
            state.n_failures += 1
            state.until, state.is_tried = self._clock() + self._seconds, False

    def left(self, host: str) -> None:
        """Note that a request ended before the host could show anything: another may try."""
        with self._lock:
            if host in self._states:
                self._states[host].is_tried = False
