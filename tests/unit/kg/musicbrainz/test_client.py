"""What is asked of the web service, and what counts as an answer."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgcore.errors import BadReplyError, RateLimitedError, RefusedKeyError
from kgcore.kg.musicbrainz.client import _check, about, is_unknown, phrase, read
from kgcore.transport.http import HttpResponse
from tests.servers.musicbrainz_json import MMD
from tests.servers.musicbrainz_world import document, mbid

ERROR = b'<?xml version="1.0"?><error><text>%s</text></error>'


def response(status: int, body: bytes) -> HttpResponse:
    return HttpResponse(status, {}, body)


# --- what is asked


@given(st.text())
def test_a_query_is_one_phrase_whatever_a_text_holds(text: str) -> None:
    query = phrase(text)
    if not query:
        assert not any(char.isalnum() for char in text)
        return
    query.encode("utf-8")
    assert query.startswith('"')
    assert query.endswith('"')
    inner = query[1:-1]
    assert not re.search(r'(?<!\\)(?:\\\\)*"', inner)  # no quote but escaped ones
    assert not re.search(r"(?<!\\)(?:\\\\)*\\\Z", inner)  # nor is the last one
    assert not re.search(r"[\x00-\x1f\x7f]", inner)


@pytest.mark.parametrize(
    "text, query",
    [
        ("Nirvana", '"Nirvana"'),
        ('" OR artist:*', '"\\" OR artist\\:\\*"'),
        ("AC/DC", '"AC\\/DC"'),
        ("back\\slash", '"back\\\\slash"'),
        (" Kool \n&\x00 The Gang ", '"Kool \\& The Gang"'),
        ("北京", '"北京"'),
        ("a\ud800b", '"a b"'),
        ("*", ""),
        ("?!", ""),
        ("", ""),
    ],
)
def test_a_phrase_is_escaped(text: str, query: str) -> None:
    assert phrase(text) == query


@given(st.text())
def test_a_query_for_similar_words_holds_only_words(text: str) -> None:
    parts = about(text).split(" AND ") if about(text) else []
    for part in parts:
        assert part[-1] == "~"
        assert all(char.isalnum() for char in part[:-1])
        assert part[:-1] not in ("and", "or", "not")


# --- what counts as an answer


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><body>Busy</body></html>",
        b"<html><head/></html>",
        b"",
        b"{}",
        b'<metadata><artist id="x"/></metadata>',  # not of their namespace
        b'<?xml version="1.0"?><error><text>no</text></error>',
        document("<artist id='x'><name>cut")[:60],
        f'<metadata xmlns="{MMD}"><artist id="x"><name>a'.encode(),
        b'<?xml version="1.0" encoding="nonsense"?><a/>',
        b"\xff\xfe\x00",
    ],
)
def test_what_is_not_their_xml_is_an_error_and_never_an_empty_answer(body: bytes) -> None:
    with pytest.raises(BadReplyError, match="MusicBrainz answered"):
        read(body)
    with pytest.raises(BadReplyError):
        _check(response(200, body))


@pytest.mark.parametrize(
    "start",
    [
        '<!DOCTYPE a [<!ENTITY x "yyyyyyyyyy"><!ENTITY z "&x;&x;&x;">]>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        "<!DOCTYPE a>",
    ],
)
def test_document_types_are_refused_before_anything_is_expanded(start: str) -> None:
    body = f'{start}<metadata xmlns="{MMD}"><artist id="{mbid(1)}"><name>&z;</name></artist></metadata>'
    with pytest.raises(BadReplyError):
        read(body.encode())


def test_deep_nesting_is_refused_at_once() -> None:
    started = time.process_time()
    deep = "<relation-list target-type='artist'><relation><artist id='x'>" * 30_000
    closed = "</artist></relation></relation-list>" * 30_000
    with pytest.raises(BadReplyError, match="nested too deeply"):
        read(document(f"<artist id='y'>{deep}{closed}</artist>"))
    assert time.process_time() - started < 2


def test_other_namespaces_are_left_out_and_change_nothing_in_the_library() -> None:
    from musicbrainzngs.mbxml import NS_MAP

    before = dict(NS_MAP)
    many = "".join(f'<e xmlns="urn:x:{n}" y:a="1" xmlns:y="urn:y:{n}"/>' for n in range(50))
    data, _, _ = read(
        document(f'<artist id="{mbid(1)}" z:b="2" xmlns:z="urn:z"><name>A</name>{many}</artist>')
    )
    assert data == {"artist": {"id": mbid(1), "name": "A"}}
    assert before == NS_MAP


def test_broken_numbers_are_an_error_of_ours() -> None:
    with pytest.raises(BadReplyError):
        read(document('<artist-list count="many"/>'))
    with pytest.raises(BadReplyError):
        read(
            document(f'<artist id="{mbid(1)}"><relation-list><relation/></relation-list></artist>')
        )


def test_what_the_library_leaves_out_is_read() -> None:
    _, url_ids, dates = read(
        document(
            f"""<recording id="{mbid(1)}"><first-release-date>1992</first-release-date>
            <relation-list target-type="url"><relation type="lyrics"><target id="{mbid(2)}">https://a.example/</target>
            </relation></relation-list></recording>"""
        )
    )
    assert url_ids == {"https://a.example/": mbid(2)}
    assert dates == {mbid(1): "1992"}


@pytest.mark.parametrize(
    "status, body",
    [(404, ERROR % b"Not Found"), (400, ERROR % b"Invalid mbid."), (404, b'{"error":"Not Found"}')],
)
def test_an_id_that_is_not_known_is_an_answer(status: int, body: bytes) -> None:
    assert is_unknown(response(status, body))
    assert _check(response(status, body))


@pytest.mark.parametrize(
    "status, body, error",
    [
        (400, ERROR % b"wrong-rels is not a valid inc parameter", BadReplyError),
        (404, b"<!DOCTYPE html><html>no such page</html>", BadReplyError),
        (503, ERROR % b"exceeding the allowable rate limit", RateLimitedError),
        (500, b"", BadReplyError),
        (403, b"", RefusedKeyError),
        (204, b"", BadReplyError),
    ],
)
def test_other_states_are_errors(status: int, body: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        _check(response(status, body))
