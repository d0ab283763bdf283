"""A small world of music, written down as ws/2 documents; small enough to draw:

    Ada Park ──member (drums, 1990–1994)──▶ The Quiet Ones ◀──artist── First Light ◀──release group── First Light (CD)
    Bo Lind ───member (bass)─────────────▶      │                                                        │    └─label─▶
        │                                       └──area──▶ Iceland ◀──part of── Reykjavík     tracks: Morning, Evening
        └──composed──▶ Morning Song ◀──recording of── Morning            Quiet Night (concert) ──held at──▶ Harpa

The Quiet Ones are the item Q100 of Wikidata, Iceland is Q189. The Busy Ones have released 130 albums.
"""

from __future__ import annotations

from tests.servers.musicbrainz_data import MusicBrainzData
from tests.servers.musicbrainz_json import MMD


def mbid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000000"


QUIET, ADA, BO, BUSY, NAMELESS = (mbid(n) for n in range(1, 6))
FIRST_LIGHT, RELEASE, MORNING, EVENING, SONG = (mbid(n) for n in range(0x11, 0x16))
NORTHERN, ICELAND, REYKJAVIK, HARPA, NIGHT = (mbid(n) for n in range(0x21, 0x26))
DRUMS, CHARTS, WIKIDATA_URL, HOME_URL, ICELAND_URL = (mbid(n) for n in range(0x31, 0x36))
OLD_QUIET = mbid(0x99)  # merged into QUIET
N_ALBUMS = 130

_AREA = f'<area id="{ICELAND}"><name>Iceland</name></area>'
_CREDIT = f"""<artist-credit><name-credit><artist id="{QUIET}"><name>The Quiet Ones</name></artist></name-credit>
</artist-credit>"""

