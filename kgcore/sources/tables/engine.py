"""Runs checked queries on a database of tables; lives in a process of its own (see `worker`)."""

from __future__ import annotations

import datetime
import decimal
import json
import math
from collections.abc import Sequence
from typing import Any

import duckdb

from kgcore.errors import InputError, ServiceError
from kgcore.model.text import cut
from kgcore.sources.tables.guard import check_tree

_LONGEST_CELL = 2_000  # characters
_LONGEST_QUERY = 20_000
_LOCKED = {
    "enable_external_access": False,
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "temp_directory": "",
    "lock_configuration": True,
    "threads": 1,
}


class QueryEngine:
    """Answers {"query", "most"} with columns, rows, and whether there are more."""

    def __init__(self, file: str, tables: Sequence[str], memory_mb: int) -> None:
        settings: dict[str, Any] = {**_LOCKED, "memory_limit": f"{memory_mb}MB"}
        self._tables = tuple(tables)
        try:
            self._db = duckdb.connect(file, read_only=True, config=settings)
        except duckdb.Error as error:
            raise ServiceError(
                f"the database of the tables cannot be opened: {said(error)}"
            ) from error

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one SELECT; InputError for a query that is not run or that the engine does not take."""
        query, most = str(request["query"]), int(request["most"])
        try:
            read = self._check(query)
            found = self._db.execute(query)
            columns = [str(column[0]) for column in found.description or ()]
            rows = found.fetchmany(most + 1)
        except duckdb.OutOfMemoryException as error:
            raise InputError("the query needs too much memory; ask for less") from error
        except duckdb.Error as error:
            raise InputError(said(error)) from error
        cells = [[_cell(value) for value in row] for row in rows[:most]]
        return {"columns": columns, "rows": cells, "has_more": len(rows) > most, "tables": read}

    def _check(self, query: str) -> list[str]:
        """Return the tables a query reads; InputError for one that is not run."""
        if len(query) > _LONGEST_QUERY:
            raise InputError("the query is too long")
        statements = duckdb.extract_statements(query)
        if len(statements) != 1:
            raise InputError("write one SELECT; several statements, or none, are not run")
        if statements[0].type != duckdb.StatementType.SELECT:
            kind = statements[0].type.name.replace("_", " ")
            raise InputError(f"only SELECT is run here, not {kind}")
        found = self._db.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchone()
        tree = json.loads(found[0]) if found else {"error": True}
        if tree.get("error"):
            raise InputError(str(tree.get("error_message") or "only SELECT is run here"))
        return check_tree(tree, self._tables)


def said(error: Exception) -> str:
    """What DuckDB says, on one line; its hints at other names are kept, pictures and settings are not."""
    lines = [line.strip() for line in str(error).splitlines()]
    wanted = [line for line in lines if line and not line.startswith(("LINE ", "^"))]
    text = " ".join(wanted).partition(" Possible fixes:")[0].partition(" file = ")[0]
    head, colon, rest = text.partition(": ")
    return (rest if colon and head.endswith("Error") else text)[:400]


def _cell(value: object) -> Any:
    """Return a value as JSON has it."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes):
        return value[: _LONGEST_CELL // 2].hex()
    if isinstance(value, list | tuple):
        return [_cell(item) for item in value[:100]]
    if isinstance(value, dict):
        return {str(key): _cell(item) for key, item in list(value.items())[:100]}
    return cut(str(value), _LONGEST_CELL)
