"""Where graphs disagree: dates, numbers, texts, entities; and what is no disagreement."""

from __future__ import annotations

import pytest

from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.model.conflicts import Conflict, agree, find_conflicts, is_finer, touching

ANN, BORN = Entity(EntityId("x:ann"), "Ann"), Relation(RelationId("x:born"), "date of birth")


def date(text: str, kind: str = "xsd:date") -> Literal:
    return Literal(text, kind)


def year(text: str) -> Literal:
    return Literal(text, "xsd:gYear")


def fact(
    value: Entity | Literal, kg: str, relation: Relation = BORN, subject: Entity = ANN
) -> Triple:
    return Triple(subject, relation, value, Provenance(kg))


@pytest.mark.parametrize(
    "one, other, expected",
    [
        (year("1970"), date("1970-07-30"), True),
        (Literal("1970-07", "xsd:gYearMonth"), date("1970-07-30"), True),
        (Literal("1970-06", "xsd:gYearMonth"), date("1970-07-30"), False),
        (year("1971"), date("1970-07-30"), False),
        (date("1970-07-30"), date("1970-07-31"), False),
        (date("1970-07-30T00:00:00Z", "xsd:dateTime"), date("1970-07-30"), True),
        (date("1970-01-01T00:00:00Z", "xsd:dateTime"), date("1970-07-30"), True),
        (date("1970-07-01T00:00:00Z", "xsd:dateTime"), date("1970-07-30"), True),
        (date("1970-06-01T00:00:00Z", "xsd:dateTime"), date("1970-07-30"), False),
        (date("1970-01-01"), date("1970-07-30"), False),
        (date("1970-00-00"), date("1970-07-30"), True),
        (date("1970-07-30+02:00"), date("1970-07-30"), True),
        (year("-0044"), date("-0044-03-15"), True),
        (year("0044"), date("-0044-03-15"), False),
        (Literal("1970"), date("1970-07-30"), True),
        (Literal("1970", "xsd:integer"), year("1971"), False),
        (Literal("2004-11-29"), Literal("2004"), True),
        (Literal("long ago"), date("1970-07-30"), None),
        (Literal("6"), Literal("+6", "xsd:decimal"), True),
        (Literal("6.0", "xsd:double"), Literal("6e0"), True),
        (Literal("-0"), Literal("0"), True),
        (Literal("6"), Literal("7"), False),
        (Literal("6", unit="km"), Literal("7", unit="km"), False),
        (Literal("6", unit="km"), Literal("6000", unit="m"), None),
        (Literal("1e400", "xsd:double"), Literal("1E+400", "xsd:double"), True),
        (Literal("NaN", "xsd:double"), Literal("3", "xsd:double"), None),
        (Literal("Beyoncé", lang="fr"), Literal("BEYONCE"), True),
        (Literal("a  b"), Literal("A b"), True),
        (Literal("London", lang="en"), Literal("Londres", lang="fr"), None),
        (Literal("London", lang="en"), Literal("Paris", lang="en-GB"), False),
        (Literal("unknown value", "kg:unknown"), date("1970"), None),
        (Literal("true", "xsd:boolean"), Literal("1", "xsd:boolean"), True),
        (Literal("true", "xsd:boolean"), Literal("false", "xsd:boolean"), False),
        (Literal("POINT(1 2)", "geo:wktLiteral"), Literal("POINT(3 4)", "geo:wktLiteral"), None),
        (Literal("Male"), Entity(EntityId("wd:Q6581097"), "male"), True),
        (Literal("Female"), Entity(EntityId("wd:Q6581097"), "male"), None),
    ],
)
def test_values_are_compared_by_what_they_say(
    one: Entity | Literal, other: Entity | Literal, expected: bool | None
) -> None:
    assert agree(one, other) is expected
    assert agree(other, one) is expected


LONDON, PARIS = Entity(EntityId("x:london"), "London"), Entity(EntityId("x:paris"), "Paris")


def test_entities_disagree_only_where_one_value_is_the_most() -> None:
    birthplace = Relation(RelationId("wdt:P19"), "place of birth")
    genre = Relation(RelationId("wdt:P136"), "genre")
    (found,) = find_conflicts([fact(LONDON, "a", birthplace), fact(PARIS, "b", birthplace)])
    assert found.text == "place of birth of Ann is London (a) and Paris (b)"
    assert find_conflicts([fact(LONDON, "a", genre), fact(PARIS, "b", genre)]) == ()


def test_entities_of_one_name_and_those_without_a_label_are_no_disagreement() -> None:
    birthplace = Relation(RelationId("wdt:P19"), "place of birth")
    for other in (Entity(EntityId("y:london"), "LONDON"), Entity(EntityId("y:1"))):
        assert find_conflicts([fact(LONDON, "a", birthplace), fact(other, "b", birthplace)]) == ()


def test_the_sentence_names_values_and_sources() -> None:
    (found,) = find_conflicts([fact(date("1970-07-30"), "one"), fact(year("1971"), "other")])
    assert found.sentence == (
        "The graphs disagree: date of birth of Ann is 1970-07-30 (one) and 1971 (other)"
    )


def test_graphs_that_say_the_same_are_named_together() -> None:
    facts = [fact(year("1970"), "a"), fact(year("1971"), "b"), fact(Literal("1971"), "c")]
    (found,) = find_conflicts(facts)
    assert found.text == "date of birth of Ann is 1970 (a) and 1971 (b, c)"


def test_one_graph_with_two_values_does_not_disagree_with_itself_or_with_who_has_one_of_them() -> (
    None
):
    two = [fact(year("1970"), "a"), fact(year("1972"), "a")]
    assert find_conflicts(two) == ()
    assert find_conflicts([*two, fact(date("1972-03-01"), "b")]) == ()
    (found,) = find_conflicts([*two, fact(year("1980"), "b")])
    assert found.text == "date of birth of Ann is 1970 (a), 1972 (a) and 1980 (b)"


def test_other_subjects_and_relations_and_unnamed_sources_are_left_alone() -> None:
    bob = Entity(EntityId("x:bob"), "Bob")
    died = Relation(RelationId("x:died"))
    first = fact(year("1970"), "a")
    others = [
        fact(year("1971"), "b", subject=bob),
        fact(year("1971"), "b", died),
        Triple(ANN, BORN, year("1971")),
    ]
    assert find_conflicts([first, *others]) == ()


def test_the_conflicts_of_some_triples_are_those_they_take_part_in() -> None:
    one, other = fact(year("1970"), "a"), fact(year("1971"), "b")
    conflicts = find_conflicts([one, other])
    assert touching(conflicts, [other]) == conflicts == (Conflict((one, other)),)
    assert touching(conflicts, [fact(year("1999"), "a")]) == ()


def test_the_more_precise_of_two_dates_is_known() -> None:
    assert is_finer(date("1970-07-30"), year("1970"))
    assert not is_finer(year("1970"), date("1970-07-30"))
    assert is_finer(date("1970-01-01"), date("1970-01-01T00:00:00Z", "xsd:dateTime"))
    assert not is_finer(Literal("b"), Literal("a"))
