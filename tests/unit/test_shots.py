"""Worked examples of a run: asked for as a setting of any method, and kept in the name of its prompt set."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.errors import InputError
from kgcore.reasoners import REASONERS
from kgcore.runs import Run

METHODS = tuple(REASONERS)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    studio = build(tmp_path / "home", environ={})
    file = tmp_path / "films.nt"
    file.write_text('<http://x.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "A" .\n')
    studio.import_graph([file], "films")
    return studio


def asked(studio: Studio, method: str = METHODS[0], **settings: object) -> Run:
    task = Task("Who is A?", kgs=("films",), model="offline", method=method, settings=settings)
    return studio.ask(task)


def set_of(run: Run) -> str:
    return run.journal.started.prompt_set


@pytest.mark.parametrize("method", METHODS)
def test_every_method_takes_shots(studio: Studio, method: str) -> None:
    assert set_of(asked(studio, method, shots="3")) == "default+3"
    assert set_of(asked(studio, method, shots=0)) == "default"


def test_a_rerun_keeps_the_examples_unless_it_names_another_number(studio: Studio) -> None:
    run = asked(studio, shots=2)
    run.drive()
    assert set_of(studio.rerun(run.id)) == "default+2"
    assert set_of(studio.rerun(run.id, settings={"shots": "4"})) == "default+4"
    assert set_of(studio.rerun(run.id, settings={"shots": "0"})) == "default"


def test_an_own_set_takes_shots_too(studio: Studio) -> None:
    (studio.home / "prompts" / "mine").mkdir(parents=True)
    assert set_of(asked(studio, prompts="mine", shots=1)) == "mine+1"
    assert set_of(asked(studio, prompts="mine+5")) == "mine+5"


@pytest.mark.parametrize("shots", ["7", "-1", "three", "3.5"])
def test_a_wrong_number_is_refused_in_one_line(studio: Studio, shots: str) -> None:
    with pytest.raises(InputError, match="shots must be"):
        asked(studio, shots=shots)
