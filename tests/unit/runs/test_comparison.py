"""Two runs side by side: what they are set up with, and how long each took."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgcore.corrections import Correction
from kgcore.runs import Ended, Entry, RunView, Started
from kgcore.runs.comparison import compare
from kgcore.runs.elapsed import seconds_of, times_of
from kgcore.runs.entries import Resumed, StepDone
from kgcore.steps import Replies
from tests.unit.corrections.toys import moves_home
from tests.unit.runs.toys import ToyConfig

STARTED = Started(
    "r", "Where?", "toy", "1", ToyConfig(), kgs=(("a", "1"),), models=(("reason", "small"),)
)


def took(seconds: float, via: str = "live") -> StepDone:
    return StepDone("h", "k", {"kind": "Ask", "template": "ask"}, Replies(), via, seconds=seconds)


def entries(*bodies: object, positions: tuple[int, ...] = ()) -> list[Entry]:
    places = positions or tuple(range(len(bodies)))
    return [
        Entry(n, "", body, position=place)  # type: ignore[arg-type]
        for n, (body, place) in enumerate(zip(bodies, places, strict=True))
    ]


def view(*bodies: object) -> RunView:
    return RunView.of(entries(*bodies))


def test_a_run_that_did_not_come_to_its_end_took_what_its_steps_took() -> None:
    steps = entries(STARTED, took(0.3), took(0.2), took(9.0, "memory"), positions=(0, 1, 1, 2))
    assert seconds_of(steps) == 0.3  # the two stand side by side
    ended = [*steps, Entry(4, "", Ended("answered", "", None, 0.5))]
    assert seconds_of(ended) == 0.5
    again = [*ended, Entry(5, "", Resumed()), Entry(6, "", took(0.4), position=3)]
    assert seconds_of(again) == 0.9
    assert times_of(again) == pytest.approx([0.0, 0.3, 0.3, 0.3, 0.5, 0.5, 0.9])


def test_the_time_of_a_side_is_that_of_its_journal() -> None:
    compared = compare(view(STARTED, took(0.3), took(0.4)), view(STARTED, took(0.3)))
    assert (compared.old.seconds, compared.new.seconds) == (pytest.approx(0.7), 0.3)


def test_what_runs_are_set_up_with_is_told_where_it_differs() -> None:
    other = replace(
        STARTED,
        method="other",
        kgs=(("a", "1"), ("b", "1")),
        models=(("reason", "large"),),
        config=replace(ToyConfig(), language="zh"),
    )
    told = {name: values for name, *values in compare(view(STARTED), view(other)).set_up}
    assert told["Method"] == ["toy", "other"]
    assert told["Model"] == ["small", "large"]
    assert told["Graphs"] == ["a", "a + b"]
    assert told["language"] == ["en", "zh"]


def test_runs_set_up_alike_but_for_a_correction_differ_by_that_alone() -> None:
    made: Correction = moves_home()
    compared = compare(view(STARTED), view(replace(STARTED, corrections=(made,))))
    assert compared.set_up == ()
    assert compared.new_corrections == (made,)
