"""A MusicBrainz web service (ws/2) on loopback, with the manners of the real one.

    with MusicBrainzServer(data, per_second=20) as server:
        …  # talk to server.address
        assert server.n_requests == 3

It answers lookups, browse requests and searches from the documents it was given, 404 for what none of them speaks
of, 400 for what is no id, and 503 with Retry-After for requests that come faster than it allows. `replies` makes it
answer as scripted instead: the n-th request gets the n-th entry, the last one serves all further requests.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from kgcore.kg.linking import typing_errors
from kgcore.kg.mentions import loosen
from tests.servers.musicbrainz_data import MusicBrainzData
from tests.servers.musicbrainz_json import KINDS, MMD

_MBID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_XML = "application/xml; charset=utf-8"


@dataclass(frozen=True)
class Scripted:
    """A reply that is not made from the data."""

    status: int = 200
    body: bytes = b""
    content_type: str = _XML
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    path: str
    at: float
    status: int
    agent: str


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that hangs up is part of the tests."""


class MusicBrainzServer:
    """Serves documents; `per_second` is None for a server that never says it is too busy.

    It lets so many requests a second through, and after a pause up to `burst` at once.
    """

    def __init__(
        self, data: MusicBrainzData, *, per_second: float | None = None, burst: int = 1
    ) -> None:
        self.data, self.per_second, self.burst = data, per_second, burst
        self.replies: Sequence[Scripted] = ()
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._room, self._last = float(burst), 0.0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, body, headers = owner.answer(self.path, self.headers.get("User-Agent", ""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self) -> MusicBrainzServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def n_requests(self) -> int:
        return len(self.requests)

    @property
    def n_refused(self) -> int:
        return sum(request.status == 503 for request in self.requests)

    def paths(self) -> list[str]:
        """What was asked for, in order of arrival."""
        return [request.path.removeprefix("/ws/2/") for request in self.requests]

    # --- answering

    def answer(self, path: str, agent: str) -> tuple[int, bytes, dict[str, str]]:
        with self._lock:
            now = time.monotonic()
            scripted = (
                self.replies[min(len(self.requests), len(self.replies) - 1)]
                if self.replies
                else None
            )
            if scripted is not None:
                status, body = scripted.status, scripted.body
                headers = {"Content-Type": scripted.content_type, **scripted.headers}
            elif not self._has_room(now):
                status, body = _error(503, "Your requests are exceeding the allowable rate limit.")
                headers = {"Content-Type": _XML, "Retry-After": "1"}
            else:
                status, body = self._reply(path)
                headers = {"Content-Type": _XML}
            self.requests.append(Request(path, now, status, agent))
        return status, body, headers

    def _has_room(self, now: float) -> bool:
        if self.per_second is None:
            return True
        self._room += (
            (now - self._last) * self.per_second * 1.05
        )  # clocks and threads are not exact
        self._room, self._last = min(self._room, float(self.burst)), now
        if self._room < 1:
            return False
        self._room -= 1
        return True

    def _reply(self, path: str) -> tuple[int, bytes]:
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        includes = query.get("inc", "").split()
        kind, _, mbid = parts.path.removeprefix("/ws/2/").rstrip("/").partition("/")
        if kind not in KINDS:
            return _error(404, "Not Found")
        if mbid:
            return self._lookup(kind, mbid, includes)
        if "resource" in query:
            found = self.data.address(query["resource"])
            return self._lookup("url", found, includes) if found else _error(404, "Not Found")
        if "query" in query:
            return self._list(kind, self._search(kind, query["query"]), query)
        by = next((name for name in query if name in KINDS), "")
        if not by or not _MBID.match(query[by]):
            return _error(400, "Invalid mbid.")
        if (by, query[by]) not in self.data.attributes:
            return _error(404, "Not Found")
        return self._list(kind, self.data.browse(kind, by, query[by], includes), query)

    def _lookup(self, kind: str, mbid: str, includes: Sequence[str]) -> tuple[int, bytes]:
        if not _MBID.match(mbid):
            return _error(400, "Invalid mbid.")
        wrong = [inc for inc in includes if inc.endswith("-rels") and inc[:-5] not in KINDS]
        if wrong:
            return _error(400, f"{wrong[0]} is not a valid inc parameter for the {kind} resource.")
        found = self.data.lookup(kind, mbid, includes)
        return _document(found) if found is not None else _error(404, "Not Found")

    def _list(
        self, kind: str, items: Sequence[Element], query: dict[str, str]
    ) -> tuple[int, bytes]:
        limit, offset = int(query.get("limit", 25)), int(query.get("offset", 0))
        attributes = {"count": str(len(items)), "offset": str(offset)}
        listed = Element(f"{{{MMD}}}{kind}-list", attributes)
        listed.extend(items[offset : offset + min(limit, 100)])
        return _document(listed)

    def _search(self, kind: str, query: str) -> list[Element]:
        """Find names that hold a phrase, or words much alike (`word~`); nothing else of Lucene is understood."""
        ranked: list[tuple[int, str]] = []
        for mbid, names in self.data.names(kind):
            scores = [_score(loosen(name), query) for name in names]
            if scores and max(scores) > 0:
                ranked.append((-max(scores), mbid))
        return [self.data.found(kind, mbid, -score) for score, mbid in sorted(ranked)]


def _score(name: str, query: str) -> int:
    if query == "*:*":
        return 1
    if query.startswith('"') and query.endswith('"') and len(query) > 1:
        words = loosen(re.sub(r"\\(.)", r"\1", query[1:-1]))
        if name == words:
            return 100
        return 60 if words and f" {words} " in f" {name} " else 0
    alike = [
        any(typing_errors(word, other, 2) <= 2 for other in name.split())
        for word in re.findall(r"(\S+)~", query)
    ]
    return 50 if alike and all(alike) else 0


def _document(child: Element) -> tuple[int, bytes]:
    root = Element(f"{{{MMD}}}metadata")
    root.append(child)
    return 200, tostring(root, "utf-8", xml_declaration=True)


def _error(status: int, text: str) -> tuple[int, bytes]:
    root = Element("error")
    SubElement(root, "text").text = text
    return status, tostring(root, "utf-8", xml_declaration=True)
