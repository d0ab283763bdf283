"""Reads files of tables into one DuckDB database; lives in a process of its own (see `worker`)."""

from __future__ import annotations

import codecs
import csv
import re
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb

from kgcore.errors import InputError
from kgcore.sources.tables.engine import QueryEngine, said

_READERS = {".parquet": "read_parquet", ".csv": "read_csv", ".tsv": "read_csv"}
_SQLITE = (".sqlite", ".sqlite3", ".db")
_PIECE = 1_000_000  # bytes read at once
_N_SAMPLES = 3


class Loader:
    """Answers {"files", "target"} with what each table holds."""

    def __init__(self, memory_mb: int) -> None:
        self._memory_mb = memory_mb

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Fill a new database; InputError names the file that cannot be read, and why."""
        target = Path(request["target"])
        settings: dict[str, Any] = {
            "memory_limit": f"{self._memory_mb}MB",
            "threads": 1,
            "autoinstall_known_extensions": False,
            "temp_directory": str(target.with_suffix(".tmp")),
        }
        named: dict[str, str] = {}  # the file of each table
        with closing(duckdb.connect(str(target), config=settings)) as db:
            for file in map(Path, request["files"]):
                try:
                    for table in _load(db, file, tuple(named)):
                        named[table] = file.name
                except duckdb.Error as error:
                    raise InputError(f"{file.name}: {said(error)}") from error
                except sqlite3.Error as error:
                    raise InputError(
                        f"{file.name} cannot be read as a SQLite database: {error}"
                    ) from error
                except OSError as error:
                    raise InputError(f"{file.name} cannot be read: {error.strerror}") from error
            if not named:
                raise InputError("the files hold no table")
            described = [_describe(db, table, file) for table, file in named.items()]
        QueryEngine(str(target), tuple(named), self._memory_mb)  # it can be opened as it will be
        return {"tables": described}


def _load(db: duckdb.DuckDBPyConnection, file: Path, taken: tuple[str, ...]) -> Iterator[str]:
    """Load one file; yield the names of its tables."""
    suffix = file.suffix.lower()
    if suffix in _SQLITE:
        yield from _load_sqlite(db, file, taken)
        return
    table = _table_name(file.stem, taken)
    options = ""
    if suffix != ".parquet":
        _check_text(file)
    if suffix in (".csv", ".tsv"):
        options = (
            ", sample_size = -1, null_padding = true, parallel = false, max_line_size = 4000000"
        )
    reader = _READERS.get(suffix, "read_json")
    db.execute(f"CREATE TABLE {_name(table)} AS SELECT * FROM {reader}({_text(file)}{options})")
    yield table


def _check_text(file: Path) -> None:
    """Refuse a file that is empty or not UTF-8, with the line where that shows."""
    decoder, line, is_empty = codecs.getincrementaldecoder("utf-8")(), 1, True
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            is_empty = is_empty and not piece.strip()
            try:
                decoder.decode(piece)
            except UnicodeDecodeError as error:
                line += piece[: error.start].count(b"\n")
                raise InputError(
                    f"{file.name}, line {line}: it is not UTF-8; save the file as UTF-8"
                ) from error
            line += piece.count(b"\n")
    if is_empty:
        raise InputError(f"{file.name} is empty")


def _load_sqlite(
    db: duckdb.DuckDBPyConnection, file: Path, taken: tuple[str, ...]
) -> Iterator[str]:
    """Copy the tables of a SQLite file, by way of the standard library: nothing is changed in the file."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
        found = source.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        ).fetchall()
        for (name,) in found:
            table = _table_name(name, taken)
            taken = (*taken, table)
            _copy(db, source, name, table)
            yield table


def _copy(db: duckdb.DuckDBPyConnection, source: sqlite3.Connection, name: str, table: str) -> None:
    """Copy one table through a CSV file, which is how DuckDB takes many rows quickly."""
    rows = source.execute(f"SELECT * FROM {_name(name)}")
    columns = [str(column[0]) for column in rows.description]
    kinds = [_kind(source, name, column) for column in columns]
    place = db.execute("SELECT current_setting('temp_directory')").fetchone()
    assert place is not None
    part = Path(f"{place[0]}-{uuid.uuid4().hex}.csv")
    nothing = uuid.uuid4().hex  # a text nobody wrote
    try:
        with part.open("w", encoding="utf-8", errors="replace", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            for row in rows:
                writer.writerow([nothing if cell is None else _plain(cell) for cell in row])
        types = ", ".join(f"{_text(c)}: {_text(k)}" for c, k in zip(columns, kinds, strict=True))
        db.execute(
            f"CREATE TABLE {_name(table)} AS SELECT * FROM read_csv({_text(part)}, header = true, "
            f"delim = ',', quote = '\"', escape = '\"', nullstr = '{nothing}', columns = {{{types}}})"
        )
    finally:
        part.unlink(missing_ok=True)


def _kind(source: sqlite3.Connection, table: str, column: str) -> str:
    """Return the DuckDB type that all values of a SQLite column have; SQLite itself does not say."""
    query = f"SELECT DISTINCT typeof({_name(column)}) FROM {_name(table)}"
    kinds = {kind for (kind,) in source.execute(query)} - {"null"}
    if kinds == {"integer"}:
        return "BIGINT"
    return "DOUBLE" if kinds and kinds <= {"integer", "real"} else "VARCHAR"


def _plain(cell: object) -> object:
    return cell.hex() if isinstance(cell, bytes) else cell


def _describe(db: duckdb.DuckDBPyConnection, table: str, file: str) -> dict[str, Any]:
    rows = db.execute(f"SELECT * FROM {_name(table)} LIMIT {_N_SAMPLES}")
    columns = [(str(column[0]), str(column[1])) for column in rows.description or ()]
    samples = [[None if cell is None else str(cell) for cell in row] for row in rows.fetchall()]
    counted = db.execute(f"SELECT count(*) FROM {_name(table)}").fetchone()
    n_rows = counted[0] if counted else 0
    return {
        "name": table, "file": file, "n_rows": n_rows, "columns": columns, "samples": samples,
    }  # fmt: skip


def _table_name(text: str, taken: tuple[str, ...]) -> str:
    """Make a name that needs no quotes, different from those taken."""
    plain = re.sub(r"\W+", "_", text).strip("_").lower()[:60] or "data"
    plain = f"t_{plain}" if plain[0].isdigit() else plain
    number, name = 1, plain
    while name in taken:
        number += 1
        name = f"{plain}_{number}"
    return name


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"
