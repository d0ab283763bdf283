"""MusicBrainzGraph keeps the promises of the port, over HTTP.

The shared contract suite stands on facts about films; here the same promises are kept about music, sentence by
sentence. Two are narrower. A typing error is forgiven only where nothing bears the name as it is written, and an id of
Wikidata is looked up for its links by same_as() alone and not by describe(): each further request costs a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.kg.connections import Connection
from kgcore.kg.musicbrainz import MusicBrainzGraph, probe
from kgcore.kg.musicbrainz.kinds import entity_id, kinds
from kgcore.model import Direction, Entity, EntityId, Literal, RelationId
from kgcore.transport.cache import ResponseCache
from kgcore.transport.transport import Transport
from tests.servers import musicbrainz_world as world
from tests.servers.musicbrainz_server import MusicBrainzServer, Scripted

QUIET, ADA, BO, BUSY = (
    entity_id("artist", i) for i in (world.QUIET, world.ADA, world.BO, world.BUSY)
)
ALBUM = entity_id("release-group", world.FIRST_LIGHT)
CD, MORNING = entity_id("release", world.RELEASE), entity_id("recording", world.MORNING)
SONG, NORTHERN = entity_id("work", world.SONG), entity_id("label", world.NORTHERN)
ICELAND, REYKJAVIK = entity_id("area", world.ICELAND), entity_id("area", world.REYKJAVIK)
HARPA, NIGHT = entity_id("place", world.HARPA), entity_id("event", world.NIGHT)
DRUMS, WORKS = entity_id("instrument", world.DRUMS), entity_id("series", world.CHARTS)
HOME = entity_id("url", world.HOME_URL)
EVERYTHING = [
    QUIET, ADA, BO, BUSY, ALBUM, CD, MORNING, SONG, NORTHERN, ICELAND, REYKJAVIK, HARPA, NIGHT, DRUMS, WORKS, HOME
]  # fmt: skip
MEMBER, AREA, ARTIST = (RelationId(f"mbp:{n}") for n in ("member_of_band", "area", "artist"))
UNKNOWN = entity_id("artist", world.mbid(0xFFFF))


@pytest.fixture(scope="module")
def server() -> Iterator[MusicBrainzServer]:
    with MusicBrainzServer(world.small_world()) as running:
        yield running


def connect(server: MusicBrainzServer, folder: Path, **changes: str) -> MusicBrainzGraph:
    connection = Connection("mb", "musicbrainz", server.address, **changes)
    transport = Transport(
        user_agent="Tests/1 ( test@example.org )",
        allow_private=True,
        cache=ResponseCache(folder / "replies.sqlite"),
    )
    return MusicBrainzGraph(connection, transport)


@pytest.fixture
def graph(server: MusicBrainzServer, tmp_path: Path) -> MusicBrainzGraph:
    server.requests.clear()
    return connect(server, tmp_path)


def facts(
    graph: MusicBrainzGraph, asked: EntityId, relation: str, direction: Direction = "out"
) -> list[str]:
    return [t.text for t in graph.edges([asked], RelationId(f"mbp:{relation}"), direction).triples]


# --- the port's promises


def test_it_has_a_name_and_a_version(server: MusicBrainzServer, tmp_path: Path) -> None:
    one = connect(server, tmp_path)
    assert one.id == "mb"
    assert one.version == connect(server, tmp_path).version
    assert one.version != connect(server, tmp_path, data_version="2").version


@pytest.mark.parametrize("text", ["The Quiet Ones", "the quiet ones", "  THE QUIET ONES ", "TQO"])
def test_link_finds_a_name_however_it_is_cased(graph: MusicBrainzGraph, text: str) -> None:
    best = graph.link(text).items[0]
    assert (best.entity.id, best.entity.label) == (QUIET, "The Quiet Ones")
    assert best.entity.kg == "mb"
    assert 0 < best.score <= 1


def test_link_scores_the_label_itself_highest(graph: MusicBrainzGraph) -> None:
    score = {t: graph.link(t).items[0].score for t in ("The Quiet Ones", "TQO", "The Quite Ones")}
    assert score["The Quiet Ones"] > score["TQO"] > score["The Quite Ones"]


def test_link_finds_nothing_for_what_is_no_name(graph: MusicBrainzGraph) -> None:
    for text in ("", "   ", "?", "zzzzqqqq", '" OR 1=1', "*", "a" * 5000, "\x00", "*:*"):
        assert graph.link(text).items == (), text


def test_link_keeps_to_the_limit(graph: MusicBrainzGraph) -> None:
    assert len(graph.link("Album", context="album", limit=3).items) == 3


def test_link_takes_an_id_or_an_address_for_the_thing(graph: MusicBrainzGraph) -> None:
    for text in (QUIET, f"https://musicbrainz.org/artist/{world.QUIET}"):
        (found,) = graph.link(text).items
        assert (found.entity.id, found.score) == (QUIET, 1.0)
    assert graph.link(UNKNOWN).items == ()


def test_a_context_saves_searches(graph: MusicBrainzGraph, server: MusicBrainzServer) -> None:
    assert graph.link("Iceland", context="country").items[0].entity.id == ICELAND
    assert [path.split("?")[0] for path in server.paths()] == ["area"]


def test_a_question_is_searched_for_names(graph: MusicBrainzGraph) -> None:
    found = graph.link('Did Ada Park sing "Morning" at the concert Quiet Night?', is_question=True)
    best = {c.mention: c.entity.id for c in reversed(found.items)}
    assert best == {"Ada Park": ADA, "Morning": MORNING, "Quiet Night": NIGHT}
    assert len(found.items[0].mention) == max(len(c.mention) for c in found.items)


def test_relations_are_offered_in_both_directions(graph: MusicBrainzGraph) -> None:
    offered = {(o.relation.id, o.direction) for o in graph.relations([QUIET]).items}
    assert (MEMBER, "in") in offered
    assert (AREA, "out") in offered
    assert (MEMBER, "out") in {(o.relation.id, o.direction) for o in graph.relations([ADA]).items}


def test_an_option_says_what_it_holds(graph: MusicBrainzGraph) -> None:
    options = {(o.relation.id, o.direction): o for o in graph.relations([QUIET]).items}
    member, began = options[MEMBER, "in"], options[RelationId("mbp:begin_date"), "out"]
    assert (member.phrase, member.count, member.touches) == ("has member", 2, (QUIET,))
    assert member.targets == ("Ada Park", "Bo Lind")
    assert member.target_types == ("artist",)
    assert (began.targets, began.target_types) == (("1990",), ("date",))


def test_options_tell_which_of_the_asked_entities_they_touch(graph: MusicBrainzGraph) -> None:
    options = {(o.relation.id, o.direction): o for o in graph.relations([ADA, QUIET, BO]).items}
    assert options[MEMBER, "out"].touches == (ADA, BO)
    assert options[MEMBER, "in"].touches == (QUIET,)
    assert options[AREA, "out"].count == 2


def test_options_come_by_relation_then_direction(graph: MusicBrainzGraph) -> None:
    keys = [(o.relation.id, o.direction) for o in graph.relations(EVERYTHING).items]
    assert keys == sorted(keys)


def test_edges_read_as_the_graph_holds_them(graph: MusicBrainzGraph) -> None:
    from_band = graph.edges([QUIET], MEMBER, "in").triples
    from_member = graph.edges([ADA], MEMBER).triples
    assert (from_band[0].subject.id, from_band[0].object) == (ADA, Entity(QUIET))
    assert from_band[0] == from_member[0]


def test_edges_bring_labels_and_what_the_relationship_says(graph: MusicBrainzGraph) -> None:
    assert facts(graph, QUIET, "member_of_band", "in") == [
        "Ada Park – member of band (drums, 1990–1994; lead vocals, since 1998) – The Quiet Ones",
        "Bo Lind – member of band (bass, credited as B. Lind) – The Quiet Ones",
    ]
    triple = graph.edges([QUIET], MEMBER, "in").triples[0]
    assert triple.relation.phrase("in").startswith("has member (drums")
    assert triple.provenance is not None
    assert triple.provenance.kg == "mb"
    assert triple.provenance.query.startswith("http://127.0.0.1")


def test_a_literal_keeps_its_form(graph: MusicBrainzGraph) -> None:
    (triple,) = graph.edges([ALBUM], RelationId("mbp:first_release_date")).triples
    assert triple.object == Literal("1992-03", "xsd:gYearMonth")


@pytest.mark.parametrize("entity", EVERYTHING)
def test_every_offered_relation_has_the_edges_it_counts(
    graph: MusicBrainzGraph, entity: EntityId
) -> None:
    options = graph.relations([entity]).items
    assert options
    for option in options:
        edges = graph.edges([entity], option.relation.id, option.direction, limit=500)
        assert len(edges.triples) == option.count
        assert edges.more == ()


@pytest.mark.parametrize("entity", EVERYTHING)
def test_every_edge_to_a_thing_is_seen_from_its_other_end(
    graph: MusicBrainzGraph, entity: EntityId
) -> None:
    for option in graph.relations([entity]).items:
        triples = graph.edges([entity], option.relation.id, option.direction, limit=3).triples
        back: Direction = "in" if option.direction == "out" else "out"
        for triple in triples:
            if isinstance(triple.object, Entity):
                other = triple.object if option.direction == "out" else triple.subject
                assert (
                    triple in graph.edges([other.id], option.relation.id, back, limit=500).triples
                )


def test_the_limit_is_kept_and_the_rest_is_counted(graph: MusicBrainzGraph) -> None:
    edges = graph.edges([QUIET], MEMBER, "in", limit=1)
    assert len(edges.triples) == 1
    assert edges.more == ((QUIET, 1),)
    assert graph.edges([QUIET], MEMBER, "in", limit=0).more == ((QUIET, 2),)
    assert graph.edges([QUIET], MEMBER, "in", limit=2).more == ()


def test_the_limit_is_per_entity(graph: MusicBrainzGraph) -> None:
    assert len(graph.edges([ADA, BO], MEMBER, limit=1).triples) == 2


def test_edges_bring_explicit_links(graph: MusicBrainzGraph) -> None:
    assert graph.edges([QUIET], MEMBER, "in").same_as == ((QUIET, EntityId("wd:Q100")),)


def test_links_are_followed_from_either_side(graph: MusicBrainzGraph) -> None:
    band, country = EntityId("wd:Q100"), EntityId("wd:Q189")
    assert graph.same_as([QUIET, ICELAND]) == ((QUIET, band), (ICELAND, country))
    assert graph.same_as([band]) == ((band, QUIET),)
    assert graph.same_as([ADA, EntityId("wd:Q1")]) == ()


def test_describe_gives_label_description_types_and_address(graph: MusicBrainzGraph) -> None:
    (entity,) = graph.describe([QUIET]).entities
    assert (entity.id, entity.label, entity.kg) == (QUIET, "The Quiet Ones", "mb")
    assert (entity.description, entity.types) == ("Icelandic rock band", ("artist", "group"))
    assert entity.url == f"https://musicbrainz.org/artist/{world.QUIET}"


def test_describe_keeps_the_order_and_leaves_out_what_it_does_not_know(
    graph: MusicBrainzGraph,
) -> None:
    asked = [ICELAND, UNKNOWN, QUIET, EntityId("wd:Q100"), ICELAND]
    assert [e.id for e in graph.describe(asked).entities] == [ICELAND, QUIET]


def test_describe_brings_the_links_same_as_gives(graph: MusicBrainzGraph) -> None:
    asked = [QUIET, ICELAND, ADA]
    assert graph.describe(asked).same_as == graph.same_as(asked)


def test_ids_it_does_not_hold_are_answered_with_nothing(graph: MusicBrainzGraph) -> None:
    others = ("wd:Q999999999", "other:thing", "<urn:nowhere:1>", "mb:artist/nolan", UNKNOWN)
    for unknown in map(EntityId, others):
        assert graph.relations([unknown]).items == ()
        assert graph.edges([unknown], MEMBER).triples == ()
        assert graph.describe([unknown]).entities == ()
        assert graph.same_as([unknown]) == ()
    assert graph.edges([QUIET], RelationId("wdt:P57")).triples == ()
    assert graph.edges([QUIET], RelationId("mbp:nothing")).triples == ()
    assert graph.edges([QUIET], MEMBER).triples == ()


def test_asking_for_nothing_costs_nothing(
    graph: MusicBrainzGraph, server: MusicBrainzServer
) -> None:
    assert graph.relations([]).items == ()
    assert graph.edges([], MEMBER).triples == ()
    assert graph.describe([]).entities == ()
    assert graph.same_as([]) == ()
    assert graph.describe([EntityId("mb:artist/nolan"), EntityId("wd:Q5")]).entities == ()
    assert graph.edges([QUIET], RelationId("wdt:P57")).triples == ()
    assert server.n_requests == 0


@pytest.mark.parametrize("bad", ["no colon", "", "wd:Q1> } UNION { ?s ?p ?o", 'wd:"', "<a\nb>"])
def test_what_is_no_id_is_refused(graph: MusicBrainzGraph, bad: str) -> None:
    with pytest.raises(InputError, match="is no id"):
        graph.relations([EntityId(bad)])
    with pytest.raises(InputError, match="is no id"):
        graph.edges([EntityId(bad)], MEMBER)
    with pytest.raises(InputError, match="is no id"):
        graph.edges([QUIET], RelationId(bad))
    with pytest.raises(InputError, match="is no id"):
        graph.describe([EntityId(bad)])
    with pytest.raises(InputError, match="is no id"):
        graph.same_as([EntityId(bad)])


def test_an_id_asked_twice_counts_once(graph: MusicBrainzGraph) -> None:
    twice = [QUIET, QUIET, EntityId(f"<https://musicbrainz.org/artist/{world.QUIET}>")]
    assert len(graph.edges(twice, MEMBER, "in").triples) == 2
    options = {(o.relation.id, o.direction): o for o in graph.relations(twice).items}
    assert options[MEMBER, "in"].count == 2


def test_the_same_question_has_the_same_answer_on_many_threads(graph: MusicBrainzGraph) -> None:
    def ask(_: int) -> tuple[object, ...]:
        return (graph.link("Ada Park"), graph.relations([QUIET]), graph.edges([QUIET], MEMBER))

    expected = ask(0)
    with ThreadPoolExecutor(8) as pool:
        assert all(result == expected for result in pool.map(ask, range(40)))


# --- every kind


def test_the_world_holds_every_kind() -> None:
    assert {str(i).removeprefix("mb:").split("/")[0] for i in EVERYTHING} == set(kinds())


@pytest.mark.parametrize(
    "asked, relation, direction, expected",
    [
        (ALBUM, "artist", "out", ["First Light – artist – The Quiet Ones"]),
        (ALBUM, "release_group", "in", ["First Light – release group – First Light"]),
        (CD, "label", "out", ["First Light – record label (catalogue number NS 1) – Northern Sound"]),
        (CD, "recording", "out", ["First Light – track – Morning", "First Light – track – Evening"]),
        (MORNING, "recording", "in", ["First Light – track – Morning"]),
        (MORNING, "performance", "out", ["Morning – recording of – Morning Song"]),
        (MORNING, "has_instrument", "out", ["Morning – instrumentalist (drums) – Ada Park"]),
        (MORNING, "length_in_ms", "out", ["Morning – length – 183000 millisecond"]),
        (SONG, "has_composer", "out", ["Morning Song – composer – Bo Lind"]),
        (SONG, "part_of", "out", ["Morning Song – part of (number Op. 1) – Works of Lind"]),
        (WORKS, "part_of", "in", ["Morning Song – part of (number Op. 1) – Works of Lind"]),
        (NORTHERN, "area", "out", ["Northern Sound – area – Iceland"]),
        (NORTHERN, "label", "in", ["First Light – record label – Northern Sound"]),
        (NIGHT, "held_at", "out", ["Quiet Night – held at – Harpa"]),
        (HARPA, "held_at", "in", ["Quiet Night – held at – Harpa"]),
        (REYKJAVIK, "begin_area", "in", ["The Quiet Ones – begin area – Reykjavík"]),
        (REYKJAVIK, "part_of", "out", ["Reykjavík – part of – Iceland"]),
        (DRUMS, "description", "out", ["drums – description – Things to hit."]),
        (HOME, "official_homepage", "in", ["The Quiet Ones – official homepage – https://quiet.example/"]),
    ],
)  # fmt: skip
def test_each_kind_has_its_relations(
    graph: MusicBrainzGraph,
    asked: EntityId,
    relation: str,
    direction: Direction,
    expected: list[str],
) -> None:
    assert facts(graph, asked, relation, direction) == expected


def test_a_name_comes_in_the_wanted_language(graph: MusicBrainzGraph) -> None:
    assert graph.describe([ICELAND]).entities[0].label == "Iceland"


def test_relations_read_in_the_wanted_language(server: MusicBrainzServer, tmp_path: Path) -> None:
    connection = Connection("mb", "musicbrainz", server.address)
    transport = Transport(user_agent="Tests/1", allow_private=True)
    graph = MusicBrainzGraph(connection, transport, languages=("zh", "en"))
    english = connect(server, tmp_path)
    assert facts(graph, QUIET, "member_of_band", "in")[0] == (
        "Ada Park – 所属乐队 (drums, 1990–1994; lead vocals, 自 1998 起) – The Quiet Ones"
    )
    assert graph.describe([QUIET]).entities[0].types == ("艺人", "group")
    keys = [
        [(o.relation.id, o.direction, o.count) for o in g.relations([QUIET]).items]
        for g in (graph, english)
    ]
    assert keys[0] == keys[1]
    assert graph.version != english.version


# --- one request a second


def test_relations_then_edges_is_one_request(
    graph: MusicBrainzGraph, server: MusicBrainzServer
) -> None:
    for option in graph.relations([QUIET]).items:
        graph.edges([QUIET], option.relation.id, option.direction)
    graph.describe([QUIET])
    graph.same_as([QUIET])
    assert server.n_requests == 1
    assert server.requests[0].agent == "Tests/1 ( test@example.org )"


def test_an_area_costs_one_more_request_for_each_kind_of_things_in_it(
    graph: MusicBrainzGraph, server: MusicBrainzServer
) -> None:
    graph.relations([ICELAND])
    assert [path.split("?")[0].split("/")[0] for path in server.paths()] == [
        "area",
        "artist",
        "label",
        "place",
    ]


def test_a_long_list_is_counted_by_the_lookup_and_browsed_only_up_to_the_limit(
    graph: MusicBrainzGraph, server: MusicBrainzServer
) -> None:
    (option,) = [o for o in graph.relations([BUSY]).items if o.relation.id == ARTIST]
    assert (option.count, option.is_at_least) == (world.N_ALBUMS, False)
    assert server.n_requests == 1
    for limit, n_requests in ((25, 1), (50, 2), (100, 2), (120, 3), (500, 3)):
        edges = graph.edges([BUSY], ARTIST, "in", limit=limit)
        n = min(limit, world.N_ALBUMS)
        assert len(set(edges.triples)) == n
        assert edges.more == (((BUSY, world.N_ALBUMS - n),) if n < world.N_ALBUMS else ())
        assert server.n_requests == n_requests, limit


def test_a_list_that_never_ends_is_left(graph: MusicBrainzGraph, server: MusicBrainzServer) -> None:
    """A service that counts a million and always sends the same page."""
    graph.relations([BUSY])
    album = f'<release-group id="{world.mbid(0x1000)}"><title>Album 0</title></release-group>'
    same = world.document(f'<release-group-list count="1000000">{album}</release-group-list>')
    server.replies = [Scripted(200, same)]
    try:
        edges = graph.edges([BUSY], ARTIST, "in", limit=5000)
    finally:
        server.replies = ()
    assert len(edges.triples) == 25
    assert server.n_requests <= 4


def test_what_was_not_read_of_an_area_is_told(
    tmp_path: Path,
) -> None:
    data = world.small_world()
    for number in range(150):
        place = REYKJAVIK if number < 120 else ICELAND
        data.add(
            world.document(
                f'<artist id="{world.mbid(0x5000 + number)}"><name>Artist {number}</name>'
                f'<area id="{str(place).rpartition("/")[2]}"><name>Iceland</name></area></artist>'
            )
        )
    with MusicBrainzServer(data) as server:
        graph = connect(server, tmp_path)
        options = {(o.relation.id, o.direction): o for o in graph.relations([REYKJAVIK]).items}
        assert options[AREA, "in"].is_at_least
        assert graph.relations([REYKJAVIK]).notes[0].startswith("MusicBrainz lists 12")
        edges = graph.edges([REYKJAVIK], AREA, "in")
        assert edges.is_at_least
        assert edges.notes


def test_a_reply_that_is_too_large_is_asked_for_without_its_largest_parts(tmp_path: Path) -> None:
    data = world.small_world()
    works = "".join(
        f'<relation type="composer"><target>{world.mbid(0x6000 + n)}</target><work id="{world.mbid(0x6000 + n)}">'
        f"<title>Work {n}</title></work></relation>"
        for n in range(500)
    )
    body = f'<artist id="{world.BO}"><relation-list target-type="work">{works}</relation-list></artist>'
    data.add(world.document(body))
    with MusicBrainzServer(data) as server:
        connection = Connection("mb", "musicbrainz", server.address)
        transport = Transport(user_agent="Tests/1", allow_private=True, max_bytes=20_000)
        graph = MusicBrainzGraph(connection, transport)
        options = graph.relations([BO])
        assert {o.relation.id for o in options.items} == {MEMBER, "mbp:type"}
        assert options.notes == (
            "MusicBrainz has more on Bo Lind than can be read: recordings, releases and works related to it "
            "are left out",
        )
        assert graph.edges([BO], MEMBER).notes == options.notes
        assert server.n_requests == 3


# --- a look at the service


def test_a_probe_says_that_it_answers(server: MusicBrainzServer) -> None:
    transport = Transport(user_agent="Tests/1", allow_private=True)
    health = probe(Connection("mb", "musicbrainz", server.address), transport)
    assert health.is_up
    assert health.problem == ""


def test_a_probe_says_in_one_line_why_not() -> None:
    transport = Transport(user_agent="Tests/1", allow_private=True)
    health = probe(Connection("mb", "musicbrainz", "http://127.0.0.1:9"), transport)
    assert not health.is_up
    assert health.problem
    assert "\n" not in health.problem
