"""Whether a correction says something of its graph: what it names is there, and so is the triple it takes away.

A correction that somebody wrote by looking at a graph always does. One that was read from a file, or lay in the queue
while the graph changed, may not.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.corrections.correction import LOCAL, Correction, removed
from kgcore.corrections.proposing import IS_ID
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Entity, EntityId, Literal, Triple

_EDGES = 1_000


def check_fit(correction: Correction, graphs: Sequence[KnowledgeGraph]) -> None:
    """Refuse a correction that fits none of these views of its graph, the graph itself last; InputError says why."""
    problem: InputError | None = None
    for graph in graphs:
        try:
            _check(correction, graph)
            return
        except InputError as error:
            problem = error  # the last view is the graph itself, which tells best
    if problem is not None:
        raise problem


def _check(correction: Correction, graph: KnowledgeGraph) -> None:
    gone = removed(correction)
    if gone is None:
        _check_relation(correction)
        ends: tuple[Entity | Literal | None, ...] = (correction.subject, correction.object)
    else:
        _check_held(gone, graph)
        ends = (correction.new_object,)
    for end in ends:
        if isinstance(end, Entity) and end.kg != LOCAL:
            _check_known(end.id, graph)


def _check_held(triple: Triple, graph: KnowledgeGraph) -> None:
    found = graph.edges((triple.subject.id,), triple.relation.id, "out", limit=_EDGES)
    if found.more or any(_is_same_end(t.object, triple.object) for t in found.triples):
        return
    if triple.subject.kg != LOCAL and not found.triples:
        _check_known(triple.subject.id, graph)
    raise InputError(f"{graph.id} has no triple {triple.text}")


def _is_same_end(one: Entity | Literal, other: Entity | Literal) -> bool:
    """Tell whether two objects are one; the ids of one thing differ where several graphs were asked as one."""
    if isinstance(one, Entity) and isinstance(other, Entity):
        return one.id == other.id or one.name.casefold() == other.name.casefold()
    return one == other


def _check_known(identifier: EntityId, graph: KnowledgeGraph) -> None:
    if not graph.describe((identifier,)).entities:
        raise InputError(f"{graph.id} has no entity {identifier}")


def _check_relation(correction: Correction) -> None:
    """Refuse a relation whose id is none; that a graph has none of its triples yet is no fault."""
    if not IS_ID.fullmatch(correction.relation.id):
        raise InputError(f"{correction.relation.id!r} is no id of a relation")
