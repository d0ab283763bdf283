"""Finding the entities a text, or a part of a question, may mean."""

from itertools import pairwise

import pytest

from kgcore.kg.linking import typing_errors
from kgcore.testing import MemoryGraph

FACTS = [
    ("x:inception", "x:director", "x:nolan"),
    ("x:inception", "x:cast", "x:dicaprio"),
    ("x:titanic97", "x:cast", "x:dicaprio"),
    ("x:nolan", "x:born", "x:london"),
    ("x:titanic97", "x:type", "x:film"),
    ("x:titanic53", "x:type", "x:film"),
]
GRAPH = MemoryGraph(
    "names",
    FACTS,
    labels={
        "x:inception": "Inception",
        "x:nolan": "Christopher Nolan",
        "x:dicaprio": "Leonardo DiCaprio",
        "x:titanic97": "Titanic",
        "x:titanic53": "Titanic",
        "x:london": "London",
        "x:film": "film",
        "x:who": "The Who",
        "x:losangeles": "Los Angeles",
        "x:lotr": "The Lord of the Rings",
        "x:day": "Day",
        "x:dayinlife": "A Day in the Life",
        "x:help": "Help!",
        "x:twin": "x:london",
        "x:director": "director",
        "x:cast": "cast member",
        "x:born": "place of birth",
        "x:type": "type",
    },
    descriptions={"x:titanic97": "1997 film by James Cameron", "x:titanic53": "1953 film"},
    aliases={
        "x:nolan": ["克里斯托弗·诺兰", "Nolan"],
        "x:inception": ["盗梦空间"],
        "x:losangeles": ["L.A."],
        "x:lotr": ["Lord of the Rings"],
    },
)


def spotted(question: str) -> dict[str, str]:
    found = GRAPH.link(question, is_question=True)
    return {c.mention: c.entity.id for c in reversed(found.items)}


@pytest.mark.parametrize(
    "question, expected",
    [
        ("Who directed Inception?", {"Inception": "x:inception"}),
        ("Who is Inception's director?", {"Inception": "x:inception", "director": None}),
        ("who directed inception", {"inception": "x:inception"}),
        ("Did Leonardo DiCaprio live in London?", {"Leonardo DiCaprio": "x:dicaprio", "London": "x:london"}),
        ("Is Titanic (1997) longer than Inception?", {"Titanic": "x:titanic97", "Inception": "x:inception"}),
        ("盗梦空间的导演是谁？", {"盗梦空间": "x:inception"}),
        ("克里斯托弗·诺兰导演了《盗梦空间》吗", {"克里斯托弗·诺兰": "x:nolan", "盗梦空间": "x:inception"}),
        ("Who founded The Who?", {"The Who": "x:who"}),
        ("Who wrote \"A Day in the Life\"?", {"A Day in the Life": "x:dayinlife"}),
        ("Who sang Help! first?", {"Help": "x:help"}),
        ("Did Leonrado DiCaprio visit Los Angles?", {"Leonrado DiCaprio": "x:dicaprio", "Los Angles": "x:losangeles"}),
        ("who made incepton", {"incepton": "x:inception"}),
        ("Is L.A. big?", {"L.A": "x:losangeles"}),
        ("who filmed the lord of the rings", {"the lord of the rings": "x:lotr"}),
        ("Who is that?", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_mentions_of_a_question(question: str, expected: dict[str, str | None]) -> None:
    wanted = {mention: entity for mention, entity in expected.items() if entity}
    found = {m: e for m, e in spotted(question).items() if m not in expected or expected[m]}
    assert found == wanted


def test_mentions_do_not_overlap_and_stand_in_the_question() -> None:
    question = "Did Leonardo DiCaprio meet Christopher Nolan in London, Los Angeles?"
    mentions = list(spotted(question))
    places = sorted((question.index(m), question.index(m) + len(m)) for m in mentions)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert len(mentions) == 4


def test_a_mention_keeps_several_candidates() -> None:
    found = GRAPH.link("How long is Titanic?", is_question=True).items
    assert {c.entity.id for c in found} == {"x:titanic97", "x:titanic53"}
    assert len(GRAPH.link("How long is Titanic?", is_question=True, limit=1).items) == 1


def test_context_decides_between_namesakes() -> None:
    for year, expected in (("1997", "x:titanic97"), ("1953", "x:titanic53")):
        assert GRAPH.link("Titanic", context=f"a film of {year}").items[0].entity.id == expected
        assert GRAPH.link(f"Titanic ({year})").items[0].entity.id == expected


def test_the_better_connected_of_two_namesakes_comes_first() -> None:
    first, second = GRAPH.link("Titanic").items
    assert (first.entity.id, second.entity.id) == ("x:titanic97", "x:titanic53")
    assert first.score > second.score


def test_an_id_finds_its_entity_even_when_another_bears_it_as_its_label() -> None:
    found = {c.entity.id: c.score for c in GRAPH.link("x:london").items}
    assert set(found) >= {"x:london", "x:twin"}
    assert found["x:london"] == 1.0


def test_words_of_relations_count_less_than_names() -> None:
    graph = MemoryGraph(
        "m",
        [("x:a", "x:director", "x:b")],
        labels={"x:a": "Alien", "x:b": "director", "x:director": "director"},
    )
    score = {
        c.entity.id: c.score for c in graph.link("the director of Alien", is_question=True).items
    }
    assert score["x:b"] < 0.6 < score["x:a"]


def test_scores_lie_between_zero_and_one_and_fall() -> None:
    for text in ("Titanic", "Leonrado", "lord", "Nolan"):
        scores = [c.score for c in GRAPH.link(text).items]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_typing_errors_are_looked_for_only_when_nothing_is_exact() -> None:
    graph = MemoryGraph("m", labels={"x:a": "Martina", "x:b": "Martino"})
    assert [c.entity.id for c in graph.link("Martina").items] == ["x:a"]
    assert {c.entity.id for c in graph.link("Martinu").items} == {"x:a", "x:b"}


def test_short_texts_are_never_guessed() -> None:
    graph = MemoryGraph("m", labels={"x:a": "Rome", "x:b": "Oslo"})
    assert graph.link("Rame").items == ()


@pytest.mark.parametrize(
    "one, other, count", [("paris", "paris", 0), ("pariss", "paris", 1), ("apris", "paris", 1), ("abc", "xyz", 3)]
)  # fmt: skip
def test_typing_errors_are_counted_up_to_a_limit(one: str, other: str, count: int) -> None:
    assert typing_errors(one, other, 2) == count


def test_a_plural_may_be_the_thing() -> None:
    graph = MemoryGraph("m", labels={"x:a": "beagle", "x:b": "Country", "x:c": "Fox"})
    for question, expected in (
        ("Where are beagles from?", "x:a"),
        ("Which countries are large?", "x:b"),
        ("Do foxes bark?", "x:c"),
    ):
        assert [c.entity.id for c in graph.link(question, is_question=True).items] == [expected]


def test_a_capitalised_part_of_a_longer_name_is_found() -> None:
    graph = MemoryGraph(
        "m",
        [(f"x:{i}", "x:in", "x:usa") for i in range(9)],
        labels={"x:usa": "United States of America", "x:dollar": "United States Dollar"},
    )
    found = graph.link("Is the United States larger than Bolivia?", is_question=True).items
    assert [(c.mention, c.entity.id) for c in found] == [
        ("United States", "x:usa"),
        ("United States", "x:dollar"),
    ]
