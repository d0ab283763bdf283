"""Several graphs asked as one.

What joins them are identity links, from any member and in either direction: an asked entity stands for all ids
it is linked to, and every member is asked for all of them at the same time. Results speak of the ids that were
asked; the links that were followed come back in `EdgeSet.same_as`. Relations that mean the same are one. Where a
member knows none of an entity's ids, the entity is looked up there by its label, when it is expanded and never for
its neighbours.

A member that fails or is too slow does not stop the others: the result is partial and names it. When none answers,
the call fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from kgcore.errors import InputError
from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.federation.asking import PATIENCE_S, Members
from kgcore.kg.federation.equivalents import Equivalents, known_equivalents
from kgcore.kg.federation.identity import Identities
from kgcore.kg.federation.merging import (
    Pair,
    Part,
    asked_for_each,
    complete,
    merge_edges,
    merge_options,
    with_graph,
)
from kgcore.kg.federation.namesakes import namesakes, namesakes_among
from kgcore.kg.linking import with_kg
from kgcore.model import Direction, Entity, EntityId, RelationId
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions


class FederatedGraph:
    """Answers for all its members; asks them at the same time.

    A member that has not answered `patience_s` after the call began is gone without, if others have answered.
    `equivalents` are relations that mean the same; without it, those that are known of Wikidata and MusicBrainz.
    """

    def __init__(
        self,
        graphs: Sequence[KnowledgeGraph],
        *,
        link_labels: bool = True,
        patience_s: float = PATIENCE_S,
        equivalents: Equivalents | None = None,
    ) -> None:
        if not graphs:
            raise InputError("a federation needs at least one graph")
        names = [graph.id for graph in graphs]
        if len(set(names)) < len(names):
            raise InputError("a graph was given twice: " + ", ".join(sorted(names)))
        _check_prefixes(graphs)
        self.graphs, is_one = tuple(graphs), len(graphs) == 1
        self._link_labels = link_labels and not is_one
        if equivalents is None and not is_one:
            equivalents = known_equivalents()
        self._equivalents = equivalents or Equivalents()
        self._members = Members(graphs, patience_s=patience_s)
        self._identities = Identities(graphs, link_labels=self._link_labels)

    @property
    def id(self) -> str:
        """The members' names, joined by a plus sign."""
        return "+".join(graph.id for graph in self.graphs)

    @property
    def version(self) -> str:
        """Hash of the members' versions."""
        content = repr([(g.id, g.version) for g in self.graphs]) + str(self._link_labels)
        content += self._equivalents.version
        return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Gather the candidates of all members, at most `limit` of each (for each mention)."""
        call = self._members.call()
        found = call.ask(
            lambda g: with_kg(
                g.link(text, context=context, limit=limit, is_question=is_question), g.id
            )
        )
        items = [c for candidates in found.values() for c in candidates.items]
        if is_question:
            items.sort(key=lambda c: (-len(c.mention), text.find(c.mention), -c.score))
        else:
            items.sort(key=lambda c: -c.score)
        return Candidates(tuple(items), call.is_partial, call.notes, call.missing)

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Describe entities as the first member that knows each one does, completed by the others."""
        call = self._members.call()
        known: dict[EntityId, Entity] = {}
        links: dict[Pair, None] = {}
        for name, result in call.ask(lambda g: g.describe(entities)).items():
            links.update(dict.fromkeys(result.same_as))
            for entity in result.entities:
                new = with_graph(entity, name)
                known[new.id] = complete(known[new.id], new) if new.id in known else new
        found = tuple(known[i] for i in dict.fromkeys(entities) if i in known)
        return Descriptions(found, tuple(links), call.is_partial, call.notes, call.missing)

    def same_as(self, entities: Sequence[EntityId]) -> tuple[Pair, ...]:
        """Gather the explicit links of the members that answer."""
        found = self._members.call().ask(lambda g: g.same_as(entities))
        return tuple(dict.fromkeys(pair for links in found.values() for pair in links))

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """Gather the members' relations; one that several members have is offered once."""
        call = self._members.call()
        groups = {i: known.ids for i, known in self._identities.of(entities, call).items()}
        asked_for = asked_for_each(groups)
        ids = tuple(asked_for)
        merged: dict[tuple[RelationId, Direction], RelationOption] = {}
        for result in call.ask(lambda g: g.relations(ids)).values():
            for option in result.items:
                touched = {asked for i in option.touches for asked in asked_for.get(i, ())}
                mine = replace(option, touches=tuple(i for i in groups if i in touched))
                key = (option.relation.id, option.direction)
                merged[key] = merge_options(merged[key], mine) if key in merged else mine
        named_alike = namesakes_among(self.graphs, {relation for relation, _ in merged})
        equivalents = Equivalents((*self._equivalents.items, *named_alike))
        order = tuple(o for _, o in sorted(equivalents.joined(merged).items()))
        return RelationOptions(order, call.is_partial, call.notes, call.missing)

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Gather the edges of the members that have the relation."""
        call = self._members.call()
        identities = self._identities.of(entities, call)
        ids = tuple(asked_for_each({i: known.ids for i, known in identities.items()}))
        others = (*self._equivalents.of(relation, direction), *namesakes(self.graphs, relation))
        names = dict.fromkeys((relation, *others))
        asked = [(graph, name) for name in names for graph in self.graphs]
        fetch = partial(_edges, ids=ids, direction=direction, limit=limit)
        found = call.ask_each([(graph, partial(fetch, relation=name)) for graph, name in asked])
        parts = [
            Part(asked[number][0].id, result, asked[number][1] != relation)
            for number, result in found.items()
        ]
        edges = merge_edges(parts, identities, direction, limit)
        return replace(edges, is_partial=call.is_partial, notes=call.notes, missing=call.missing)


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
    """False only when a graph tells that it has no such relation."""
    knows: Callable[[RelationId], bool] | None = getattr(graph, "has_relation", None)
    return knows is None or knows(relation)


def _edges(
    graph: KnowledgeGraph,
    *,
    ids: Sequence[EntityId],
    relation: RelationId,
    direction: Direction,
    limit: int,
) -> EdgeSet:
    if not _may_have(graph, relation):
        return EdgeSet()
    return graph.edges(ids, relation, direction, limit=limit)
