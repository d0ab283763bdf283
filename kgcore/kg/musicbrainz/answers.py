"""Makes the port's results out of what replies say. Pure functions."""

from __future__ import annotations

from dataclasses import replace

from kgcore.kg.musicbrainz.client import Reply
from kgcore.kg.musicbrainz.kinds import entity_id, is_identity, kinds
from kgcore.kg.musicbrainz.replies import Edges, Group
from kgcore.kg.vocabulary import XSD, literal_kind
from kgcore.model import (
    Direction,
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    Triple,
)
from kgcore.steps import RelationOption

_EXAMPLES = 3


def option_of(asked: EntityId, group: Group, edges: Edges, kg: str) -> RelationOption:
    """Offer a relation of one thing."""
    naming = edges.naming
    ends = list(edges.notes)
    return RelationOption(
        Relation(naming.id, naming.label, naming.inverse, kg),
        group[1],
        edges.total,
        (asked,),
        edges.is_at_least,
        tuple(dict.fromkeys(end.name for end in ends))[:_EXAMPLES],
        tuple(dict.fromkeys(kind for end in ends for kind in _kinds(end)))[:_EXAMPLES],
    )


def _kinds(end: Entity | Literal) -> tuple[str, ...]:
    if isinstance(end, Literal):
        return (literal_kind(end.datatype.replace("xsd:", XSD)),)
    return end.types[:1]


def merge(one: RelationOption, other: RelationOption) -> RelationOption:
    """Offer a relation of several things once."""
    return replace(
        one,
        count=one.count + other.count,
        touches=(*one.touches, *other.touches),
        is_at_least=one.is_at_least or other.is_at_least,
        targets=tuple(dict.fromkeys((*one.targets, *other.targets)))[:_EXAMPLES],
        target_types=tuple(dict.fromkeys((*one.target_types, *other.target_types)))[:_EXAMPLES],
    )


def triple_of(
    asked: Entity,
    relation: Relation,
    end: Entity | Literal,
    direction: Direction,
    origin: Provenance,
) -> Triple:
    """Write an edge down as the graph holds it: read backwards, the asked thing is the object."""
    if direction == "in" and isinstance(end, Entity):
        return Triple(end, relation, asked, origin)
    return Triple(asked, relation, end, origin)


def as_asked(entity: Entity, asked: EntityId) -> Entity:
    """Return a thing under the id it was asked by: a merged one has another now."""
    return replace(entity, id=asked)


def ids_of(edges: Edges) -> set[EntityId]:
    """The ids of the things that edges lead to."""
    return {end.id for end in edges.notes if isinstance(end, Entity)}


def things_of(reply: Reply | None) -> list[EntityId]:
    """The things that a web address stands for."""
    data = reply.data.get("url", {}) if reply else {}
    return [
        entity_id(kind, relation[kind]["id"])
        for kind in kinds()
        for relation in data.get(f"{kind}-relation-list") or ()
        if is_identity(relation.get("type", "")) and (relation.get(kind) or {}).get("id")
    ]
