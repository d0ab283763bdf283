"""What stands between the journal and the reasoner: corrections, bans and decisions, as pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kgcore.corrections import corrected
from kgcore.runs.entries import Started
from kgcore.runs.gate import Decided
from kgcore.steps import LeafStep, RelationOptions


def seen(
    started: Started,
    position: int,
    leaf: LeafStep,
    result: Any,
    decisions: Iterable[Decided] = (),
) -> Any:
    """Return what the reasoner sees of a raw result: corrections, bans and decisions in force at this position."""
    inputs = [e for e in started.edits if e.is_input and e.position <= position]
    corrections = [*started.corrections, *(e.correction for e in inputs if e.correction)]
    corrections += [c for decided in decisions for c in decided.corrections]
    result = corrected(leaf, result, corrections)
    banned = {e.banned for e in inputs if e.banned}
    if banned and isinstance(result, RelationOptions):
        result = replace(
            result, items=tuple(o for o in result.items if o.relation.id not in banned)
        )
    return result
