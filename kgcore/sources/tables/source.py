"""A source of tables: asked in SQL, answered by DuckDB in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kgcore.errors import InputError, ServiceError
from kgcore.model.text import cut, one_line
from kgcore.sources.index_folder import IndexFolder, version_of
from kgcore.sources.spec import SourceHealth, SourceSpec
from kgcore.sources.spec_source import SpecSource
from kgcore.sources.tables.rows import to_evidence
from kgcore.sources.worker.pool import EngineSpec, Workers
from kgcore.steps import BadQuery, Passages

SUFFIXES = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson", ".sqlite", ".sqlite3", ".db")
_FORMAT = "tables 1"
_DATABASE, _ABOUT = "tables.duckdb", "tables.json"
_MOST_BYTES = 4_000_000_000
_LOADING_S, _LOADING_MB = 900.0, 2_000
_SCHEMA_LENGTH = 6_000  # characters
_SAMPLE_LENGTH = 60  # characters of a cell in the schema


def open_tables(
    spec: SourceSpec,
    home: Path,
    *,
    most: int = 50,
    time_limit_s: float = 10.0,
    memory_mb: int = 512,
) -> TableSource:
    """Open a source of tables; files that are new or have changed are read first."""
    folder = IndexFolder(home, spec.name)
    files = table_files(spec.where)
    states = folder.states(files)
    found = version_of(states, f"{_FORMAT}, DuckDB {_duckdb_version()}")
    place = folder.folder(found, lambda new, _newest: _fill(new, files))
    try:
        about = json.loads((place / _ABOUT).read_text("utf-8"))["tables"]
    except (OSError, ValueError, KeyError) as error:
        raise ServiceError(f"what was read of {spec.name} cannot be opened") from error
    names = [table["name"] for table in about]
    options = {"file": str(place / _DATABASE), "tables": names, "memory_mb": memory_mb // 2}
    engine = EngineSpec("kgcore.sources.tables.engine", "QueryEngine", options)
    workers = Workers(engine, time_limit_s=time_limit_s, memory_mb=memory_mb * 2)
    return TableSource(spec, found, about, workers, most=most)


class TableSource(SpecSource):
    """Tables of one database; open one with `open_tables`. Safe to share between threads."""

    def __init__(
        self,
        spec: SourceSpec,
        data_version: str,
        tables: Sequence[Mapping[str, Any]],
        workers: Workers,
        *,
        most: int,
    ) -> None:
        super().__init__(
            spec, data_version, description=_description(tables), schema=schema_text(tables)
        )
        self._workers, self._tables, self._most = workers, tables, most

    @property
    def tables(self) -> Sequence[Mapping[str, Any]]:
        """Each table with its name, file, number of rows, columns and first rows."""
        return self._tables

    def run(self, query: str) -> Passages | BadQuery:
        """Run one SELECT; what is not run is a BadQuery with the reason."""
        query = query.strip().rstrip(";").strip()
        try:
            reply = self._workers.ask({"query": query, "most": self._most})
        except InputError as error:
            return BadQuery(str(error))
        rows = reply["rows"]
        items = to_evidence(reply["columns"], rows, reply["tables"])
        if not reply["has_more"]:
            return Passages(items, query)
        note = f"{self.id} shows the first {len(rows):,} rows; there are more"
        return Passages(items, query, n_more=1, notes=(note,))

    def health(self) -> SourceHealth:
        """Look whether a query runs."""
        found = self.run(f'SELECT count(*) FROM "{self._tables[0]["name"]}"')
        if isinstance(found, BadQuery):
            return SourceHealth(False, problem=found.message)
        return SourceHealth(True, n_items=sum(t["n_rows"] for t in self._tables), unit="rows")

    def close(self) -> None:
        """End the processes that wait for queries."""
        self._workers.close()


def table_files(places: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of a source; InputError for one that is not there or no table."""
    files = tuple(dict.fromkeys(Path(place).expanduser() for place in places))
    size = 0
    for file in files:
        if file.suffix.lower() not in SUFFIXES:
            raise InputError(f"{file.name} is no table: {', '.join(SUFFIXES)}")
        if not file.is_file():
            raise InputError(f"there is no file {file}")
        size += file.stat().st_size
    if size > _MOST_BYTES:
        raise InputError(f"the files hold more than {_MOST_BYTES:,} bytes; take a part of them")
    return files


def schema_text(tables: Sequence[Mapping[str, Any]]) -> str:
    """Write tables for a prompt: names and types of columns, the number of rows, and the first rows."""
    parts: list[str] = []
    for number, table in enumerate(tables):
        columns = ", ".join(f"{_quoted(name)} {kind}" for name, kind in table["columns"])
        lines = [f"{_quoted(table['name'])}({columns})  -- {table['n_rows']:,} rows"]
        lines += [f"  {_row(sample)}" for sample in table["samples"]]
        parts.append("\n".join(map(one_line, lines)))
        if sum(map(len, parts)) > _SCHEMA_LENGTH and number + 1 < len(tables):
            kept = parts[:-1] or [parts[0][:_SCHEMA_LENGTH] + "…"]
            return "\n".join([*kept, f"+ {len(tables) - len(kept)} more tables"])
    return "\n".join(parts)


def _fill(new: Path, files: Sequence[Path]) -> None:
    engine = EngineSpec("kgcore.sources.tables.loading", "Loader", {"memory_mb": _LOADING_MB // 2})
    loading = Workers(engine, time_limit_s=_LOADING_S, memory_mb=_LOADING_MB)
    try:
        request = {"files": [str(f) for f in files], "target": str(new / _DATABASE)}
        reply = loading.ask(request)
    finally:
        loading.close()
    (new / _ABOUT).write_text(json.dumps(reply, ensure_ascii=False), "utf-8")


def _description(tables: Sequence[Mapping[str, Any]]) -> str:
    return "tables: " + ", ".join(str(table["name"]) for table in tables[:10])


def _quoted(name: str) -> str:
    return name if name.isidentifier() and name.islower() else '"' + name.replace('"', '""') + '"'


def _row(sample: Sequence[str | None]) -> str:
    cells = ["" if cell is None else " ".join(cell.split()) for cell in sample]
    return " | ".join(cut(cell, _SAMPLE_LENGTH) for cell in cells)


def _duckdb_version() -> str:
    try:
        return version("duckdb")
    except PackageNotFoundError as error:
        raise InputError("sources of tables need the package duckdb") from error
