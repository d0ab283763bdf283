"""Makes the port's results out of what replies say. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kgcore.kg.musicbrainz.client import Reply
from kgcore.kg.musicbrainz.kinds import entity_id, kinds
from kgcore.kg.musicbrainz.phrases import is_identity
from kgcore.kg.musicbrainz.replies import Edges, Group, Page
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
from kgcore.steps import EdgeSet, RelationOption

Pair = tuple[EntityId, EntityId]
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


def as_asked(entity: Entity, asked: EntityId) -> Entity:
    """Return a thing under the id it was asked by: a merged one has another now."""
    return replace(entity, id=asked)


def things_of(reply: Reply | None) -> list[EntityId]:
    """The things that a web address stands for."""
    data = reply.data.get("url", {}) if reply else {}
    return [
        entity_id(kind, relation[kind]["id"])
        for kind in kinds()
        for relation in data.get(f"{kind}-relation-list") or ()
        if is_identity(relation.get("type", "")) and (relation.get(kind) or {}).get("id")
    ]


class EdgeCollector:
    """Collects the edges of several things along one relation."""

    def __init__(self, kg: str, direction: Direction, limit: int) -> None:
        self._kg, self._direction, self._limit = kg, direction, limit
        self._triples: dict[Triple, None] = {}
        self._same: dict[Pair, None] = {}
        self._more: list[tuple[EntityId, int]] = []
        self._notes: dict[str, None] = {}
        self._is_at_least = False

    def add(self, asked: EntityId, known: Page, edges: Edges, same: Iterable[Pair]) -> None:
        """Add the edges of one thing, at most as many as asked for."""
        me = as_asked(known.entity, asked)
        origin = Provenance(self._kg, known.query, known.when)
        shown = list(edges.notes)[: self._limit]
        for end in shown:
            relation = edges.relation(end, self._kg)
            if self._direction == "in" and isinstance(end, Entity):
                triple = Triple(end, relation, me, origin)
            else:
                triple = Triple(me, relation, end, origin)
            self._triples.setdefault(triple)
        if edges.total > len(shown):
            self._more.append((asked, edges.total - len(shown)))
        self._is_at_least = self._is_at_least or edges.is_at_least
        self._same |= dict.fromkeys(same)
        self._notes |= dict.fromkeys(note for note in (known.note, edges.hint) if note)

    def edge_set(self) -> EdgeSet:
        """Return all that was added."""
        return EdgeSet(
            tuple(self._triples),
            tuple(self._same),
            tuple(self._more),
            self._is_at_least,
            notes=tuple(self._notes),
        )
