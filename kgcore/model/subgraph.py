"""The part of the graphs a run has seen so far.

A subgraph is persistent: `add` returns a child that holds only what is new and points to its parent, so the
branches of a search tree share what they have in common. Each one numbers its entities in its own order of
growth (`E1`, `E2`, …), never per run; a child keeps its parent's numbers. Ids that `same_as` links join are one
entity under the number that came first. `digest` names the content: a hash over the parent's digest and what
was added.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kgcore.model.index import Group, Index, SameAs, distinct, joining, richer
from kgcore.model.terms import Entity, EntityId, Literal, RelationId, Triple
from kgcore.model.wire import to_dict

__all__ = ["Group", "SameAs", "Subgraph"]


class Subgraph:
    """A persistent set of triples and entities. Build one with `Subgraph().add(…)`."""

    __slots__ = (
        "_index",
        "_resolved",
        "added_entities",
        "added_more",
        "added_same_as",
        "added_triples",
        "digest",
        "parent",
    )

    def __init__(self) -> None:
        self.parent: Subgraph | None = None
        self.added_entities: tuple[Entity, ...] = ()
        self.added_triples: tuple[Triple, ...] = ()
        self.added_same_as: tuple[SameAs, ...] = ()
        self.added_more: tuple[tuple[Group, int], ...] = ()
        self.digest = "empty"
        self._index: Index | None = Index()
        self._resolved: tuple[Triple, ...] | None = None

    def add(
        self,
        triples: Iterable[Triple] = (),
        *,
        entities: Iterable[Entity] = (),
        same_as: Iterable[SameAs] = (),
        more: Mapping[Group, int] | None = None,
    ) -> Subgraph:
        """Return a child with these facts; itself when they are all known.

        `more` counts, for the edges of an entity along a relation, those that exist and were not fetched.
        """
        index = self._get_index()
        new_triples = self._unknown(triples := tuple(triples))
        ends = [end for t in triples for end in (t.subject, t.object) if isinstance(end, Entity)]
        told = [*entities, *(e for e in ends if e.id in index.canonical)]
        new_entities = distinct(e for e in told if index.is_news(e))
        ids = {e.id for e in (*ends, *new_entities)}
        new_same_as = joining(index.canonical, ids, same_as)
        new_more = tuple(
            sorted((g, n) for g, n in (more or {}).items() if index.more.get(g, 0) != n)
        )
        if not (new_entities or new_same_as or new_triples or new_more):
            return self
        child = Subgraph()
        child.parent, child._index = self, None
        child.added_entities, child.added_triples = new_entities, new_triples
        child.added_same_as, child.added_more = new_same_as, new_more
        child.digest = _digest(self.digest, new_entities, new_triples, new_same_as, new_more)
        return child

    def _unknown(self, triples: tuple[Triple, ...]) -> tuple[Triple, ...]:
        """Return the triples that are not here yet, each once."""
        index = self._get_index()
        unknown: dict[tuple[EntityId, RelationId, EntityId | Literal], Triple] = {}
        for triple in triples:
            end = triple.object
            target = index.canonical.get(end.id, end.id) if isinstance(end, Entity) else end
            subject = index.canonical.get(triple.subject.id, triple.subject.id)
            key = (subject, triple.relation.id, target)
            if key not in index.triples:
                unknown.setdefault(key, triple)
        return tuple(unknown.values())

    def _get_index(self) -> Index:
        if self._index is None:
            assert self.parent is not None
            index = self.parent._get_index().copy()
            for entity in self.added_entities:
                index.add_entity(entity)
            for triple in self.added_triples:
                index.add_entity(triple.subject)
                if isinstance(triple.object, Entity):
                    index.add_entity(triple.object)
            for one, other in self.added_same_as:
                index.join(one, other)
            for triple in self.added_triples:
                index.triples.setdefault(index.key(triple), triple)
            index.more.update(self.added_more)
            self._index = index
        return self._index

    @property
    def entities(self) -> tuple[Entity, ...]:
        """All entities in order of growth, one for each group of joined ids."""
        index = self._get_index()
        return tuple(self._merged(c) for c in index.numbers)

    def _merged(self, canonical: EntityId) -> Entity:
        first, *others = self._get_index().members[canonical]
        for other in others:
            first = richer(first, other)
        return first

    @property
    def triples(self) -> tuple[Triple, ...]:
        """All triples in order of growth, their ends replaced by the entities they belong to."""
        if self._resolved is None:
            self._resolved = tuple(self._resolve(t) for t in self._get_index().triples.values())
        return self._resolved

    def _resolve(self, triple: Triple) -> Triple:
        canonical = self._get_index().canonical
        subject = self._merged(canonical[triple.subject.id])
        end = triple.object
        if isinstance(end, Entity):
            end = self._merged(canonical[end.id])
        return replace(triple, subject=subject, object=end)

    @property
    def more(self) -> Mapping[Group, int]:
        """How many edges exist beyond those fetched, by entity, relation and direction."""
        return dict(self._get_index().more)

    def __len__(self) -> int:
        return len(self._get_index().triples)

    def __contains__(self, entity_id: EntityId) -> bool:
        return entity_id in self._get_index().canonical

    def entity(self, entity_id: EntityId) -> Entity:
        """Return the entity that holds this id; KeyError when it is not here."""
        return self._merged(self._get_index().canonical[entity_id])

    def canonical(self, entity_id: EntityId) -> EntityId:
        """Return the id under which this id's entity is known; the id itself when it is not here."""
        return self._get_index().canonical.get(entity_id, entity_id)

    def members(self, entity_id: EntityId) -> tuple[Entity, ...]:
        """Return the entity as each graph knows it; more than one where `same_as` links joined ids."""
        index = self._get_index()
        return index.members[index.canonical[entity_id]]

    @property
    def same_as(self) -> tuple[SameAs, ...]:
        """The links that join ids: each entity's canonical id with each of its others."""
        joined = ((e.id, self.members(e.id)) for e in self.entities)
        return tuple((one, m.id) for one, members in joined for m in members if m.id != one)

    def handle(self, entity_id: EntityId) -> str:
        """Return the short name (`E3`) that stands for this entity in prompts."""
        index = self._get_index()
        return f"E{index.numbers[index.canonical[entity_id]]}"

    def __repr__(self) -> str:
        return f"Subgraph({len(self.entities)} entities, {len(self)} triples)"


def _digest(
    parent: str,
    entities: tuple[Entity, ...],
    triples: tuple[Triple, ...],
    same_as: tuple[SameAs, ...],
    more: tuple[tuple[Group, int], ...],
) -> str:
    """Hash what was added: ids and labels, since both reach prompts; never provenance."""
    content = [
        parent,
        [[e.id, e.label, e.description] for e in entities],
        [_content(t) for t in triples],
        same_as,
        more,
    ]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _content(triple: Triple) -> list[object]:
    end = triple.object
    target = [end.id, end.label, end.description] if isinstance(end, Entity) else to_dict(end)
    subject, relation = triple.subject, triple.relation
    return [
        [subject.id, subject.label, subject.description],
        [relation.id, relation.label, relation.inverse_label],
        target,
    ]
