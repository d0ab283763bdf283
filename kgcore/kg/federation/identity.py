"""Which ids of the members are one entity, found out when the entity is asked about.

Explicit links of any member are followed in either direction. Where a member knows none of an entity's ids, the
entity is looked up there by its label. What was found while a member was missing is not kept: it is asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.federation.across import link_across
from kgcore.kg.federation.asking import Call
from kgcore.kg.federation.merging import Identity, Pair, with_graph
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId
from kgcore.steps import Descriptions

_ROUNDS = 3  # how many links away an identity is followed


class _Known:
    """What the members say of the ids of some entities, as it is being found out."""

    def __init__(self, groups: Mapping[EntityId, Sequence[EntityId]]) -> None:
        self.groups = {asked: list(ids) for asked, ids in groups.items()}
        self.links: dict[Pair, None] = {}
        self.described: dict[str, dict[EntityId, Entity]] = {}  # by name of the member
        self._seen: set[EntityId] = set()

    def frontier(self) -> list[EntityId]:
        """Return the ids nobody was asked about yet."""
        ids = dict.fromkeys(i for group in self.groups.values() for i in group)
        new = [i for i in ids if i not in self._seen]
        self._seen.update(new)
        return new

    def hear(self, name: str, result: Descriptions) -> None:
        """Take up what a member says."""
        mine = self.described.setdefault(name, {})
        mine.update({e.id: with_graph(e, name) for e in result.entities})

    def join(self, pairs: Iterable[Pair]) -> None:
        """Take links up: an id joins the groups of the id it is linked from."""
        new = dict.fromkeys(pairs)
        self.links.update(new)
        for ids in self.groups.values():
            ids += [b for a, b in new if a in ids and b not in ids]

    def labelled(self, asked: EntityId) -> Entity | None:
        """Return the entity as the first member that has a label for it knows it."""
        found = (k[i] for i in self.groups[asked] for k in self.described.values() if i in k)
        return next((entity for entity in found if entity.label), None)

    def knows(self, name: str, asked: EntityId) -> bool:
        """Tell whether a member knows an entity by one of its ids."""
        return any(i in self.described.get(name, ()) for i in self.groups[asked])

    def identity(self, asked: EntityId) -> Identity:
        """Return what was found for an asked id."""
        ids = tuple(dict.fromkeys(self.groups[asked]))
        links = tuple((a, b) for a, b in self.links if a in ids and b in ids)
        entity = next((k[asked] for k in self.described.values() if asked in k), None)
        return Identity(ids, links, entity)


class Identities:
    """Finds out what ids stand for, once for each id. Safe to use from several threads."""

    def __init__(self, graphs: Sequence[KnowledgeGraph], *, link_labels: bool) -> None:
        self._graphs, self._link_labels = tuple(graphs), link_labels
        self._lock = threading.Lock()
        self._kept: dict[EntityId, Identity] = {}

    def of(self, entities: Sequence[EntityId], call: Call) -> dict[EntityId, Identity]:
        """Return the identity of each asked id, in their order."""
        asked = list(dict.fromkeys(entities))
        with self._lock:
            found = {i: self._kept[i] for i in asked if i in self._kept}
        fresh = [i for i in asked if i not in found]
        if fresh:
            known = self._find(fresh, call)
            new = {i: known.identity(i) for i in fresh}
            found.update(new)
            if not call.is_partial:
                with self._lock:
                    self._kept.update(new)
        return {i: found[i] for i in asked}

    def _find(self, asked: Sequence[EntityId], call: Call) -> _Known:
        known = _Known({i: self._spellings(i) for i in asked})
        if len(self._graphs) == 1:
            return known
        for _ in range(_ROUNDS):
            ids = known.frontier()
            if not ids:
                break
            results = call.ask(partial(_describe, ids=ids))
            for name, result in results.items():
                known.hear(name, result)
            known.join(pair for result in results.values() for pair in result.same_as)
        if self._link_labels:
            known.join(self._by_label(known, call))
        return known

    def _spellings(self, asked: EntityId) -> list[EntityId]:
        """The id as it was given, and as the members write it."""
        tables = [getattr(graph, "prefixes", None) for graph in self._graphs]
        written = [t.shorten(t.expand(asked)) for t in tables if isinstance(t, Prefixes)]
        return list(dict.fromkeys((asked, *written)))

    def _by_label(self, known: _Known, call: Call) -> list[Pair]:
        """Find entities by their labels in the members that know none of their ids."""
        answering = [g for g in self._graphs if g.id not in call.missing]
        wanted = [
            (asked, graph, entity)
            for asked in known.groups
            if (entity := known.labelled(asked)) is not None
            for graph in answering
            if not known.knows(graph.id, asked)
        ]
        found = call.ask_each(
            [(graph, partial(link_across, entity)) for _, graph, entity in wanted]
        )
        return [(wanted[n][0], other) for n, other in found.items() if other is not None]


def _describe(graph: KnowledgeGraph, ids: Sequence[EntityId]) -> Descriptions:
    return graph.describe(ids)
