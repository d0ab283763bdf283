"""What replies say, as things, relations and values."""

import pytest

from kgcore.kg.musicbrainz.client import Reply, read
from kgcore.kg.musicbrainz.replies import Edges, Page, page
from kgcore.model import Entity, Literal
from tests.servers.musicbrainz_world import document, mbid

ME, OTHER, THIRD = mbid(1), mbid(2), mbid(3)


def read_page(kind: str, body: str, *languages: str) -> Page:
    """Read a lookup whose thing has this body."""
    data, url_ids, dates = read(document(f'<{kind} id="{ME}">{body}</{kind}>'))
    found = page(kind, Reply(data, url_ids, dates), languages or ("en",), "mb")
    assert found is not None
    return found


def said(kind: str, body: str) -> list[str]:
    """All edges of a thing, in words."""
    return [
        f"{'' if direction == 'out' else '◀ '}{edges.relation(end, 'mb').phrase(direction)}: {end.name}"
        for (_, direction), edges in read_page(kind, body).groups.items()
        for end in edges.notes
    ]


def relation(kind: str, type_: str, more: str = "", name: str = "Other") -> str:
    title = "title" if kind in ("work", "recording", "release", "release-group") else "name"
    return (
        f'<relation-list target-type="{kind.replace("-", "_")}"><relation type="{type_}"><target>{OTHER}</target>'
        f'{more}<{kind} id="{OTHER}"><{title}>{name}</{title}></{kind}></relation></relation-list>'
    )


def attributes(*names: str) -> str:
    return (
        f"<attribute-list>{''.join(f'<attribute>{n}</attribute>' for n in names)}</attribute-list>"
    )


BACKWARD = "<direction>backward</direction>"


@pytest.mark.parametrize(
    "kind, body, expected",
    [
        ("artist", relation("artist", "member of band"), "member of band: Other"),
        ("artist", relation("artist", "member of band", BACKWARD), "◀ has member: Other"),
        ("work", relation("artist", "composer", BACKWARD), "composer: Other"),
        ("artist", relation("work", "composer"), "◀ composed: Other"),
        ("recording", relation("work", "performance"), "recording of: Other"),
        ("work", relation("recording", "performance", BACKWARD), "◀ recording: Other"),
        ("event", relation("place", "held at"), "held at: Other"),
        ("place", relation("event", "held at", BACKWARD), "◀ hosted: Other"),
        ("area", relation("area", "part of"), "◀ has part: Other"),
        ("area", relation("area", "part of", BACKWARD), "part of: Other"),
        ("work", relation("series", "part of", BACKWARD), "part of: Other"),
        ("release-group", relation("series", "part of"), "part of: Other"),
        ("artist", relation("release-group", "tribute"), "tribute to: Other"),
        ("artist", relation("work", "an unknown kind"), "an unknown kind: Other"),
        ("work", relation("artist", "an unknown kind", BACKWARD), "◀ is an unknown kind of: Other"),
    ],
)
def test_a_relationship_reads_from_the_side_it_is_seen_from(
    kind: str, body: str, expected: str
) -> None:
    assert said(kind, body) == [expected]


@pytest.mark.parametrize(
    "more, note",
    [
        ("<begin>1990</begin><end>1994-05</end><ended>true</ended>", "1990–1994-05"),
        ("<begin>1990</begin><end>1990</end>", "1990"),
        ("<begin>1990</begin>", "since 1990"),
        ("<begin>1990</begin><ended>true</ended>", "from 1990"),
        ("<end>1994</end>", "until 1994"),
        (attributes("drums", "founder"), "drums, founder"),
        (attributes("guitar") + "<begin>1990</begin>", "guitar, since 1990"),
        (
            '<attribute-list><attribute value="Op. 1">number</attribute></attribute-list>',
            "number Op. 1",
        ),
        ("<target-credit>O.</target-credit>", "credited as O."),
        ("<attribute-list><attribute/></attribute-list>", ""),
    ],
)
def test_an_edge_says_what_the_relationship_says_of_itself(more: str, note: str) -> None:
    words = f" ({note})" if note else ""
    assert said("artist", relation("artist", "member of band", more)) == [
        f"member of band{words}: Other"
    ]
    backward = relation("artist", "member of band", BACKWARD + more)
    assert said("artist", backward) == [f"◀ has member{words}: Other"]


def test_two_relationships_to_one_thing_are_one_edge_that_says_both() -> None:
    one = f'<relation type="member of band"><target>{OTHER}</target><begin>1990</begin><end>1994</end>'
    two = f'<relation type="member of band"><target>{OTHER}</target><begin>1998</begin>'
    end = f'<artist id="{OTHER}"><name>Other</name></artist></relation>'
    body = f'<relation-list target-type="artist">{one}{end}{two}{end}{two}{end}</relation-list>'
    assert said("artist", body) == ["member of band (1990–1994; since 1998): Other"]
    (edges,) = read_page("artist", body).groups.values()
    assert edges.total == 1


