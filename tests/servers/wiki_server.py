"""A MediaWiki on loopback, as far as its action API is asked: search with lines that fit, and starts of pages.

with WikiServer({"Inception": "Inception is a 2010 film."}) as wiki:
    …  # ask wiki.address
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.faulty_server import FaultyServer, Received, Reply


class WikiServer:
    """Serves pages by title; one without the extension for extracts where `has_extracts` is false."""

    def __init__(self, pages: Mapping[str, str], *, has_extracts: bool = True) -> None:
        self._pages, self._has_extracts = dict(pages), has_extracts
        self._server = FaultyServer([self._answer])
        self.asked: list[dict[str, str]] = []
        self.headers: list[Mapping[str, str]] = []

    def __enter__(self) -> WikiServer:
        self._server.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.__exit__(kind, error, trace)

    @property
    def address(self) -> str:
        """Where its API is."""
        return self._server.url("/w/api.php")

    def _answer(self, request: Received) -> Reply:
        fields = {k: v[0] for k, v in parse_qs(urlsplit(request.path).query).items()}
        self.asked.append(fields)
        self.headers.append(request.headers)
        return Reply(body=json.dumps(self._content(fields)).encode())

    def _content(self, fields: Mapping[str, str]) -> dict[str, Any]:
        if fields.get("meta") == "siteinfo":
            return {"query": {"statistics": {"articles": len(self._pages)}}}
        if '"' in fields["srsearch"] and fields["srsearch"].count('"') % 2:
            return {"error": {"code": "search-error", "info": "An error has occurred"}}
        found = self._search(fields["srsearch"])[: int(fields["srlimit"])]
        if not found:
            return {"batchcomplete": True, "query": {"search": []}}
        hits = [{"title": title, "snippet": self._snippet(title, fields)} for title in found]
        pages = [
            {"title": title, "index": i, **self._extract(title)} for i, title in enumerate(found, 1)
        ]
        return {"query": {"search": hits, "pages": sorted(pages, key=lambda page: page["title"])}}

    def _search(self, query: str) -> list[str]:
        wanted = set(_words(query))
        scores = {t: len(wanted & set(_words(f"{t} {text}"))) for t, text in self._pages.items()}
        return sorted((t for t, n in scores.items() if n), key=lambda t: (-scores[t], t))

    def _snippet(self, title: str, fields: Mapping[str, str]) -> str:
        text = html.escape(self._pages[title][:120])
        word = _words(fields["srsearch"])[0]
        return re.sub(f"({word})", r'<span class="searchmatch">\1</span>', text, flags=re.I)

    def _extract(self, title: str) -> dict[str, str]:
        return {"extract": self._pages[title]} if self._has_extracts else {}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
