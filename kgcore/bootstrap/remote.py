"""Remote graphs: opened and looked at through one transport for all of a studio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from kgcore.bootstrap.names import user_agent
from kgcore.config import Secrets, Settings
from kgcore.errors import InputError, KGCoreError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.connections import Connection, Health, password_name

if TYPE_CHECKING:
    from kgcore.kg.sparql.graph import SparqlGraph
    from kgcore.transport.cache import ResponseCache
    from kgcore.transport.transport import Transport

Password = Callable[[], str | None]
OnNames = Callable[[int], None]  # told how many names were read so far
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class _Line:
    """A transport and the cache it keeps replies in; None where a person wants none kept."""

    transport: Transport
    cache: ResponseCache | None


@dataclass(frozen=True, slots=True)
class Remote:
    """Opens remote graphs with the session's passwords; all views of a studio share the transport."""

    home: Path
    settings: Callable[[], Settings]
    secrets: Secrets
    allows_private: bool
    _lines: dict[tuple[object, ...], _Line] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    def open(self, connection: Connection, languages: tuple[str, ...]) -> KnowledgeGraph:
        """Return the graph a connection leads to; nothing is asked yet."""
        password = self._password(connection)
        if password is not None and not password():
            raise InputError(
                f"the graph {connection.name!r} needs the password of {connection.user}: "
                f"give it on the page Knowledge graphs or set {password_name(connection.name)}"
            )
        if connection.kind == "musicbrainz":
            from kgcore.kg.musicbrainz.graph import MusicBrainzGraph

            return MusicBrainzGraph(connection, self.transport(), languages=languages)
        return self._open_sparql(connection, languages, password)

    def _open_sparql(
        self, connection: Connection, languages: tuple[str, ...], password: Password | None
    ) -> SparqlGraph:
        from kgcore.kg.sparql.graph import SparqlGraph

        return SparqlGraph(
            connection,
            self.transport(),
            languages=languages,
            password=password,
            folder=self.home,
        )

    def index_names(self, connection: Connection, on_progress: OnNames) -> int:
        """Read all names of a SPARQL endpoint into a label index; return how many there are."""
        if connection.kind != "sparql":
            raise InputError(f"{connection.name} has a search of its own and needs no label index")
        graph = self._open_sparql(connection, ("en",), self._password(connection))
        try:
            return graph.build_label_index(lambda done: on_progress(done.n_names)).n_names
        finally:
            graph.close()

    def probe(self, connection: Connection, password: str = "") -> Health:
        """Look whether a remote graph answers, and what it holds; never raises for one that does not."""
        ask = (lambda: password) if password else self._password(connection)
        try:
            if connection.kind == "musicbrainz":
                from kgcore.kg.musicbrainz.probe import probe as probe_musicbrainz

                return probe_musicbrainz(connection, self.transport())
            from kgcore.kg.sparql.probe import probe

            return probe(connection, self.transport(), password=ask, folder=self.home)
        except InputError:
            raise
        except KGCoreError as error:
            return Health(False, problem=str(error))

    def check(self, connection: Connection) -> Connection:
        """Return a connection with its address tidied; InputError for one that may not be asked."""
        from kgcore.transport.addresses import check_address

        if connection.kind == "sparql":
            from kgcore.kg.sparql.profile import load_profile

            load_profile(connection.profile, self.home)
        address = check_address(connection.address, self.allows_private)
        return replace(connection, address=address)

    # the transport

    def transport(self) -> Transport:
        """Return the transport with the settings in force."""
        return self._line().transport

    def cache_size(self, name: str = "") -> tuple[int, int]:
        """Return how many replies of a graph, or of all, are kept, and their bytes."""
        cache = self._line().cache
        return cache.size(_scope(name)) if cache is not None else (0, 0)

    def clear_cache(self, name: str = "") -> int:
        """Forget the kept replies of a graph, or of all; return how many there were."""
        cache = self._line().cache
        if cache is None:
            return 0
        return cache.clear(_scope(name))

    def forget(self, connection: Connection) -> None:
        """Forget all that is kept of a graph's data: replies, and the label index."""
        self.clear_cache(connection.name)
        if connection.kind == "sparql":
            from kgcore.kg.sparql.label_index import index_path
            from kgcore.kg.sparql.profile import load_profile

            profile = load_profile(connection.profile, self.home)
            index_path(self.home, connection, profile).unlink(missing_ok=True)

    def _line(self) -> _Line:
        settings = self.settings()
        key = (settings.contact, settings.cache_mb, settings.cache_days)
        with self._lock:
            if key not in self._lines:
                for line in self._lines.values():
                    if line.cache is not None:
                        line.cache.close()
                self._lines.clear()
                self._lines[key] = self._make(settings)
            return self._lines[key]

    def _make(self, settings: Settings) -> _Line:
        from kgcore.transport.cache import ResponseCache
        from kgcore.transport.limits import Limits
        from kgcore.transport.transport import Transport

        folder, cache = self.home / "cache", None
        if settings.cache_mb and settings.cache_days:
            cache = ResponseCache(
                folder / "replies.sqlite",
                max_bytes=settings.cache_mb * 1_000_000,
                max_age_s=settings.cache_days * _DAY_S,
            )
        transport = Transport(
            user_agent=user_agent(settings.contact),
            allow_private=self.allows_private,
            limits=Limits(file=folder / "limits.sqlite"),
            cache=cache,
        )
        return _Line(transport, cache)

    def _password(self, connection: Connection) -> Password | None:
        name = password_name(connection.name)
        return (lambda: self.secrets.key(name)) if connection.user else None


def _scope(name: str) -> str:
    """Return how the scopes of a graph's replies begin, whatever its version; empty for all graphs."""
    return f"{name}@" if name else ""
