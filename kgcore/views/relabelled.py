"""A subgraph in another language: the same things and triples under the labels that a graph gives them now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from kgcore.model import Entity, Literal, Relation, Subgraph, Triple

Relabel = Callable[[Triple], Triple]


def relabelling(entities: Iterable[Entity], relations: Iterable[Relation]) -> Relabel:
    """Return what gives a triple these labels; what is not among them keeps its own."""
    things = {entity.id: entity for entity in entities}
    ways = {relation.id: relation for relation in relations}

    def told(triple: Triple) -> Triple:
        end = triple.object
        return replace(
            triple,
            subject=things.get(triple.subject.id, triple.subject),
            relation=ways.get(triple.relation.id, triple.relation),
            object=end if isinstance(end, Literal) else things.get(end.id, end),
        )

    return told


def relabelled(
    known: Subgraph, entities: Iterable[Entity], relations: Iterable[Relation]
) -> Subgraph:
    """Return a subgraph that holds the same, in the same order of growth, under these labels."""
    things = {entity.id: entity for entity in entities}
    relabel = relabelling(things.values(), relations)
    members = [member for entity in known.entities for member in known.members(entity.id)]
    return Subgraph().add(
        [relabel(triple) for triple in known.triples],
        entities=[things.get(member.id, member) for member in members],
        same_as=known.same_as,
        more=known.more,
    )
