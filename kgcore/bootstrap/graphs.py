"""The graphs of a data folder by name: those imported, and the demo's."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph

if TYPE_CHECKING:
    from kgcore.kg.graph_folder import Manifest

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
DEMO_GRAPHS = ("demo-wikidata", "demo-musicbrainz")


class Graphs:
    """Opens, imports and removes graphs. Safe to share between threads."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._open_ones: dict[tuple[str, tuple[str, ...], str], KnowledgeGraph] = {}
        self._lock = threading.RLock()

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the embedded graphs; the demo graphs are imported on first use."""
        from kgcore.kg.importer import list_graphs

        self.ensure_demo()
        return list_graphs(self.home)

    def ensure_demo(self) -> None:
        """Import the demo graphs that are missing, or whose files are not those imported before."""
        from kgcore.kg.graph_folder import INDEX_FORMAT
        from kgcore.kg.importer import import_graph, list_graphs

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

    def graph(self, names: Sequence[str] = (), *, language: str = "en") -> KnowledgeGraph:
        """Return one graph, or several as one; UnknownGraphError for a name nobody imported."""
        from kgcore.kg.federated import FederatedGraph

        names = tuple(dict.fromkeys(names)) or DEMO_GRAPHS
        if set(names) & set(DEMO_GRAPHS):
            self.ensure_demo()
        members = [self._open(name, tuple(dict.fromkeys((language, "en")))) for name in names]
        return members[0] if len(members) == 1 else FederatedGraph(members)

    def _open(self, name: str, languages: tuple[str, ...]) -> KnowledgeGraph:
        from kgcore.kg.graph_folder import GraphFolders
        from kgcore.kg.local import open_graph

        with self._lock:
            version = GraphFolders(self.home).manifest(name).version
            known = self._open_ones.get((name, languages, version))
            if known is None:
                known = open_graph(self.home, name, languages=languages)
                self._open_ones[name, languages, version] = known
            return known

    def import_graph(self, files: Sequence[Path], name: str, **options: Any) -> Manifest:
        """Import files as a graph of this name; an older one of that name is replaced whole."""
        from kgcore.kg.importer import import_graph

        if name in DEMO_GRAPHS:
            raise InputError(f"{name} is the name of a graph of the demo; choose another one")
        return import_graph(files, home=self.home, name=name, **options)

    def remove(self, name: str) -> None:
        """Delete a graph from the data folder."""
        from kgcore.kg.importer import remove_graph

        with self._lock:
            for key in [k for k in self._open_ones if k[0] == name]:
                del self._open_ones[key]
            remove_graph(self.home, name)
