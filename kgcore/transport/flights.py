"""Equal requests at the same time share one: the first caller has it sent, the others take what it gets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from kgcore.errors import ServiceError

T = TypeVar("T")
_LOOK_EVERY_S = 0.1


class _Flight(Generic[T]):
    def __init__(self) -> None:
        self.done = threading.Event()
        self.value: T | None = None
        self.error: ServiceError | None = None
        self.is_given_up = True  # until the one who leads says otherwise


class Flights(Generic[T]):
    """What is under way; safe to share between threads."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, _Flight[T]] = {}
        self._lock = threading.Lock()

    def share(
        self,
        key: Hashable,
        work: Callable[[], T],
        *,
        check: Callable[[], None],
        is_own: Callable[[ServiceError], bool],
    ) -> T:
        """Return what `work` returns, done here or by another thread with an equal key.

        A ServiceError of the one who leads is raised for all, unless `is_own` says it concerns that caller alone.
        When a leader gives up (stopped, out of budget) one of those who wait leads. `check` is called while waiting.
        """
        while True:
            with self._lock:
                flight = self._flights.get(key)
                is_leader = flight is None
                if flight is None:
                    flight = self._flights[key] = _Flight()
            if is_leader:
                return self._lead(key, flight, work, is_own)
            while not flight.done.wait(_LOOK_EVERY_S):
                check()
            if flight.error is not None:
                raise type(flight.error)(str(flight.error)) from flight.error
            if not flight.is_given_up:
                return flight.value  # type: ignore[return-value]  # T may include None

    def _lead(
        self,
        key: Hashable,
        flight: _Flight[T],
        work: Callable[[], T],
        is_own: Callable[[ServiceError], bool],
    ) -> T:
        try:
            flight.value = work()
            flight.is_given_up = False
            return flight.value
        except ServiceError as error:
            flight.error = None if is_own(error) else error
            raise
        finally:
            with self._lock:
                del self._flights[key]
            flight.done.set()
