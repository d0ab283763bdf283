"""Two questions in one: the second about what the first finds, about the mention, or no second question at all."""

from __future__ import annotations

import pytest

from kgcore.llm.offline.lexicon import language_of, lexicon
from kgcore.llm.offline.question import analyse
from kgcore.llm.offline.two_parts import STAND_IN, two_parts


@pytest.mark.parametrize(
    "question,second",
    [
        ("Who directed Dunes and where was that person born?", "where was Qxq born?"),
        ("Who directed Dunes, and where was he born?", "where was Qxq born?"),
        ("Who directed Dunes? Who is her husband?", "Who is Qxq's husband?"),
        ("Which actor starred in Dunes and when did this actor die?", "when did Qxq die?"),
        ("谁导演了《Dunes》，这个人出生在哪里？", "Qxq出生在哪里？"),
        ("《Dunes》的导演是谁？他出生在哪里？", "Qxq出生在哪里？"),
    ],
)
def test_the_second_part_asks_of_what_the_first_finds(question: str, second: str) -> None:
    found = two_parts(question, ("Dunes",), lexicon(language_of(question, "en")))
    assert found is not None and found.is_chained
    assert found.second == second
    analysis = analyse(question, ("Dunes",))
    assert analysis.n_first and not analysis.is_beyond
    (order,) = analysis.orders
    assert [i >= analysis.n_first for i in order] == sorted(i >= analysis.n_first for i in order)
    assert STAND_IN not in str(analysis.clues)


@pytest.mark.parametrize(
    "question",
    [
        "When was Dunes released and who directed it?",
        "Who directed Dunes and when was it released?",
        "Which company produced Dunes and when was that film released?",
        "谁导演了《Dunes》，它是什么时候上映的？",
    ],
)
def test_a_second_part_about_the_mention_is_beyond_the_matcher(question: str) -> None:
    analysis = analyse(question, ("Dunes",))
    assert analysis.is_beyond and not analysis.n_first


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Dunes?",
        "Who directed and starred in Dunes?",
        "Who directed the film that won the award and starred in Dunes?",
        "Dunes is a film and who directed it?",
        "《Dunes》是一部电影，它的导演是谁？",
        "Which film that he directed is like Dunes?",
    ],
)
def test_any_other_question_has_one_part(question: str) -> None:
    assert two_parts(question, ("Dunes",), lexicon(language_of(question, "en"))) is None
