"""How long a run took, by its journal alone."""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.runs.entries import Ended, Entry, StepDone
from kgcore.runs.standing import ANEW


def times_of(entries: Iterable[Entry]) -> list[float]:
    """Return for each entry the seconds that the run had been driven by then.

    What it waited for people is none of it. Up to an end it is what the steps took, of those side by side the slowest.
    """
    times: list[float] = []
    total, slowest = 0.0, dict[int, float]()
    for entry in entries:
        body = entry.body
        if isinstance(body, Ended):
            total, slowest = body.seconds, {}
        elif isinstance(body, StepDone) and body.via in ANEW:
            before = slowest.get(entry.position, 0.0)
            slowest[entry.position] = max(before, body.seconds)
            total += slowest[entry.position] - before
        times.append(total)
    return times


def seconds_of(entries: Iterable[Entry]) -> float:
    """Return the seconds that drives of a run took; of one that did not come to its end, what its steps took."""
    return [0.0, *times_of(entries)][-1]