DOCUMENTS = [
    f"""<artist id="{QUIET}" type="Group"><name>The Quiet Ones</name><sort-name>Quiet Ones, The</sort-name>
    <disambiguation>Icelandic rock band</disambiguation><country>IS</country>{_AREA}
    <begin-area id="{REYKJAVIK}"><name>Reykjavík</name></begin-area>
    <life-span><begin>1990</begin><end>2001-06</end><ended>true</ended></life-span>
    <alias-list count="1"><alias sort-name="TQO">TQO</alias></alias-list>
    <relation-list target-type="artist">
      <relation type="member of band"><target>{ADA}</target><direction>backward</direction><begin>1990</begin>
        <end>1994</end><ended>true</ended><attribute-list><attribute>drums</attribute></attribute-list>
        <artist id="{ADA}"><name>Ada Park</name></artist></relation>
      <relation type="member of band"><target>{ADA}</target><direction>backward</direction><begin>1998</begin>
        <attribute-list><attribute>lead vocals</attribute></attribute-list>
        <artist id="{ADA}"><name>Ada Park</name></artist></relation>
      <relation type="member of band"><target>{BO}</target><direction>backward</direction>
        <attribute-list><attribute>bass</attribute></attribute-list>
        <artist id="{BO}"><name>Bo Lind</name></artist><target-credit>B. Lind</target-credit></relation>
    </relation-list>
    <relation-list target-type="url">
      <relation type="wikidata"><target id="{WIKIDATA_URL}">https://www.wikidata.org/wiki/Q100</target></relation>
      <relation type="official homepage"><target id="{HOME_URL}">https://quiet.example/</target></relation>
    </relation-list></artist>""",
    f"""<artist id="{ADA}" type="Person"><name>Ada Park</name><gender>Female</gender>{_AREA}
    <life-span><begin>1970-05-01</begin></life-span></artist>""",
    f"""<artist id="{BO}" type="Person"><name>Bo Lind</name><relation-list target-type="work">
      <relation type="composer"><target>{SONG}</target><work id="{SONG}"><title>Morning Song</title></work></relation>
    </relation-list></artist>""",
    f"""<artist id="{BUSY}" type="Group"><name>The Busy Ones</name></artist>""",
    f"""<artist id="{NAMELESS}"><sort-name></sort-name></artist>""",
    f"""<release-group id="{FIRST_LIGHT}" type="Album"><title>First Light</title><primary-type>Album</primary-type>
    <secondary-type-list><secondary-type>Live</secondary-type></secondary-type-list>
    <first-release-date>1992-03</first-release-date>{_CREDIT}</release-group>""",
    f"""<release id="{RELEASE}"><title>First Light</title><status>Official</status><date>1992-03-15</date>
    <country>IS</country><barcode>123</barcode>{_CREDIT}
    <release-group id="{FIRST_LIGHT}"><title>First Light</title></release-group>
    <label-info-list><label-info><catalog-number>NS 1</catalog-number>
      <label id="{NORTHERN}"><name>Northern Sound</name></label></label-info></label-info-list>
    <medium-list count="1"><medium><position>1</position><track-list count="2">
      <track><position>1</position><recording id="{MORNING}"><title>Morning</title></recording></track>
      <track><position>2</position><recording id="{EVENING}"><title>Evening</title></recording></track>
    </track-list></medium></medium-list></release>""",
    f"""<recording id="{MORNING}"><title>Morning</title><length>183000</length>
    <first-release-date>1992-03-15</first-release-date>{_CREDIT}
    <relation-list target-type="work"><relation type="performance"><target>{SONG}</target>
      <work id="{SONG}"><title>Morning Song</title></work></relation></relation-list>
    <relation-list target-type="artist"><relation type="instrument"><target>{ADA}</target>
      <direction>backward</direction><attribute-list><attribute>drums</attribute></attribute-list>
      <artist id="{ADA}"><name>Ada Park</name></artist></relation></relation-list></recording>""",
    f"""<recording id="{EVENING}"><title>Evening</title>{_CREDIT}</recording>""",
    f"""<work id="{SONG}" type="Song"><title>Morning Song</title><language>eng</language></work>""",
    f"""<label id="{NORTHERN}" type="Original Production"><name>Northern Sound</name>
    <label-code>4711</label-code>{_AREA}</label>""",
    f"""<area id="{ICELAND}" type="Country"><name>Ísland</name><sort-name>Ísland</sort-name>
    <iso-3166-1-code-list><iso-3166-1-code>IS</iso-3166-1-code></iso-3166-1-code-list>
    <alias-list><alias locale="en" primary="primary" sort-name="Iceland">Iceland</alias>
      <alias locale="de" primary="primary" sort-name="Island">Island</alias></alias-list>
    <relation-list target-type="area"><relation type="part of"><target>{REYKJAVIK}</target>
      <area id="{REYKJAVIK}"><name>Reykjavík</name></area></relation></relation-list>
    <relation-list target-type="url"><relation type="wikidata">
      <target id="{ICELAND_URL}">http://www.wikidata.org/entity/Q189</target></relation></relation-list></area>""",
    f"""<area id="{REYKJAVIK}" type="City"><name>Reykjavík</name></area>""",
    f"""<place id="{HARPA}" type="Venue"><name>Harpa</name><address>Austurbakki 2</address>
    <area id="{REYKJAVIK}"><name>Reykjavík</name></area></place>""",
    f"""<event id="{NIGHT}" type="Concert"><name>Quiet Night</name><time>20:00</time>
    <life-span><begin>1993-01-02</begin><end>1993-01-02</end></life-span>
    <relation-list target-type="place"><relation type="held at"><target>{HARPA}</target>
      <place id="{HARPA}"><name>Harpa</name></place></relation></relation-list></event>""",
    f"""<instrument id="{DRUMS}" type="Percussion instrument"><name>drums</name>
    <description>Things to hit.</description></instrument>""",
    f"""<series id="{CHARTS}" type="Catalogue"><name>Works of Lind</name><relation-list target-type="work">
      <relation type="part of"><target>{SONG}</target><attribute-list><attribute value="Op. 1">number</attribute>
      </attribute-list><work id="{SONG}"><title>Morning Song</title></work></relation></relation-list></series>""",
]


def document(body: str) -> bytes:
    """Wrap parts of a document as the service does."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><metadata xmlns="{MMD}">{body}</metadata>'.encode()
    )


def small_world() -> MusicBrainzData:
    """Build the world."""
    data = MusicBrainzData()
    for body in DOCUMENTS:
        data.add(document(body))
    credit = f'<name-credit><artist id="{BUSY}"><name>The Busy Ones</name></artist></name-credit>'
    for number in range(N_ALBUMS):
        data.add(
            document(
                f'<release-group id="{mbid(0x1000 + number)}" type="Album"><title>Album {number}</title>'
                f"<primary-type>Album</primary-type><artist-credit>{credit}</artist-credit></release-group>"
            )
        )
    data.merged["artist", OLD_QUIET] = QUIET
    return data
