"""What goes wrong between MusicBrainz and us, over real HTTP: rows K9, K10, K15, K18, K19, S4 and S12."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from kgcore.errors import BadReplyError, RateLimitedError, ServiceError
from kgcore.kg.connections import Connection
from kgcore.kg.musicbrainz import MusicBrainzGraph, probe
from kgcore.kg.musicbrainz.kinds import entity_id
from kgcore.model import EntityId, RelationId
from kgcore.steps import Candidates
from kgcore.transport.cache import ResponseCache
from kgcore.transport.limits import HostLimit, Limits
from kgcore.transport.transport import Transport
from tests.servers import musicbrainz_world as world
from tests.servers.musicbrainz_data import MusicBrainzData
from tests.servers.musicbrainz_json import MMD
from tests.servers.musicbrainz_server import MusicBrainzServer, Scripted

QUIET, UNKNOWN = entity_id("artist", world.QUIET), entity_id("artist", world.mbid(0xFFFF))
OLD = entity_id("artist", world.OLD_QUIET)
MEMBER = RelationId("mbp:member_of_band")
PAGE = b"<!DOCTYPE html><html><head><title>MusicBrainz</title></head><body>Down for upgrades</body></html>"
Ask = Callable[[MusicBrainzGraph], object]
METHODS: dict[str, Ask] = {
    "link": lambda g: g.link("The Quiet Ones"),
    "link a question": lambda g: g.link("Who are The Quiet Ones?", is_question=True),
    "relations": lambda g: g.relations([QUIET]),
    "edges": lambda g: g.edges([QUIET], MEMBER, "in"),
    "describe": lambda g: g.describe([QUIET]),
    "same_as": lambda g: g.same_as([QUIET]),
    "same_as of Wikidata": lambda g: g.same_as([EntityId("wd:Q100")]),
}
every_method = pytest.mark.parametrize("ask", METHODS.values(), ids=METHODS.keys())


@pytest.fixture(scope="module")
def data() -> MusicBrainzData:
    return world.small_world()


@pytest.fixture
def server(data: MusicBrainzData) -> Iterator[MusicBrainzServer]:
    with MusicBrainzServer(data) as running:
        yield running


def connect(
    server: MusicBrainzServer, folder: Path, limits: Limits | None = None
) -> MusicBrainzGraph:
    transport = Transport(
        user_agent="Tests/1 ( test@example.org )",
        allow_private=True,
        limits=limits,
        cache=ResponseCache(folder / "replies.sqlite"),
    )
    return MusicBrainzGraph(Connection("mb", "musicbrainz", server.address), transport)


# --- K18: too many requests


@pytest.mark.parametrize("method", ["link", "edges"])
def test_a_storm_of_503_ends_with_the_right_error_within_30_seconds(
    server: MusicBrainzServer, tmp_path: Path, method: str
) -> None:
    server.replies = [Scripted(503, b"<error/>", headers={"Retry-After": "1"})]
    started = time.monotonic()
    with pytest.raises(RateLimitedError):
        METHODS[method](connect(server, tmp_path))
    assert time.monotonic() - started < 30
    assert server.n_requests <= 4


def test_a_503_that_passes_is_waited_for(server: MusicBrainzServer, tmp_path: Path) -> None:
    server.per_second = 2.0
    graph = connect(server, tmp_path)  # it does not know this host's limit and is told
    assert len(graph.edges([QUIET, entity_id("artist", world.BO)], MEMBER, "in").triples) == 2
    assert server.n_refused == 1


def test_with_the_limit_known_no_request_is_refused(
    server: MusicBrainzServer, tmp_path: Path
) -> None:
    server.per_second, server.burst = (
        10.0,
        3,
    )  # a request that was held up on its way lets the next look early
    host = server.address.removeprefix("http://")
    graph = connect(server, tmp_path, Limits({host: HostLimit(2, per_second=10)}))
    for entity in (QUIET, *(entity_id("artist", i) for i in (world.ADA, world.BO, world.BUSY))):
        graph.relations([entity])
    graph.link("First Light")
    assert server.n_requests >= 8
    assert server.n_refused == 0


# --- K19: a page instead of data


@every_method
@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", "application/xml"])
def test_a_page_with_status_200_is_an_error_and_never_no_artist(
    server: MusicBrainzServer, tmp_path: Path, ask: Ask, content_type: str
) -> None:
    server.replies = [Scripted(200, PAGE, content_type)]
    graph = connect(server, tmp_path)
    with pytest.raises(BadReplyError) as caught:
        ask(graph)
    assert "\n" not in str(caught.value)
    server.replies = ()
    assert ask(graph)  # and it was not kept


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"artists":[]}',
        world.document("<artist-list count='1'><artist id=")[:-11],
        b"\x00\xff",
    ],
)
def test_what_cannot_be_read_is_an_error(
    server: MusicBrainzServer, tmp_path: Path, body: bytes
) -> None:
    server.replies = [Scripted(200, body)]
    graph = connect(server, tmp_path)
    with pytest.raises(BadReplyError):
        graph.relations([QUIET])


@pytest.mark.parametrize("status", [401, 403, 500, 502])
def test_other_states_are_errors_of_one_line(
    server: MusicBrainzServer, tmp_path: Path, status: int
) -> None:
    server.replies = [Scripted(status, PAGE, "text/html")]
    with pytest.raises(ServiceError) as caught:
        connect(server, tmp_path).relations([QUIET])
    assert "\n" not in str(caught.value)
    health = probe(
        Connection("mb", "musicbrainz", server.address),
        Transport(user_agent="Tests/1", allow_private=True),
    )
    assert not health.is_up
    assert "\n" not in health.problem


def test_an_address_of_something_else_is_told_from_an_unknown_id(
    server: MusicBrainzServer, tmp_path: Path
) -> None:
    server.replies = [Scripted(404, PAGE, "text/html")]
    with pytest.raises(BadReplyError):
        connect(server, tmp_path).describe([QUIET])


# --- K9, K10: names


NAMES = [
    "محمد عبد الوهاب",
    "שלום חנוך",
    "電気グルーヴ",
    "👩‍🎤🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "e\u0301\u0323\u0302",
    "abc\u202efed",
    "x" * 10_000,
    "<script>alert(1)</script> & \"'",
    "{{ }} %s \\n",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_arrives_unchanged(tmp_path: Path, name: str) -> None:
    data = world.small_world()
    body = f"<name>{escape(name)}</name>"
    band = f"""<relation-list target-type="artist"><relation type="member of band"><target>{world.QUIET}</target>
    <artist id="{world.QUIET}"><name>The Quiet Ones</name></artist></relation></relation-list>"""
    odd = world.mbid(0x77)
    data.add(world.document(f'<artist id="{odd}">{body}{band}</artist>'))
    with MusicBrainzServer(data) as server:
        graph = connect(server, tmp_path)
        assert graph.describe([entity_id("artist", odd)]).entities[0].label == name
        labels = {t.subject.label for t in graph.edges([QUIET], MEMBER, "in").triples}
        assert name in labels


def test_a_character_that_xml_forbids_is_an_error(
    server: MusicBrainzServer, tmp_path: Path
) -> None:
    body = world.document(f'<artist id="{world.QUIET}"><name>a\x00b</name></artist>')
    server.replies = [Scripted(200, body)]
    with pytest.raises(BadReplyError):
        connect(server, tmp_path).describe([QUIET])


def test_a_thing_without_a_name_shows_its_id(server: MusicBrainzServer, tmp_path: Path) -> None:
    nameless = entity_id("artist", world.NAMELESS)
    (entity,) = connect(server, tmp_path).describe([nameless]).entities
    assert (entity.label, entity.name) == ("", nameless)


# --- K15: merged and deleted things


def test_a_merged_thing_answers_under_both_ids(server: MusicBrainzServer, tmp_path: Path) -> None:
    graph = connect(server, tmp_path)
    (entity,) = graph.describe([OLD]).entities
    assert (entity.id, entity.label) == (OLD, "The Quiet Ones")
    assert graph.same_as([OLD]) == ((OLD, QUIET), (OLD, EntityId("wd:Q100")))
    edges = graph.edges([OLD], MEMBER, "in")
    assert {t.object for t in edges.triples} == {entity}
    assert edges.same_as == graph.same_as([OLD])
    member = next(o for o in graph.relations([OLD]).items if o.relation.id == MEMBER)
    assert member.touches == (OLD,)
    assert graph.same_as([QUIET]) == ((QUIET, EntityId("wd:Q100")),)


def test_a_merged_thing_is_browsed_as_what_it_is_now(tmp_path: Path) -> None:
    data = world.small_world()
    old = world.mbid(0x98)
    data.merged["area", old] = world.REYKJAVIK
    with MusicBrainzServer(data) as server:
        graph, area = connect(server, tmp_path), entity_id("area", old)
        begin = RelationId("mbp:begin_area")
        (triple,) = graph.edges([area], begin, "in").triples
        assert (triple.subject.id, triple.object) == (QUIET, graph.describe([area]).entities[0])


def test_a_deleted_thing_is_nothing(server: MusicBrainzServer, tmp_path: Path) -> None:
    graph = connect(server, tmp_path)
    assert graph.describe([UNKNOWN]).entities == ()
    assert graph.relations([UNKNOWN]).items == ()
    assert graph.same_as([UNKNOWN]) == ()


# --- S4: queries


HOSTILE = [
    '" OR artist:*',
    'Quiet" AND type:Group OR "',
    "*:*",
    "artist:[* TO *]",
    "\\",
    'a\\" OR *:*',
    "Quiet~100",
    "(((",
    "quiet && ones || all !",
    '+-&|!(){}[]^"~*?:\\/',
    "%22%20OR%20*",
    "a&limit=100&query=*:*",
    "a#b?c=d",
    "x\x00y\r\nHost: evil.example",
    'mb:artist/" > <x',
    "mb:",
    "https://musicbrainz.org/artist/ \n",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_a_phrase_and_finds_nothing_more(
    server: MusicBrainzServer, tmp_path: Path, text: str
) -> None:
    from urllib.parse import parse_qs, urlsplit

    graph = connect(server, tmp_path)
    found: Candidates = graph.link(text)
    assert found.items == ()
    graph.link(f'Who is "{text}"?', is_question=True)
    for request in server.requests:
        assert request.status == 200
        query = parse_qs(urlsplit(request.path).query)
        assert set(query) == {"query", "limit"}
        assert query["limit"] == ["25"]
        (sent,) = query["query"]
        is_phrase = sent.startswith('"') and sent.endswith('"')
        assert is_phrase or set(sent) <= set("abcdefghijklmnopqrstuvwxyz0123456789~ AND")


@pytest.mark.parametrize(
    "bad",
    [
        f"mb:artist/{world.QUIET}/../../",
        f"mb:artist/{world.QUIET}?inc=x",
        "mb:artist/../artist",
        "mb:artist/%2e%2e",
    ],
)
def test_a_hostile_id_is_never_sent(server: MusicBrainzServer, tmp_path: Path, bad: str) -> None:
    graph = connect(server, tmp_path)
    assert graph.describe([EntityId(bad)]).entities == ()
    assert graph.relations([EntityId(bad)]).items == ()
    assert server.n_requests == 0


# --- S12: XML made to hurt


def bombs() -> dict[str, bytes]:
    entities = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    inside = (
        f'<metadata xmlns="{MMD}"><artist id="{world.QUIET}"><name>%s</name></artist></metadata>'
    )
    many = "<relation-list target-type='artist'><relation><artist id='x'>"
    ends = "</artist></relation></relation-list>"
    return {
        "laughs": f"<!DOCTYPE a [{entities}]>{inside % '&a9;'}".encode(),
        "file": f'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>{inside % "&x;"}'.encode(),
        "outside": f'<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd">{inside % "a"}'.encode(),
        "deep": world.document(
            f"<artist id='{world.QUIET}'>{many * 20_000}{ends * 20_000}</artist>"
        ),
    }


@pytest.mark.parametrize("name", bombs())
def test_hostile_xml_is_refused_at_once(
    server: MusicBrainzServer, tmp_path: Path, name: str
) -> None:
    server.replies = [Scripted(200, bombs()[name])]
    graph = connect(server, tmp_path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    with pytest.raises(BadReplyError):
        graph.describe([QUIET])
    assert time.process_time() - started < 1.0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
