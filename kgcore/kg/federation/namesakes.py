"""Relations that imports of several graphs made of the same name: "date of birth" of two tables is one relation.

A name in a table belongs to its graph, so each graph has an id of its own for it. Only such names are compared, to
the letter; labels of relations that have ids of their own say too little (many relations are called "type").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from kgcore.kg.base import KnowledgeGraph
from kgcore.kg.federation.equivalents import Equivalence
from kgcore.model import RelationId


@runtime_checkable
class NamesRelations(Protocol):
    """A graph that knows which of its relations were made of names."""

    def relation_name(self, relation: RelationId) -> str:
        """Return the name a relation was made of; empty for any other relation."""
        ...

    def relation_named(self, name: str) -> RelationId | None:
        """Return the relation that was made of a name, if there is one."""
        ...


def namesakes(graphs: Iterable[KnowledgeGraph], relation: RelationId) -> tuple[RelationId, ...]:
    """Return the relations of this one's name, itself among them, in the order of the graphs."""
    naming = [graph for graph in graphs if isinstance(graph, NamesRelations)]
    names = [name for graph in naming if (name := graph.relation_name(relation))]
    named = [graph.relation_named(name) for name in names for graph in naming]
    return tuple(dict.fromkeys(found for found in named if found is not None))


def namesakes_among(
    graphs: Iterable[KnowledgeGraph], relations: Iterable[RelationId]
) -> list[Equivalence]:
    """Return which of these relations have namesakes, as relations that mean the same."""
    members = tuple(graphs)
    groups = {namesakes(members, relation) for relation in relations}
    return [Equivalence(group) for group in sorted(groups) if len(group) > 1]