def test_the_relation_keeps_its_id_whatever_an_edge_says() -> None:
    found = read_page("artist", relation("artist", "member of band", attributes("drums")))
    ((group, edges),) = found.groups.items()
    (end,) = edges.notes
    assert group == ("mbp:member_of_band", "out")
    assert edges.relation(end, "mb").id == "mbp:member_of_band"


@pytest.mark.parametrize(
    "kind, body, relation_id, value",
    [
        ("artist", "<life-span><begin>1970</begin></life-span>", "begin_date", Literal("1970", "xsd:gYear")),
        ("artist", "<life-span><end>1970-05</end></life-span>", "end_date", Literal("1970-05", "xsd:gYearMonth")),
        ("release", "<date>1970-05-01</date>", "date", Literal("1970-05-01", "xsd:date")),
        ("release", "<date>????-05-01</date>", "date", Literal("????-05-01")),
        ("release", "<date>-05-01</date>", "date", Literal("-05-01")),
        ("release", "<date>19</date>", "date", Literal("19")),
        ("recording", "<length>183000</length>", "length_in_ms", Literal("183000", "xsd:integer", unit="millisecond")),
        ("recording", "<length>?</length>", "length_in_ms", Literal("?")),
        ("recording", "<first-release-date>1992</first-release-date>", "first_release_date", Literal("1992", "xsd:gYear")),
        ("recording", '<isrc-list><isrc id="GB1"/></isrc-list>', "isrc", Literal("GB1")),
        ("work", "<iswc-list><iswc>T-1</iswc></iswc-list>", "iswc", Literal("T-1")),
        ("label", "<label-code>4711</label-code>", "label_code", Literal("4711")),
        ("place", "<address>1 Road</address>", "address", Literal("1 Road")),
        ("event", "<time>20:00</time>", "time", Literal("20:00")),
        ("instrument", "<description>Hit it.</description>", "description", Literal("Hit it.")),
        ("area", "<iso-3166-1-code-list><iso-3166-1-code>IS</iso-3166-1-code></iso-3166-1-code-list>", "country_code", Literal("IS")),
        ("artist", "<gender>Female</gender>", "gender", Literal("Female")),
    ],
)  # fmt: skip
def test_values_keep_their_form(kind: str, body: str, relation_id: str, value: Literal) -> None:
    groups = read_page(kind, body).groups
    assert {group: list(edges.notes) for group, edges in groups.items()} == {
        (f"mbp:{relation_id}", "out"): [value]
    }


def test_an_empty_value_is_no_value() -> None:
    body = "<gender></gender><life-span><begin> </begin></life-span><country/>"
    assert read_page("artist", body).groups == {}


def test_credits_labels_and_tracks_are_edges() -> None:
    body = f"""<artist-credit><name-credit joinphrase=" feat. "><name>The Others</name>
      <artist id="{OTHER}"><name>Other</name></artist></name-credit>
      <name-credit><artist id="{THIRD}"><name>Third</name></artist></name-credit></artist-credit>
    <label-info-list><label-info><catalog-number>A 1</catalog-number><label id="{OTHER}"><name>Disc</name></label>
      </label-info><label-info><catalog-number>A 2</catalog-number><label id="{OTHER}"><name>Disc</name></label>
      </label-info><label-info><catalog-number>B</catalog-number></label-info></label-info-list>
    <medium-list><medium><track-list><track><recording id="{OTHER}"><title>One</title></recording></track>
      <track><title>no recording</title></track></track-list></medium>
      <medium><track-list><track><recording id="{THIRD}"><title>Two</title></recording></track></track-list></medium>
    </medium-list>"""
    assert said("release", body) == [
        "artist (credited as The Others): Other",
        "artist: Third",
        "record label (catalogue number A 1; catalogue number A 2): Disc",
        "track: One",
        "track: Two",
    ]


def test_a_list_knows_its_true_number_and_what_to_browse_for_the_rest() -> None:
    items = "".join(
        f'<release id="{mbid(n)}"><title>R{n}</title></release>' for n in range(100, 125)
    )
    found = read_page("label", f'<release-list count="4000">{items}</release-list>')
    edges = found.groups["mbp:label", "in"]  # type: ignore[index]
    assert (len(edges.notes), edges.total, edges.rest) == (25, 4000, "release")
    short = read_page("label", f'<release-list count="1"><release id="{OTHER}"/></release-list>')
    edges = short.groups["mbp:label", "in"]  # type: ignore[index]
    assert (edges.total, edges.rest) == (1, "")


@pytest.mark.parametrize(
    "address",
    [
        "https://www.wikidata.org/wiki/Q189",
        "http://www.wikidata.org/wiki/Q189",
        "https://www.wikidata.org/entity/Q189",
        "http://www.wikidata.org/entity/Q189#sitelinks",
    ],
)
def test_a_link_to_wikidata_is_an_identity_however_it_is_written(address: str) -> None:
    found = read_page("area", url_relation("wikidata", address))
    assert found.same_as == ("wd:Q189",)
    assert found.groups == {}


