"""What there is to play or to hand on: a run of the store or a demo run, and the run before it was corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.bootstrap.demo_runs import (
    PREFIX,
    demo_entries,
    entries_before,
    find_demo,
    keep_demo_run,
)
from kgcore.bootstrap.studio import Studio
from kgcore.errors import KGCoreError
from kgcore.runs import RunStatus, RunView
from kgcore.runs.entries import Entry, Started


@dataclass(frozen=True, slots=True)
class Recording:
    """A run: its full id, its entries, how it stands, and the entries of the run that it was made again from.

    `before` is empty for what is no run made again, and where the earlier run was deleted.
    """

    id: str
    entries: Sequence[Entry]
    before: Sequence[Entry] = ()
    status: RunStatus | OneOf[""] = ""


def recording(studio: Studio, run_id: str, language: str = "") -> Recording:
    """Return what an id stands for; UnknownRunError where it stands for none.

    A demo run is the one in the language asked for, unless the id names another one.
    """
    if run_id.startswith(PREFIX):
        demo = find_demo(run_id, language)
        entries = demo_entries(run_id, language)
        return Recording(demo.id, entries, entries_before(run_id, language))
    run_id = studio.store.find(run_id)
    entries = tuple(studio.store.load(run_id))
    is_ended = bool(entries) and RunView.of(entries).ended is not None
    status = "" if is_ended else studio.store.record(run_id).status
    return Recording(run_id, entries, _before(studio, entries), status)


def _before(studio: Studio, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    started = entries[0].body if entries else None
    if not isinstance(started, Started) or started.kind != "rerun":
        return ()
    try:
        return tuple(studio.store.load(started.parent))
    except KGCoreError:  # it was deleted
        return ()


def open_run(studio: Studio, run_id: str, language: str = "") -> str:
    """Return the full id of a run of the store; a demo run is put there first, and what is shipped stays as it is."""
    if run_id.startswith(PREFIX):
        return keep_demo_run(studio, run_id, language)
    return studio.store.find(run_id)
