"""`kg`: search, look around in, and remove graphs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from kgcore.bootstrap import build
from kgcore.cli.output import plain, show, table, triple_text
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Direction, EntityId, RelationId, Triple
from kgcore.steps import RelationOption
from kgcore.views.report import triple_dict


def remove(arguments: Namespace) -> int:
    """Remove a graph."""
    build().remove_graph(arguments.name)
    show(arguments, {"removed": arguments.name}, [f"{plain(arguments.name)} was removed"])
    return 0


def search(arguments: Namespace) -> int:
    """Find entities by their names, best first."""
    graph = build().corrected(arguments.kgs)
    found = graph.link(arguments.text, limit=arguments.limit).items
    data = [
        {
            "id": c.entity.id,
            "label": c.entity.label,
            "description": c.entity.description,
            "types": list(c.entity.types),
            "kg": c.entity.kg,
            "score": c.score,
        }
        for c in found
    ]
    rows = [[f"{c.score:.2f}", c.entity.id, c.entity.name, c.entity.description] for c in found]
    show(arguments, data, table(rows, (4, 50, 50, 100)) or ["Nothing was found."])
    return 0


def relations(arguments: Namespace) -> int:
    """List the relations of an entity, in both directions."""
    graph = build().corrected(arguments.kgs)
    options = _relations(graph, arguments.id)
    data = [
        {
            "id": o.relation.id,
            "label": o.relation.label,
            "direction": o.direction,
            "phrase": o.phrase,
            "count": o.count,
            "is_at_least": o.is_at_least,
            "examples": list(o.targets),
        }
        for o in options
    ]
    rows = [
        [o.direction, o.relation.id, o.phrase, f"{o.count:,}{'+' if o.is_at_least else ''}"]
        for o in options
    ]
    show(arguments, data, table(rows, (3, 50, 60, 12)))
    return 0


def edges(arguments: Namespace) -> int:
    """List the edges of an entity along one relation, or along all."""
    graph = build().corrected(arguments.kgs)
    options = _relations(graph, arguments.id)
    wanted = [
        (o.relation.id, o.direction)
        for o in options
        if arguments.relation in ("", o.relation.id) and arguments.direction in (None, o.direction)
    ]
    if arguments.relation and not wanted:
        raise InputError(f"{arguments.id} has no such edges: {arguments.relation}")
    triples, more = _fetch(graph, arguments, wanted)
    lines = [triple_text(triple) for triple in triples]
    if more:
        lines.append(f"+ {more:,} more")
    show(arguments, {"edges": triples, "more": more}, lines)
    return 0


def _fetch(
    graph: KnowledgeGraph, arguments: Namespace, wanted: Sequence[tuple[RelationId, Direction]]
) -> tuple[list[dict[str, Any]], int]:
    """Return the edges along these relations, each once, and how many there are beyond."""
    triples: dict[Triple, None] = {}
    more = 0
    for relation, direction in wanted:
        found = graph.edges((EntityId(arguments.id),), relation, direction, limit=arguments.limit)
        more += sum(n for _, n in found.more)
        triples.update(dict.fromkeys(found.triples))
    return [triple_dict(triple) for triple in triples], more


def _relations(graph: KnowledgeGraph, identifier: str) -> Sequence[RelationOption]:
    """Return the relations of an entity; InputError when the graph does not know it."""
    ids = (EntityId(identifier),)
    try:
        options = graph.relations(ids).items
    except InputError as error:
        raise InputError(f"{error}; `kg search` finds ids by name") from error
    if not options and not graph.describe(ids).entities:
        raise InputError(f"{graph.id} has no entity {identifier}")
    return options
