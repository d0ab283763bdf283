"""Wikis: what is asked, what comes back, against a server on loopback."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgcore.errors import (
    BadReplyError,
    InputError,
    RateLimitedError,
    RefusedKeyError,
    UnreachableError,
)
from kgcore.sources.spec import SourceSpec
from kgcore.sources.wiki.replies import page_address, parse, plain, to_evidence
from kgcore.sources.wiki.source import WikiSource, api_address
from kgcore.steps import BadQuery, Passages
from kgcore.transport.transport import Transport
from tests.servers.asking import transport
from tests.servers.wiki_server import WikiServer

PAGES = {
    "El Tío Disparate": "El Tío Disparate is a 1978 film by Palito Ortega.",
    "Rome & Carthage": "Rome & Carthage fought three wars.",
    "Salt": "A mineral.",
}


def wiki_at(address: str, **options: Any) -> WikiSource:
    return WikiSource(SourceSpec("wiki", "wiki", (address,)), transport(), **options)


def test_pages_are_found_with_their_first_sentences() -> None:
    with WikiServer(PAGES) as server:
        result = wiki_at(server.address).run("Who made El Tío Disparate?")
        assert isinstance(result, Passages)
        first = result.items[0]
        assert first.text == PAGES["El Tío Disparate"]
        assert first.origin.endswith("/wiki/El_T%C3%ADo_Disparate")
        assert json.loads(first.raw)["title"] == "El Tío Disparate"
        assert [item.score for item in result.items] == sorted(
            (item.score for item in result.items), reverse=True
        )
        (asked,) = server.asked
        assert asked["srsearch"] == asked["gsrsearch"] == "Who made El Tío Disparate?"
        assert server.headers[0]["user-agent"] == "test"


def test_without_the_extension_for_extracts_the_lines_that_fit_are_shown() -> None:
    with WikiServer(PAGES, has_extracts=False) as server:
        result = wiki_at(server.address).run("Carthage wars")
        assert isinstance(result, Passages)
        assert result.items[0].text == "Rome & Carthage fought three wars."


def test_a_title_leads_where_the_text_does_not_name_it() -> None:
    with WikiServer(PAGES) as server:
        result = wiki_at(server.address).run("mineral")
        assert isinstance(result, Passages)
        assert result.items[0].text == "Salt: A mineral."


def test_the_same_question_is_asked_once_where_replies_are_kept(tmp_path: Any) -> None:
    from kgcore.transport.cache import ResponseCache

    cache = ResponseCache(tmp_path / "replies.sqlite", max_bytes=1_000_000, max_age_s=1_000)
    line = Transport(user_agent="tests/1 (t@example.org)", allow_private=True, cache=cache)
    with WikiServer(PAGES) as server:
        spec = SourceSpec("wiki", "wiki", (server.address,))
        first, again = (WikiSource(spec, line).run("mineral") for _ in range(2))
        assert first == again
        WikiSource(spec, line, data_version="2").run("mineral")
        assert len(server.asked) == 2
    cache.close()


@pytest.mark.parametrize("query", ["", " \n", "?!", "x" * 301])
def test_what_is_no_query_is_not_sent(query: str) -> None:
    with WikiServer(PAGES) as server:
        assert isinstance(wiki_at(server.address).run(query), BadQuery)
        assert server.asked == []


def test_a_query_the_wiki_does_not_take_is_a_bad_query() -> None:
    with WikiServer(PAGES) as server:
        result = wiki_at(server.address).run('intitle:" rome')
        assert isinstance(result, BadQuery)
        assert "does not take the query" in result.message


def test_its_health_counts_the_articles() -> None:
    with WikiServer(PAGES) as server:
        health = wiki_at(server.address).health()
        assert (health.is_up, health.n_items, health.unit) == (True, 3, "articles")


def test_a_private_address_is_not_asked_where_that_is_forbidden() -> None:
    with WikiServer(PAGES) as server:
        spec = SourceSpec("wiki", "wiki", (server.address,))
        guarded = Transport(user_agent="tests/1 (t@example.org)", allow_private=False)
        with pytest.raises((InputError, UnreachableError)):
            WikiSource(spec, guarded).run("salt")
        assert server.asked == []


@pytest.mark.parametrize(
    "body, error",
    [
        (b"<html>no wiki</html>", BadReplyError),
        (b"[]", BadReplyError),
        (b"", BadReplyError),
        (b'{"error": {"code": "ratelimited", "info": "slow down"}}', RateLimitedError),
        (b'{"error": {"code": "maxlag", "info": "lag"}}', RateLimitedError),
        (b'{"error": {"code": "readapidenied", "info": "closed"}}', RefusedKeyError),
        (b'{"error": {"code": "internal_api_error", "info": "a\\nb"}}', BadReplyError),
        (b'{"error": {"code": "search-error", "info": "x"}}', InputError),
    ],
)
def test_errors_under_status_200_are_errors(body: bytes, error: type[Exception]) -> None:
    with pytest.raises(error) as told:
        parse(body, "wiki")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"query": []},
        {"query": {"search": {}}},
        {"query": {"search": [1, {"title": 5}, {"snippet": "x"}]}},
        {"query": {"search": [{"title": "A", "snippet": None}], "pages": [{"title": None}]}},
    ],
)
def test_odd_replies_find_nothing(data: dict[str, Any]) -> None:
    assert to_evidence(data, "https://example.org/w/api.php") == ()


def test_markup_is_taken_off() -> None:
    assert plain('<span class="x">a</span> &amp; <b>b</b>\n&quot;c&quot;') == 'a & b "c"'


@pytest.mark.parametrize(
    "given, found",
    [
        ("https://en.example.org/w/api.php", "https://en.example.org/w/api.php"),
        ("https://en.example.org", "https://en.example.org/w/api.php"),
        ("https://en.example.org/wiki/Main_Page", "https://en.example.org/w/api.php"),
        ("https://example.org/mediawiki/api.php", "https://example.org/mediawiki/api.php"),
    ],
)
def test_the_api_is_found_from_an_address(given: str, found: str) -> None:
    assert api_address(given) == found


@pytest.mark.parametrize(
    "given",
    ["", "en.example.org", "ftp://x/w/api.php", "https://u:p@x/w/api.php", "https://x/w/api.php?key=1", "https://x/other"],
)  # fmt: skip
def test_what_is_no_address_of_a_wiki_is_refused(given: str) -> None:
    with pytest.raises(InputError):
        api_address(given)


def test_pages_are_named_by_their_address_where_that_is_known() -> None:
    assert page_address("https://x/w/api.php", "A b/c") == "https://x/wiki/A_b/c"
    assert page_address("https://x/api.php", "A b") == ""
