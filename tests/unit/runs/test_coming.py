"""A run that is held says what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.runs import RunView, lineage
from kgcore.runs.coming import coming
from kgcore.runs.keys import summary
from kgcore.runs.words import Words
from kgcore.steps import All, Answer, Edges, Link
from tests.unit.runs.toys import Bench, ToyConfig, wait_until

NOLAN = Edges(("t:nolan",), "t:born")


def walk(question: str, config: ToyConfig):  # type: ignore[no-untyped-def]
    yield Edges(("t:film",), "t:director")
    yield All((NOLAN, Edges(("t:welles",), "t:born")))
    return Answer("done")


def test_every_pause_before_a_step_tells_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    run = lineage.ask(bench.launch(walk, mode="pause"), "?", ToyConfig())
    assert run.pending == ()
    run.start()
    wait_until(lambda: run.status == "paused")
    view = RunView.of(run.journal.entries)
    assert coming(run.pending, view.words) == "fetches “t:director” of t:film"
    run.step()
    wait_until(lambda: run.status == "paused" and len(run.pending) == 2)
    told = coming(run.pending, RunView.of(run.journal.entries).words)
    assert told == "fetches “t:born” of nolan, and 1 more at once"
    run.go_on()
    assert run.join(5)
    assert run.pending == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_kind_of_step_has_words(language: str) -> None:
    steps = [summary(step) for step in (Link("Nolan"), NOLAN)]
    steps.append({"kind": "Ask", "template": "choose_relation"})
    told = {coming([step], Words(), language) for step in steps}
    assert len(told) == 3 and "" not in told
    if language == "en":
        assert "asks the model which relation to follow" in told
    assert coming((), Words(), language) == ""
