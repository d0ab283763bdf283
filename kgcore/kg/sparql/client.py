"""Sends queries to an endpoint and says what came back: rows, or the start of them, or one of our errors.

SPARQLWrapper shapes the request; sending it, waiting and keeping replies is the transport's. The library has not
been released since 2022 and mishandles most faults, so it is used in this module only, and for this only.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from SPARQLWrapper import JSON, POST, SPARQLWrapper

from kgcore.errors import BadReplyError, RateLimitedError, TimedOutError, TooHeavyError
from kgcore.kg.connections import Connection
from kgcore.kg.sparql.replies import CutShortError, Row, parse_rows
from kgcore.transport import HttpRequest, HttpResponse, check_status
from kgcore.transport.transport import Transport

Password = Callable[[], str | None]
_LONGEST_GET = 600  # characters of a query; some three times that in an address
_TOO_HEAVY = re.compile(
    rb"SR353|S1T00|\bSQ2\d\d\b|22026|SR319|TimeoutException|QueryTimeout|timed? ?out|time ?limit"
    rb"|OutOfMemory|out of memory|MEMORY_LIMIT|estimated execution time|exceeds the limit",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Rows:
    """What came back; `is_cut` when the service kept rows to itself."""

    items: list[Row]
    is_cut: bool = False
    notes: tuple[str, ...] = ()
    fetched: str = ""
    is_narrowed: bool = False  # when it answers the narrower query
    seconds: float = 0.0


class SparqlClient:
    """Asks one endpoint. Safe to share between threads."""

    def __init__(
        self,
        connection: Connection,
        transport: Transport,
        *,
        scope: str = "",
        password: Password | None = None,
    ) -> None:
        self.name, self.address, self._user = connection.name, connection.address, connection.user
        self.host = urlsplit(self.address).hostname or ""
        self.scope, self._transport, self._password = scope, transport, password

    def select(
        self,
        query: str,
        *,
        narrower: str | None = None,
        most: int = 0,
        timeout_s: float | None = None,
    ) -> Rows:
        """Return the rows of a query.

        `most` is the LIMIT it has: an answer of that length is cut. Where the service gives the query up, or its answer ends early, `narrower` is asked instead, once; an answer that
        still ends early is a BadReplyError.
        """
        try:
            return self._ask(query, most, timeout_s)
        except (TooHeavyError, TimedOutError) as error:
            if narrower is None or narrower == query:
                raise
            found = self._ask(narrower, most, timeout_s)
            note = f"{self.name} gave the whole question up ({_short(error)}); less was asked for"
            return Rows(found.items, True, (note, *found.notes), found.fetched, True)

    def _ask(self, query: str, most: int, timeout_s: float | None) -> Rows:
        seen: list[tuple[bytes, list[Row]]] = []  # what was read to check it need not be read again

        def check(reply: HttpResponse) -> bool:
            rows = self._read(reply)
            seen[:] = [(reply.body, rows)]
            return not _is_cut(reply, len(rows), most)

        response = self._transport.fetch(
            self._request(query), scope=self.scope, check=check, timeout_s=timeout_s
        )
        is_seen = bool(seen) and seen[0][0] is response.body
        rows = seen[0][1] if is_seen else parse_rows(response.body)
        cut = _is_cut(response, len(rows), most)
        notes = (f"{self.name} cut the answer at {len(rows):,} rows",) if cut else ()
        return Rows(rows, cut, notes, response.fetched, seconds=response.seconds)

    def _request(self, query: str) -> HttpRequest:
        address, _, fields = self.address.partition("?")
        wrapper = SPARQLWrapper(address)
        for name, value in parse_qsl(fields):  # an address may name a graph
            wrapper.addParameter(name, value)
        wrapper.setReturnFormat(JSON)
        wrapper.setOnlyConneg(True)  # some engines refuse the format parameters it would add
        if len(query) > _LONGEST_GET:
            wrapper.setMethod(POST)
        wrapper.setQuery(query)
        shaped = wrapper._createRequest()  # the library sends what it shapes, or nothing
        kept = ("Accept", "Content-type")
        headers = tuple((k, val) for k, val in shaped.header_items() if k in kept)
        body = shaped.data if isinstance(shaped.data, bytes) else b""
        return HttpRequest(shaped.full_url, shaped.get_method(), headers, body, self._secret())

    def _secret(self) -> tuple[tuple[str, str], ...]:
        password = self._password() if self._password is not None else None
        if not self._user or not password:
            return ()
        coded = base64.b64encode(f"{self._user}:{password}".encode()).decode("ascii")
        return (("Authorization", f"Basic {coded}"),)

    def _read(self, response: HttpResponse) -> list[Row]:
        """Read the rows of a reply, or raise what it stands for."""
        start = response.body[:4000]
        if response.status >= 400 and response.status not in (401, 403, 429):
            if _TOO_HEAVY.search(start):
                raise TooHeavyError(
                    f"{self.name} gave the query up: too much work or too many rows"
                )
            if response.status == 400:
                raise BadReplyError(f"{self.name} does not understand the query")
            if response.status == 405 and "retry-after" in response.headers:
                raise RateLimitedError(f"{self.name} keeps saying: too many requests")
        check_status(response)
        try:
            return parse_rows(response.body)
        except CutShortError as error:
            kind = TooHeavyError if _TOO_HEAVY.search(response.body[-4000:]) else CutShortError
            raise kind(f"{self.name}: {error}") from error
        except BadReplyError as error:
            raise BadReplyError(f"{self.name}: {error}") from error


def _is_cut(response: HttpResponse, n_rows: int, most: int) -> bool:
    """Whether rows are missing: the headers say so, as Virtuoso's do under status 200, or the LIMIT was reached."""
    if response.headers.get("x-sql-state") or (most and n_rows >= most):
        return True
    said = response.headers.get("x-sparql-maxrows", "")
    return said.isdigit() and n_rows >= int(said)


def _short(error: Exception) -> str:
    if isinstance(error, CutShortError):
        return "its answer ended early"
    return "it took too long" if isinstance(error, TimedOutError) else "too much work"
