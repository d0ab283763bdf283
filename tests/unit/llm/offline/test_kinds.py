"""Kinds of things are told by types, by descriptions, and by the relations around a thing."""

from __future__ import annotations

import pytest

from kgcore.llm.offline.kinds import can_be, end_kind, is_a, kind_of_types, object_kind, source_kind
from kgcore.llm.offline.lexicon import Cue, lexicon
from kgcore.model import Entity, EntityId, Relation, RelationId
from kgcore.steps import RelationOption


def option(label: str, direction: str = "out", types: tuple[str, ...] = ()) -> RelationOption:
    relation = Relation(RelationId(f"p:{label}"), label)
    return RelationOption(relation, direction, 1, (), target_types=types)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "label,direction,kind",
    [
        ("directed_by", "out", "person"),
        ("directed_by", "in", "work"),
        ("has genre", "out", "genre"),
        ("place of birth", "out", "place"),
        ("place of birth", "in", "person"),
        ("date of death", "out", "time"),
        ("population", "out", "number"),
        ("导演", "in", "work"),
        ("blood type", "out", ""),
    ],
)
def test_a_relation_tells_the_kind_it_leads_to(label: str, direction: str, kind: str) -> None:
    assert end_kind(option(label, direction)) == kind


def test_types_tell_more_than_the_relation() -> None:
    assert end_kind(option("area", types=("country",))) == "place"
    assert end_kind(option("artist", types=("rock band",))) == "person"


def test_what_a_relation_names_does_not_depend_on_the_way() -> None:
    assert object_kind(option("director", "in")) == object_kind(option("director")) == "person"
    assert source_kind(option("director")) == "work"


@pytest.mark.parametrize(
    "types,kind",
    [
        (("human",), "person"),
        (("animated film", "feature film"), "work"),
        (("city", "film"), ""),
        (("电影",), "work"),
        ((), ""),
    ],
)
def test_the_kind_of_types(types: tuple[str, ...], kind: str) -> None:
    assert kind_of_types(types) == kind


@pytest.mark.parametrize(
    "description,is_novelist",
    [
        ("American novelist", True),
        ("English poet and novelist", True),
        ("novelist, born in Norville", True),
        ("novelist society", False),
        ("actor in a film about a novelist", False),
    ],
)
def test_a_description_tells_what_something_is(description: str, is_novelist: bool) -> None:
    novelist = Cue("novelist", classes=(("novelist",),))
    assert is_a(Entity(EntityId("x:a"), "Ada", description), novelist) is is_novelist


def test_kinds_that_may_be_the_same_thing() -> None:
    assert can_be("person", "organisation")
    assert can_be("", "work")
    assert not can_be("person", "work")
    assert not can_be("time", "place")


@pytest.mark.parametrize(
    "description,cue,yes",
    [
        ("2010 science fiction film by Ada Reed", "film", True),
        ("English film director", "film", False),
        ("country in the north of Europe", "country", True),
        ("currency of some country", "country", False),
        ("欧洲国家", "国家", True),
        ("欧元区国家的货币", "国家", False),
    ],
)
def test_a_description_tells_the_kind_by_its_head(description: str, cue: str, yes: bool) -> None:
    language = "en" if cue.isascii() else "zh"
    thing = Entity(EntityId("x:1"), "M", description)
    assert is_a(thing, lexicon(language).forms[(cue,)]) == yes
