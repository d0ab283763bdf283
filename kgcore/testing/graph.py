"""A knowledge graph for tests: the triples you write down.

    graph = MemoryGraph(
        "films",
        [
            ("wd:Q25188", "wdt:P57", "wd:Q25191"),
            ("wd:Q25188", "wdt:P577", Literal("2010-07-08", "xsd:date")),
        ],
        labels={"wd:Q25188": "Inception", "wd:Q25191": "Christopher Nolan", "wdt:P57": "director"},
        types={"wd:Q25188": ["film"]},
    )

It implements the port in plain Python and keeps its promises: the contract tests of the port run against it.
Labels serve entities and relations alike. `requests` lists the calls in order of arrival, as (method, arguments).
Set `error` to an exception, and every further call raises it.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from kgcore.kg.linking import Name, Thing, link, link_question
from kgcore.kg.mentions import loosen
from kgcore.kg.name_list import NameList
from kgcore.kg.vocabulary import Prefixes, literal_kind, local_name
from kgcore.model import (
    Direction,
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Triple,
)
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions

Written = tuple[str, str, str | Literal]
_EXAMPLES = 3
DIRECTIONS: tuple[Direction, Direction] = ("in", "out")


class MemoryGraph:
    """A graph held in memory; safe to ask from several threads."""

    def __init__(
        self,
        graph_id: str,
        triples: Iterable[Written] = (),
        *,
        labels: Mapping[str, str] | None = None,
        inverse_labels: Mapping[str, str] | None = None,
        descriptions: Mapping[str, str] | None = None,
        types: Mapping[str, Sequence[str]] | None = None,
        aliases: Mapping[str, Sequence[str]] | None = None,
        same_as: Iterable[tuple[str, str]] = (),
        version: str = "1",
    ) -> None:
        self.id, self.version = graph_id, version
        self.requests: list[tuple[str, tuple[object, ...]]] = []
        self.error: Exception | None = None
        self._prefixes = Prefixes()
        self._labels, self._inverse = dict(labels or {}), dict(inverse_labels or {})
        self._descriptions, self._types = dict(descriptions or {}), dict(types or {})
        self._aliases = {key: tuple(names) for key, names in (aliases or {}).items()}
        self._triples = tuple(dict.fromkeys(triples))
        self._same = tuple(dict.fromkeys(pair for a, b in same_as for pair in ((a, b), (b, a))))
        self._lock = threading.Lock()

    # --- the port

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Find entities by name."""
        self._note("link", text, context, limit, is_question)
        find = link_question if is_question else link
        return find(_Names(self), text, context, limit)

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """List the relations of the asked entities."""
        self._note("relations", *entities)
        groups: dict[tuple[RelationId, Direction], dict[EntityId, list[str | Literal]]] = {}
        for asked in self._held(entities):
            for direction in DIRECTIONS:
                for relation, end in self._edges_of(asked, direction):
                    group = groups.setdefault((relation, direction), {})
                    group.setdefault(asked, []).append(end)
        options = []
        for (relation, direction), group in sorted(groups.items()):
            ends = [end for found in group.values() for end in found]
            options.append(
                RelationOption(
                    self._relation(relation),
                    direction,
                    len(ends),
                    tuple(group),
                    targets=tuple(dict.fromkeys(filter(None, map(self._text, ends))))[:_EXAMPLES],
                    target_types=tuple(dict.fromkeys(filter(None, map(self._kind, ends))))[
                        :_EXAMPLES
                    ],
                )
            )
        return RelationOptions(tuple(options))

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Fetch edges: ends with many edges first, then by id; literals after entities."""
        self._note("edges", tuple(entities), relation, direction, limit)
        self._check(relation)
        triples: list[Triple] = []
        more: list[tuple[EntityId, int]] = []
        for asked in self._held(entities):
            ends = [e for r, e in self._edges_of(asked, direction) if r == relation]
            ends.sort(key=self._order)
            triples += [self._triple(asked, relation, end, direction) for end in ends[:limit]]
            if len(ends) > limit:
                more.append((asked, len(ends) - limit))
        ids = [e.id for t in triples for e in (t.subject, t.object) if isinstance(e, Entity)]
        links = self._same_as([*self._held(entities), *ids])
        return EdgeSet(tuple(dict.fromkeys(triples)), links, tuple(more))

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Describe the asked entities that the graph holds."""
        self._note("describe", *entities)
        found = tuple(self._entity(i) for i in self._held(entities))
        return Descriptions(found, self.same_as(entities))

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Return identity links in either direction."""
        self._note("same_as", *entities)
        return self._same_as(self._held(entities))

    # --- what it holds

    def _note(self, method: str, *arguments: object) -> None:
        with self._lock:
            self.requests.append((method, arguments))
        if self.error is not None:
            raise self.error

    def _check(self, identifier: str) -> None:
        self._prefixes.expand(identifier)

    def _held(self, entities: Sequence[EntityId]) -> list[EntityId]:
        for identifier in entities:
            self._check(identifier)
        return [i for i in dict.fromkeys(entities) if i in self._ids]

    @cached_property
    def _ids(self) -> dict[str, int]:
        """Every entity with the number of its edges."""
        relations = {relation for _, relation, _ in self._triples}
        named = {*self._labels, *self._descriptions, *self._types, *self._aliases} - relations
        ids = dict.fromkeys(sorted(named | {i for pair in self._same for i in pair}), 0)
        for subject, _, end in self._triples:
            for identifier in (subject, end):
                if not isinstance(identifier, Literal):
                    ids[identifier] = ids.get(identifier, 0) + 1
        return ids

    def _edges_of(
        self, asked: EntityId, direction: Direction
    ) -> list[tuple[RelationId, str | Literal]]:
        if direction == "out":
            return [(RelationId(r), end) for s, r, end in self._triples if s == asked]
        return [(RelationId(r), s) for s, r, end in self._triples if end == asked]

    def _same_as(self, ids: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        pairs = ((EntityId(a), EntityId(b)) for i in ids for a, b in self._same if a == i)
        return tuple(dict.fromkeys(pairs))

    def _entity(self, identifier: str) -> Entity:
        return Entity(
            EntityId(identifier),
            self._labels.get(identifier, ""),
            self._descriptions.get(identifier, ""),
            self.id,
            tuple(self._types.get(identifier, ())),
        )

    def _relation(self, relation: RelationId) -> Relation:
        label = self._labels.get(relation) or local_name(self._prefixes.expand(relation))
        return Relation(relation, label, self._inverse.get(relation, ""), self.id)

    def _triple(
        self, asked: EntityId, relation: RelationId, end: str | Literal, direction: Direction
    ) -> Triple:
        provenance = Provenance(self.id)
        if isinstance(end, Literal):
            return Triple(self._entity(asked), self._relation(relation), end, provenance)
        subject, target = (asked, end) if direction == "out" else (end, asked)
        return Triple(
            self._entity(subject), self._relation(relation), self._entity(target), provenance
        )

    def _order(self, end: str | Literal) -> tuple[int, int, str, str]:
        if isinstance(end, Literal):
            return (1, 0, end.value, f"{end.datatype} {end.lang}")
        return (0, -self._ids[end], end, "")

    def _text(self, end: str | Literal) -> str:
        return end.value if isinstance(end, Literal) else self._labels.get(end, "")

    def _kind(self, end: str | Literal) -> str:
        if isinstance(end, Literal):
            return literal_kind(self._prefixes.expand(end.datatype)) if end.datatype else "text"
        return next(iter(self._types.get(end, ())), "")


class _Names(NameList):
    """The names of a MemoryGraph, as linking reads them."""

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph
        self._names = [
            Name(node, text, loosen(text), is_alias)
            for node in graph._ids
            for texts, is_alias in (
                ([graph._labels[node]] if node in graph._labels else [], False),
                (graph._aliases.get(node, ()), True),
            )
            for text in texts
            if text
        ]
        self.max_degree = max(graph._ids.values(), default=0)
        relations = {RelationId(r) for _, r, _ in graph._triples}
        self.relation_keys = frozenset(loosen(graph._relation(r).label) for r in relations)

    def by_id(self, text: str) -> str | None:
        return text if text in self._graph._ids else None

    def things(self, nodes: Iterable[Hashable]) -> dict[Hashable, Thing]:
        ids = self._graph._ids
        return {n: Thing(self._graph._entity(n), ids[n]) for n in nodes if isinstance(n, str)}
