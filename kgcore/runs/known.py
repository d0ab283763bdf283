"""The names a run has met: which labels and which graph belong to an id.

Steps carry ids only, people speak in labels: a breakpoint on "Christopher Nolan" is met by a step that asks for the
edges of its id, once a result has said how the id is called.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kgcore.model import Entity
from kgcore.steps import (
    AnswerProposed,
    Describe,
    Edges,
    Lookup,
    NodeAdded,
    QuestionLinked,
    Relations,
    named_in,
)


class Known:
    """Labels and graphs by id, learned from results and facts in order of arrival."""

    def __init__(self) -> None:
        self._labels: dict[str, set[str]] = {}
        self._graphs: dict[str, str] = {}

    def learn(self, item: Any) -> None:
        """Learn from a step's result or from a fact."""
        for thing in named_in(item):
            if thing.label:
                label = " ".join(thing.label.split()).casefold()
                self._labels.setdefault(thing.id, set()).add(label)
            if thing.kg:
                self._graphs.setdefault(thing.id, thing.kg)

    def is_any_called(self, identifiers: Iterable[str], name: str) -> bool:
        """Whether one of these has this id or label; case does not count in a label."""
        wanted = " ".join(name.split())
        folded = wanted.casefold()
        return any(i == wanted or folded in self._labels.get(i, ()) for i in identifiers)

    def entities_of(self, item: Any) -> set[str]:
        """Return the ids of the entities that a step or fact touches."""
        if isinstance(item, Edges | Relations | Describe):
            return set(item.entities)
        if isinstance(item, QuestionLinked):
            return {thing.id for thing in named_in(item)}
        if isinstance(item, AnswerProposed):
            return {p.value.id for p in item.answer.parts if isinstance(p.value, Entity)}
        if isinstance(item, NodeAdded):
            found = {thing.id for thing in named_in(item) if isinstance(thing, Entity)}
            return found | set(item.selected)
        return set()

    def relations_of(self, item: Any) -> set[str]:
        """Return the ids of the relations that a step or fact touches."""
        if isinstance(item, Edges):
            return {item.relation}
        if isinstance(item, NodeAdded):
            return {triple.relation.id for triple in item.triples}
        return set()

    def graphs_of(self, item: Any) -> set[str]:
        """Return the names of the graphs that a step asks or a fact rests on, in lower case.

        Looking for names asks every graph there is and so tells nothing.
        """
        names = {self._graphs.get(i, "") for i in self.entities_of(item)}
        if isinstance(item, NodeAdded):
            names |= {t.provenance.kg for t in item.triples if t.provenance is not None}
        if isinstance(item, Lookup):
            names.add(item.source)
        return {name.casefold() for name in names if name}
