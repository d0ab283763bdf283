"""Reads the replies of a MediaWiki's action API; pure."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import quote

from kgcore.errors import BadReplyError, InputError, RateLimitedError, RefusedKeyError
from kgcore.model.text import cut
from kgcore.steps import Evidence

_TAGS = re.compile(r"<[^>]*>")
_LONGEST = 1_200  # characters of an extract
_BUSY = ("ratelimited", "maxlag", "readonly", "cirrussearch-too-busy-error")
_CLOSED = ("readapidenied", "permissiondenied", "badtoken")
_BAD_QUERY = ("search-error", "srsearch-", "cirrussearch-", "baduser", "missingparam", "toolong")


def parse(body: bytes, name: str) -> dict[str, Any]:
    """Return the reply's content; the error it stands for where it is one (these come under status 200)."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadReplyError(f"{name} did not answer as a MediaWiki does") from error
    if not isinstance(data, dict):
        raise BadReplyError(f"{name} did not answer as a MediaWiki does")
    problem = data.get("error")
    if isinstance(problem, dict):
        code, info = str(problem.get("code", "")), plain(str(problem.get("info", "")))[:200]
        if code in _BUSY:
            raise RateLimitedError(f"{name} says: {info or 'too many requests'}")
        if code in _CLOSED:
            raise RefusedKeyError(f"{name} is not open to read: {info}")
        if code.startswith(_BAD_QUERY):
            raise InputError(f"{name} does not take the query: {info}")
        raise BadReplyError(f"{name} answered with an error: {info or code}")
    return data


def to_evidence(data: dict[str, Any], address: str) -> tuple[Evidence, ...]:
    """Return what a search found, best first: the start of each page, or the lines that fit where there is none."""
    query = data.get("query")
    query = query if isinstance(query, dict) else {}
    pages = [page for page in _list(query.get("pages")) if isinstance(page.get("title"), str)]
    extracts = {str(page["title"]): plain(str(page.get("extract") or "")) for page in pages}
    hits = [hit for hit in _list(query.get("search")) if isinstance(hit.get("title"), str)]
    found = []
    for rank, hit in enumerate(hits, 1):
        title, snippet = str(hit["title"]), plain(str(hit.get("snippet") or ""))
        text = extracts.get(title) or snippet
        if not text:
            continue
        if snippet and snippet.casefold()[:60] not in text.casefold():
            text = f"{text} … {snippet}" if text != snippet else text
        named = (
            text if title.casefold() in text[: len(title) + 60].casefold() else f"{title}: {text}"
        )
        raw = {"title": title, "extract": extracts.get(title, ""), "snippet": snippet}
        url = page_address(address, title)
        origin = f"{title}, {url}" if url else f"{title}, result {rank}"
        score = round(1 / rank, 4)  # the service tells the order only
        found.append(Evidence(named, json.dumps(raw, ensure_ascii=False), origin, score))
    return tuple(found)


def plain(markup: str) -> str:
    """Return a text without tags and entities, on one line, not endlessly long."""
    return cut(" ".join(html.unescape(_TAGS.sub("", markup)).split()), _LONGEST)


def page_address(api: str, title: str) -> str:
    """Return where a page is read by people, where the wiki lies as Wikimedia's do; else nothing."""
    base, found, _ = api.partition("/w/api.php")
    return f"{base}/wiki/{quote(title.replace(' ', '_'), safe='/:(),')}" if found else ""


def _list(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
