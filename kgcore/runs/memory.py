"""Memory: results of earlier runs of a lineage, by key.

The k-th occurrence of a key, counted in yield order, takes the k-th recorded result: from the nearest run of
the lineage that has one, first the parent, then its ancestors. So three equal samples at temperature 1 stay
three. Partial results and failures are never remembered; what a person decided is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from kgcore.runs.entries import StepDone
from kgcore.runs.gate import Decided
from kgcore.runs.journal import Journal


class Memory:
    """Recorded results of a lineage, nearest run first."""

    def __init__(self, lineage: Iterable[Journal] = ()) -> None:
        self._runs: list[dict[str, list[StepDone]]] = []
        self._decisions: dict[str, Decided] = {}
        for journal in lineage:
            recorded: dict[str, list[StepDone]] = defaultdict(list)
            for _, done in journal.results_in_yield_order():
                if not is_partial(done.result):
                    recorded[done.key].append(done)
            self._runs.append(dict(recorded))
            for decided in journal.decisions.values():
                self._decisions.setdefault(decided.key, decided)

    def recall(self, key: str, occurrence: int) -> StepDone | None:
        """Return the result of the key's occurrence (from 0) in the nearest run that has it."""
        for recorded in self._runs:
            found = recorded.get(key, [])
            if occurrence < len(found):
                return found[occurrence]
        return None

    def decision(self, key: str) -> Decided | None:
        """Return what a person decided on this batch in the nearest run that showed it."""
        return self._decisions.get(key)


def is_partial(result: Any) -> bool:
    """Whether a service cut this result short."""
    return bool(getattr(result, "is_partial", False))