@pytest.mark.parametrize(
    "address", ["https://www.wikidata.org/wiki/", "https://evil.example/wiki/Q1"]
)
def test_other_addresses_are_none(address: str) -> None:
    assert read_page("area", url_relation("wikidata", address)).same_as == ()


def url_relation(type_: str, address: str) -> str:
    return (
        f'<relation-list target-type="url"><relation type="{type_}"><target id="{OTHER}">{address}</target>'
        "</relation></relation-list>"
    )


def test_a_web_address_is_a_thing_with_its_address() -> None:
    (edges,) = read_page(
        "artist", url_relation("lyrics", "https://l.example/a?b=1&amp;c=2")
    ).groups.values()
    assert isinstance(edges, Edges)
    (end,) = edges.notes
    assert isinstance(end, Entity)
    assert end.id == f"mb:url/{OTHER}"
    assert end.label == end.url == "https://l.example/a?b=1&c=2"


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "//evil.example", ""]
)
def test_an_address_that_is_none_is_no_link(address: str) -> None:
    body = url_relation("lyrics", address)
    ends = [end for edges in read_page("artist", body).groups.values() for end in edges.notes]
    assert [end.url for end in ends if isinstance(end, Entity)] == [
        f"https://musicbrainz.org/url/{OTHER}"
    ]


@pytest.mark.parametrize(
    "odd",
    ["x", "../artist", "a b", "", "ABCDEF00-0000-4000-8000-000000000000", OTHER + "/x", "<b>"],
)
def test_a_thing_whose_id_is_none_is_left_out(odd: str) -> None:
    from xml.sax.saxutils import quoteattr

    named = f"<artist id={quoteattr(odd)}><name>A</name></artist>"
    body = f"""<area id={quoteattr(odd)}><name>X</name></area>
    <artist-credit><name-credit>{named}</name-credit></artist-credit>
    <relation-list target-type="artist"><relation type="x"><target>{OTHER}</target>{named}</relation></relation-list>
    <relation-list target-type="url"><relation type="x"><target id={quoteattr(odd)}>https://a.example</target>
    </relation></relation-list><release-list count="1"><release id={quoteattr(odd)}/></release-list>"""
    for kind in ("artist", "release-group", "recording", "label"):
        assert read_page(kind, body).groups == {}


# --- names

ALIASES = """<name>Пётр Чайковский</name><alias-list>
  <alias locale="en" primary="primary">Pyotr Tchaikovsky</alias><alias locale="en">Tchaikovsky</alias>
  <alias locale="de_DE" primary="primary">Peter Tschaikowski</alias><alias>PT</alias></alias-list>"""


@pytest.mark.parametrize(
    "languages, label",
    [
        (("en",), "Pyotr Tchaikovsky"),
        (("fr", "en"), "Pyotr Tchaikovsky"),
        (("de",), "Peter Tschaikowski"),
        (("de-AT",), "Peter Tschaikowski"),
        (("ru", "en"), "Pyotr Tchaikovsky"),
        (("fr",), "Пётр Чайковский"),
    ],
)
def test_a_thing_is_shown_by_its_main_name_in_a_wanted_language(
    languages: tuple[str, ...], label: str
) -> None:
    assert read_page("artist", ALIASES, *languages).entity.label == label


@pytest.mark.parametrize(
    "body, description, types",
    [
        ("<name>A</name><disambiguation>from Oslo</disambiguation>", "from Oslo", ("artist",)),
        ("<name>A</name>", "", ("artist",)),
        ("", "", ("artist",)),
    ],
)
def test_a_description_says_what_tells_it_from_others(
    body: str, description: str, types: tuple[str, ...]
) -> None:
    entity = read_page("artist", body).entity
    assert (entity.description, entity.types) == (description, types)
    assert entity.name == entity.label or entity.name == entity.id


def test_without_words_of_their_own_a_description_is_made() -> None:
    data, *_ = read(
        document(
            f"""<release-group id="{ME}" type="Live"><title>X</title><primary-type>Album</primary-type>
            <first-release-date>1992-03</first-release-date><artist-credit><name-credit><artist id="{OTHER}">
            <name>Q</name></artist></name-credit></artist-credit></release-group>"""
        )
    )
    found = page("release-group", Reply(data), ("en",), "mb")
    assert found is not None
    assert found.entity.description == "Album by Q, 1992"
    assert found.entity.types == ("release group", "album")


HARD = [
    "محمد عبد الوهاب",
    "עברית",
    "電気グルーヴ",
    "🎸🥁",
    "e\u0301\u0323",
    "\u202eevil",
    "x" * 10_000,
    "<b>&\"'",
    ".",
]


@pytest.mark.parametrize("name", HARD)
def test_names_pass_unchanged(name: str) -> None:
    from xml.sax.saxutils import escape

    found = read_page("artist", f"<name>{escape(name)}</name>")
    assert found.entity.label == name
    body = relation("artist", "member of band", name=escape(name))
    assert said("artist", body) == [f"member of band: {name}"]


def test_a_reply_without_the_thing_is_none() -> None:
    data, *_ = read(document("<artist-list count='0'/>"))
    assert page("artist", Reply(data), ("en",), "mb") is None
