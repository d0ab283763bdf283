"""Corrections as a view: a raw result goes in, what the reasoner may see comes out.

The journal keeps what the graph said; these pure functions stand between it and the reasoner, so a correction
can be applied, changed and undone without asking the graph again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.corrections.correction import Correction
from kgcore.model import Direction, Entity, EntityId, Provenance, Triple
from kgcore.steps import (
    Edges,
    EdgeSet,
    LeafStep,
    RelationOption,
    RelationOptions,
    Relations,
    Result,
)


def corrected(step: LeafStep, result: Result, corrections: Sequence[Correction]) -> Result:
    """Return the result as it reads with these corrections in force."""
    if not corrections:
        return result
    if isinstance(step, Edges) and isinstance(result, EdgeSet):
        return _corrected_edges(step, result, corrections)
    if isinstance(step, Relations) and isinstance(result, RelationOptions):
        return _corrected_options(step, result, corrections)
    return result


def removed(correction: Correction) -> Triple | None:
    """Return the triple a correction takes away."""
    if correction.action == "add":
        return None
    return Triple(correction.subject, correction.relation, correction.object)


def added(correction: Correction) -> Triple | None:
    """Return the triple a correction puts in."""
    if correction.action == "retract":
        return None
    target = correction.object if correction.action == "add" else correction.new_object
    if target is None:
        return None
    origin = Provenance(correction.subject.kg, correction=correction.id)
    return Triple(correction.subject, correction.relation, target, origin)


def _touched(triple: Triple, entities: Sequence[EntityId], direction: Direction) -> bool:
    end: object = triple.subject if direction == "out" else triple.object
    return isinstance(end, Entity) and end.id in entities


def _corrected_edges(step: Edges, result: EdgeSet, corrections: Sequence[Correction]) -> EdgeSet:
    triples = list(result.triples)
    for correction in corrections:
        gone, new = removed(correction), added(correction)
        place = len(triples)
        if gone is not None and gone in triples:
            place = triples.index(gone)
            triples = [t for t in triples if t != gone]
        if new is None or new.relation.id != step.relation or new in triples:
            continue
        if _touched(new, step.entities, step.direction):
            triples.insert(place, new)
    return replace(result, triples=tuple(triples))


def _corrected_options(
    step: Relations, result: RelationOptions, corrections: Sequence[Correction]
) -> RelationOptions:
    items = {(o.relation.id, o.direction): o for o in result.items}
    directions: tuple[Direction, ...] = ("out", "in")
    for correction in corrections:
        gone, new = removed(correction), added(correction)
        for direction in directions:
            if new is not None and _touched(new, step.entities, direction):
                key = (new.relation.id, direction)
                items[key] = _with_one_more(items.get(key), new, direction)
            if gone is not None and _touched(gone, step.entities, direction):
                key = (gone.relation.id, direction)
                option = items.get(key)
                if option is not None and option.count <= 1:
                    del items[key]
                elif option is not None:
                    items[key] = replace(option, count=option.count - 1)
    return replace(result, items=tuple(items[key] for key in sorted(items)))


def _with_one_more(
    option: RelationOption | None, triple: Triple, direction: Direction
) -> RelationOption:
    end, other = triple.subject, triple.object
    if direction == "in":
        assert isinstance(other, Entity)
        end, other = other, triple.subject
    if option is None:
        return RelationOption(triple.relation, direction, 1, (end.id,), targets=(other.name,))
    touches = option.touches if end.id in option.touches else (*option.touches, end.id)
    return replace(option, count=option.count + 1, touches=touches)
