"""What a person does to a driving run: pause, step, step over, continue, stop. Safe from any thread."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

from kgcore.errors import StoppedError
from kgcore.runs.breakpoints import Breakpoint

Mode = OneOf["run", "pause", "step", "over", "stop"]


@dataclass(frozen=True, slots=True)
class Hit:
    """The breakpoint a run paused at, and the node of the search tree where it was met."""

    point: Breakpoint
    node: int | None = None


class Control:
    """The mode a run is in, and the waiting that belongs to it."""

    def __init__(self, mode: Mode = "run") -> None:
        self._mode: Mode = mode
        self._changed = threading.Condition()
        self.is_holding = False  # the driver waits for the person
        self.reason = ""  # why it waits, in words
        self.hit: Hit | None = None  # the breakpoint it waits at
        self.is_lost = False  # the lease is another's
        self.waits_for: Any = None  # what a person is asked to decide on
        self._decision: Any = None

    @property
    def mode(self) -> Mode:
        """The mode in force."""
        return self._mode

    def set(self, mode: Mode, reason: str = "") -> None:
        """Change the mode; a stop is final."""
        with self._changed:
            if self._mode != "stop":
                self._mode, self.reason, self.hit = mode, reason, None
            self._changed.notify_all()

    def pause_at(self, hit: Hit) -> None:
        """Pause for a breakpoint; of several that are met before the run waits the first is told."""
        with self._changed:
            if self._mode == "stop" or self.hit is not None:
                return
            self._mode, self.hit = "pause", hit
            self.reason = f"breakpoint: {hit.point.words()}"

    def lose(self) -> None:
        """Another driver took over: let go as soon as possible."""
        with self._changed:
            self.is_lost, self._mode = True, "stop"
            self._changed.notify_all()

    def hold(self, *, is_step: bool = True) -> None:
        """Wait here while paused; a step lets one step pass; StoppedError after a stop."""
        with self._changed:
            self.is_holding = self._mode == "pause"
            while self._mode == "pause":
                self._changed.wait()
            self.is_holding = False
            if is_step and self._mode == "step":
                self._mode, self.reason = "pause", "one step done"
        self.check()

    def await_decision(self, question: Any) -> Any:
        """Wait until a person decides and return the decision; StoppedError after a stop."""
        with self._changed:
            self.waits_for = question
            while self._decision is None and self._mode != "stop":
                self._changed.wait()
            decision, self._decision, self.waits_for = self._decision, None, None
        self.check()
        return decision

    def decide(self, decision: Any) -> None:
        """Give the decision that is waited for."""
        with self._changed:
            self._decision, self.waits_for = decision, None
            self._changed.notify_all()

    def check(self) -> None:
        """Raise StoppedError when nothing more may start."""
        if self._mode == "stop":
            raise StoppedError("stopped")

    def wait(self, seconds: float) -> None:
        """Sleep, but wake up for a stop."""
        end = time.monotonic() + seconds
        with self._changed:
            while self._mode != "stop" and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
        self.check()
