"""Rows of a query as evidence: a short sentence, the row as it was found, and where it stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kgcore.model.text import one_line
from kgcore.steps import Evidence

_LONGEST = 600  # characters of a sentence


def to_evidence(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], tables: Sequence[str]
) -> tuple[Evidence, ...]:
    """Return one piece of evidence a row; its origin names the tables and the row of the result."""
    names = _distinct(columns)
    where = ", ".join(tables)
    found = []
    for number, row in enumerate(rows, 1):
        cells = dict(zip(names, row, strict=True))
        raw = json.dumps(cells, ensure_ascii=False)
        found.append(Evidence(sentence(cells), raw, f"{where}, row {number}".lstrip(", ")))
    return tuple(found)


def sentence(cells: dict[str, Any]) -> str:
    """Write a row as "title: Inception, year: 2010"; empty cells are left out."""
    said = [f"{name}: {_text(value)}" for name, value in cells.items() if value is not None]
    return one_line(", ".join(said) or "all cells are empty", limit=_LONGEST)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return json.dumps(value, ensure_ascii=False)


def _distinct(columns: Sequence[str]) -> list[str]:
    """Number columns of one name, as in `name, name 2`."""
    seen: dict[str, int] = {}
    names = []
    for column in columns:
        column = "count" if column == "count_star()" else column
        seen[column] = seen.get(column, 0) + 1
        names.append(column if seen[column] == 1 else f"{column} {seen[column]}")
    return names
