"""Where a run pauses by itself: at its breakpoints and, when it goes over, at the next expansion.

The driver tells what it meets; this says so to the run's control, and the driver waits at the next place where waiting
does no harm: right after a fact, before a step, or after a round whose results are all kept. Breakpoints may be
changed from any thread at any time; the next thing that is met is compared with the new ones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from kgcore.i18n import translate
from kgcore.runs.breakpoints import Breakpoint, checked
from kgcore.runs.budget import Meter
from kgcore.runs.control import Control, Hit
from kgcore.runs.entries import EntryBody, FactNoted, StepDone, StepFailed
from kgcore.runs.known import Known
from kgcore.runs.matching import matches
from kgcore.steps import Fact, LeafStep, NodeAdded, NodeExpanded, RationaleDrafted

EXPANSIONS = (NodeExpanded, RationaleDrafted)  # facts that begin an expansion
NEXT_EXPANSION = "the next expansion"


class Pauses:
    """The breakpoints of one run under way, and what they have met."""

    def __init__(
        self,
        control: Control,
        meter: Meter,
        points: Iterable[Breakpoint] = (),
        *,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._control, self._meter, self._on_change = control, meter, on_change
        self._points = checked(points)
        self._lock = threading.Lock()
        self._known = Known()
        self._reached: set[tuple[str, str, float]] = set()  # shares of the budget that were met
        self._has_expanded = self._is_expanding = self._is_muted = False

    # what a person does

    @property
    def points(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force, in the order they were set."""
        return self._points

    def use(self, points: Iterable[Breakpoint]) -> None:
        """Put these in force instead of the old ones."""
        with self._lock:
            self._points = checked(points)
        self._on_change()

    def put(self, point: Breakpoint) -> None:
        """Add a breakpoint; one that is there is only switched."""
        with self._lock:
            known = {p.key: p for p in self._points}
            known[point.key] = (
                replace(known[point.key], is_on=point.is_on) if point.key in known else point
            )
            self._points = checked(known.values())
        self._on_change()

    def remove(self, point: Breakpoint) -> None:
        """Take a breakpoint away; nothing happens where it is gone already."""
        with self._lock:
            self._points = tuple(p for p in self._points if p.key != point.key)
        self._on_change()

    def mute(self) -> None:
        """Pause at none of them in this drive: nobody could go on from there. They stay as they are."""
        self._is_muted = True

    # what the driver tells

    def learn(self, body: EntryBody) -> None:
        """Take what an entry says without pausing: it was there before this drive."""
        if isinstance(body, StepDone):
            self._known.learn(body.result)
        elif isinstance(body, FactNoted):
            self._known.learn(body.fact)
            self._has_expanded |= isinstance(body.fact, EXPANSIONS)

    def met(self, body: EntryBody) -> None:
        """Compare an entry that was just journaled with the breakpoints."""
        self.learn(body)
        if isinstance(body, FactNoted):
            self._compare(body.fact)
            self._is_expanding |= isinstance(body.fact, EXPANSIONS) or (
                isinstance(body.fact, NodeAdded) and not self._has_expanded
            )
        elif isinstance(body, StepDone | StepFailed):
            self._compare(body)

    def begin_round(self) -> None:
        """Stop going over where an expansion has begun since; a method without expansions goes from node to node."""
        if self._is_expanding and self._control.mode == "over":
            self._control.set("pause", NEXT_EXPANSION)
        self._is_expanding = False

    def before(self, leaves: Sequence[LeafStep]) -> None:
        """Compare steps that are about to start, and what the budget has come to, with the breakpoints."""
        for leaf in leaves:
            self._compare(leaf)
        if self._is_muted:
            return
        shares = self._meter.shares
        for point in self._points:
            if point.on != "budget":
                continue
            used = max((s for n, s in shares.items() if point.text in ("", n)), default=0.0)
            if used < point.number:
                self._reached.discard(point.key)
            elif point.is_on and point.key not in self._reached:
                self._reached.add(point.key)
                self._control.pause_at(Hit(point))

    def _compare(self, item: Fact | LeafStep | EntryBody) -> None:
        if self._is_muted:
            return
        for point in self._points:
            if matches(point, item, self._known):
                self._control.pause_at(Hit(point, _node_of(item)))
                return


def _node_of(item: Any) -> int | None:
    """Return the node of the search tree a step, fact or outcome is about, if it is about one."""
    if (answer := getattr(item, "answer", None)) is not None:
        return int(answer.node)
    step = getattr(item, "step", None)
    about = step.get("about", ()) if isinstance(step, dict) else getattr(item, "about", ())
    found = getattr(item, "node", getattr(item, "to", next(iter(about), None)))
    return found if isinstance(found, int) else None


def why(control: Control, language: str = "en") -> str:
    """Return why a run paused, in words; empty where a person asked for it."""
    hit = control.hit
    if hit is None:
        return translate(control.reason, language) if control.reason == NEXT_EXPANSION else ""
    if hit.node is None:
        return hit.point.words(language)
    return translate("{what} – at #{node}", language, what=hit.point.words(language), node=hit.node)
