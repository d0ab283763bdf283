"""The knowledge sources of a data folder by name: those a person added, and the demo's."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgcore.bootstrap.graphs import ASSETS, DEMO_GRAPHS, Graphs
from kgcore.errors import InputError, KGCoreError
from kgcore.sources import HealthySource, KnowledgeSource
from kgcore.sources.domains import Domain, domains
from kgcore.sources.index_folder import IndexFolder
from kgcore.sources.spec import SourceHealth, SourceSpec, check
from kgcore.sources.spec_files import SourceFile

log = logging.getLogger(__name__)
_DEMO = ASSETS / "demo" / "sources"
_DEMO_PASSAGES = (
    ("medicine", "medical", "short cards on diseases, drugs and the human body"),
    ("physics", "physics", "short cards on the laws and quantities of physics"),
    ("biology", "biology", "short cards on cells, genes, plants and animals"),
)


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


def demo_specs() -> tuple[SourceSpec, ...]:
    """Return the sources that come along, as far as their files are there."""
    about = "the demo graphs: films, people, places, music"
    found = [SourceSpec("demo-facts", "graph", DEMO_GRAPHS, ("factual",), about)]
    tables = tuple(str(file) for file in sorted((_DEMO / "tables").glob("*.csv")))
    if tables:
        found.append(SourceSpec("demo-tables", "table", tables, ("factual",)))
    for name, domain, about in _DEMO_PASSAGES:
        file = _DEMO / "passages" / f"{name}.jsonl"
        if file.is_file():
            found.append(SourceSpec(f"demo-{name}", "text", (str(file),), (domain,), about))
    return tuple(found)


class Sources:
    """Opens, adds, checks and removes knowledge sources. Safe to share between threads.

    A source over several graphs is one for each of them, called `NAME/GRAPH`; its own name stands for all.
    """

    def __init__(self, home: Path, graphs: Graphs) -> None:
        self._home, self._graphs = home, graphs
        self._file = SourceFile(home)
        self._open_ones: dict[tuple[object, ...], HealthySource] = {}
        self._lock = threading.RLock()

    def with_graphs(self, graphs: Graphs) -> Sources:
        """Return the same sources over graphs opened with another session's passwords."""
        view = Sources(self._home, graphs)
        view._open_ones, view._lock = self._open_ones, self._lock
        return view

    def infos(self) -> tuple[SourceInfo, ...]:
        """Return all sources: those added, by name, with entries that cannot be read, then the demo's."""
        specs, broken = self._file.all()
        found = [_info(member) for spec in specs for member in members(spec)]
        found += [SourceInfo(entry.name, problem=entry.problem) for entry in broken]
        demo = [_info(m, is_built_in=True) for spec in demo_specs() for m in members(spec)]
        return (*sorted(found, key=lambda info: info.name), *demo)

    def open(self, name: str, language: str = "en") -> KnowledgeSource:
        """Return a source; what its files hold is read first where that is new."""
        specs = self._named(name)
        if len(specs) > 1:
            names = " or ".join(spec.name for spec in specs)
            raise InputError(f"{name} stands for several graphs; ask {names}")
        return self._open(specs[0], language)

    def chosen(self, names: Sequence[str] = (), language: str = "en") -> dict[str, KnowledgeSource]:
        """Return sources by id: those named, or all a person added, or the demo's where nobody added any.

        Of those that were not named, the ones that cannot be opened are left out.
        """
        if names:
            specs = [spec for name in dict.fromkeys(names) for spec in self._named(name)]
            return {spec.name: self._open(spec, language) for spec in specs}
        found: dict[str, KnowledgeSource] = {}
        for spec in self._file.all()[0] or demo_specs():
            for member in members(spec):
                try:
                    found[member.name] = self._open(member, language)
                except KGCoreError as error:
                    log.warning("the source %s is left out: %s", member.name, error)
        return found

    def add(self, spec: SourceSpec, *, anyway: bool = False) -> SourceHealth:
        """Look at a source and keep it if it can be asked, or `anyway`."""
        spec = _absolute(spec)
        check(spec)
        known = [domain.name for domain in self.domains()]
        for domain in spec.domains:
            if domain not in known:
                raise InputError(f"there is no domain {domain!r}; there are {', '.join(known)}")
        if spec.name in {demo.name for demo in demo_specs()}:
            raise InputError(f"{spec.name} is the name of a source of the demo; choose another one")
        if any(info.name.partition("/")[0] == spec.name for info in self.infos()):
            raise InputError(f"there is a source called {spec.name!r} already")
        health = self._look(members(spec))
        if health.is_up or anyway:
            self._file.add(spec)
        else:
            self._forget(spec.name, members(spec))
        return health

    def check(self, name: str) -> SourceHealth:
        """Look whether a source can be asked, and how much it holds."""
        return self._look(self._named(name))

    def remove(self, name: str) -> None:
        """Forget a source and what was read of its files; the files themselves stay."""
        if name in {spec.name for spec in demo_specs()}:
            raise InputError(f"{name} comes with the demo and stays")
        specs = [spec for spec in self._file.all()[0] if spec.name == name]
        self._file.remove(name)
        self._forget(name, members(specs[0]) if specs else ())

    def domains(self) -> tuple[Domain, ...]:
        """Return the fields of knowledge a source may serve."""
        return domains(self._home)

    def _named(self, name: str) -> tuple[SourceSpec, ...]:
        """Return the sources a name stands for: one, or one for each graph."""
        specs, broken = self._file.all()
        for spec in (*specs, *demo_specs()):
            found = members(spec)
            if spec.name == name:
                return found
            for member in found:
                if member.name == name:
                    return (member,)
        for entry in broken:
            if entry.name == name:
                raise InputError(f"the source {name!r} cannot be used: {entry.problem}")
        raise InputError(f"there is no source called {name!r}")

    def _forget(self, name: str, specs: Sequence[SourceSpec]) -> None:
        """Let go of what is open, and of what was made of files."""
        names = {name, *(spec.name for spec in specs)}
        with self._lock:
            for key in [k for k in self._open_ones if k[0] in names]:
                del self._open_ones[key]
        for one in sorted(names):
            with contextlib.suppress(InputError):  # a name that cannot be one of a folder
                IndexFolder(self._home, one).remove()

    def _open(self, spec: SourceSpec, language: str) -> HealthySource:
        source = self._made(spec, language)
        key = (spec.name, spec, source.version)
        with self._lock:
            return self._open_ones.setdefault(key, source)

    def _made(self, spec: SourceSpec, language: str) -> HealthySource:
        """Make a source; what its kind needs is imported here."""
        if spec.kind == "table":
            from kgcore.sources.tables.source import open_tables

            return open_tables(spec, self._home)
        if spec.kind == "text":
            from kgcore.ranking import default_ranker
            from kgcore.sources.texts.source import open_texts

            return open_texts(spec, self._home, ranker=default_ranker() if spec.rerank else None)
        if spec.kind == "wiki":
            from kgcore.sources.wiki.source import WikiSource
            from kgcore.transport.addresses import check_address

            remote = self._graphs.remote
            check_address(spec.where[0], remote.allows_private)
            return WikiSource(spec, remote.transport())
        from kgcore.sources.graphs.source import open_graph_source

        graph = self._graphs.graph(spec.where, language=language)
        return open_graph_source(spec, graph, self._home)

    def _look(self, specs: Sequence[SourceSpec]) -> SourceHealth:
        """Look at a source, or at all that a name stands for."""
        started = time.monotonic()
        found = [self._health(spec) for spec in specs]
        sizes = [health.n_items for health in found if health.n_items is not None]
        return SourceHealth(
            all(health.is_up for health in found),
            round(time.monotonic() - started, 3),
            sum(sizes) if sizes else None,
            next((health.unit for health in found if health.unit), ""),
            next((health.problem for health in found if health.problem), ""),
            tuple(note for health in found for note in health.notes),
        )

    def _health(self, spec: SourceSpec) -> SourceHealth:
        try:
            return self._open(spec, "en").health()
        except KGCoreError as error:
            return SourceHealth(False, problem=str(error))


def members(spec: SourceSpec) -> tuple[SourceSpec, ...]:
    """Return a source, or one for each of its graphs."""
    if spec.kind != "graph" or len(spec.where) == 1:
        return (spec,)
    return tuple(replace(spec, name=f"{spec.name}/{kg}", where=(kg,)) for kg in spec.where)


def _info(spec: SourceSpec, *, is_built_in: bool = False) -> SourceInfo:
    return SourceInfo(
        spec.name,
        spec.kind,
        spec.language,
        spec.where,
        spec.domains,
        spec.description,
        is_built_in,
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
