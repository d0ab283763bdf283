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
from dataclasses import replace
from typing import TypeVar

from kgcore.errors import InputError
from kgcore.kg.across import link_across
from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.linking import with_kg
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Direction, Entity, EntityId, Literal, RelationId, Triple
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions

R = TypeVar("R")
Pair = tuple[EntityId, EntityId]
_ROUNDS = 3  # how many links away an identity is followed
_EXAMPLES = 3


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
        self._across: dict[tuple[EntityId, str], EntityId | None] = {}

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
        groups, _ = self._groups(entities)
        asked_for = _asked_for(groups)
        ids = tuple(asked_for)
        results = self._ask(lambda g: g.relations(ids))
        merged: dict[tuple[RelationId, Direction], RelationOption] = {}
        for result in results:
            for option in result.items:
                touched = {asked for i in option.touches for asked in asked_for.get(i, ())}
                mine = replace(option, touches=tuple(i for i in groups if i in touched))
                key = (option.relation.id, option.direction)
                merged[key] = _merge_options(merged[key], mine) if key in merged else mine
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
        groups, followed = self._groups(entities)
        asked_for = _asked_for(groups)
        ids = tuple(asked_for)
        members = [g for g in self.graphs if _may_have(g, relation)]
        results = self._ask(lambda g: g.edges(ids, relation, direction, limit=limit), members)
        described = self._describe([i for i in groups if groups[i] != (i,)])
        by_asked: dict[EntityId, dict[Triple, None]] = {i: {} for i in groups}
        for result in results:
            for triple in result.triples:
                for asked in asked_for.get(_asked_end(triple, direction), ()):
                    by_asked[asked].setdefault(_speak_of(triple, asked, described, direction))
        kept = {asked: list(triples)[:limit] for asked, triples in by_asked.items()}
        more = {}
        is_at_least = any(result.is_at_least for result in results)
        for asked, ids_of in groups.items():
            totals = [total for result in results if (total := _total(result, ids_of, direction))]
            n = max([len(by_asked[asked]), *totals]) - len(kept[asked])
            if n > 0:  # members may speak of the same edges, so the largest total is a least one
                more[asked] = n
                is_at_least = is_at_least or len(totals) > 1
        links = [*followed, *(pair for result in results for pair in result.same_as)]
        return EdgeSet(
            tuple(dict.fromkeys(t for triples in kept.values() for t in triples)),
            tuple(dict.fromkeys(links)),
            tuple(more.items()),
            is_at_least,
            any(result.is_partial for result in results),
        )

    # --- identity

    def _groups(
        self, entities: Sequence[EntityId]
    ) -> tuple[dict[EntityId, tuple[EntityId, ...]], list[Pair]]:
        """Return for each asked id all ids of that entity, itself first, and the links that were followed."""
        groups = {asked: self._spellings(asked) for asked in dict.fromkeys(entities)}
        pairs: dict[Pair, None] = {}
        frontier = [i for ids in groups.values() for i in ids]
        for _ in range(_ROUNDS):
            if not frontier or len(self.graphs) == 1:
                break
            new = [p for p in self.same_as(frontier) if p not in pairs]
            pairs.update(dict.fromkeys(new))
            seen = {i for known in groups.values() for i in known}
            for ids in groups.values():
                ids += [b for a, b in new if a in ids and b not in ids]
            frontier = list(dict.fromkeys(b for _, b in new if b not in seen))
        if self._link_labels:
            pairs.update(dict.fromkeys(self._follow_labels(groups)))
        return {asked: tuple(ids) for asked, ids in groups.items()}, list(pairs)

    def _spellings(self, asked: EntityId) -> list[EntityId]:
        """The id as it was given, and as the members write it."""
        tables = [getattr(graph, "prefixes", None) for graph in self.graphs]
        written = [t.shorten(t.expand(asked)) for t in tables if isinstance(t, Prefixes)]
        return list(dict.fromkeys((asked, *written)))

    def _follow_labels(self, groups: dict[EntityId, list[EntityId]]) -> list[Pair]:
        """Add, for members that know none of an entity's ids, the entity that has its label there."""
        ids = list(dict.fromkeys(i for group in groups.values() for i in group))
        known = self._ask(lambda g: {e.id: e for e in g.describe(ids).entities})
        wanted: list[tuple[EntityId, Entity, KnowledgeGraph]] = []
        for asked, group in groups.items():
            best = next((k[i] for i in group for k in known if i in k and k[i].label), None)
            for graph, has in zip(self.graphs, known, strict=True):
                if best is not None and not any(i in has for i in group):
                    wanted.append((asked, best, graph))
        pairs: list[Pair] = []
        for asked, other in self._look_up(wanted):
            groups[asked].append(other)
            pairs.append((asked, other))
        return pairs

    def _look_up(self, wanted: list[tuple[EntityId, Entity, KnowledgeGraph]]) -> list[Pair]:
        """Link entities by label, each once for each member and as long as this object lives."""
        fresh = [w for w in wanted if (w[0], w[2].id) not in self._across]
        found = self._run([lambda w=w: link_across(w[1], w[2]) for w in fresh])  # type: ignore[misc]
        for (asked, _, graph), other in zip(fresh, found, strict=True):
            self._across[asked, graph.id] = other
        linked = [(asked, self._across[asked, graph.id]) for asked, _, graph in wanted]
        return [(asked, other) for asked, other in linked if other is not None]

    def _describe(self, entities: Sequence[EntityId]) -> dict[EntityId, Entity]:
        known: dict[EntityId, Entity] = {}
        if not entities:
            return known
        for graph, result in zip(
            self.graphs, self._ask(lambda g: g.describe(entities)), strict=True
        ):
            for entity in result.entities:
                new = entity if entity.kg else replace(entity, kg=graph.id)
                known[new.id] = _complete(known[new.id], new) if new.id in known else new
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


