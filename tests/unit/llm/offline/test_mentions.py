"""Names are found in questions and linked by words alone."""

from __future__ import annotations

import pytest

from kgcore.llm.offline.mentions import choose_entity, find_mentions
from kgcore.model import Entity, EntityId
from kgcore.steps import Candidate


def spotted(*mentions: str) -> list[Candidate]:
    """Return candidates a label index would spot."""
    return [Candidate(Entity(EntityId(f"x:{m}"), m), 1.0, m) for m in mentions]


@pytest.mark.parametrize(
    "question,index,found",
    [
        ("Who directed The Matrix?", [], ("The Matrix",)),
        ("Who directed Dunes and Tides?", [], ("Dunes and Tides",)),
        ("Who directed Dunes and Tides?", ["Dunes", "Tides"], ("Dunes", "Tides")),
        ("Was Ada Reed's father born in Norville?", [], ("Ada Reed", "Norville")),
        ("who directed the film dunes?", ["film", "dunes"], ("dunes",)),
        ("Which film did Ada Reed direct?", ["film", "Ada Reed", "direct"], ("Ada Reed",)),
        ("What is the capital of France?", ["capital", "France"], ("France",)),
        ('Who wrote "Let it be"?', [], ("Let it be",)),
        ("Which song is on Abbey Road?", ["Abbey", "Abbey Road", "song"], ("Abbey Road",)),
        ("《盗梦空间》的导演是谁？", ["盗梦空间", "导演"], ("盗梦空间",)),
        ("法国的首都是哪里？", ["法国", "首都"], ("法国",)),
        ("How old is the universe?", [], ()),
        ("Which came first, Dunes (1984) or Dunes (2021)?", [], ("Dunes (1984)", "Dunes (2021)")),
        ("Dunes 和 X-Men 哪部电影上映更早？", [], ("Dunes", "X-Men")),
        ("Dunes 和 Red Sea 谁更早？", ["Dunes", "和 Red Sea"], ("Dunes", "Red Sea")),
    ],
)
def test_names_are_found(question: str, index: list[str], found: tuple[str, ...]) -> None:
    assert find_mentions(question, spotted(*index), "en") == found


def candidate(label: str, score: float, description: str = "", *types: str) -> Candidate:
    """Return a candidate."""
    return Candidate(
        Entity(EntityId(f"x:{label}/{description}"), label, description, "x", types), score
    )


def test_the_kind_a_question_names_decides_between_equal_labels() -> None:
    band = candidate("Nirvana", 1.0, "American band", "rock band")
    state = candidate("Nirvana", 1.0, "state of bliss", "concept")
    assert (
        choose_entity("Who is a member of the band Nirvana?", "Nirvana", [state, band], "en") == 1
    )
    assert choose_entity("涅槃乐队的成员是谁？", "涅槃", [state, band], "zh") == 1


def test_what_is_to_be_chosen_from_is_of_the_kind_asked_for() -> None:
    offered = [candidate("Dunes", 0.9, "", "album"), candidate("Dunes", 0.9, "", "film")]
    question = "Which film came first, Dunes or Tides?"
    assert choose_entity(question, "Dunes", offered, "en") == 1


@pytest.mark.parametrize(
    "question,mention,taken",
    [
        ("Who directed the 2021 film Dunes?", "Dunes", 1),
        ("Who directed Dunes (2021)?", "Dunes (2021)", 1),
        ("Which came first, Dunes (1984) or Dunes (2021)?", "Dunes (1984)", 0),
        ("Which came first, Dunes (1984) or Dunes (2021)?", "Dunes (2021)", 1),
    ],
)
def test_a_year_decides_between_equal_labels(question: str, mention: str, taken: int) -> None:
    offered = [
        candidate("Dunes", 0.9, "1984 film by Ada Reed"),
        candidate("Dunes", 0.9, "2021 film by Cy Moor"),
    ]
    assert choose_entity(question, mention, offered, "en") == taken


def test_of_equals_the_first_is_taken() -> None:
    same = [candidate("Dunes", 1.0, "one"), candidate("Dunes", 1.0, "two")]
    assert choose_entity("Who directed Dunes?", "Dunes", same, "en") == 0


def test_nothing_near_enough_is_none() -> None:
    far = [candidate("Dungeons", 0.3)]
    assert choose_entity("Who directed Dunes?", "Dunes", far, "en") is None
    assert choose_entity("Who directed Dunes?", "Dunes", [], "en") is None


