"""Remote graphs: opened and looked at through one transport for all of a studio."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from kgcore.bootstrap.names import user_agent
from kgcore.config import Secrets, Settings
from kgcore.errors import InputError, KGCoreError, ServiceError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.connections import Connection, Health, password_name

if TYPE_CHECKING:
    from kgcore.transport.transport import Transport

Password = Callable[[], str | None]


@dataclass(frozen=True, slots=True)
class Remote:
    """Opens remote graphs with the session's passwords; all views of a studio share the transport."""

    home: Path
    settings: Callable[[], Settings]
    secrets: Secrets
    allows_private: bool
    _transports: dict[tuple[object, ...], Transport] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock)

    def open(self, connection: Connection, languages: tuple[str, ...]) -> KnowledgeGraph:
        """Return the graph a connection leads to; nothing is asked yet."""
        password = self._password(connection)
        if password is not None and not password():
            raise InputError(
                f"the graph {connection.name!r} needs the password of {connection.user}: "
                f"give it on the page or set {password_name(connection.name)}"
            )
        graph: KnowledgeGraph = _adapter(connection, "graph").open_remote(
            connection, self.transport(), languages=languages, password=password
        )
        return graph

    def probe(self, connection: Connection, password: str = "") -> Health:
        """Look whether a remote graph answers, and what it holds; never raises for one that does not."""
        ask = (lambda: password) if password else self._password(connection)
        try:
            health: Health = _adapter(connection, "probe").probe(
                connection, self.transport(), password=ask
            )
            return health
        except InputError:
            raise
        except KGCoreError as error:
            return Health(False, problem=str(error))

    def tidied(self, connection: Connection) -> Connection:
        """Return a connection with its address tidied; InputError for one that may not be asked."""
        from kgcore.transport.addresses import check_address

        address = check_address(connection.address, self.allows_private)
        return replace(connection, address=address)

    def transport(self) -> Transport:
        """Return the transport with the settings in force."""
        from kgcore.transport.transport import Transport

        settings = self.settings()
        key = (settings.contact, settings.cache_mb, settings.cache_days)
        with self._lock:
            if key not in self._transports:
                self._transports.clear()
                self._transports[key] = Transport(
                    user_agent=user_agent(settings.contact), allow_private=self.allows_private
                )
            return self._transports[key]

    def _password(self, connection: Connection) -> Password | None:
        name = password_name(connection.name)
        return (lambda: self.secrets.key(name)) if connection.user else None


def _adapter(connection: Connection, part: str) -> Any:
    try:
        return import_module(f"kgcore.kg.{connection.kind}.{part}")
    except ImportError as error:
        raise ServiceError(f"graphs of the kind {connection.kind} cannot be opened yet") from error
