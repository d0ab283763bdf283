"""The tables of kinds and relations fit together, and fit the web service."""

import pytest
from musicbrainzngs.musicbrainz import VALID_BROWSE_INCLUDES, VALID_INCLUDES

from kgcore.kg.musicbrainz.kinds import (
    entity_id,
    is_relation,
    kinds,
    load_table,
    parse_thing_id,
    relation_id,
)
from kgcore.kg.musicbrainz.phrases import (
    field,
    kind_label,
    phrase_language,
    relationship,
    remark,
)
from kgcore.kg.vocabulary import Prefixes
from tests.servers.musicbrainz_world import mbid

TWELVE = "artist recording release release-group work label place area event series instrument url".split()


def test_there_are_the_twelve_kinds() -> None:
    assert sorted(kinds()) == sorted(TWELVE)


@pytest.mark.parametrize("name", TWELVE)
def test_a_lookup_asks_only_for_what_the_service_can_include(name: str) -> None:
    kind = kinds()[name]
    assert set(kind.includes) - {"aliases"} <= set(VALID_INCLUDES[name])
    assert set(kind.browse) <= set(VALID_BROWSE_INCLUDES)
    assert set(kind.lists) <= set(VALID_BROWSE_INCLUDES)


@pytest.mark.parametrize("name", TWELVE)
def test_every_part_of_a_thing_has_a_relation_with_a_phrase(name: str) -> None:
    kind = kinds()[name]
    for relation in kind.values.values():
        assert field(relation).label
    to_things = [relation for relation, _ in kind.ends.values()]
    to_things += [*kind.lists.values(), *([kind.credit] if kind.credit else [])]
    to_things += [relation for names in kind.browse.values() for relation in names]
    for relation in to_things:
        assert field(relation).label
        assert field(relation).inverse


@pytest.mark.parametrize("name", TWELVE)
def test_what_a_lookup_lists_is_said_by_the_listed_things_too(name: str) -> None:
    for other, relation in kinds()[name].lists.items():
        told = {kinds()[other].credit, *(r for r, _ in kinds()[other].ends.values())}
        told |= {"label", "recording"} if other == "release" else set()  # labels and tracks
        assert relation in told, (name, other)


@pytest.mark.parametrize(
    "name, ends, identifier, label, inverse",
    [
        ("member of band", "artist artist", "mbp:member_of_band", "member of band", "has member"),
        ("composer", "artist work", "mbp:has_composer", "composer", "composed"),
        ("mix-DJ", "artist release", "mbp:has_mix_dj", "DJ mixer", "DJ-mixed"),
        ("part of", "release-group series", "mbp:part_of", "part of", "has part"),
        ("part of", "series work", "mbp:part_of", "part of", "has part"),
        ("part of", "area area", "mbp:part_of", "part of", "has part"),
        (
            "recording",
            "artist recording",
            "mbp:has_recording_engineer",
            "recording engineer",
            "recorded as engineer",
        ),
        ("label", "artist release", "mbp:label_relationship", "label", ""),
        ("held at", "event place", "mbp:held_at", "held at", "hosted"),
        ("held at", "place series", "mbp:held_at", "held at", "hosted"),
        ("held in", "area event", "mbp:held_in", "held in", "hosted"),
        (
            "recorded at",
            "place recording",
            "mbp:recorded_at",
            "recorded at",
            "place of recording of",
        ),
        ("arranged at", "place work", "mbp:arranged_at", "arranged at", "arranged there"),
        ("lived in", "artist area", "mbp:lived_in", "lived in", ""),
        ("invented", "artist instrument", "mbp:has_inventor", "inventor", "invented"),
        ("invented", "instrument label", "mbp:invented", "invented by", "invented"),
        (
            "premiere",
            "event work",
            "mbp:first_performed_at",
            "first performed at",
            "first performance of",
        ),
        ("made up", "artist work", "mbp:made_up", "made up", ""),
        ("", "artist work", "mbp:related", "", ""),
        ("É » \n", "artist work", "mbp:related", "É » \n", ""),
    ],
)
def test_relationships_have_an_id_and_read_in_both_directions(
    name: str, ends: str, identifier: str, label: str, inverse: str
) -> None:
    naming = relationship(name, *ends.split())
    assert (naming.id, naming.label, naming.inverse) == (identifier, label, inverse)
    assert is_relation(Prefixes().expand(naming.id))


def test_ids_are_those_of_other_graphs() -> None:
    identifier = entity_id("artist", mbid(1))
    iri = Prefixes().expand(identifier)
    assert iri == f"https://musicbrainz.org/artist/{mbid(1)}"
    assert Prefixes().shorten(iri) == identifier
    assert parse_thing_id(iri) == ("artist", mbid(1))
    assert Prefixes().expand(relation_id("area")) == "urn:kg:musicbrainz:p:area"


@pytest.mark.parametrize(
    "iri",
    [
        "https://musicbrainz.org/artist/nolan",
        f"https://musicbrainz.org/genre/{mbid(1)}",
        f"https://musicbrainz.org/artist/{mbid(1)}/releases",
        f"https://musicbrainz.org/artist/{mbid(1)}\n",
        f"http://elsewhere.example/artist/{mbid(1)}",
        "http://www.wikidata.org/entity/Q1",
        "",
    ],
)
def test_other_ids_are_no_things_of_musicbrainz(iri: str) -> None:
    assert parse_thing_id(iri) is None


# --- languages


def test_the_tables_of_a_language_name_only_what_is_there() -> None:
    english, chinese = load_table("relations.yaml"), load_table("relations.zh.yaml")
    for part in ("fields", "relationships", "roles", "remarks", "roles_of"):
        assert set(chinese[part]) <= set(english[part]), part
    assert set(chinese["kinds"]) == set(kinds())
    for part in ("fields", "relationships", "roles"):
        for name, phrases in chinese[part].items():
            assert len(phrases) == len(english[part][name][:2]), name


@pytest.mark.parametrize(
    "languages, language",
    [
        (("en",), "en"),
        (("zh", "en"), "zh"),
        (("zh-Hans",), "zh"),
        (("fr", "zh"), "zh"),
        (("fr",), "en"),
        ((), "en"),
    ],
)
def test_phrases_come_in_the_first_wanted_language_that_has_them(
    languages: tuple[str, ...], language: str
) -> None:
    assert phrase_language(languages) == language


def test_a_relation_keeps_its_id_in_every_language() -> None:
    for name, ends in (
        ("composer", "artist work"),
        ("member of band", "artist artist"),
        ("part of", "area area"),
        ("unknown", "artist work"),
    ):
        english, chinese = (
            relationship(name, *ends.split()),
            relationship(name, *ends.split(), "zh"),
        )
        assert (english.id, english.is_turned) == (chinese.id, chinese.is_turned)
    assert relationship("composer", "artist", "work", "zh").label == "作曲者"
    assert field("area", "zh").inverse == "是其所属地区"
    assert field("iswc", "zh").label == "ISWC"
    assert (kind_label("artist"), kind_label("artist", "zh")) == ("artist", "艺人")
    assert remark("since", "1990 {}", "zh") == "自 1990 {} 起"


@pytest.mark.parametrize(
    "name, ends, is_turned",
    [
        ("composer", "artist work", True),
        ("member of band", "artist artist", False),
        ("held at", "event place", False),
        ("held at", "place series", True),
        ("arranged at", "place work", True),
        ("recorded at", "event recording", True),
        ("lived in", "artist area", False),
    ],
)
def test_a_relationship_goes_the_way_it_reads(name: str, ends: str, is_turned: bool) -> None:
    assert relationship(name, *ends.split()).is_turned is is_turned
