"""One hop round an entity, read from the graphs with their corrections; no model is asked, no run is touched."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.model import EntityId, Triple
from kgcore.steps import RelationOption
from kgcore.transport import Allowance, spending
from pages.components.language import current, tn
from pages.components.studio import studio

__all__ = ["Hop", "fetch", "told"]

RELATIONS, EDGES, MOST = 14, 8, 60  # relations followed, edges of each, edges in all, at first
MORE = 4  # so many times that where a person asks for more, and again each time
SECONDS = 12.0
# Kinds of literals, where a graph tells them of a relation's ends.
VALUES = frozenset({"date", "time", "number", "text", "yes or no", "address", "place on a map"})


@dataclass(frozen=True, slots=True)
class Hop:
    """What was found, how many edges more there are at least, and what the graphs had to say.

    An edge from the entity to itself is one, though it leads both out and in.
    """

    triples: tuple[Triple, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()


def fetch(graphs: Sequence[str], entity: Sequence[EntityId], *, times: int = 1) -> Hop:
    """Read what is around an entity, given by all its ids, up to so many times what is read at first.

    ServiceError where the graphs cannot answer.
    """
    graph = studio().corrected(tuple(graphs), language=current())
    found: dict[Triple, None] = {}
    more = 0
    with spending(Allowance(deadline=time.monotonic() + SECONDS)):
        options = graph.relations(entity)
        notes = dict.fromkeys(options.notes)
        for n, option in enumerate(sorted(options.items, key=_leads_to_values)):
            if n >= RELATIONS * times or len(found) >= MOST * times:
                more += option.count
                continue
            asked = option.touches or tuple(entity)
            limit = EDGES * times
            edges = graph.edges(asked, option.relation.id, option.direction, limit=limit)
            notes |= dict.fromkeys(edges.notes)
            found |= dict.fromkeys(edges.triples)
            more += sum(left for _, left in edges.more)
    kept = tuple(found)[: MOST * times]
    return Hop(kept, more + len(found) - len(kept), tuple(notes)[:3])


def told(hop: Hop) -> str:
    """Return a sentence on what was not fetched; an empty text where nothing is left."""
    n = hop.more
    return tn("{n} more edge was not fetched.", "{n} more edges were not fetched.", n) if n else ""


def _leads_to_values(option: RelationOption) -> bool:
    return bool(option.target_types) and VALUES.issuperset(option.target_types)
