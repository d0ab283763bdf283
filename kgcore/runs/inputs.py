"""What stands between the journal and the reasoner: corrections and bans, as pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgcore.corrections import corrected
from kgcore.runs.journal import Started
from kgcore.steps import LeafStep, RelationOptions


def seen(started: Started, position: int, leaf: LeafStep, result: Any) -> Any:
    """Return what the reasoner sees of a raw result: corrections and bans in force at this position."""
    inputs = [e for e in started.edits if e.is_input and e.position <= position]
    corrections = [*started.corrections, *(e.correction for e in inputs if e.correction)]
    result = corrected(leaf, result, corrections)
    banned = {e.banned for e in inputs if e.banned}
    if banned and isinstance(result, RelationOptions):
        result = replace(
            result, items=tuple(o for o in result.items if o.relation.id not in banned)
        )
    return result
