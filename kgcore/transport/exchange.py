"""One request sent and one reply read, over connections that are kept open; no retries and no redirects."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, Timeout

from kgcore.errors import InputError
from kgcore.transport.addresses import Guard, host_of, origin, reach, read_ip
from kgcore.transport.bodies import CHUNK, read_body
from kgcore.transport.connections import Wire, pools, using
from kgcore.transport.http import HttpRequest, HttpResponse

_OURS = frozenset({"user-agent", "accept-encoding", "host", "content-length", "transfer-encoding"})
_MIN_S = 0.001  # a timeout of 0 would mean: do not block


class Exchanger:
    """Sends requests and reads replies; safe to share between threads."""

    def __init__(
        self, guard: Guard, *, user_agent: str, connect_timeout_s: float, max_bytes: int
    ) -> None:
        self._guard, self._user_agent = guard, user_agent
        self._connect_timeout_s, self._max_bytes = connect_timeout_s, max_bytes
        self._proxies = getproxies_environment()
        self._managers: dict[tuple[str | None, bool], PoolManager] = {}
        self._lock = threading.Lock()

    def wire(self, request: HttpRequest) -> Wire:
        """Return a wire for an exchange: guarded, or open as far as to the operator's own proxy."""
        proxy = self._proxy(request.url)
        return Wire(Guard(allow_private=True) if proxy else self._guard, proxy)

    def exchange(self, request: HttpRequest, wire: Wire, end: float) -> HttpResponse:
        """Return the reply; blocks until `end` (on time.monotonic()), between bytes also longer.

        Errors are those of the libraries below, and ServiceErrors where a body is too large or broken.
        """
        started = time.monotonic()
        left = max(_MIN_S, end - started)
        manager = self._manager(request.url, wire.proxy)
        if wire.proxy:
            self._guard.check_if_known(host_of(urlsplit(request.url)), 0)
        with using(wire):
            raw = manager.urlopen(
                request.method,
                request.url,
                headers=self.headers(request),
                body=request.body or None,
                timeout=Timeout(connect=min(left, self._connect_timeout_s), read=left),
                redirect=False,
                preload_content=False,
            )
            try:
                body = self._body(raw, origin(request.url), end)
            except BaseException:
                raw.close()  # what is left unread makes the connection useless
                raise
            raw.release_conn()
        return HttpResponse(
            raw.status,
            {name.lower(): value for name, value in raw.headers.items()},
            body,
            request.url,
            datetime.now(UTC).isoformat(timespec="seconds"),
            time.monotonic() - started,
        )

    def _body(self, raw: BaseHTTPResponse, host: str, end: float) -> bytes:
        packing = raw.headers.get("content-encoding", "")
        chunks = _until(end, raw.stream(CHUNK, decode_content=False))
        return read_body(chunks, packing, max_bytes=self._max_bytes, host=host)

    def headers(self, request: HttpRequest) -> dict[str, str]:
        """Return the headers to send; InputError for one that cannot be sent."""
        headers = {"User-Agent": self._user_agent, "Accept-Encoding": "gzip"}
        for name, value in (*request.headers, *request.secret):
            if name.lower() in _OURS:
                continue
            if not (
                value.isprintable() and value.isascii() and name.isascii() and name.isprintable()
            ):
                # Without the value: it may be a password.
                raise InputError(f"the header {name!r} holds a character that no header can carry")
            headers[name] = value
        return headers

    def _proxy(self, url: str) -> str | None:
        """Return the proxy the environment names for this address; none for private ones, which are near."""
        parts = urlsplit(url)
        proxy = self._proxies.get(parts.scheme) or self._proxies.get("all")
        if not proxy:
            return None
        host = host_of(parts)
        literal = read_ip(host)
        is_near = host == "localhost" or (literal is not None and reach(literal) != "public")
        if is_near or proxy_bypass(host):
            return None
        return proxy if "://" in proxy else f"http://{proxy}"

    def _manager(self, url: str, proxy: str | None) -> PoolManager:
        is_tls = urlsplit(url).scheme == "https"
        with self._lock:
            if (proxy, is_tls) not in self._managers:
                self._managers[proxy, is_tls] = pools(proxy, is_tls=is_tls)
            return self._managers[proxy, is_tls]


def _until(end: float, chunks: Iterable[bytes]) -> Iterable[bytes]:
    for chunk in chunks:
        if time.monotonic() > end:
            raise TimeoutError
        yield chunk
