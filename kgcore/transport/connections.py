"""The sockets below urllib3: opened by the guard, and within reach of who waits for them.

Reading from a socket blocks, and a server that sends a byte now and then can make it block for ever. The one who
waits therefore holds a lever: a second handle on the same connection, which shuts it down from outside, also in the
middle of a TLS handshake. The thread that reads then fails at once and ends.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
from typing import Any
from urllib.parse import unquote

import certifi
from urllib3 import PoolManager, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util import make_headers, parse_url

from kgcore.transport.addresses import Guard

MAX_IDLE = 8  # connections kept open, a host


class Wire:
    """What one exchange holds: the guard that opens its sockets, its proxy, and the lever to end it."""

    def __init__(self, guard: Guard, proxy: str | None) -> None:
        self.guard, self.proxy = guard, proxy
        self._lock = threading.Lock()
        self._lever: socket.socket | None = None
        self._is_cut = False

    def hold(self, lever: socket.socket | None) -> None:
        """Take the lever of the connection in use; an exchange that was cut meanwhile ends here."""
        with self._lock:
            if self._is_cut:
                raise ConnectionAbortedError("given up")
            self._lever = lever

    def let_go(self) -> None:
        """Give the lever back: the connection is no longer in use."""
        with self._lock:
            self._lever = None

    def cut(self) -> None:
        """End the exchange from outside."""
        with self._lock, contextlib.suppress(OSError):
            self._is_cut = True
            if self._lever is not None:
                self._lever.shutdown(socket.SHUT_RDWR)


class _Here(threading.local):
    wire: Wire


_here = _Here()


@contextlib.contextmanager
def using(wire: Wire) -> Any:
    """Let connections that this thread opens and uses in this block belong to the wire."""
    _here.wire = wire
    try:
        yield
    finally:
        wire.let_go()
        del _here.wire


class _Levered(HTTPConnection):
    lever: socket.socket | None = None

    def _new_conn(self) -> socket.socket:
        timeout_s = self.timeout if isinstance(self.timeout, int | float) else None
        sock = _here.wire.guard.connect(self.host, self.port or self.default_port, timeout_s)
        self.lever = sock.dup()
        _here.wire.hold(self.lever)
        return sock

    def request(self, *args: Any, **kwargs: Any) -> None:
        _here.wire.hold(self.lever)  # None before the first request; then `_new_conn` hands it over
        super().request(*args, **kwargs)

    def close(self) -> None:
        super().close()
        lever, self.lever = self.lever, None
        if lever is not None:
            lever.close()


class _PlainConnection(_Levered):
    """An http connection with a lever."""


class _TlsConnection(_Levered, HTTPSConnection):
    """An https connection with a lever."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


def pools(proxy: str | None, *, is_tls: bool) -> PoolManager:
    """Return a manager of guarded connections, direct or through a proxy."""
    settings: dict[str, Any] = {"maxsize": MAX_IDLE, "retries": False}
    if is_tls:  # only then: the lists of whom to trust are long to read
        settings["ssl_context"] = _tls_context()
    manager = _by_proxy(proxy, settings) if proxy else PoolManager(**settings)
    manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _TlsPool}
    return manager


def _by_proxy(proxy: str, settings: dict[str, Any]) -> PoolManager:
    url = parse_url(proxy)
    if url.auth:
        settings["proxy_headers"] = make_headers(proxy_basic_auth=unquote(url.auth))
    return ProxyManager(url._replace(auth=None).url, **settings)


def _tls_context() -> ssl.SSLContext:
    """Return a context that trusts what the system trusts, certifi's list, and a bundle the operator names."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE")
    if bundle and os.path.exists(bundle):
        is_folder = os.path.isdir(bundle)
        context.load_verify_locations(None if is_folder else bundle, bundle if is_folder else None)
    return context
