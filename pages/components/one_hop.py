"""One hop round an entity, read from the graphs with their corrections; no model is asked, no run is touched."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.model import EntityId, Triple
from kgcore.steps import RelationOption
from kgcore.transport import Allowance, spending
from pages.components.language import current
from pages.components.studio import studio

__all__ = ["Hop", "fetch"]

RELATIONS, EDGES, MOST = 14, 8, 60  # relations followed, edges of each, edges in all
SECONDS = 12.0
# Kinds of literals, where a graph tells them of a relation's ends.
VALUES = frozenset({"date", "time", "number", "text", "yes or no", "address", "place on a map"})


@dataclass(frozen=True, slots=True)
class Hop:
    """What was found, how many edges more there are at least, and what the graphs had to say."""

    triples: tuple[Triple, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()


def fetch(graphs: Sequence[str], entity: Sequence[EntityId]) -> Hop:
    """Read what is around an entity, given by all its ids; ServiceError where the graphs cannot answer."""
    graph = studio().corrected(tuple(graphs), language=current())
    found: dict[Triple, None] = {}
    with spending(Allowance(deadline=time.monotonic() + SECONDS)):
        options = graph.relations(entity)
        notes = dict.fromkeys(options.notes)
        more = sum(option.count for option in options.items)
        for option in sorted(options.items, key=_leads_to_values)[:RELATIONS]:
            if len(found) >= MOST:
                break
            asked = option.touches or tuple(entity)
            edges = graph.edges(asked, option.relation.id, option.direction, limit=EDGES)
            notes |= dict.fromkeys(edges.notes)
            found |= dict.fromkeys(edges.triples)
    kept = tuple(found)[:MOST]
    return Hop(kept, max(0, more - len(kept)), tuple(notes)[:3])


def _leads_to_values(option: RelationOption) -> bool:
    return bool(option.target_types) and VALUES.issuperset(option.target_types)
