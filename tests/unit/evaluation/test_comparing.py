"""When what an answer names is a gold answer."""

from __future__ import annotations

import pytest

from kgcore.evaluation.case import Gold
from kgcore.evaluation.comparing import Names, is_same, is_same_value, occurs, truth_of
from kgcore.model import EntityId, Literal
from tests.unit.evaluation.world import GRAPH, NAMES, thing

ROME = Gold(EntityId("a:rome"), ("Rome",))


def test_an_entity_is_known_by_each_id_the_graph_links() -> None:
    assert is_same(thing("a:rome"), ROME, NAMES)
    assert is_same(thing("b:rome"), ROME, NAMES)
    assert not is_same(thing("a:oslo"), ROME, NAMES)
    assert not is_same(thing("b:rome"), ROME, Names())


def test_the_label_of_an_entity_as_a_mere_text_is_not_the_entity() -> None:
    assert not is_same(Literal("Rome"), ROME, NAMES)


def test_an_entity_may_stand_for_a_value_of_its_name() -> None:
    assert is_same(thing("a:rome"), Gold(texts=("rome",)), NAMES)
    assert not is_same(thing("a:rome"), Gold(texts=("Rom",)), NAMES)


def test_links_are_asked_once() -> None:
    names = Names(GRAPH.same_as)
    before = len(GRAPH.requests)
    assert names.of(EntityId("a:rome")) == {"a:rome", "b:rome"}
    asked = len(GRAPH.requests) - before
    names.of(EntityId("a:rome"))
    assert len(GRAPH.requests) - before == asked


@pytest.mark.parametrize(
    "literal, gold, same",
    [
        (Literal("1634-06-20T00:00:00Z", "xsd:dateTime"), "20 June 1634", True),
        (Literal("20 June 1634"), "1634-06-20T00:00:00Z", True),
        (Literal("1634年6月20日"), "20 June 1634", True),
        (Literal("1634-06-20", "xsd:date"), "21 June 1634", False),
        (Literal("1969-01-01T00:00:00Z", "xsd:dateTime"), "1969", True),
        (Literal("1969-05-03", "xsd:date"), "1969", True),
        (Literal("1634", "xsd:gYear"), "20 June 1634", False),
        (Literal("6", "xsd:integer"), "+6", True),
        (Literal("+6"), "6", True),
        (Literal("2 children"), "2", True),
        (Literal("12"), "2", False),
        (Literal("1,234,567"), "1234567", True),
        (Literal("709"), "710", False),
        (Literal("NZ"), "nz", True),
        (Literal("yes"), "true", True),
        (Literal("no"), "yes", False),
    ],
)
def test_values_are_compared_by_what_they_say(literal: Literal, gold: str, same: bool) -> None:
    assert is_same_value(literal, gold) is same


@pytest.mark.parametrize(
    "text, truth",
    [
        ("Yes", True),
        ("yes, both are Italian.", True),
        ("No", False),
        ("是", True),
        ("是的，两部都是", True),
        ("否", False),
        ("Norway", None),
        ("none", None),
        ("", None),
    ],
)
def test_yes_and_no_are_words_at_the_start(text: str, truth: bool | None) -> None:
    assert truth_of(text) is truth


@pytest.mark.parametrize(
    "gold, text, found",
    [
        ("Rome", "She was born in ROME.", True),
        ("Rome", "Romeo and Juliet", False),
        ("5", "15", False),
        ("伦敦", "他出生在伦敦市", True),
        ("20 June 1634", "born on 1634-06-20 in Turin", True),
        ("20 June 1634", "born in 1634", False),
        ("", "anything", False),
    ],
)
def test_a_gold_text_occurs_as_whole_words(gold: str, text: str, found: bool) -> None:
    assert occurs(gold, text) is found
