"""The journal: the only record of a run, append-only.

A leaf step has an address, (position of its yield, index inside its All); a fact has (position of the next
step, ordinal). Results are appended in order of arrival and fed back by address.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgcore.errors import ReplayDivergedError
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.budget import Budget
from kgcore.runs.entries import (
    Address,
    BreakpointsSet,
    Ended,
    Entry,
    FactNoted,
    Resumed,
    Started,
    StepDone,
    spent,
)
from kgcore.runs.gate import Decided
from kgcore.steps import Fact, Usage


class Journal:
    """The entries of one run, indexed by address."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.results: dict[Address, StepDone] = {}
        self.facts: dict[Address, Fact] = {}
        self.decisions: dict[int, Decided] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Index one more entry."""
        self.entries.append(entry)
        if isinstance(entry.body, StepDone):
            self.results[entry.address] = entry.body
        elif isinstance(entry.body, FactNoted):
            self.facts[entry.address] = entry.body.fact
        elif isinstance(entry.body, Decided):
            self.decisions[entry.position] = entry.body

    @property
    def started(self) -> Started:
        """The first entry."""
        body = self.entries[0].body
        assert isinstance(body, Started)
        return body

    @property
    def budget(self) -> Budget:
        """The budget in force: that of the last Resumed entry, else of the first one."""
        resumed = [e.body.budget for e in self.entries if isinstance(e.body, Resumed)]
        return resumed[-1] if resumed else self.started.budget

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force at the end of it."""
        return breakpoints_after(self.entries)

    @property
    def ended(self) -> Ended | None:
        """The last end, unless the run was taken up again after it."""
        for entry in reversed(self.entries):
            if isinstance(entry.body, Resumed):
                return None
            if isinstance(entry.body, Ended):
                return entry.body
        return None

    @property
    def usage(self) -> Usage:
        """What the run itself spent."""
        return sum((spent(entry.body) for entry in self.entries), Usage())

    def result(self, address: Address, hashed: str) -> StepDone | None:
        """Return the result of the step with this hash; ReplayDivergedError where another step was done."""
        done = self.results.get(address)
        if done is not None and done.step_hash != hashed:
            raise ReplayDivergedError(
                f"step {address[0]}.{address[1]} is not the one of the journal"
            )
        return done

    def has_fact(self, address: Address, fact: Fact) -> bool:
        """Whether the fact was told here already; ReplayDivergedError where another one was."""
        known = self.facts.get(address)
        if known is not None and known != fact:
            raise ReplayDivergedError(
                f"fact {address[0]}.{address[1]} is not the one of the journal"
            )
        return known is not None

    def results_in_yield_order(self) -> list[tuple[Address, StepDone]]:
        """All results, sorted by address."""
        return sorted(self.results.items(), key=lambda item: item[0])


def breakpoints_after(entries: Sequence[Entry]) -> tuple[Breakpoint, ...]:
    """Return the breakpoints in force after these entries: those set last, else those of the start."""
    for entry in reversed(entries):
        if isinstance(entry.body, BreakpointsSet):
            return entry.body.points
        if isinstance(entry.body, Started):
            return entry.body.breakpoints
    return ()
