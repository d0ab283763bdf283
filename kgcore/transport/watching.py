"""Waiting for something that blocks, with an eye on the clock and on the person's wish to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")
LOOK_EVERY_S = 0.1


def watched(
    call: Callable[[], T], *, end: float, check: Callable[[], None], give_up: Callable[[], None]
) -> T:
    """Return what `call` returns, which runs in a thread of its own.

    Raises what it raises, TimeoutError at `end` (on time.monotonic()), and what `check` raises, which is called
    again and again. In the last two cases `give_up` is called, which must make `call` end by itself.
    """
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001  handed to the one who waits
            future.set_exception(error)

    threading.Thread(target=work, name="transport", daemon=True).start()
    while not wait((future,), max(0.0, min(LOOK_EVERY_S, end - time.monotonic()))).done:
        try:
            check()
            if time.monotonic() >= end:
                raise TimeoutError
        except BaseException:
            give_up()
            raise
    return future.result()
