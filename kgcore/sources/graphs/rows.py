"""Rows of a query as evidence: a sentence with labels, the row as it was found, and the edges behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kgcore.model import Entity, Literal, Triple
from kgcore.model.text import one_line
from kgcore.sources.graphs.asking import Row
from kgcore.sources.graphs.proof import Proof
from kgcore.steps import Evidence

_LONGEST = 600  # characters of a sentence
_MOST_SAID = 6  # edges that a sentence tells one by one
_MOST_TRIPLES = 20  # behind one row
_MOST_BEHIND = 10  # rows of details behind one row


def to_evidence(
    rows: Sequence[Row], details: Sequence[Row], proof: Proof, kg: str, *, is_counted: bool = False
) -> tuple[Evidence, ...]:
    """Return one piece of evidence a row; `details` are the rows of the same pattern with all its variables.

    Of rows that count others only the numbers are told, with what was counted behind them.
    """
    found = []
    for number, row in enumerate(rows, 1):
        behind = [detail for detail in details if _fits(row, detail)][:_MOST_BEHIND]
        triples = _joined([proof.triples(one) for one in (behind or [row])])
        cells = {name: _cell(row, name, proof) for name in row}
        told = () if is_counted else triples[:_MOST_SAID]
        raw = json.dumps({n: _plain(c) for n, c in cells.items()}, ensure_ascii=False)
        found.append(Evidence(_sentence(cells, told), raw, f"{kg}, row {number}", triples=triples))
    return tuple(found)


def of_ask(rows: Sequence[Row], proof: Proof, kg: str) -> Evidence:
    """Return the answer to a yes-or-no question as evidence."""
    raw = json.dumps({"boolean": bool(rows)})
    if not rows:
        return Evidence(f"no: {kg} holds nothing of the kind", raw, kg)
    triples = _joined([proof.triples(row) for row in rows[:_MOST_BEHIND]])
    said = "; ".join(triple.text for triple in triples[:_MOST_SAID])
    return Evidence(
        one_line(f"yes: {said}" if said else "yes", limit=_LONGEST), raw, kg, triples=triples
    )


def _fits(row: Row, detail: Row) -> bool:
    """Whether a row of details is one of those that a row stands for: what both name is the same."""
    return all(detail[name] == term for name, term in row.items() if name in detail)


def _joined(groups: Sequence[tuple[Triple, ...]]) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triple for group in groups for triple in group))[:_MOST_TRIPLES]


def _cell(row: Row, name: str, proof: Proof) -> Entity | Literal:
    end = proof.end(row[name])
    return end if isinstance(end, Literal) else proof.entity(end)


def _sentence(cells: dict[str, Entity | Literal], told: Sequence[Triple]) -> str:
    """Tell the edges, then what of the row is in none of them."""
    ends = {end for triple in told for end in (triple.subject, triple.object)}
    names = {end.name for end in ends}
    rest = [
        f"{name}: {cell.name}"
        for name, cell in cells.items()
        if cell not in ends and cell.name not in names
    ]
    said = [triple.text for triple in told] + ([", ".join(rest)] if rest else [])
    return one_line("; ".join(said) or "a row without values", limit=_LONGEST)


def _plain(cell: Entity | Literal) -> Any:
    if isinstance(cell, Entity):
        return {"id": cell.id, "label": cell.label}
    return cell.name
