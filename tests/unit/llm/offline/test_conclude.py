"""Answers are read off the facts that were fetched, by the kind of the question."""

from __future__ import annotations

from typing import Any

import pytest

from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.trails import analysis_of
from kgcore.model import EntityId
from kgcore.prompts import GiveAnswer, Situation

CASES: list[tuple[str, list[str], list[Any], str]] = [
    ("Who directed Dunes?", ["Dunes"], [(("Dunes",), "director", "out")], "Ada Reed"),
    (
        "Where was the director of Dunes born?",
        ["Dunes"],
        [(("Dunes",), "director", "out"), (("Ada Reed",), "place of birth", "out")],
        "Norville",
    ),
    (
        "Which films did Ada Reed direct?",
        ["Ada Reed"],
        [(("Ada Reed",), "director", "in")],
        "Dunes, Tides",
    ),
    (
        "When was Dunes released?",
        ["Dunes"],
        [(("Dunes",), "publication date", "out")],
        "2001-05-04",
    ),
    (
        "Which actor starred in both Dunes and Tides?",
        ["Dunes", "Tides"],
        [(("Dunes", "Tides"), "cast member", "out")],
        "Cy Moor",
    ),
    (
        "Which cast member of Dunes was born in Norville?",
        ["Dunes", "Norville"],
        [(("Dunes",), "cast member", "out"), (("Bo Lind", "Cy Moor"), "place of birth", "out")],
        "Cy Moor",
    ),
    (
        "Which film by director Ada Reed was released in 1999?",
        ["Ada Reed"],
        [(("Ada Reed",), "director", "in"), (("Dunes", "Tides"), "publication date", "out")],
        "Tides",
    ),
    (
        "Which film was released first, Dunes or Tides?",
        ["Dunes", "Tides"],
        [(("Dunes", "Tides"), "publication date", "out")],
        "Tides",
    ),
    (
        "Who is younger, Ada Reed or Cy Moor?",
        ["Ada Reed", "Cy Moor"],
        [(("Ada Reed", "Cy Moor"), "date of birth", "out")],
        "Cy Moor",
    ),
    (
        "Which film has the older director, Dunes or Ember?",
        ["Dunes", "Ember"],
        [
            (("Dunes", "Ember"), "director", "out"),
            (("Ada Reed", "Cy Moor"), "date of birth", "out"),
        ],
        "Dunes",
    ),
    (
        "Which country has the larger population, Westland or Eastland?",
        ["Westland", "Eastland"],
        [(("Westland", "Eastland"), "population", "out")],
        "Westland",
    ),
    (
        "Was Tides released before Dunes?",
        ["Tides", "Dunes"],
        [(("Dunes", "Tides"), "publication date", "out")],
        "Yes",
    ),
    (
        "Do Dunes and Tides have the same director?",
        ["Dunes", "Tides"],
        [(("Dunes", "Tides"), "director", "out")],
        "Yes",
    ),
    (
        "Do Dunes and Ember have the same director?",
        ["Dunes", "Ember"],
        [(("Dunes", "Ember"), "director", "out")],
        "No",
    ),
    ("Did Ada Reed direct Dunes?", ["Ada Reed", "Dunes"], [(("Dunes",), "director", "out")], "Yes"),
    ("Did Cy Moor direct Dunes?", ["Cy Moor", "Dunes"], [(("Dunes",), "director", "out")], "No"),
    ("Was Ada Reed born in 1960?", ["Ada Reed"], [(("Ada Reed",), "date of birth", "out")], "Yes"),
    ("Was Ada Reed born in 1961?", ["Ada Reed"], [(("Ada Reed",), "date of birth", "out")], "No"),
    (
        "How many films did Ada Reed direct?",
        ["Ada Reed"],
        [(("Ada Reed",), "director", "in")],
        "2",
    ),
    (
        "What is the population of Westland?",
        ["Westland"],
        [(("Westland",), "population", "out")],
        "5000000",
    ),
    (
        "Which films have the same director as Dunes?",
        ["Dunes"],
        [(("Dunes",), "director", "out"), (("Ada Reed",), "director", "in")],
        "Tides",
    ),
    (
        "What was the first film directed by Ada Reed?",
        ["Ada Reed"],
        [(("Ada Reed",), "director", "in"), (("Dunes", "Tides"), "publication date", "out")],
        "Tides",
    ),
]


def conclusion(world: Any, question: str, mentions: list[str], hops: list[Any]) -> GiveAnswer:
    """Return what the matcher answers after following the hops."""
    situation = Situation(**world.situation(question, mentions, hops))
    analysis = analysis_of(situation)
    return answer_of(conclude(situation, analysis), analysis)


@pytest.mark.parametrize("question,mentions,hops,text", CASES, ids=[c[0] for c in CASES])
def test_answers(
    world: Any, question: str, mentions: list[str], hops: list[Any], text: str
) -> None:
    assert conclusion(world, question, mentions, hops).text == text


def test_answers_name_what_they_stand_for(world: Any) -> None:
    films = conclusion(
        world, "Which films did Ada Reed direct?", ["Ada Reed"], [(("Ada Reed",), "director", "in")]
    )
    assert films.entities == (EntityId("x:Dunes"), EntityId("x:Tides"))
    released = conclusion(
        world, "When was Dunes released?", ["Dunes"], [(("Dunes",), "publication date", "out")]
    )
    assert [v.value for v in released.literals] == ["2001-05-04"]


@pytest.mark.parametrize(
    "question,mentions,hops",
    [
        ("What is the shoe size of Ada Reed?", ["Ada Reed"], [(("Ada Reed",), "father", "out")]),
        ("Who is the wife of the director of Dunes?", ["Dunes"], [(("Dunes",), "director", "out")]),
        ("Who directed Dunes?", ["Dunes"], []),
        (
            "Who is older, Ada Reed or Ed Reed?",
            ["Ada Reed", "Ed Reed"],
            [(("Ada Reed",), "date of birth", "out")],
        ),
        ("Who directed Nothing?", ["Nothing"], []),
        (
            "Which cast members of Dunes were born in Nowhere?",
            ["Dunes", "Nowhere"],
            [(("Dunes",), "cast member", "out"), (("Cy Moor",), "place of birth", "out")],
        ),
        (
            "What are the genres of the films directed by Ada Reed?",
            ["Ada Reed"],
            [(("Ada Reed",), "director", "in")],
        ),
    ],
)
def test_what_the_facts_do_not_say_is_not_answered(
    world: Any, question: str, mentions: list[str], hops: list[Any]
) -> None:
    assert conclusion(world, question, mentions, hops).is_unknown


def test_answers_are_in_the_language_of_the_question(world: Any) -> None:
    asked = "Cy Moor是Dunes的导演吗？"
    assert (
        conclusion(world, asked, ["Cy Moor", "Dunes"], [(("Dunes",), "director", "out")]).text
        == "否"
    )


def test_only_things_of_the_kind_asked_for_are_named(world: Any) -> None:
    known = [(("Norville",), "place of birth", "in"), (("Norville",), "country", "out")]
    hops = [(("Westland",), "country", "in")]
    assert (
        conclusion(world, "Which cities are in the country Westland?", ["Westland"], hops).text
        == "Norville"
    )
    born = conclusion(world, "Which people were born in Norville?", ["Norville"], known)
    assert born.text == "Ada Reed, Cy Moor"


def test_a_count_names_a_number_and_none_of_the_things(world: Any) -> None:
    asked = "How many films did Ada Reed direct?"
    hops = [(("Ada Reed",), "director", "in")]
    assert conclusion(world, asked, ["Ada Reed"], hops) == GiveAnswer("2")
