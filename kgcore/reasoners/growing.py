"""A subgraph grows by the edges that were fetched along a relation."""

from __future__ import annotations

from kgcore.model import Subgraph
from kgcore.model.subgraph import Group
from kgcore.steps import EdgeSet, RelationOption


def grow(subgraph: Subgraph, option: RelationOption, result: object) -> Subgraph:
    """Return the subgraph with the edges that were fetched; the same one where nothing is new."""
    if not isinstance(result, EdgeSet):
        return subgraph
    grown = subgraph.add(result.triples, same_as=result.same_as)
    more: dict[Group, int] = {}
    for entity, n in result.more:
        group = (grown.canonical(entity), option.relation.id, option.direction)
        more[group] = more.get(group, 0) + n
    return grown.add(more=more) if grown is not subgraph and more else grown
