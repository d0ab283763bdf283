"""Log lines call things by their labels."""

from __future__ import annotations

from kgcore.model import Entity, EntityId
from kgcore.runs.words import Words
from kgcore.steps import Candidate, Candidates, Descriptions


def words() -> Words:
    """Return words that have met the label of one thing."""
    found = Words()
    canada = Entity(EntityId("wd:Q16"), "Canada")
    found.learn(Candidates((Candidate(canada, 1.0, "Canada"),)))
    return found


def test_what_has_no_label_is_counted_beside_what_has_one() -> None:
    assert words().names(["wd:Q16", "mb:area/71bb"]) == "Canada and 1 more"
    assert words().names(["mb:area/71bb", "wd:Q16"]) == "Canada and 1 more"
    assert words().names(["wd:Q16"]) == "Canada"


def test_ids_are_shown_where_nothing_has_a_label() -> None:
    assert words().names(["x:1", "x:2", "x:3", "x:4"]) == "x:1, x:2, x:3 and 1 more"


def test_what_was_described_is_called_by_its_label() -> None:
    found = words()
    found.learn(Descriptions((Entity(EntityId("mb:area/71bb"), "Canada, again"),)))
    assert found.name("mb:area/71bb") == "Canada, again"


def test_the_first_label_stays() -> None:
    found = words()
    found.learn(Descriptions((Entity(EntityId("wd:Q16"), "Kanada"),)))
    assert found.name("wd:Q16") == "Canada"
