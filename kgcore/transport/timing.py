"""How long one fetch may go on, and waiting where the person sees it."""

from __future__ import annotations

import time

from kgcore.transport.allowance import Allowance


class TimeLeft:
    """The time of one fetch: so many seconds, and never longer than its allowance. Moments are on time.monotonic()."""

    def __init__(self, seconds: float, allowance: Allowance) -> None:
        self.seconds, self.allowance = seconds, allowance
        self.end = self._within(time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.end - time.monotonic()

    @property
    def is_cut(self) -> bool:
        """Whether it is the allowance that ends the fetch."""
        deadline = self.allowance.deadline
        return deadline is not None and deadline <= self.end

    def allows(self, seconds: float) -> bool:
        """Whether the allowance lasts for a wait of so many seconds."""
        deadline = self.allowance.deadline
        return deadline is None or time.monotonic() + seconds < deadline

    def wait(self, seconds: float, host: str, *, is_counted: bool = True) -> None:
        """Wait, with the reason shown; a wait that is not counted moves the end."""
        started = time.monotonic()
        self.allowance.wait(seconds, f"waiting {max(1, round(seconds))} s for {host}")
        if not is_counted:
            self.end = self._within(self.end + time.monotonic() - started)

    def _within(self, end: float) -> float:
        deadline = self.allowance.deadline
        return end if deadline is None else min(end, deadline)
