"""The knowledge sources of a data folder by name: those a person added, and the demo's."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kgcore.bootstrap.graphs import DEMO_GRAPHS, Graphs
from kgcore.bootstrap.source_specs import SourceInfo, absolute, demo_specs, info_of, members
from kgcore.errors import InputError, KGCoreError
from kgcore.sources import HealthySource, KnowledgeSource
from kgcore.sources.domains import Domain, domains
from kgcore.sources.index_folder import IndexFolder
from kgcore.sources.spec import SourceHealth, SourceSpec, check
from kgcore.sources.spec_files import SourceFile
from kgcore.transport.addresses import check_address

log = logging.getLogger(__name__)


class Sources:
    """Opens, adds, checks and removes knowledge sources. Safe to share between threads.

    A source over several graphs is one for each of them, called `NAME/GRAPH`; its own name stands for all.
    """

    def __init__(self, home: Path, graphs: Graphs) -> None:
        self._home, self._graphs = home, graphs
        self._file = SourceFile(home)
        self._open_ones: dict[tuple[SourceSpec, str], HealthySource] = {}
        self._lock = threading.RLock()

    def with_graphs(self, graphs: Graphs) -> Sources:
        """Return the same sources over graphs opened with another session's passwords."""
        view = Sources(self._home, graphs)
        view._open_ones, view._lock = self._open_ones, self._lock
        return view

    def infos(self) -> tuple[SourceInfo, ...]:
        """Return all sources: those added, by name, with entries that cannot be read, then the demo's."""
        specs, broken = self._file.all()
        found = [info_of(member) for spec in specs for member in members(spec)]
        found += [SourceInfo(entry.name, problem=entry.problem) for entry in broken]
        demo = [info_of(m, is_built_in=True) for spec in demo_specs() for m in members(spec)]
        return (*sorted(found, key=lambda info: info.name), *demo)

    def has(self, name: str) -> bool:
        """Whether a name stands for a source that can be used."""
        with contextlib.suppress(InputError):
            return bool(self._named(name))
        return False

    def open(self, name: str, language: str = "en") -> KnowledgeSource:
        """Return a source; what its files hold is read first where that is new."""
        specs = self._named(name)
        if len(specs) > 1:
            names = " or ".join(spec.name for spec in specs)
            raise InputError(f"{name} stands for several graphs; ask {names}")
        return self._open(specs[0], language)

    def chosen(
        self,
        names: Sequence[str] = (),
        language: str = "en",
        *,
        kgs: Sequence[str] = (),
        tell: Callable[[str], None] = log.warning,
    ) -> dict[str, KnowledgeSource]:
        """Return sources by id: those named, or all a person added and `kgs`, or else the demo's.

        Of those that were not named, the ones that cannot be opened are left out, which is told.
        """
        if names:
            specs = [spec for name in dict.fromkeys(names) for spec in self._named(name)]
            return {spec.name: self._open(spec, language) for spec in specs}
        found: dict[str, KnowledgeSource] = {}
        for spec in self._usual(kgs):
            try:
                found[spec.name] = self._open(spec, language)
            except KGCoreError as error:
                tell(f"the source {spec.name} is left out: {error}")
        return found

    def _usual(self, kgs: Sequence[str]) -> list[SourceSpec]:
        """Return what a run asks where nobody says which: also the graphs it runs on, each as a source.

        The demo graphs together stand for the demo, with its tables and texts.
        """
        found = [member for spec in self._file.all()[0] for member in members(spec)]
        if not found and set(kgs) == set(DEMO_GRAPHS):
            kgs = ()
        behind = {spec.where[0] for spec in found if spec.kind == "graph"}
        found += [SourceSpec(kg, "graph", (kg,)) for kg in dict.fromkeys(kgs) if kg not in behind]
        return found or [member for spec in demo_specs() for member in members(spec)]

    def add(self, spec: SourceSpec, *, anyway: bool = False) -> SourceHealth:
        """Look at a source and keep it if it can be asked, or `anyway`."""
        spec = absolute(spec)
        check(spec)
        known = [domain.name for domain in self.domains()]
        for domain in spec.domains:
            if domain not in known:
                raise InputError(f"there is no domain {domain!r}; there are {', '.join(known)}")
        if spec.name in {demo.name for demo in demo_specs()}:
            raise InputError(f"{spec.name} is the name of a source of the demo; choose another one")
        if any(info.name.partition("/")[0] == spec.name for info in self.infos()):
            raise InputError(f"there is a source called {spec.name!r} already")
        if spec.kind == "wiki":  # what is no address, or holds a password, is not kept in any case
            check_address(spec.where[0], self._graphs.remote.allows_private)
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
        if self._graphs.has(name):  # any graph can be asked by its own name
            return (SourceSpec(name, "graph", (name,)),)
        raise InputError(f"there is no source called {name!r}")

    def _forget(self, name: str, specs: Sequence[SourceSpec]) -> None:
        """Let go of what is open, and of what was made of files."""
        names = {name, *(spec.name for spec in specs)}
        with self._lock:
            for key in [k for k in self._open_ones if k[0].name in names]:
                del self._open_ones[key]
        for one in sorted(names):
            with contextlib.suppress(InputError):  # a name that cannot be one of a folder
                IndexFolder(self._home, one).remove()

    def _open(self, spec: SourceSpec, language: str) -> HealthySource:
        """Return a source, the one that is open where it is still the same."""
        made = self._made(spec, language)
        if self._is_private(spec):
            return made
        with self._lock:
            known = self._open_ones.get((spec, language))
            if known is None or _is_other(made, known):
                known = self._open_ones[spec, language] = made
            return known

    def _is_private(self, spec: SourceSpec) -> bool:
        """Whether it is asked with a person's password: not for those who do not have it."""
        connections = self._graphs.connections
        return spec.kind == "graph" and any(
            connections.has(kg) and connections.get(kg).user for kg in spec.where
        )

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


def _is_other(made: HealthySource, known: HealthySource) -> bool:
    """Whether a source is another than the one that is open: of other data, or asked on another way."""
    graphs = [getattr(source, "graph", None) for source in (made, known)]
    return made.version != known.version or graphs[0] is not graphs[1]
