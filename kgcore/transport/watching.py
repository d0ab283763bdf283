"""Waiting for something that blocks, with an eye on the clock and on the person's wish to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
LOOK_EVERY_S = 0.1


class _Job(Generic[T]):
    """A call in a thread of its own; what becomes of it is kept here."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.done = threading.Event()
        self.value: T | None = None
        self.error: Exception | None = None
        self._call = call

    def run(self) -> None:
        try:
            self.value = self._call()
        except Exception as error:  # noqa: BLE001  handed to the one who waits
            self.error = error
        finally:
            self.done.set()


def watched(
    call: Callable[[], T], *, end: float, check: Callable[[], None], give_up: Callable[[], None]
) -> T:
    """Return what `call` returns, which runs in a thread of its own.

    Raises what it raises, TimeoutError at `end` (on time.monotonic()), and what `check` raises, which is called
    again and again. In the last two cases `give_up` is called, which must make `call` end by itself.
    """
    job = _Job(call)
    threading.Thread(target=job.run, name="transport", daemon=True).start()
    while not job.done.wait(max(0.0, min(LOOK_EVERY_S, end - time.monotonic()))):
        try:
            check()
            if time.monotonic() >= end:
                raise TimeoutError
        except BaseException:
            give_up()
            raise
    if job.error is not None:
        raise job.error
    return job.value  # type: ignore[return-value]  # the type of `call` may include None
