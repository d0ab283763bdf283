"""Several graphs asked as one.

What joins them are identity links, from any member and in either direction: an asked entity stands for all ids
it is linked to, and every member is asked for all of them at the same time. Results speak of the ids that were
asked; the links that were followed come back in `EdgeSet.same_as`. Where a member knows none of an entity's ids,
the entity is looked up there by its label, when it is expanded and never for its neighbours.

A member's error ends the whole call.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from kgcore.errors import InputError
from kgcore.kg.across import link_across
from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.linking import with_kg
from kgcore.kg.merging import (
    asked_end,
    asked_for_each,
    complete,
    merge_options,
    speak_of,
    total_edges,
    with_graph,
)
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Direction, Entity, EntityId, RelationId, Triple
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions

R = TypeVar("R")
Pair = tuple[EntityId, EntityId]
_ROUNDS = 3  # how many links away an identity is followed


@dataclass(frozen=True, slots=True)
class _Identity:
    """All ids of one entity, the links between them, and what is known of the id that was asked."""

    ids: tuple[EntityId, ...]
    links: tuple[Pair, ...]
    entity: Entity | None


class FederatedGraph:
    """Answers for all its members; asks them at the same time."""

    def __init__(self, graphs: Sequence[KnowledgeGraph], *, link_labels: bool = True) -> None:
        if not graphs:
            raise InputError("a federation needs at least one graph")
        names = [graph.id for graph in graphs]
        if len(set(names)) < len(names):
            raise InputError("a graph was given twice: " + ", ".join(sorted(names)))
        _check_prefixes(graphs)
        self.graphs = tuple(graphs)
        self._link_labels = link_labels and len(graphs) > 1
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._known: dict[EntityId, _Identity] = {}

    @property
    def id(self) -> str:
        """The members' names, joined by a plus sign."""
        return "+".join(graph.id for graph in self.graphs)

    @property
    def version(self) -> str:
        """Hash of the members' versions."""
        content = repr([(g.id, g.version) for g in self.graphs]) + str(self._link_labels)
        return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()

    def close(self) -> None:
        """End the threads that ask the members; the members stay open."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Gather the candidates of all members, at most `limit` of each (for each mention)."""
        found = self._ask(
            lambda g: with_kg(
                g.link(text, context=context, limit=limit, is_question=is_question), g.id
            )
        )
        items = [c for candidates in found for c in candidates.items]
        if is_question:
            items.sort(key=lambda c: (-len(c.mention), text.find(c.mention), -c.score))
        else:
            items.sort(key=lambda c: -c.score)
        return Candidates(tuple(items))

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Describe entities as the first member that knows each one does, completed by the others."""
        known = self._describe(entities)
        found = tuple(known[i] for i in dict.fromkeys(entities) if i in known)
        return Descriptions(found, self.same_as(entities))

    def same_as(self, entities: Sequence[EntityId]) -> tuple[Pair, ...]:
        """Gather the explicit links of all members."""
        return tuple(
            dict.fromkeys(p for links in self._ask(lambda g: g.same_as(entities)) for p in links)
        )

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """Gather the members' relations; one that several members have is offered once."""
        groups = {i: known.ids for i, known in self._identities(entities).items()}
        asked_for = asked_for_each(groups)
        ids = tuple(asked_for)
        results = self._ask(lambda g: g.relations(ids))
        merged: dict[tuple[RelationId, Direction], RelationOption] = {}
        for result in results:
            for option in result.items:
                touched = {asked for i in option.touches for asked in asked_for.get(i, ())}
                mine = replace(option, touches=tuple(i for i in groups if i in touched))
                key = (option.relation.id, option.direction)
                merged[key] = merge_options(merged[key], mine) if key in merged else mine
        order = tuple(option for _, option in sorted(merged.items()))
        return RelationOptions(order, any(result.is_partial for result in results))

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Gather the edges of the members that have the relation."""
        identities = self._identities(entities)
        groups = {i: known.ids for i, known in identities.items()}
        asked_for = asked_for_each(groups)
        ids = tuple(asked_for)
        members = [g for g in self.graphs if _may_have(g, relation)]
        results = self._ask(lambda g: g.edges(ids, relation, direction, limit=limit), members)
        by_asked: dict[EntityId, dict[Triple, None]] = {i: {} for i in groups}
        for result in results:
            for triple in result.triples:
                for asked in asked_for.get(asked_end(triple, direction), ()):
                    entity = identities[asked].entity
                    by_asked[asked].setdefault(speak_of(triple, asked, entity, direction))
        kept = {asked: list(triples)[:limit] for asked, triples in by_asked.items()}
        more = {}
        is_at_least = any(result.is_at_least for result in results)
        for asked, ids_of in groups.items():
            totals = [
                total for result in results if (total := total_edges(result, ids_of, direction))
            ]
            n = max([len(by_asked[asked]), *totals]) - len(kept[asked])
            if n > 0:  # members may speak of the same edges, so the largest total is a least one
                more[asked] = n
                is_at_least = is_at_least or len(totals) > 1
        followed = [pair for known in identities.values() for pair in known.links]
        links = [*followed, *(pair for result in results for pair in result.same_as)]
        return EdgeSet(
            tuple(dict.fromkeys(t for triples in kept.values() for t in triples)),
            tuple(dict.fromkeys(links)),
            tuple(more.items()),
            is_at_least,
            any(result.is_partial for result in results),
        )

    # --- identity

    def _identities(self, entities: Sequence[EntityId]) -> dict[EntityId, _Identity]:
        """What each asked id stands for; found out once for each id and kept."""
        asked = list(dict.fromkeys(entities))
        fresh = [i for i in asked if i not in self._known]
        if fresh:
            groups, links = self._follow_links(fresh)
            described = self._describe_each(groups) if len(self.graphs) > 1 else []
            if self._link_labels:
                links += self._follow_labels(groups, described)
            for i, ids in groups.items():
                mine = tuple((a, b) for a, b in links if a in ids and b in ids)
                entity = next((known[i] for known in described if i in known), None)
                self._known[i] = _Identity(tuple(dict.fromkeys(ids)), mine, entity)
        return {i: self._known[i] for i in asked}

    def _follow_links(
        self, asked: Sequence[EntityId]
    ) -> tuple[dict[EntityId, list[EntityId]], list[Pair]]:
        """Gather for each asked id all ids of that entity, itself first, and the links between them."""
        groups = {i: self._spellings(i) for i in asked}
        pairs: dict[Pair, None] = {}
        frontier = [i for ids in groups.values() for i in ids]
        for _ in range(_ROUNDS):
            if not frontier or len(self.graphs) == 1:
                break
            new = [pair for pair in self.same_as(frontier) if pair not in pairs]
            pairs.update(dict.fromkeys(new))
            seen = {i for known in groups.values() for i in known}
            for ids in groups.values():
                ids += [b for a, b in new if a in ids and b not in ids]
            frontier = list(dict.fromkeys(b for _, b in new if b not in seen))
        return groups, list(pairs)

    def _spellings(self, asked: EntityId) -> list[EntityId]:
        """The id as it was given, and as the members write it."""
        tables = [getattr(graph, "prefixes", None) for graph in self.graphs]
        written = [t.shorten(t.expand(asked)) for t in tables if isinstance(t, Prefixes)]
        return list(dict.fromkeys((asked, *written)))

    def _describe_each(
        self, groups: Mapping[EntityId, Sequence[EntityId]]
    ) -> list[dict[EntityId, Entity]]:
        """What each member knows of all these ids."""
        ids = list(dict.fromkeys(i for group in groups.values() for i in group))
        return self._ask(lambda g: {e.id: with_graph(e, g) for e in g.describe(ids).entities})

    def _follow_labels(
        self, groups: dict[EntityId, list[EntityId]], described: list[dict[EntityId, Entity]]
    ) -> list[Pair]:
        """Add, for members that know none of an entity's ids, the entity that has its label there."""
        wanted: list[tuple[EntityId, Entity, KnowledgeGraph]] = []
        for asked, ids in groups.items():
            best = next((k[i] for i in ids for k in described if i in k and k[i].label), None)
            for graph, known in zip(self.graphs, described, strict=True):
                if best is not None and not any(i in known for i in ids):
                    wanted.append((asked, best, graph))
        found = self._run([partial(link_across, entity, graph) for _, entity, graph in wanted])
        pairs = [(w[0], other) for w, other in zip(wanted, found, strict=True) if other is not None]
        for asked, other in pairs:
            groups[asked].append(other)
        return pairs

    def _describe(self, entities: Sequence[EntityId]) -> dict[EntityId, Entity]:
        known: dict[EntityId, Entity] = {}
        if not entities:
            return known
        for graph, result in zip(
            self.graphs, self._ask(lambda g: g.describe(entities)), strict=True
        ):
            for entity in result.entities:
                new = with_graph(entity, graph)
                known[new.id] = complete(known[new.id], new) if new.id in known else new
        return known

    # --- asking

    def _ask(
        self,
        question: Callable[[KnowledgeGraph], R],
        graphs: Sequence[KnowledgeGraph] | None = None,
    ) -> list[R]:
        """Put one question to all members, or some; results in their order, the first error raised."""
        members = self.graphs if graphs is None else graphs
        return self._run([lambda g=g: question(g) for g in members])  # type: ignore[misc]

    def _run(self, calls: Sequence[Callable[[], R]]) -> list[R]:
        if len(calls) < 2:
            return [call() for call in calls]
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(
                    max_workers=8 * len(self.graphs), thread_name_prefix="federated"
                )
            futures = [self._pool.submit(call) for call in calls]
        return [future.result() for future in futures]


def _check_prefixes(graphs: Iterable[KnowledgeGraph]) -> None:
    """Refuse graphs in which one prefix means two things: their ids would be mixed up."""
    meaning: dict[str, tuple[str, str]] = {}
    for graph in graphs:
        table: Mapping[str, str] = getattr(getattr(graph, "prefixes", None), "table", {})
        for prefix, namespace in table.items():
            known, owner = meaning.setdefault(prefix, (namespace, graph.id))
            if known != namespace:
                raise InputError(
                    f"{owner} and {graph.id} mean different things by {prefix}: import one of them again"
                )


def _may_have(graph: KnowledgeGraph, relation: RelationId) -> bool:
    """False only when a graph can tell that it has no such relation without being asked for edges."""
    knows: Callable[[RelationId], bool] | None = getattr(graph, "has_relation", None)
    return knows is None or knows(relation)
