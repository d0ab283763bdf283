"""Answers are read off the facts that were fetched, by the kind of the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.question import analyse
from kgcore.llm.offline.reading import MOST_LETTERS, make
from kgcore.llm.offline.trail import Trail
from kgcore.llm.offline.trails import analysis_of
from kgcore.model import Entity, EntityId
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
        "Which novelist was born in Norville?",
        ["Norville"],
        [(("Norville",), "place of birth", "in"), (("Ada Reed", "Cy Moor"), "occupation", "out")],
        "Ada Reed",
    ),
    (
        "Who directed and starred in Storm?",
        ["Storm"],
        [(("Storm",), "director", "out"), (("Storm",), "cast member", "out")],
        "Jo Hart",
    ),
    (
        "Which films did Jo Hart both direct and act in?",
        ["Jo Hart"],
        [(("Jo Hart",), "director", "in"), (("Jo Hart",), "cast member", "in")],
        "Storm",
    ),
    (
        "How many composers were born in Norville?",
        ["Norville"],
        [(("Norville",), "place of birth", "in"), (("Ada Reed", "Cy Moor"), "occupation", "out")],
        "1",
    ),
    (
        "有多少位作曲家出生在Norville？",
        ["Norville"],
        [(("Norville",), "place of birth", "in"), (("Ada Reed", "Cy Moor"), "occupation", "out")],
        "1",
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
    (
        "Who lived longer, Ada Reed or Cy Moor?",
        ["Ada Reed", "Cy Moor"],
        [
            (("Ada Reed", "Cy Moor"), "date of birth", "out"),
            (("Ada Reed", "Cy Moor"), "date of death", "out"),
        ],
        "Cy Moor",
    ),
    (
        "Who is older, the director of Dunes or the director of Ember?",
        ["Dunes", "Ember"],
        [
            (("Dunes", "Ember"), "director", "out"),
            (("Ada Reed", "Cy Moor"), "date of birth", "out"),
        ],
        "Ada Reed",
    ),
    (
        "Is Ada Reed a man or a woman?",
        ["Ada Reed"],
        [(("Ada Reed",), "gender", "out")],
        "female",
    ),
    (
        "In which year was Dunes released?",
        ["Dunes"],
        [(("Dunes",), "publication date", "out")],
        "2001",
    ),
    (
        "Which film did Ada Reed direct in 1999?",
        ["Ada Reed"],
        [(("Ada Reed",), "director", "in"), (("Dunes", "Tides"), "publication date", "out")],
        "Tides",
    ),
    (
        "Did Ada Reed direct both Dunes and Tides?",
        ["Ada Reed", "Dunes", "Tides"],
        [(("Ada Reed",), "director", "in")],
        "Yes",
    ),
    (
        "Did Ada Reed direct both Dunes and Ember?",
        ["Ada Reed", "Dunes", "Ember"],
        [(("Ada Reed",), "director", "in")],
        "No",
    ),
    (
        "What are the birthplaces of the actors in the films of Ada Reed?",
        ["Ada Reed"],
        [
            (("Ada Reed",), "director", "in"),
            (("Dunes", "Tides"), "cast member", "out"),
            (("Cy Moor",), "place of birth", "out"),
        ],
        "Norville",
    ),
    (
        "Who wrote the films that share actors with Dunes?",
        ["Dunes"],
        [
            (("Dunes",), "cast member", "out"),
            (("Bo Lind", "Cy Moor"), "cast member", "in"),
        ],
        "I cannot tell.",
    ),
    (
        "Which other films share actors with Dunes?",
        ["Dunes"],
        [
            (("Dunes",), "cast member", "out"),
            (("Bo Lind", "Cy Moor"), "cast member", "in"),
        ],
        "Tides",
    ),
    (
        "Who acted together with Bo Lind?",
        ["Bo Lind"],
        [(("Bo Lind",), "cast member", "in"), (("Dunes",), "cast member", "out")],
        "Cy Moor",
    ),
    (
        "Who directed the films by actor Bo Lind?",
        ["Bo Lind"],
        [(("Bo Lind",), "cast member", "in"), (("Dunes",), "director", "out")],
        "Ada Reed",
    ),
    (
        "Which film of the father of Ada Reed's child is newest?",
        ["Ada Reed"],
        [],
        "I cannot tell.",
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
            "Who directed and starred in Dunes?",
            ["Dunes"],
            [(("Dunes",), "director", "out"), (("Dunes",), "cast member", "out")],
        ),
        (
            "Which films did Cy Moor direct and act in?",
            ["Cy Moor"],
            [(("Cy Moor",), "director", "in")],
        ),
        (
            "Which actor starred in both Ember and Tides?",
            ["Ember", "Tides"],
            [(("Ember", "Tides"), "cast member", "out")],
        ),
        (
            "Which novelist was born in Norville?",
            ["Norville"],
            [(("Norville",), "place of birth", "in")],
        ),
        (
            "What was the cause of Ada Reed's death?",
            ["Ada Reed"],
            [(("Ada Reed",), "place of birth", "out"), (("Norville",), "place of birth", "in")],
        ),
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


def test_things_of_one_name_are_told_apart() -> None:
    first, second = (
        Entity(EntityId(f"x:{year}"), "Dunes", f"{year} film", "x") for year in ("1984", "2021")
    )
    analysis = analyse("Which came first, Dunes (1984) or Dunes (2021)?", ())
    trail = Trail(0, second.id, begin=(second,))
    assert make(analysis, [trail], [first]).text == "Dunes (1984 film)"
    assert make(analysis, [], [first]).text == "Dunes"
    assert make(analysis, [], [first, second]).text == "Dunes (1984 film), Dunes (2021 film)"


def test_a_year_that_tells_which_thing_is_meant_is_used() -> None:
    dunes = Entity(EntityId("x:1984"), "Dunes", "1984 film", "x")
    analysis = analyse("Who directed the 1984 film Dunes?", ("Dunes",))
    told = Trail(0, dunes.id, explained={0: 1.0}, by={0: "director"}, begin=(dunes,))
    untold = replace(told, begin=(replace(dunes, description="film"),))
    assert make(analysis, [told], ()).coverage > 0.9 > make(analysis, [untold], ()).coverage


def test_a_count_names_a_number_and_none_of_the_things(world: Any) -> None:
    asked = "How many films did Ada Reed direct?"
    hops = [(("Ada Reed",), "director", "in")]
    assert conclusion(world, asked, ["Ada Reed"], hops) == GiveAnswer("2")


def test_a_year_is_answered_as_a_year_and_stands_for_the_date(world: Any) -> None:
    hops = [(("Dunes",), "publication date", "out")]
    answer = conclusion(world, "What year was Dunes released?", ["Dunes"], hops)
    assert answer.text == "2001"
    assert [v.value for v in answer.literals] == ["2001-05-04"]


def test_what_is_known_from_the_other_side_is_read_too(world: Any) -> None:
    asked = "Which films did the director of Dunes direct?"
    situation = Situation(
        **world.situation(
            asked,
            ["Dunes"],
            [(("Dunes",), "director", "out"), (("Dunes",), "cast member", "out")],
        )
    )
    reading = conclude(situation, analysis_of(situation))
    assert [thing.label for thing in reading.things] == ["Dunes"]
    assert 0.5 < reading.value < 0.8


def test_a_relation_on_the_way_that_explains_nothing_lowers_the_value(world: Any) -> None:
    straight = [(("Dunes",), "director", "out")]
    astray = [
        (("Dunes",), "cast member", "out"),
        (("Cy Moor",), "director", "in"),
        (("Ember",), "director", "out"),
    ]
    values = []
    for hops in (straight, astray):
        situation = Situation(**world.situation("Who directed Dunes?", ["Dunes"], hops))
        values.append(conclude(situation, analysis_of(situation)).value)
    assert values[0] > 0.9 > values[1]


@pytest.mark.parametrize(
    "question,mentions,hops,text",
    [
        (
            "Was Ada Reed in Norville?",
            ["Ada Reed", "Norville"],
            [(("Ada Reed",), "place of birth", "out")],
            "Yes",
        ),
        (
            "Did both Ada Reed and Cy Moor direct Ember?",
            ["Ada Reed", "Cy Moor", "Ember"],
            [(("Ada Reed", "Cy Moor"), "director", "in")],
            "No",
        ),
        (
            "Did both Bo Lind and Cy Moor star in Dunes?",
            ["Bo Lind", "Cy Moor", "Dunes"],
            [(("Bo Lind", "Cy Moor"), "cast member", "in")],
            "Yes",
        ),
        (
            "Did Tides come out before Dunes?",
            ["Tides", "Dunes"],
            [(("Dunes", "Tides"), "publication date", "out")],
            "Yes",
        ),
        ("What is Dunes?", ["Dunes"], [(("Dunes",), "director", "out")], "I cannot tell."),
        (
            "Was Dunes directed by Reed?",
            ["Dunes", "Reed"],
            [(("Dunes",), "director", "out")],
            "Yes",
        ),
        ("Dunes是Reed执导的吗？", ["Dunes"], [(("Dunes",), "director", "out")], "是"),
    ],
)
def test_more_ways_to_ask_for_yes_or_no(
    world: Any, question: str, mentions: list[str], hops: list[Any], text: str
) -> None:
    assert conclusion(world, question, mentions, hops).text == text


def test_a_broken_chain_is_no_answer_although_its_end_is_explained(world: Any) -> None:
    asked = "Where was the mother of Ada Reed born?"
    hops = [(("Ada Reed",), "place of birth", "out")]
    assert conclusion(world, asked, ["Ada Reed"], hops).is_unknown


def test_a_list_too_long_to_read_ends_with_an_ellipsis_and_still_names_all(world: Any) -> None:
    situation = Situation(
        **world.situation(
            "Which films did Ada Reed direct?", ["Ada Reed"], [(("Ada Reed",), "director", "in")]
        )
    )
    analysis = analysis_of(situation)
    trail = conclude(situation, analysis).trails[0]
    many = [Entity(EntityId(f"x:{i}"), f"Film number {i}") for i in range(400)]
    reading = make(analysis, [trail], many)
    assert len(reading.things) == 400
    assert len(reading.text) <= MOST_LETTERS
    assert reading.text.endswith(", …")
    assert reading.text.startswith("Film number 0, Film number 1, ")