@pytest.mark.parametrize(
    "mention,first,second",
    [
        ("Reed", "Ada Reed", "Cy Reed"),
        ("Dunes", "Dunes of Mars", "Dunes Again"),
        ("里德", "艾达·里德", "赛·里德"),
    ],
)
def test_of_several_longer_names_the_best_is_taken(mention: str, first: str, second: str) -> None:
    offered = [candidate("Dungeons", 0.48), candidate(second, 0.41), candidate(first, 0.45)]
    assert choose_entity(f"Where is {mention}?", mention, offered, "en") == 2


@pytest.mark.parametrize("mention", ["Old Dunes", "une", "D"])
def test_what_is_no_whole_word_of_a_longer_name_is_none(mention: str) -> None:
    offered = [candidate("Dunes of Mars", 0.45), candidate("Dunes Again", 0.45)]
    assert choose_entity(f"Where is {mention}?", mention, offered, "en") is None


@pytest.mark.parametrize(
    "question,names",
    [
        ("where was ada zelkova born?", ("ada zelkova",)),
        ("泽尔科娃在哪里出生？", ("泽尔科娃",)),
        ("what is the boiling point?", ()),
        ("which zelkovas are there?", ()),
        ("Where was Ada born among zelkovas?", ("Ada",)),
    ],
)
def test_unknown_words_are_a_name_where_nothing_is_written_as_one(
    question: str, names: tuple[str, ...]
) -> None:
    assert find_mentions(question, (), "en") == names


def test_a_kind_that_is_asked_for_says_nothing_of_the_mention() -> None:
    album = candidate("Nirvana", 1.0, "", "album")
    band = candidate("Nirvana", 1.0, "", "band")
    assert (
        choose_entity("Which albums were released by Nirvana?", "Nirvana", [band, album], "en") == 0
    )
    assert (
        choose_entity("When was the album Nirvana released?", "Nirvana", [band, album], "en") == 1
    )


@pytest.mark.parametrize(
    "question,index,found",
    [
        ("What caused Ada Reed's Death?", ["Ada Reed", "Death"], ("Ada Reed",)),
        ("What are the opposites of zero?", ["opposites", "zero"], ("zero",)),
        ("Not Here to Be Loved, when was it made?", ["Not Here to Be Loved"], ("Not Here to Be Loved",)),
    ],
)  # fmt: skip
def test_words_that_something_owns_are_no_names_and_titles_may_begin_a_question(
    question: str, index: list[str], found: tuple[str, ...]
) -> None:
    assert find_mentions(question, spotted(*index), "en") == found


def test_of_equal_labels_the_one_written_alike_is_taken() -> None:
    tag, film = candidate("hotel", 1.0), candidate("Hotel", 0.95)
    assert choose_entity("Who directed Hotel?", "Hotel", [tag, film], "en") == 1
    assert choose_entity("who directed hotel?", "hotel", [tag, film], "en") == 0


def test_a_single_word_may_stand_for_a_longer_name() -> None:
    frodo, sam = candidate("Frodo Baggins", 0.4), candidate("Samwise Gamgee", 0.3)
    assert choose_entity("Who is a friend of Frodo?", "Frodo", [frodo, sam], "en") == 0
    assert (
        choose_entity(
            "Who directed The Matrix?", "The Matrix", [candidate("The Matrix Reloaded", 0.4)], "en"
        )
        is None
    )


@pytest.mark.parametrize(
    "label,question",
    [
        ('Zoë "Zed" O\'Brien, Jr.', 'Where was Zoë "Zed" O\'Brien, Jr. born in?'),
        ('Ann "Red" Reed', 'Who is the mother of Ann "Red" Reed?'),
        ("Reed, Ann", "When was Reed, Ann born?"),
        ("Acme & Sons", "Who works for Acme & Sons?"),
        ("《Dunes》 and after", "Who wrote 《Dunes》 and after?"),
    ],
)
def test_a_label_with_punctuation_that_stands_in_the_question_is_found_whole(
    label: str, question: str
) -> None:
    bare = label.rstrip(".")  # a label index takes a point at the end for the sentence's
    around = Candidate(Entity(EntityId("x:1"), label), 1.0, bare)
    assert find_mentions(question, [around], "en") == (bare,)


def test_a_quoted_title_wins_over_a_longer_text_that_is_no_label() -> None:
    longer = Candidate(Entity(EntityId("x:1"), "film Let it be by"), 0.5, 'film "Let it be" by')
    assert find_mentions('Who made the film "Let it be" by M?', [], "en")[0] == "Let it be"
    other = Candidate(Entity(EntityId("x:2"), "Something else"), 0.5, longer.mention)
    assert "Let it be" in find_mentions('Who made the film "Let it be" by M?', [other], "en")
