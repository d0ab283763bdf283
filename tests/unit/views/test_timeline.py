"""The kinds of ticks: each entry has one, and none differs from another by its colour alone."""

from __future__ import annotations

from dataclasses import replace

from kgcore.runs import StepDone, StepFailed
from kgcore.runs.entries import CUT_SHORT, FactNoted, Resumed
from kgcore.runs.gate import Decided
from kgcore.steps import (
    ActionRejected,
    Answer,
    AnswerProposed,
    BadQuery,
    EdgeSet,
    KnowledgeFound,
    QueryWritten,
    RationaleDrafted,
    Warned,
)
from kgcore.views.palettes import DARK, LIGHT
from kgcore.views.timeline import KINDS, kind_of, looks
from tests.unit.views import hand_made as made


def done(kind: str, result: object = None, *, is_human: bool = False) -> StepDone:
    return StepDone("h", "k", {"kind": kind}, result, is_human=is_human)


def test_a_story_has_one_letter_an_entry() -> None:
    letters = [kind_of(entry.body) for entry in made.entries(made.story())]
    assert "".join(letters) == "fffnmffffnffffbnxffbnffae"


def test_steps_are_told_apart() -> None:
    assert [kind_of(done(kind)) for kind in ("Link", "Edges", "Lookup", "Ask", "Rank")] == list(
        "gggmf"
    )
    assert kind_of(done("Ask", is_human=True)) == "h"
    assert kind_of(done("Edges", BadQuery("no such relation"))) == "x"
    assert kind_of(StepFailed({}, "timeout", "too late")) == "x"
    assert kind_of(done("Edges", EdgeSet())) == "g"


def test_a_doubt_and_a_call_that_a_stop_ended_are_no_errors() -> None:
    assert kind_of(FactNoted(Warned("something is missing"))) == "x"
    assert kind_of(FactNoted(Warned("the other may be meant", is_doubt=True))) == "f"
    assert kind_of(StepFailed({}, CUT_SHORT, "stopped")) == "f"


def test_what_people_do_is_marked() -> None:
    assert kind_of(Decided("key", (), ())) == "h"
    assert kind_of(Resumed()) == "h"


def test_what_a_person_took_out_is_no_error() -> None:
    rejected = FactNoted(ActionRejected(0, "#3 “director”", "ana took this out of the search"))
    assert kind_of(rejected) == "x"
    assert kind_of(rejected, {"#3 “director”"}) == "h"


def test_an_answer_that_tells_nothing_is_no_answer() -> None:
    assert kind_of(FactNoted(AnswerProposed(Answer("", is_answer=False)))) == "f"
    assert kind_of(FactNoted(AnswerProposed(Answer("yes")))) == "a"


def test_facts_of_other_methods_have_kinds_too() -> None:
    assert kind_of(FactNoted(RationaleDrafted(1, 1, "text"))) == "n"
    found = KnowledgeFound(1, 1, "source", "query")
    assert kind_of(FactNoted(found)) == "f"
    assert kind_of(FactNoted(replace(found, problem="refused"))) == "x"


def test_a_query_that_is_mended_is_no_error() -> None:
    bad = BadQuery("no such table")
    assert kind_of(done("Lookup", bad)) == "q"
    refused = KnowledgeFound(1, 1, "source", "query", problem="no such table", is_mended=True)
    unnamed = QueryWritten(1, 1, "source", "sparql", "A", "", "nothing is called so")
    again = replace(unnamed, query="B", is_repaired=True)
    assert [kind_of(FactNoted(fact)) for fact in (refused, unnamed, again)] == list("qqq")
    assert kind_of(FactNoted(replace(again, query=""))) == "f"  # the source does not know it
    assert kind_of(FactNoted(replace(again, is_repaired=False, problem="unreadable"))) == "x"


def test_no_two_kinds_differ_by_colour_alone() -> None:
    second = [(kind.height, kind.shape) for kind in KINDS.values()]
    assert len(set(second)) == len(second)


def test_every_kind_has_a_colour_and_a_name_in_both_themes_and_languages() -> None:
    for palette in (LIGHT, DARK):
        for letter, look in looks(palette, "zh").items():
            assert look["color"].startswith("#")
            assert look["name"] != KINDS[letter].name
