"""Where connections to remote graphs are kept: one YAML file a graph.

    <home>/connections/<slug>.yaml           the connection
    <home>/connections/<slug>.health.json    what the last look at it found; may go at any time

A file that cannot be read is reported as damaged, never passed over.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from kgcore.config import parse_yaml
from kgcore.errors import InputError, UnknownGraphError
from kgcore.kg.connections import Connection, Health, check, new_data_version
from kgcore.kg.local.graph_folder import Damaged
from kgcore.kg.local.graph_names import STEM, slug

_LARGEST = 64 * 1024  # bytes of a connection's file


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found, and when (ISO 8601, UTC)."""

    health: Health
    at: str


class Connections:
    """The connections below one data folder."""

    def __init__(self, home: Path) -> None:
        self.root = home / "connections"

    def all(self) -> tuple[Connection, ...]:
        """Return the connections that can be read, by name."""
        found = [self._read(path) for path in self._files()]
        return tuple(sorted((c for c in found if isinstance(c, Connection)), key=lambda c: c.name))

    def damaged(self) -> tuple[Damaged, ...]:
        """Return the files that cannot be read, and why."""
        found = [self._read(path) for path in self._files()]
        return tuple(d for d in found if isinstance(d, Damaged))

    def get(self, name: str) -> Connection:
        """Return a connection; UnknownGraphError when there is none of this name."""
        path = self._path(name)
        if not path.is_file():
            raise UnknownGraphError(f"there is no graph called {name!r}")
        found = self._read(path)
        if isinstance(found, Damaged):
            raise InputError(f"the graph {name!r} cannot be opened: {found.problem}")
        if found.name != name:
            raise UnknownGraphError(f"there is no graph called {name!r}")
        return found

    def has(self, name: str) -> bool:
        """Whether a connection of this name is kept, readable or not."""
        return self._path(name).is_file()

    def save(self, connection: Connection) -> None:
        """Keep a connection; an earlier one of its name is replaced whole or not at all."""
        check(connection)
        text = yaml.safe_dump(asdict(connection), sort_keys=False, allow_unicode=True)
        self._write(self._path(connection.name), text)

    def remove(self, name: str) -> None:
        """Forget a connection and what was found of it."""
        if not self.has(name):
            raise UnknownGraphError(f"there is no graph called {name!r}")
        self._path(name).unlink(missing_ok=True)
        self._path(name, "health.json").unlink(missing_ok=True)

    def refresh(self, name: str) -> Connection:
        """Give a connection a new data version: all that was kept of its data is stale."""
        fresh = replace(self.get(name), data_version=new_data_version())
        self.save(fresh)
        return fresh

    def keep_health(self, name: str, health: Health) -> Checked:
        """Keep what a look at a connection found."""
        checked = Checked(health, _now())
        data = {"at": checked.at, **asdict(health)}
        self._write(self._path(name, "health.json"), json.dumps(data, ensure_ascii=False))
        return checked

    def last_health(self, name: str) -> Checked | None:
        """Return what the last look found; None where nobody looked yet."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            data: dict[str, Any] = json.loads(self._path(name, "health.json").read_text("utf-8"))
            at = str(data.pop("at"))
            values: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
            }
            return Checked(Health(**values), at)
        return None

    def _files(self) -> list[Path]:
        return sorted(p for p in self.root.glob("*.yaml") if not p.name.startswith("."))

    def _path(self, name: str, ending: str = "yaml") -> Path:
        """Return a file of a connection, named by the connection's name or, where that is lost, by the file's."""
        is_stem = STEM.fullmatch(name) and (self.root / f"{name}.yaml").is_file()
        return self.root / f"{name if is_stem else slug(name)}.{ending}"

    def _read(self, path: Path) -> Connection | Damaged:
        try:
            connection = parse(_bytes(path), path.name)
        except InputError as error:
            return Damaged(path.stem, str(error))
        if slug(connection.name) != path.stem:
            return Damaged(path.stem, f"{path.name} holds a graph of another name")
        return connection

    def _write(self, path: Path, text: str) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
            part.write_text(text, "utf-8")
            part.replace(path)
        except OSError as error:
            raise InputError(f"{path.name} cannot be written: {error.strerror}") from error


def parse(data: bytes, name: str = "the file") -> Connection:
    """Read what a connection's file holds; InputError when it is none."""
    said = parse_yaml(data, name)
    known = {field.name for field in fields(Connection)}
    if not isinstance(said, dict) or not {"name", "kind", "address"} <= set(said) <= known:
        raise InputError("its file does not describe a graph")
    values: dict[str, Any] = {name: _word(value) for name, value in said.items()}
    connection = Connection(**values)
    check(connection)
    return connection


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError("its file is too large")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"its file cannot be read: {error.strerror}") from error


def _word(value: object) -> str:
    if isinstance(value, bool | list | dict | set | tuple) or value is None:
        raise InputError("its file does not describe a graph")
    return str(value)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
