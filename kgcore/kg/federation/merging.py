"""How the answers of several graphs become one; pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgcore.model import Direction, Entity, EntityId, Literal, Relation, Triple
from kgcore.model.conflicts import agree, is_finer
from kgcore.steps import EdgeSet, RelationOption

EXAMPLES = 3
Pair = tuple[EntityId, EntityId]


@dataclass(frozen=True, slots=True)
class Identity:
    """All ids of one entity, the links between them, and what is known of the id that was asked."""

    ids: tuple[EntityId, ...]
    links: tuple[Pair, ...]
    entity: Entity | None


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


@dataclass(frozen=True, slots=True)
class Part:
    """What one member answered for the asked relation, or for another one that may mean the same."""

    graph: str
    result: EdgeSet
    is_equivalent: bool = False


def merge_edges(
    parts: Sequence[Part],
    identities: Mapping[EntityId, Identity],
    direction: Direction,
    limit: int,
) -> EdgeSet:
    """Join the edges that members have for the asked ids, at most `limit` for each."""
    asked_for = asked_for_each({asked: known.ids for asked, known in identities.items()})
    own, others = (
        _by_asked([p for p in parts if p.is_equivalent is flag], asked_for, identities, direction)
        for flag in (False, True)
    )
    kept: list[Triple] = []
    more: list[tuple[EntityId, int]] = []
    is_at_least = any(part.result.is_at_least for part in parts)
    for asked, known in identities.items():
        mine = own.get(asked, [])
        if (
            mine
        ):  # what is missing here may be missing because the other relation means something else
            mine = mine + _spoken_as(mine[0][1].relation, others.get(asked, []))
        triples = _distinct(mine)
        kept += triples[:limit]
        counted = [p for p in parts if mine or not p.is_equivalent]
        totals = [n for p in counted if (n := _total(p.result, known.ids, direction))]
        n_more = max([len(triples), *totals]) - len(triples[:limit])
        if n_more > 0:  # members may speak of the same edges, so the largest total is a least one
            more.append((asked, n_more))
            is_at_least = is_at_least or len(totals) > 1
    followed = [pair for known in identities.values() for pair in known.links]
    told = [pair for part in parts for pair in part.result.same_as]
    links = tuple(dict.fromkeys((*followed, *told)))
    return EdgeSet(tuple(dict.fromkeys(kept)), links, tuple(more), is_at_least)


_From = tuple[str, Triple]  # a triple with the name of the member it is from


def _by_asked(
    parts: Sequence[Part],
    asked_for: Mapping[EntityId, Sequence[EntityId]],
    identities: Mapping[EntityId, Identity],
    direction: Direction,
) -> dict[EntityId, list[_From]]:
    found: dict[EntityId, list[_From]] = {}
    for part in parts:
        for triple in part.result.triples:
            for asked in asked_for.get(asked_end(triple, direction), ()):
                spoken = speak_of(triple, asked, identities[asked].entity, direction)
                found.setdefault(asked, []).append((part.graph, spoken))
    return found


def _spoken_as(relation: Relation, found: Sequence[_From]) -> list[_From]:
    """Put the asked relation in the place of one that means the same."""
    return [(graph, replace(t, relation=replace(relation, kg=t.relation.kg))) for graph, t in found]


def _distinct(found: Sequence[_From]) -> list[Triple]:
    """Keep each edge once; of values of two members that agree, the more precise one."""
    kept: dict[Triple, str] = {}
    for graph, triple in found:
        twin = _twin(triple, graph, kept) if isinstance(triple.object, Literal) else None
        if twin is None:
            kept.setdefault(triple, graph)
        elif is_finer(triple.object, twin.object):
            kept = {triple if t == twin else t: graph if t == twin else g for t, g in kept.items()}
    return list(kept)


def _twin(triple: Triple, graph: str, kept: Mapping[Triple, str]) -> Triple | None:
    """Return the first triple of another member that says the same."""
    others = (t for t, other in kept.items() if other != graph and isinstance(t.object, Literal))
    return next((t for t in others if agree(t.object, triple.object)), None)


def _total(result: EdgeSet, ids: Sequence[EntityId], direction: Direction) -> int:
    """How many edges a member has for one entity."""
    shown = sum(asked_end(triple, direction) in ids for triple in result.triples)
    return shown + sum(n for identifier, n in result.more if identifier in ids)
