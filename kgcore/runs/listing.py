"""Which runs a list shows and in what order: filters, and families of runs as indented trees.

Pure: the store returns records, this picks and arranges them. A record may be somebody else's, so a parent that is
missing, or a ring of parents, is nothing special here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgcore.runs.base import RunRecord
from kgcore.runs.standing import RunStatus

__all__ = ["Row", "RunFilter", "arrange", "matching", "tags_of"]

MAX_TAGS, MAX_TAG, MAX_NAME = 20, 40, 200
_COMMA = re.compile("[,，、]")


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What a list shows; an empty field takes all. Days are written YYYY-MM-DD, in UTC like the runs' times."""

    text: str = ""
    methods: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    kgs: tuple[str, ...] = ()
    statuses: tuple[RunStatus, ...] = ()
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    is_starred: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it takes every run."""
        return self == RunFilter()

    def takes(self, run: RunRecord) -> bool:
        """Whether a run is shown."""
        words = " ".join((run.question, run.name, run.answer, run.id, *run.tags)).casefold()
        day = run.created[:10]
        return (
            (not self.methods or run.method in self.methods)
            and (not self.models or run.model in self.models)
            and (not self.kgs or not set(self.kgs).isdisjoint(run.kgs))
            and (not self.statuses or run.status in self.statuses)
            and set(self.tags) <= set(run.tags)
            and (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
            and (run.is_starred or not self.is_starred)
            and all(word in words for word in self.text.casefold().split())
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A run in the list: how deep below its first ancestor that is shown, and whether its parent is shown."""

    run: RunRecord
    depth: int = 0

    @property
    def is_orphan(self) -> bool:
        """Whether it came from a run that is not in the list."""
        return bool(self.run.parent) and self.depth == 0


def matching(runs: Iterable[RunRecord], chosen: RunFilter) -> list[RunRecord]:
    """Return the runs that a filter takes, in their order."""
    return [run for run in runs if chosen.takes(run)]


def arrange(runs: Sequence[RunRecord]) -> list[Row]:
    """Return the runs, newest first, as families: each fork and rerun below the run it came from.

    A family stands where its newest member would; children stand in the order they were made.
    """
    known = {run.id: run for run in runs}
    children: dict[str, list[RunRecord]] = {}
    for run in reversed(runs):
        if run.parent in known:
            children.setdefault(run.parent, []).append(run)
    rows: list[Row] = []
    done: set[str] = set()
    for run in runs:
        stack = [(_top(run, known), 0)]
        while stack:
            now, depth = stack.pop()
            if now.id in done:
                continue
            done.add(now.id)
            rows.append(Row(now, depth))
            stack.extend((child, depth + 1) for child in reversed(children.get(now.id, ())))
    return rows


def _top(run: RunRecord, known: dict[str, RunRecord]) -> RunRecord:
    """Return the first ancestor that is known; in a ring of parents the one where it closes."""
    seen = {run.id}
    while run.parent in known and run.parent not in seen:
        run = known[run.parent]
        seen.add(run.id)
    return run


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags of a line, which commas of any script keep apart: one line each, short, none twice."""
    words = (" ".join(part.split())[:MAX_TAG] for part in _COMMA.split(text))
    return tuple(dict.fromkeys(word for word in words if word))[:MAX_TAGS]
