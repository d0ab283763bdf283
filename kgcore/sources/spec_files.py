"""Where sources are kept: one file, `sources.yaml` in the data folder, which a person may write by hand.

    sources:
      - name: films
        kind: table            # table, text, graph or wiki
        where: [films.csv]
        domains: [factual]
        description: Films and who made them

An entry that cannot be read is reported with what is wrong with it, hides no other, and stays in the file.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from kgcore.config import parse_yaml
from kgcore.errors import InputError
from kgcore.kg.local.graph_folder import held
from kgcore.sources.spec import SourceSpec, check

FILE = "sources.yaml"
_LARGEST = 1_000_000  # bytes
_LOCK_SECONDS = 10.0
_LISTS = ("where", "domains")


@dataclass(frozen=True, slots=True)
class BrokenEntry:
    """An entry that cannot be read; the name is the best known."""

    name: str
    problem: str


class SourceFile:
    """The sources of one data folder, as written down."""

    def __init__(self, home: Path) -> None:
        self._home, self.path = home, home / FILE

    def all(self) -> tuple[tuple[SourceSpec, ...], tuple[BrokenEntry, ...]]:
        """Return the sources by name, and the entries that cannot be read."""
        try:
            entries = self._entries()
        except InputError as error:
            return (), (BrokenEntry(FILE, str(error)),)
        specs: dict[str, SourceSpec] = {}
        broken = []
        for number, entry in enumerate(entries, 1):
            try:
                spec = _read(entry)
                if spec.name in specs:
                    raise InputError("another source has the same name")
                specs[spec.name] = spec
            except InputError as error:
                broken.append(BrokenEntry(_name(entry, number), str(error)))
        return tuple(specs[name] for name in sorted(specs)), tuple(broken)

    def add(self, spec: SourceSpec) -> None:
        """Keep a source; InputError when there is one of its name."""
        check(spec)
        entry = {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(spec).items() if v}

        def change(entries: list[Any]) -> list[Any]:
            if any(_name(old, 0) == spec.name for old in entries):
                raise InputError(f"there is a source called {spec.name!r} already")
            return [*entries, entry]

        self._change(change)

    def remove(self, name: str) -> None:
        """Forget a source, readable or not; InputError when there is none of this name."""

        def change(entries: list[Any]) -> list[Any]:
            kept = [e for n, e in enumerate(entries, 1) if _name(e, n) != name]
            if len(kept) == len(entries):
                raise InputError(f"there is no source called {name!r}")
            return kept

        self._change(change)

    def _change(self, change: Callable[[list[Any]], list[Any]]) -> None:
        """Write the file anew, whole or not at all; one program at a time."""
        try:
            with held(self._home / "sources" / ".list.lock", wait_s=_LOCK_SECONDS):
                entries = change(self._entries())
                text = yaml.safe_dump({"sources": entries}, sort_keys=False, allow_unicode=True)
                part = self.path.with_name(f".{FILE}.{uuid.uuid4().hex[:8]}")
                part.write_text(text, "utf-8")
                part.replace(self.path)
        except BlockingIOError as error:
            raise InputError(f"{FILE} is held by another program; try again") from error
        except OSError as error:
            raise InputError(f"{FILE} cannot be written: {error.strerror}") from error

    def _entries(self) -> list[Any]:
        try:
            if self.path.stat().st_size > _LARGEST:
                raise InputError(f"{FILE} is too large")
            data = parse_yaml(self.path.read_bytes(), FILE)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{FILE} cannot be read: {error.strerror}") from error
        if data is None:
            return []
        entries = data.get("sources") if isinstance(data, dict) else None
        if not isinstance(entries, list):
            raise InputError(f"{FILE} must hold a list called sources")
        return entries


def _name(entry: object, number: int) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return str(name) if isinstance(name, str | int) and str(name).strip() else f"entry {number}"


def _read(entry: object) -> SourceSpec:
    known = {field.name for field in fields(SourceSpec)}
    if not isinstance(entry, dict):
        raise InputError("it is no table of names and values")
    for name in entry:
        if name not in known:
            raise InputError(f"{str(name)[:60]!r} is no setting of a source")
    for name in ("name", "kind", "where"):
        if not entry.get(name):
            raise InputError(f"it has no {name}")
    spec = SourceSpec(**{str(name): _value(str(name), value) for name, value in entry.items()})
    check(spec)
    return spec


def _value(name: str, value: object) -> Any:
    if name in _LISTS:
        items = value if isinstance(value, list) else [value]
        if all(isinstance(item, str) for item in items):
            return tuple(items)
    elif name == "rerank":
        if isinstance(value, bool):
            return value
    elif isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise InputError(f"its {name} has an unusable value")
