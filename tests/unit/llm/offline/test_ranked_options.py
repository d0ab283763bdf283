"""What a real search does with ranked relations: the matcher and the pages speak of the same ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import RunView
from kgcore.views.details import calls_of

ASKED = "Which band was the spouse of Courtney Love a member of?"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """A studio with the demo graphs."""
    return build(tmp_path_factory.mktemp("home"), environ={})


def ask(studio: Studio, question: str, settings: Mapping[str, Any]) -> RunView:
    run = studio.ask(Task(question, model="offline", settings=settings))
    run.drive()
    return studio.view(run.id)


@pytest.mark.parametrize(
    "settings",
    [{}, {"rank_options": False}, {"shortlist": 5}, {"max_options": 5}],
    ids=["ranked", "order of the graph", "shortlist", "cut"],
)
def test_the_relation_a_reply_chose_is_the_one_that_was_followed(
    studio: Studio, settings: Mapping[str, Any]
) -> None:
    view = ask(studio, ASKED, settings)
    assert view.answer is not None
    assert view.answer.text == "Nirvana"
    ranked = [line.text for line in view.log if line.text.startswith("Ranked")]
    assert bool(ranked) == (settings != {"rank_options": False})
    n_compared = 0
    for node in view.nodes.values():
        if node.action != "select_relation":
            continue
        choice = next(c for c in calls_of(view, node) if c.template == "choose_relation")
        read = [reply.read_as for reply in choice.replies]
        assert f"follow {node.argument}" in read
        n_compared += 1
    assert n_compared >= 2
