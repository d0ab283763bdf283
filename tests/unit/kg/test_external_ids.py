"""Identity links that Wikidata writes as values of a property."""

from pathlib import Path

import pytest

from kgcore.kg.external_ids import linked_iri, linking_properties, naming_values
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.musicbrainz.kinds import kinds, parse_thing_id
from kgcore.kg.vocabulary import WDT
from kgcore.model import EntityId

MBID = "0383dadf-2a4e-4d10-a46a-e9e041da8eb3"


@pytest.mark.parametrize(
    "name, kind",
    [
        ("P434", "artist"),
        ("P435", "work"),
        ("P436", "release-group"),
        ("P966", "label"),
        ("P982", "area"),
        ("P1004", "place"),
        ("P1330", "instrument"),
        ("P1407", "series"),
        ("P4404", "recording"),
        ("P5813", "release"),
        ("P6423", "event"),
    ],
)
def test_a_musicbrainz_id_names_a_thing_of_its_kind(name: str, kind: str) -> None:
    iri = linked_iri(WDT + name, f" {MBID.upper()} ")
    assert iri is not None
    assert parse_thing_id(iri) == (kind, MBID)


def test_a_thing_is_named_by_the_property_of_its_kind() -> None:
    assert naming_values(f"https://musicbrainz.org/artist/{MBID}") == ((WDT + "P434", MBID),)
    for iri in ("https://musicbrainz.org/artist/x", f"https://example.org/artist/{MBID}", "urn:x"):
        assert naming_values(iri) == ()


def test_every_kind_but_web_addresses_has_its_property() -> None:
    found = {parse_thing_id(linked_iri(p, MBID) or "") for p in linking_properties()}
    assert {kind for kind, _ in filter(None, found)} == kinds().keys() - {"url"}


@pytest.mark.parametrize(
    "predicate, value",
    [
        (WDT + "P434", "no id"),
        (WDT + "P434", f"{MBID}/evil"),
        (WDT + "P434", ""),
        (WDT + "P31", MBID),
        ("http://www.wikidata.org/prop/P434", MBID),
        ("urn:x:P434", MBID),
    ],
)
def test_other_values_and_other_properties_are_no_links(predicate: str, value: str) -> None:
    assert linked_iri(predicate, value) is None


def test_an_embedded_graph_follows_them_from_either_side(tmp_path: Path) -> None:
    file = tmp_path / "wikidata.ttl"
    file.write_text(
        "@prefix wd: <http://www.wikidata.org/entity/> .\n"
        "@prefix wdt: <http://www.wikidata.org/prop/direct/> .\n"
        f'wd:Q2831 wdt:P434 "{MBID}" ; wdt:P31 wd:Q5 . wd:Q5 wdt:P434 "none" .\n',
        "utf-8",
    )
    import_graph([file], home=tmp_path, name="wikidata")
    graph = open_graph(tmp_path, "wikidata")
    try:
        item, artist = EntityId("wd:Q2831"), EntityId(f"mb:artist/{MBID}")
        assert graph.same_as([item, EntityId("wd:Q5")]) == ((item, artist),)
        assert graph.same_as([artist]) == ((artist, item),)
    finally:
        graph.close()
