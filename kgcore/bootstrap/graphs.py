"""The graphs of a data folder by name: those imported, the demo's, and remote ones a person added."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgcore.bootstrap.remote import OnNames, Remote
from kgcore.config import Secrets
from kgcore.errors import InputError, KGCoreError, UnknownGraphError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.connection_files import Connections
from kgcore.kg.connections import Connection, Health, check, new_data_version, password_name
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.overview import GraphInfo, overview

if TYPE_CHECKING:
    from kgcore.kg.local.manifest import Manifest

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
DEMO_GRAPHS = ("demo-wikidata", "demo-musicbrainz")


class Graphs:
    """Opens, adds, imports and removes graphs. Safe to share between threads."""

    def __init__(self, home: Path, remote: Remote) -> None:
        self.home, self.remote = home, remote
        self.connections = Connections(home)
        self._open_ones: dict[tuple[object, ...], KnowledgeGraph] = {}
        self._lock = threading.RLock()

    def with_secrets(self, secrets: Secrets) -> Graphs:
        """Return the same graphs, the remote ones opened with another session's passwords."""
        view = copy.copy(self)
        view.remote = replace(self.remote, secrets=secrets)
        return view

    def all(self) -> tuple[GraphInfo, ...]:
        """Return all graphs, damaged ones too; the demo graphs are imported on first use."""
        self.ensure_demo()
        return overview(self.home)

    def ensure_demo(self) -> None:
        """Import the demo graphs that are missing, or whose files are not those imported before."""
        from kgcore.kg.files.importer import import_graph, list_graphs
        from kgcore.kg.local.manifest import INDEX_FORMAT

        with self._lock:
            record = self.home / "demo.json"
            files = {n: ASSETS / "demo" / f"{n}.ttl" for n in DEMO_GRAPHS}
            wanted = {
                n: f"{INDEX_FORMAT} {hashlib.sha256(f.read_bytes()).hexdigest()}"
                for n, f in files.items()
            }
            imported: Any = None
            with contextlib.suppress(OSError, ValueError):
                imported = json.loads(record.read_text("utf-8"))
            known = imported if isinstance(imported, dict) else {}
            present = {manifest.name for manifest in list_graphs(self.home)}
            stale = [n for n in files if n not in present or known.get(n) != wanted[n]]
            for name in stale:
                import_graph((files[name],), home=self.home, name=name)
            if stale:
                record.write_text(json.dumps(wanted), "utf-8")

    def has(self, name: str) -> bool:
        """Whether there is a graph of this name, imported, added, or of the demo."""
        if self.connections.has(name) or name in DEMO_GRAPHS:
            return True
        with contextlib.suppress(InputError):
            return bool(GraphFolders(self.home).manifest(name))
        return False

    def graph(self, names: Sequence[str] = (), *, language: str = "en") -> KnowledgeGraph:
        """Return one graph, or several as one; UnknownGraphError for a name nobody imported or added."""
        from kgcore.kg.federation.graph import FederatedGraph

        names = tuple(dict.fromkeys(names)) or DEMO_GRAPHS
        members = [self._open(name, tuple(dict.fromkeys((language, "en")))) for name in names]
        return members[0] if len(members) == 1 else FederatedGraph(members)

    def _open(self, name: str, languages: tuple[str, ...]) -> KnowledgeGraph:
        from kgcore.kg.local.graph import open_graph

        with self._lock:
            if self.connections.has(name):
                return self._open_remote(self.connections.get(name), languages)
            version = self._embedded(name).version
            known = self._open_ones.get((name, languages, version))
            if known is None:
                known = open_graph(self.home, name, languages=languages)
                self._open_ones[name, languages, version] = known
            return known

    def _embedded(self, name: str) -> Manifest:
        """Return what is known of an embedded graph; those of the demo are imported on first use."""
        if name in DEMO_GRAPHS:
            self.ensure_demo()
        return GraphFolders(self.home).manifest(name)

    def _open_remote(self, connection: Connection, languages: tuple[str, ...]) -> KnowledgeGraph:
        """Open a remote graph; one that needs a password is not shared with those who do not have it."""
        if connection.user:
            return self.remote.open(connection, languages)
        key = (connection.name, connection, languages, id(self.remote.transport()))
        if key not in self._open_ones:
            self._open_ones[key] = self.remote.open(connection, languages)
        return self._open_ones[key]

    def import_graph(self, files: Sequence[Path], name: str, **options: Any) -> Manifest:
        """Import files as a graph of this name; an older one of that name is replaced whole."""
        from kgcore.kg.files.importer import import_graph

        self._refuse_demo(name)
        if self.connections.has(name):
            raise InputError(f"{name} is the name of a remote graph; choose another one")
        return import_graph(files, home=self.home, name=name, **options)

    def add(self, connection: Connection, *, password: str, place: str, anyway: bool) -> Health:
        """Look at a remote graph and keep the connection if it answers, or `anyway`."""
        check(connection)
        self._refuse_demo(connection.name)
        if any(info.name == connection.name for info in overview(self.home)):
            raise InputError(f"there is a graph called {connection.name!r} already")
        if password and not connection.user:
            raise InputError("a password needs the name of its user")
        connection = self.remote.check(connection)
        health = self.remote.probe(connection, password)
        if not health.is_up and not anyway:
            return health
        if password:
            self._keep_password(connection.name, password, place)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self.connections.save(replace(connection, data_version=new_data_version(), added=now))
        self.connections.keep_health(connection.name, health)
        return health

    def _keep_password(self, name: str, password: str, place: str) -> None:
        secrets = self.remote.secrets
        keep = secrets.set_in_keyring if place == "keyring" else secrets.set_for_session
        keep(password_name(name), password)

    def _forget_password(self, name: str) -> None:
        secrets, known_as = self.remote.secrets, password_name(name)
        secrets.set_for_session(known_as, "")
        if secrets.where(known_as) == "keyring":
            secrets.set_in_keyring(known_as, "")

    def check(self, name: str) -> Health:
        """Look whether a graph can be used, and how large it is."""
        if self.connections.has(name):
            health = self.remote.probe(self.connections.get(name))
            self.connections.keep_health(name, health)
            return health
        started = time.monotonic()
        try:
            graph = self.graph((name,))
            graph.describe(())
            manifest = self._embedded(name)
        except UnknownGraphError:
            raise
        except KGCoreError as error:
            return Health(False, problem=str(error))
        seconds = time.monotonic() - started
        return Health(True, seconds, manifest.n_triples, languages=manifest.languages)

    def refresh(self, name: str) -> Connection:
        """Forget all that was kept of a remote graph's data."""
        if not self.connections.has(name):
            self._embedded(name)
            raise InputError(f"{name} lies in the data folder; import its files again instead")
        self.remote.forget(self.connections.get(name))
        return self.connections.refresh(name)

    def index_names(self, name: str, on_progress: OnNames) -> int:
        """Read all names of a SPARQL endpoint into a label index; return how many there are."""
        if not self.connections.has(name):
            self._embedded(name)
            raise InputError(f"{name} lies in the data folder and has its label index")
        return self.remote.index_names(self.connections.get(name), on_progress)

    def remove(self, name: str) -> None:
        """Delete a graph from the data folder, or the connection to one."""
        from kgcore.kg.files.importer import remove_graph

        with self._lock:
            for key in [k for k in self._open_ones if k[0] == name]:
                del self._open_ones[key]
            if self.connections.has(name):
                with contextlib.suppress(InputError):  # it may be damaged
                    self.remote.forget(self.connections.get(name))
                self.connections.remove(name)
                self._forget_password(name)
            else:
                remove_graph(self.home, name)

    def _refuse_demo(self, name: str) -> None:
        if name in DEMO_GRAPHS:
            raise InputError(f"{name} is the name of a graph of the demo; choose another one")
