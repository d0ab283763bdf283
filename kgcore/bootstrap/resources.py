"""What a studio works with: graphs, models, stores and settings of one data folder."""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from kgcore import config
from kgcore.bootstrap.graphs import Graphs
from kgcore.bootstrap.models import Models
from kgcore.bootstrap.remote import OnNames, Remote
from kgcore.bootstrap.source_specs import SourceInfo
from kgcore.bootstrap.sources import Sources
from kgcore.config import Secrets, Settings
from kgcore.corrections import CorrectedGraph, Correction, CorrectionStore
from kgcore.errors import InputError, StoreError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.connections import Connection, Health
from kgcore.kg.overview import GraphInfo
from kgcore.llm import LanguageModel
from kgcore.model import SourceCard
from kgcore.prompts.sets import FilePromptSet
from kgcore.runs import (
    Budget,
    SqlRunStore,
)
from kgcore.sources import KnowledgeSource
from kgcore.sources.domains import Domain
from kgcore.sources.spec import SourceHealth, SourceSpec

if TYPE_CHECKING:
    from kgcore.kg.local.manifest import Manifest

log = logging.getLogger(__name__)


class Resources:
    """Graphs, models, stores and settings of one data folder. Safe to share between threads."""

    def __init__(
        self, home: Path, *, environ: Mapping[str, str] | None = None, allows_private: bool = True
    ) -> None:
        environ = os.environ if environ is None else environ
        self.home = home
        self.secrets = Secrets(environ)
        self._settings = [config.load_settings(home)]  # one place for all views of the studio
        try:
            home.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InputError(f"the data folder {home} is no folder") from None
        self._stores: list[SqlRunStore] = []  # opened on first use; one for all views of the studio
        self._corrections: list[CorrectionStore] = []
        self._open_store = partial(
            SqlRunStore.open,
            is_sync_full=config.is_full_sync(environ),
            lease_seconds=config.lease_seconds(environ),
        )
        is_private_ok = config.allows_private(environ, default=allows_private)
        self._graphs = Graphs(
            home, Remote(home, lambda: self.settings, self.secrets, is_private_ok)
        )
        self._models = Models(home, lambda: self.settings, self.secrets)
        self._sources = Sources(home, self._graphs)
        self._lock = threading.RLock()

    def with_secrets(self, secrets: Secrets) -> Self:
        """Return the same, graphs, stores and all, that takes keys from another person's session."""
        view = copy.copy(self)
        view.secrets = secrets
        view._graphs = self._graphs.with_secrets(secrets)
        view._sources = self._sources.with_graphs(view._graphs)
        view._models = replace(self._models, secrets=secrets)
        return view

    @property
    def store(self) -> SqlRunStore:
        """The run store; graphs and models can be used where it cannot be opened."""
        with self._lock:
            if not self._stores:
                self._stores.append(self._open_store(self.settings.database_url or self.home))
            return self._stores[0]

    @property
    def corrections(self) -> CorrectionStore:
        """The corrections people proposed and decided on; they lie beside the runs."""
        with self._lock:
            if not self._corrections:
                self._corrections.append(CorrectionStore(self.store.engine))
            return self._corrections[0]

    # settings

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings[0]

    def save_settings(self, settings: Settings) -> None:
        """Keep the settings for this and later programs."""
        config.save_settings(self.home, settings)
        self._settings[0] = settings

    @property
    def budget(self) -> Budget:
        """The default budget; a limit of 0 is none."""
        s = self.settings
        return Budget(
            s.budget_calls or None,
            s.budget_tokens or None,
            s.budget_usd or None,
            s.budget_seconds or None,
        )

    # graphs

    def graphs(self) -> tuple[GraphInfo, ...]:
        """Return all graphs of the data folder; the demo graphs are imported on first use."""
        return self._graphs.all()

    def ensure_demo(self) -> None:
        """Import the demo graphs that are missing, or whose files are not those imported before."""
        self._graphs.ensure_demo()

    def graph(self, names: Sequence[str] = (), *, language: str = "en") -> KnowledgeGraph:
        """Return one graph, or several as one; UnknownGraphError for a name nobody imported or added."""
        return self._graphs.graph(names, language=language)

    def corrected(self, names: Sequence[str] = (), *, language: str = "en") -> CorrectedGraph:
        """Return graphs as they read with the approved corrections: to look around in, not to run on."""
        graph = self.graph(names, language=language)
        try:
            return CorrectedGraph(graph, self._in_force(graph))
        except StoreError as error:  # graphs can be looked at where nothing can be stored
            log.warning("graphs are shown without corrections: %s", error)
            return CorrectedGraph(graph, ())

    def _in_force(self, graph: KnowledgeGraph) -> tuple[Correction, ...]:
        return self.corrections.in_force([g.id for g in getattr(graph, "graphs", (graph,))])

    def import_graph(self, files: Sequence[Path], name: str, **options: Any) -> Manifest:
        """Import files as a graph of this name; an older one of that name is replaced whole."""
        return self._graphs.import_graph(files, name, **options)

    def add_connection(
        self,
        connection: Connection,
        *,
        password: str = "",
        place: str = "session",
        anyway: bool = False,
    ) -> Health:
        """Look at a remote graph and keep the connection if it answers, or `anyway`.

        A password is kept for the session, or in the keyring when that is its `place`.
        """
        return self._graphs.add(connection, password=password, place=place, anyway=anyway)

    def connections(self) -> tuple[Connection, ...]:
        """Return the connections to remote graphs."""
        return self._graphs.connections.all()

    def check(self, name: str) -> Health:
        """Look whether a graph can be used, and how large it is."""
        return self._graphs.check(name)

    def refresh(self, name: str) -> Connection:
        """Forget all that was kept of a remote graph's data: its version is a new one."""
        return self._graphs.refresh(name)

    def index_names(self, name: str, on_progress: OnNames = lambda n: None) -> int:
        """Read all names of a SPARQL endpoint into a label index; return how many there are."""
        return self._graphs.index_names(name, on_progress)

    def remove_graph(self, name: str) -> None:
        """Delete a graph from the data folder, or the connection to one."""
        self._graphs.remove(name)

    def cache_size(self, name: str = "") -> tuple[int, int]:
        """Return how many replies of a remote graph, or of all, are kept, and their bytes."""
        return self._graphs.remote.cache_size(name)

    def clear_cache(self, name: str = "") -> int:
        """Forget the kept replies of a remote graph, or of all; return how many there were."""
        return self._graphs.remote.clear_cache(name)

    # knowledge sources

    def sources(self, names: Sequence[str] = (), *, language: str = "en") -> tuple[SourceCard, ...]:
        """Return the cards of the sources named, or of all; of all, those that cannot be opened are left out."""
        return tuple(s.card() for s in self._sources.chosen(names, language).values())

    def source(self, name: str, *, language: str = "en") -> KnowledgeSource:
        """Return a knowledge source; InputError for a name nobody added."""
        return self._sources.open(name, language)

    def source_infos(self) -> tuple[SourceInfo, ...]:
        """Return what is known of all sources without opening them, broken entries among them."""
        return self._sources.infos()

    def add_source(self, spec: SourceSpec, *, anyway: bool = False) -> SourceHealth:
        """Look at a knowledge source and keep it if it can be asked, or `anyway`."""
        return self._sources.add(spec, anyway=anyway)

    def check_source(self, name: str) -> SourceHealth:
        """Look whether a knowledge source can be asked, and how much it holds."""
        return self._sources.check(name)

    def remove_source(self, name: str) -> None:
        """Forget a knowledge source and what was read of its files; the files stay."""
        self._sources.remove(name)

    def domains(self) -> tuple[Domain, ...]:
        """Return the fields of knowledge a source may serve."""
        return self._sources.domains()

    # models

    def prompts(self, name: str = "") -> FilePromptSet:
        """Return a prompt set: the built-in one, with the user's own templates in place of some."""
        return self._models.prompts(name)

    def model(self, name: str = "", *, api_base: str = "", prompts: str = "") -> LanguageModel:
        """Return a model by its litellm name, or the offline matcher."""
        return self._models.model(name, api_base=api_base, prompts=prompts)
