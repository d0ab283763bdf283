"""Look-up tables over a subgraph: which ids are one entity, under which number, with which edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from kgcore.model.terms import Direction, Entity, EntityId, Literal, RelationId, Triple

SameAs = tuple[EntityId, EntityId]
Group = tuple[EntityId, RelationId, Direction]  # the edges of one entity along one relation


@dataclass(slots=True)
class Index:
    """Look-up tables over a subgraph and all its parents; built once, on first use."""

    canonical: dict[EntityId, EntityId] = field(default_factory=dict)
    members: dict[EntityId, tuple[Entity, ...]] = field(default_factory=dict)
    numbers: dict[EntityId, int] = field(default_factory=dict)
    triples: dict[tuple[EntityId, RelationId, EntityId | Literal], Triple] = field(
        default_factory=dict
    )
    more: dict[Group, int] = field(default_factory=dict)
    last_number: int = 0

    def copy(self) -> Index:
        return Index(
            dict(self.canonical),
            dict(self.members),
            dict(self.numbers),
            dict(self.triples),
            dict(self.more),
            self.last_number,
        )

    def add_entity(self, entity: Entity) -> None:
        known = self.canonical.get(entity.id)
        if known is None:
            self.last_number += 1
            self.canonical[entity.id] = entity.id
            self.members[entity.id] = (entity,)
            self.numbers[entity.id] = self.last_number
            return
        members = self.members[known]
        self.members[known] = tuple(richer(m, entity) if m.id == entity.id else m for m in members)

    def is_news(self, entity: Entity) -> bool:
        """Tell whether an entity is not here yet, or says more of itself than what is here."""
        known = self.canonical.get(entity.id)
        if known is None:
            return True
        member = next(m for m in self.members[known] if m.id == entity.id)
        return _content_of(richer(member, entity)) != _content_of(member)

    def join(self, one: EntityId, other: EntityId) -> None:
        """Make two ids one entity; an id not seen yet becomes a further id of the other."""
        a, b = self.canonical.get(one), self.canonical.get(other)
        if a is None and b is None:
            return
        if a is None or b is None:
            known = a if a is not None else b
            new = one if a is None else other
            assert known is not None
            self.canonical[new] = known
            self.members[known] += (Entity(new),)
            return
        if a == b:
            return
        first, later = (a, b) if self.numbers[a] < self.numbers[b] else (b, a)
        for entity in self.members.pop(later):
            self.canonical[entity.id] = first
            self.members[first] += (entity,)
        del self.numbers[later]
        triples, self.triples = self.triples, {}
        for triple in triples.values():
            self.triples.setdefault(self.key(triple), triple)

    def key(self, triple: Triple) -> tuple[EntityId, RelationId, EntityId | Literal]:
        end = triple.object
        target = self.canonical[end.id] if isinstance(end, Entity) else end
        return (self.canonical[triple.subject.id], triple.relation.id, target)


def richer(old: Entity, new: Entity) -> Entity:
    """Keep what is known of an entity and fill in what the other view of it adds."""
    if _content_of(new) == _content_of(old):
        return old
    return replace(
        old,
        label=old.label or new.label,
        description=old.description or new.description,
        kg=old.kg or new.kg,
        types=old.types or new.types,
        url=old.url or new.url,
    )


def _content_of(entity: Entity) -> tuple[object, ...]:
    return (entity.label, entity.description, entity.kg, entity.types, entity.url)


def distinct(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Return each id once, with all that is said of it."""
    found: dict[EntityId, Entity] = {}
    for entity in entities:
        found[entity.id] = richer(found[entity.id], entity) if entity.id in found else entity
    return tuple(found.values())


def joining(
    canonical: Mapping[EntityId, EntityId], ids: set[EntityId], same_as: Iterable[SameAs]
) -> tuple[SameAs, ...]:
    """Return the links that join something, in an order in which each one touches what is known by then."""
    group = {**canonical, **{e: canonical.get(e, e) for e in ids}}
    waiting = list(same_as)
    found: list[SameAs] = []
    is_changed = True
    while is_changed:
        is_changed = False
        for pair in tuple(waiting):
            one, other = (group.get(e) for e in pair)
            if one is None and other is None:
                continue
            waiting.remove(pair)
            if one == other:
                continue
            found.append(pair)
            is_changed = True
            first, second = (one or pair[0]), (other or pair[1])
            into = first if one is not None else second
            gone = {first, second} - {into}
            group.update(
                {e: into for e, g in group.items() if g in gone} | dict.fromkeys(pair, into)
            )
    return tuple(found)