def _asked_for(groups: Mapping[EntityId, tuple[EntityId, ...]]) -> dict[EntityId, list[EntityId]]:
    """Map each id that members are asked for to the ids it stands for."""
    found: dict[EntityId, list[EntityId]] = {}
    for asked, ids in groups.items():
        for identifier in ids:
            found.setdefault(identifier, []).append(asked)
    return found


def _asked_end(triple: Triple, direction: Direction) -> EntityId:
    if direction == "out" or isinstance(triple.object, Literal):
        return triple.subject.id
    return triple.object.id


def _total(result: EdgeSet, ids: Sequence[EntityId], direction: Direction) -> int:
    """How many edges a member has for one entity."""
    shown = sum(_asked_end(triple, direction) in ids for triple in result.triples)
    return shown + sum(n for identifier, n in result.more if identifier in ids)


def _speak_of(
    triple: Triple, asked: EntityId, described: Mapping[EntityId, Entity], direction: Direction
) -> Triple:
    """Put the asked id in the place of the member's own."""
    if _asked_end(triple, direction) == asked:
        return triple
    end = triple.subject if direction == "out" else triple.object
    assert isinstance(end, Entity)
    entity = described.get(asked) or replace(end, id=asked)
    if direction == "out":
        return replace(triple, subject=entity)
    return replace(triple, object=entity)


def _merge_options(one: RelationOption, other: RelationOption) -> RelationOption:
    """Join what two members say of a relation; they may speak of the same edges, so the count is a least one."""
    return replace(
        one,
        count=max(one.count, other.count),
        touches=tuple(dict.fromkeys((*one.touches, *other.touches))),
        is_at_least=True,
        targets=tuple(dict.fromkeys((*one.targets, *other.targets)))[:_EXAMPLES],
        target_types=tuple(dict.fromkeys((*one.target_types, *other.target_types)))[:_EXAMPLES],
    )


def _complete(one: Entity, other: Entity) -> Entity:
    return replace(
        one,
        label=one.label or other.label,
        description=one.description or other.description,
        types=one.types or other.types,
        url=one.url or other.url,
    )
