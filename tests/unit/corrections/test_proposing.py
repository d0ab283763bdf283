"""From what a person writes to a correction: ids, exact names, values; what is unclear is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kgcore.corrections.proposing import Wish, correction_of, understand
from kgcore.errors import InputError
from kgcore.model import Literal, Provenance, Triple
from kgcore.testing import MemoryGraph
from tests.unit.corrections.toys import FACTS, HOME, LABELS, NEW, OLD, REDS, YEAR, toy

TWIN = {"t:twin": "new"}


def graph() -> MemoryGraph:
    facts = [*FACTS, ("t:twin", "t:near", OLD.id), (NEW.id, "t:near", OLD.id)]
    return MemoryGraph("toy", facts, labels={**LABELS, **TWIN, "t:near": "near"})


def wish(**changes: Any) -> Wish:
    base = Wish("toy", "reds", "home venue", "old", "replace", "park")
    return replace(base, **changes)


def test_names_and_ids_say_the_same() -> None:
    by_name = understand(wish(), toy())
    by_id = understand(
        wish(subject=REDS.id, relation=HOME.id, object=OLD.id, new_object="t:park"), toy()
    )
    assert by_name == by_id
    assert (by_name.subject, by_name.relation, by_name.object) == (REDS, HOME, OLD)
    assert by_name.kg == "toy"


REFUSED = {
    "an ambiguous new object": (wish(new_object="new"), r"several: t:new, t:twin"),
    "an unknown subject": (wish(subject="greens"), "nothing called 'greens'"),
    "an unknown id": (wish(subject="wd:Q999"), "no entity wd:Q999"),
    "an unknown relation": (wish(relation="coach"), r"no relation 'coach'; it has: founded"),
    "another object": (wish(object="park"), r"no triple reds – home venue – park; it says: old"),
    "what is there": (wish(action="add", new_object=""), "holds that triple already"),
    "nothing new": (wish(new_object="old"), "nothing would change"),
    "no name": (wish(new_object="  "), "missing"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_unclear_is_refused_in_one_line(case: str) -> None:
    said, message = REFUSED[case]
    with pytest.raises(InputError, match=message) as refused:
        understand(said, graph())
    assert "\n" not in str(refused.value)


def test_a_name_nobody_knows_becomes_an_entity_of_its_own() -> None:
    once = understand(wish(new_object="Third Arena"), toy())
    again = understand(wish(new_object="Third Arena"), toy())
    assert once.new_object == again.new_object
    assert [(e.id, e.label) for e in once.minted] == [("local:Third%20Arena", "Third Arena")]
    for relation in ("t:home", "home venue"):
        added = understand(
            wish(subject="Greens", relation=relation, action="add", new_object=""), toy()
        )
        assert [e.label for e in added.minted] == ["Greens"]
        assert (added.relation, added.relation.label) == (HOME, "home venue")
    unknown = wish(subject="Greens", relation="t:coach", action="add", new_object="")
    assert understand(unknown, toy()).relation.id == "t:coach"


def test_a_new_thing_has_a_name_and_no_book() -> None:
    with pytest.raises(InputError, match="at most 300"):
        understand(wish(new_object="A" * 10_000), toy())


VALUES = {
    "1899": Literal("1899", "xsd:gYear"),
    "1899-05-01": Literal("1899-05-01", "xsd:date"),
    '"1899"^^xsd:integer': Literal("1899", "xsd:integer"),
    '"long ago"@en': Literal("long ago", lang="en"),
    '"long ago"': Literal("long ago"),
}


@pytest.mark.parametrize("text", VALUES)
def test_a_value_is_replaced_by_a_value(text: str) -> None:
    said = wish(relation="founded", object="1901", new_object=text)
    found = understand(said, toy())
    assert (found.object, found.new_object) == (YEAR, VALUES[text])


def test_an_edge_at_hand_is_corrected_as_it_is() -> None:
    triple = Triple(REDS, HOME, OLD, Provenance("toy"))
    made = correction_of(triple, "replace", new_object=NEW, author="Ann")
    assert (made.kg, made.object, made.new_object, made.author) == ("toy", OLD, NEW, "Ann")
    with pytest.raises(InputError):
        correction_of(triple, "retract", new_object=NEW)
