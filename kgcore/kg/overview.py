"""All graphs of a data folder at a glance: embedded and remote, and those that cannot be opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kgcore.kg.connection_files import Checked, Connections
from kgcore.kg.connections import Connection
from kgcore.kg.local.graph_folder import Damaged, GraphFolders
from kgcore.kg.local.manifest import Manifest

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """What is known of a graph without opening it; `problem` says why it cannot be opened.

    `kind` is embedded, sparql or musicbrainz; `source` names its files or its address. Sizes of a remote graph
    are those of the last look at it.
    """

    name: str
    kind: str
    source: tuple[str, ...] = ()
    version: str = ""
    added: str = ""  # ISO 8601, UTC
    n_triples: int | None = None
    is_at_least: bool = False
    n_entities: int | None = None
    n_relations: int | None = None
    n_skipped: int = 0
    languages: tuple[str, ...] = ()
    profile: str = ""
    user: str = ""
    checked: Checked | None = None
    problem: str = ""

    @property
    def is_remote(self) -> bool:
        """Whether it is asked over the network."""
        return self.kind != EMBEDDED


def overview(home: Path) -> tuple[GraphInfo, ...]:
    """Return all graphs by name, damaged ones with what is wrong with them."""
    folders, connections = GraphFolders(home), Connections(home)
    folders.clean()
    damaged = folders.damaged()
    broken = {one.name for one in damaged}
    found = [_embedded(m) for m in folders.manifests() if m.name not in broken]
    found += [_remote(c, connections.last_health(c.name)) for c in connections.all()]
    found += _damaged(damaged, EMBEDDED)
    found += _damaged(connections.damaged(), "sparql")
    return tuple(sorted(found, key=lambda info: info.name))


def _embedded(manifest: Manifest) -> GraphInfo:
    return GraphInfo(
        manifest.name,
        EMBEDDED,
        source=manifest.files,
        version=manifest.version,
        added=manifest.created,
        n_triples=manifest.n_triples,
        n_entities=manifest.n_entities,
        n_relations=manifest.n_relations,
        n_skipped=manifest.n_skipped,
        languages=manifest.languages,
    )


def _remote(connection: Connection, checked: Checked | None) -> GraphInfo:
    health = checked.health if checked else None
    return GraphInfo(
        connection.name,
        connection.kind,
        source=(connection.address,),
        version=connection.data_version,
        added=connection.added,
        n_triples=health.n_triples if health else None,
        is_at_least=bool(health and health.is_at_least),
        languages=health.languages if health else (),
        profile=connection.profile if connection.kind == "sparql" else "",
        user=connection.user,
        checked=checked,
    )


def _damaged(found: Iterable[Damaged], kind: str) -> list[GraphInfo]:
    return [GraphInfo(one.name, kind, problem=one.problem) for one in found]
