"""A wiki as a source: its own search, with the start of each page; through the transport and its manners."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode, urlsplit

from kgcore.errors import InputError
from kgcore.kg.connections import check_address
from kgcore.sources.spec import SourceHealth, SourceSpec
from kgcore.sources.spec_source import SpecSource
from kgcore.sources.wiki.replies import parse, to_evidence
from kgcore.steps import BadQuery, Passages
from kgcore.transport import HttpRequest, HttpResponse, check_status
from kgcore.transport.transport import Transport

_LONGEST_QUERY = 300  # characters; MediaWiki takes no more
_EXTRACT = 1_000  # characters of each page


class WikiSource(SpecSource):
    """Searches a MediaWiki; safe to share between threads.

    `data_version` stands for the pages behind the address, which change all the time: replies are kept under it.
    """

    def __init__(
        self, spec: SourceSpec, transport: Transport, *, data_version: str = "1", most: int = 5
    ) -> None:
        self._transport, self._most = transport, most
        self._address = api_address(spec.where[0])
        content = f"{self._address} {data_version} {most}"
        super().__init__(
            spec,
            hashlib.blake2b(content.encode(), digest_size=8).hexdigest(),
            description=f"the wiki at {urlsplit(self._address).hostname}",
            schema="the search of a wiki: a few words, names above all, find pages",
        )

    def run(self, query: str) -> Passages | BadQuery:
        """Search for pages; each comes with its first sentences."""
        query = " ".join(query.split())
        if not any(c.isalnum() for c in query):
            return BadQuery("the query holds no word to look for")
        if len(query) > _LONGEST_QUERY:
            return BadQuery(f"a wiki takes at most {_LONGEST_QUERY} characters; ask in fewer words")
        try:
            response = self._fetch(self._search(query))
            data = parse(response.body, self.id)
        except _QueryRefused as error:
            return BadQuery(str(error))
        return Passages(to_evidence(data, self._address), query)

    def health(self) -> SourceHealth:
        """Ask the wiki how many articles it has."""
        fields = {"action": "query", "meta": "siteinfo", "siprop": "statistics"}
        data = parse(self._fetch(fields, is_kept=False).body, self.id)
        query = data.get("query")
        numbers = query.get("statistics") if isinstance(query, dict) else None
        n = numbers.get("articles") if isinstance(numbers, dict) else None
        return SourceHealth(True, n_items=n if isinstance(n, int) else None, unit="articles")

    def _search(self, query: str) -> dict[str, str]:
        """One request for the hits with their lines, and for the start of each page found."""
        n = str(self._most)
        return {
            "action": "query",
            "list": "search",
            "srsearch": query,
            "srlimit": n,
            "srprop": "snippet",
            "generator": "search",
            "gsrsearch": query,
            "gsrlimit": n,
            "prop": "extracts",
            "exintro": "1",
            "explaintext": "1",
            "exlimit": n,
            "exchars": str(_EXTRACT),
        }

    def _fetch(self, fields: dict[str, str], *, is_kept: bool = True) -> HttpResponse:
        asked = urlencode({**fields, "format": "json", "formatversion": "2"})
        request = HttpRequest(f"{self._address}?{asked}", headers=(("Accept", "application/json"),))
        scope = f"{self.id}@{self.version}" if is_kept else ""
        return self._transport.fetch(request, scope=scope, check=self._check)

    def _check(self, response: HttpResponse) -> bool:
        """Keep only replies that are what was asked for."""
        check_status(response)
        try:
            parse(response.body, self.id)
        except InputError as error:
            raise _QueryRefused(str(error)) from error
        return True


class _QueryRefused(InputError):
    """The wiki understood the request and does not take the query."""


def api_address(address: str) -> str:
    """Return the address of a wiki's API from that of its API, its pages or its host."""
    check_address(address)
    parts = urlsplit(address)
    if parts.query:
        raise InputError("the address of a wiki ends with its path")
    if parts.path.endswith("api.php"):
        return address
    base = f"{parts.scheme}://{parts.netloc}"
    if parts.path.rstrip("/") in ("", "/wiki", "/w") or parts.path.startswith("/wiki/"):
        return f"{base}/w/api.php"
    raise InputError("give the address of the wiki's api.php, as in https://HOST/w/api.php")
