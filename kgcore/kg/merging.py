"""How the answers of several graphs become one; pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgcore.model import Direction, Entity, EntityId, Literal, Triple
from kgcore.steps import EdgeSet, RelationOption

EXAMPLES = 3


def with_graph(entity: Entity, name: str) -> Entity:
    """Name the graph on an entity that does not."""
    return entity if entity.kg else replace(entity, kg=name)


def asked_for_each(
    groups: Mapping[EntityId, tuple[EntityId, ...]],
) -> dict[EntityId, list[EntityId]]:
    """Map each id that members are asked for to the ids it stands for."""
    found: dict[EntityId, list[EntityId]] = {}
    for asked, ids in groups.items():
        for identifier in ids:
            found.setdefault(identifier, []).append(asked)
    return found


def asked_end(triple: Triple, direction: Direction) -> EntityId:
    """The end of a triple from which it was asked for."""
    if direction == "out" or isinstance(triple.object, Literal):
        return triple.subject.id
    return triple.object.id


def total_edges(result: EdgeSet, ids: Sequence[EntityId], direction: Direction) -> int:
    """How many edges a member has for one entity."""
    shown = sum(asked_end(triple, direction) in ids for triple in result.triples)
    return shown + sum(n for identifier, n in result.more if identifier in ids)


def speak_of(triple: Triple, asked: EntityId, known: Entity | None, direction: Direction) -> Triple:
    """Put the asked id in the place of the member's own."""
    if asked_end(triple, direction) == asked:
        return triple
    end = triple.subject if direction == "out" else triple.object
    assert isinstance(end, Entity)
    entity = known or replace(end, id=asked)
    if direction == "out":
        return replace(triple, subject=entity)
    return replace(triple, object=entity)


def merge_options(one: RelationOption, other: RelationOption) -> RelationOption:
    """Join what two members say of a relation; they may speak of the same edges, so the count is a least one."""
    return replace(
        one,
        count=max(one.count, other.count),
        touches=tuple(dict.fromkeys((*one.touches, *other.touches))),
        is_at_least=True,
        targets=tuple(dict.fromkeys((*one.targets, *other.targets)))[:EXAMPLES],
        target_types=tuple(dict.fromkeys((*one.target_types, *other.target_types)))[:EXAMPLES],
    )


def complete(one: Entity, other: Entity) -> Entity:
    """Fill in what another graph knows of the same id."""
    return replace(
        one,
        label=one.label or other.label,
        description=one.description or other.description,
        types=one.types or other.types,
        url=one.url or other.url,
    )
