"""The knowledge sources of a data folder by name: those a person added, and the demo's."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgcore.bootstrap.graphs import Graphs
from kgcore.errors import InputError, KGCoreError
from kgcore.sources import KnowledgeSource
from kgcore.sources.domains import Domain, domains
from kgcore.sources.index_folder import IndexFolder
from kgcore.sources.spec import SourceHealth, SourceSpec, check
from kgcore.sources.spec_files import SourceFile

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known of a source without opening it; `problem` says why it cannot be used.

    `kind` is table, text, graph or wiki, and empty for an entry of sources.yaml that cannot be read.
    """

    name: str
    kind: str = ""
    language: str = ""
    where: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    description: str = ""
    is_built_in: bool = False
    problem: str = ""


class Sources:
    """Opens, adds, checks and removes knowledge sources. Safe to share between threads."""

    def __init__(self, home: Path, graphs: Graphs) -> None:
        self._home, self._graphs = home, graphs
        self._file = SourceFile(home)
        self._open_ones: dict[tuple[object, ...], KnowledgeSource] = {}
        self._lock = threading.RLock()

    def with_graphs(self, graphs: Graphs) -> Sources:
        """Return the same sources over graphs opened with another session's passwords."""
        view = Sources(self._home, graphs)
        view._open_ones, view._lock = self._open_ones, self._lock
        return view

    def infos(self) -> tuple[SourceInfo, ...]:
        """Return all sources by name, entries that cannot be read among them."""
        specs, broken = self._file.all()
        found = [_info(spec) for spec in specs]
        found += [SourceInfo(entry.name, problem=entry.problem) for entry in broken]
        return tuple(sorted(found, key=lambda info: info.name))

    def open(self, name: str, language: str = "en") -> KnowledgeSource:
        """Return a source; what its files hold is read first where that is new."""
        return self._open(self._spec(name), language)

    def chosen(self, names: Sequence[str] = (), language: str = "en") -> dict[str, KnowledgeSource]:
        """Return sources by id: those named, or all there are; of all, those that cannot be opened are left out."""
        if names:
            return {name: self.open(name, language) for name in dict.fromkeys(names)}
        found = {}
        for spec in self._file.all()[0]:
            try:
                found[spec.name] = self._open(spec, language)
            except KGCoreError as error:
                log.warning("the source %s is left out: %s", spec.name, error)
        return found

    def add(self, spec: SourceSpec, *, anyway: bool = False) -> SourceHealth:
        """Look at a source and keep it if it can be asked, or `anyway`."""
        spec = _absolute(spec)
        check(spec)
        known = [domain.name for domain in self.domains()]
        for domain in spec.domains:
            if domain not in known:
                raise InputError(f"there is no domain {domain!r}; there are {', '.join(known)}")
        if any(info.name == spec.name for info in self.infos()):
            raise InputError(f"there is a source called {spec.name!r} already")
        health = self._look(spec)
        if health.is_up or anyway:
            self._file.add(spec)
        else:
            IndexFolder(self._home, spec.name).remove()
        return health

    def check(self, name: str) -> SourceHealth:
        """Look whether a source can be asked, and how much it holds."""
        return self._look(self._spec(name))

    def remove(self, name: str) -> None:
        """Forget a source and what was read of its files; the files themselves stay."""
        self._file.remove(name)
        with self._lock:
            for key in [k for k in self._open_ones if k[0] == name]:
                del self._open_ones[key]
        IndexFolder(self._home, name).remove()

    def domains(self) -> tuple[Domain, ...]:
        """Return the fields of knowledge a source may serve."""
        return domains(self._home)

    def _spec(self, name: str) -> SourceSpec:
        specs, broken = self._file.all()
        for spec in specs:
            if spec.name == name:
                return spec
        for entry in broken:
            if entry.name == name:
                raise InputError(f"the source {name!r} cannot be used: {entry.problem}")
        raise InputError(f"there is no source called {name!r}")

    def _open(self, spec: SourceSpec, language: str) -> KnowledgeSource:
        source = self._made(spec, language)
        key = (spec.name, spec, source.version)
        with self._lock:
            return self._open_ones.setdefault(key, source)

    def _made(self, spec: SourceSpec, language: str) -> KnowledgeSource:
        from kgcore.sources.tables.source import open_tables

        return open_tables(spec, self._home)

    def _look(self, spec: SourceSpec) -> SourceHealth:
        started = time.monotonic()
        try:
            source = self._open(spec, "en")
            health: SourceHealth = source.health()  # type: ignore[attr-defined]
        except KGCoreError as error:
            health = SourceHealth(False, problem=str(error))
        return replace(health, seconds=round(time.monotonic() - started, 3))


def _info(spec: SourceSpec) -> SourceInfo:
    return SourceInfo(
        spec.name, spec.kind, spec.language, spec.where, spec.domains, spec.description
    )


def _absolute(spec: SourceSpec) -> SourceSpec:
    """Write places on this machine so that they can be found from any folder."""
    if spec.kind not in ("table", "text"):
        return spec
    try:
        where = tuple(str(Path(place).expanduser().resolve()) for place in spec.where)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError("a place of a source cannot be found") from error
    return replace(spec, where=where)
