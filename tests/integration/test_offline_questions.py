"""What people ask over the demo graphs: a name in part, a name in small letters, two questions in one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import RunView


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    home: Path = tmp_path_factory.mktemp("home")
    made = build(home, environ={})
    yield made
    made.store.close()


def ask(studio: Studio, question: str) -> RunView:
    run = studio.ask(Task(question, model="offline"))
    run.drive()
    return studio.view(run.id)


@pytest.mark.parametrize(
    "question,answer",
    [
        ("Where was Nolan born?", "London"),
        ("where was nolan born?", "London"),
        ("诺兰在哪里出生？", "伦敦"),
    ],
)
def test_of_two_that_a_name_may_mean_the_best_is_taken_and_the_other_is_told(
    studio: Studio, question: str, answer: str
) -> None:
    view = ask(studio, question)
    assert view.answer is not None and view.answer.text == answer
    (told,) = view.warnings
    assert "was taken for" in told and "it may also be" in told


def test_a_name_that_stays_open_is_said_not_to_be_found_only_where_nothing_was(
    studio: Studio,
) -> None:
    view = ask(studio, "Where was Zyxwvut born?")
    assert view.status == "no_answer"
    assert view.warnings == ["“Zyxwvut” was not found in the graphs"]


@pytest.mark.parametrize(
    "question,parts",
    [
        (
            "Who directed Inception and where was that person born?",
            {"Christopher Nolan", "London"},
        ),
        ("谁导演了《盗梦空间》，这个人出生在哪里？", {"克里斯托弗·诺兰", "伦敦"}),
    ],
)
def test_a_question_about_the_answer_of_another_is_answered_with_both(
    studio: Studio, question: str, parts: set[str]
) -> None:
    answer = ask(studio, question).answer
    assert answer is not None
    assert {part.value.name for part in answer.parts} == parts
    assert all(part.is_supported for part in answer.parts)
    assert len(answer.proof) == 2


def test_two_questions_about_one_thing_are_not_answered_wrongly(studio: Studio) -> None:
    assert ask(studio, "When was Inception released and who directed it?").status == "no_answer"
