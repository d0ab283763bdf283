"""How runs began: the first entries of several runs in one read, for lists that say what a fork changed."""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.runs.entries import Started
from kgcore.runs.store import SqlRunStore


def first_entries(store: SqlRunStore, run_ids: Iterable[str]) -> dict[str, Started]:
    """Return the first entry of each run that is there."""
    return {
        run_id: entry.body
        for run_id, entry in store.firsts(set(run_ids)).items()
        if isinstance(entry.body, Started)
    }
