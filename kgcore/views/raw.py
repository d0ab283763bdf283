"""What a graph, a source or a ranker gave back, as a table: every value as it came, before anything was made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgcore.i18n import mark
from kgcore.model import Entity
from kgcore.steps import (
    BadQuery,
    Candidates,
    Descriptions,
    EdgeSet,
    Passages,
    Ranking,
    RelationOptions,
)

Row = tuple[str, ...]
HEADS = {
    Candidates: (mark("name"), mark("id"), mark("score"), mark("description")),
    RelationOptions: (
        mark("relation"),
        mark("id"),
        mark("direction"),
        mark("edges"),
        mark("leads to"),
    ),
    EdgeSet: (mark("subject"), mark("relation"), mark("object"), mark("graph")),
    Descriptions: (mark("name"), mark("id"), mark("description"), mark("kinds")),
    Ranking: (mark("option"), mark("score")),
    Passages: (mark("found"), mark("from")),
}


@dataclass(frozen=True, slots=True)
class RawTable:
    """A response: the heads of its columns, its rows, and what went wrong on the way. `n_more` were not given."""

    heads: Row
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    n_more: int = 0
    query: str = ""


def raw_table(result: Any, options: Sequence[str] = ()) -> RawTable | None:
    """Return a response as a table; None for a model's replies and for what is no response.

    `options` are the texts that were ranked.
    """
    if isinstance(result, BadQuery):
        return RawTable((), (), (result.message,))
    heads = HEADS.get(type(result))
    if heads is None:
        return None
    n_more = sum(n for _, n in result.more) if isinstance(result, EdgeSet) else 0
    return RawTable(
        heads,
        tuple(_rows(result, options)),
        tuple(getattr(result, "notes", ())),
        getattr(result, "n_more", n_more),
        _query(result),
    )


def _rows(result: Any, options: Sequence[str]) -> list[Row]:
    if isinstance(result, Candidates):
        return [
            (c.entity.name, c.entity.id, f"{c.score:.2f}", c.entity.description)
            for c in result.items
        ]
    if isinstance(result, RelationOptions):
        return [
            (
                o.relation.name,
                o.relation.id,
                o.direction,
                f"{'≥ ' if o.is_at_least else ''}{o.count:,}",
                ", ".join(o.targets),
            )
            for o in result.items
        ]
    if isinstance(result, EdgeSet):
        return [(t.subject.name, t.relation.name, t.object.name, t.kg) for t in result.triples]
    if isinstance(result, Descriptions):
        return [_described(e) for e in result.entities]
    if isinstance(result, Ranking):
        return _ranked(result, options)
    return [(one.text, one.origin) for one in result.items]


def _described(entity: Entity) -> Row:
    return entity.name, entity.id, entity.description, ", ".join(entity.types)


def _ranked(ranking: Ranking, options: Sequence[str]) -> list[Row]:
    pairs = zip(ranking.order, ranking.scores, strict=False)
    return [
        (options[i] if 0 <= i < len(options) else f"{i + 1}", f"{score:.2f}") for i, score in pairs
    ]


def _query(result: Any) -> str:
    """Return the query that brought a response, where the graph told it."""
    if isinstance(result, Passages):
        return result.query
    if not isinstance(result, EdgeSet):
        return ""
    found = (t.provenance.query for t in result.triples if t.provenance is not None)
    return next((query for query in found if query), "")
