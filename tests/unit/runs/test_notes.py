"""What went wrong on the way is told: in the step's line, and once for the run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgcore.model import Conflict, Literal
from kgcore.runs import Ended, RunView
from kgcore.runs.entries import StepDone
from kgcore.steps import EdgeSet, RelationOptions
from tests.unit.views import hand_made as made


def folded(*results: Any) -> RunView:
    step = {"kind": "Relations", "entities": ("x:1",), "about": (0,)}
    done = [StepDone("h", "k", step, result) for result in results]
    return RunView.of(made.entries([*made.story()[:3], *done]))


def gone(name: str, *reasons: str) -> RelationOptions:
    notes = tuple(f"{name} did not answer: {reason}" for reason in reasons[:1])
    return RelationOptions(is_partial=True, notes=(*notes, *reasons[1:]), missing=(name,))


def test_a_graph_that_does_not_answer_is_warned_of_once_whatever_the_reasons() -> None:
    view = folded(gone("music", "it is down"), gone("music", "left alone for 28 s"))
    assert view.missing == ["music"]
    assert view.warnings == ["music did not answer: it is down"]
    assert [line.text for line in view.log[-2:]] == [
        "Listed the relations of Inception: 0; music did not answer: it is down",
        "Listed the relations of Inception: 0; music did not answer: left alone for 28 s",
    ]


def test_other_notes_are_warned_of_once_each_and_name_nobody_missing() -> None:
    cut = EdgeSet(is_partial=True, notes=("films cut the answer at 10,000 rows",))
    view = folded(cut, cut, gone("music", "it is down", "films was cut"))
    assert view.warnings == [
        "films cut the answer at 10,000 rows",
        "music did not answer: it is down",
        "films was cut",
    ]
    assert view.missing == ["music"]


def test_a_run_in_which_all_answered_has_nothing_to_warn_of() -> None:
    view = folded(RelationOptions(), EdgeSet())
    assert (view.warnings, view.is_incomplete) == ([], False)
    assert folded(RelationOptions(), EdgeSet(is_partial=True)).is_incomplete


def test_the_last_line_says_where_the_graphs_disagree() -> None:
    sides = [made.fact(made.NOLAN, made.RELEASED, made.DATE)]
    sides.append(made.fact(made.NOLAN, made.RELEASED, Literal("2011", "xsd:gYear"), "music"))
    answer = replace(made.ANSWER, conflicts=(Conflict(tuple(sides)),))
    view = RunView.of(made.entries([*made.story()[:-1], Ended("answered", "", answer, 1.0)]))
    assert view.log[-1].text == (
        "Answer: Michael Caine. The graphs disagree: publication date of Christopher Nolan is"
        " 2010-07-16 (films) and 2011 (music)"
    )
