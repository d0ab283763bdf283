"""How long a run took, by its journal alone."""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.runs.journal import Ended, Entry, StepDone


def seconds_of(entries: Iterable[Entry]) -> float:
    """Return the seconds that drives of a run took; of one that did not come to its end, what its steps took."""
    total, slowest = 0.0, dict[int, float]()
    for entry in entries:
        body = entry.body
        if isinstance(body, Ended):
            total, slowest = body.seconds, {}
        elif isinstance(body, StepDone) and body.via in ("live", "human"):
            slowest[entry.position] = max(slowest.get(entry.position, 0.0), body.seconds)
    return total + sum(slowest.values())
