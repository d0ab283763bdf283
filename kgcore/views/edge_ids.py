"""Names of the lines in a drawing of a knowledge subgraph, and the triples that they show."""

from __future__ import annotations

from collections.abc import Collection

from kgcore.model import Entity, Subgraph, Triple
from kgcore.views.growth import node_id


def edge_id(triple: Triple) -> str:
    """Return the id of the line that shows a triple."""
    end = node_id(triple.object, triple.subject.id, triple.relation.id)
    return "\t".join(("-", triple.subject.id, triple.relation.id, end))


def edges_by_id(subgraph: Subgraph) -> dict[str, Triple]:
    """Return the triples of a subgraph by the id of the line that shows them."""
    return {edge_id(triple): triple for triple in subgraph.triples}


def same_in(subgraph: Subgraph, triples: Collection[Triple]) -> list[Triple]:
    """Return triples with the entities this subgraph knows them by."""
    return [_known_as(subgraph, triple) for triple in triples]


def _known_as(subgraph: Subgraph, triple: Triple) -> Triple:
    def known(value: Entity) -> Entity:
        return subgraph.entity(value.id) if value.id in subgraph else value

    end = triple.object
    return Triple(
        known(triple.subject),
        triple.relation,
        known(end) if isinstance(end, Entity) else end,
        triple.provenance,
    )
