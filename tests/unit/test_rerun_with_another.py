"""A run again with another method or model: what stays, what is usual again, and where the model is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.config import Settings
from kgcore.errors import InputError
from kgcore.llm.litellm_model import LiteLLMModel

HERE, THERE = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(LiteLLMModel, "warm", lambda self: None)
    studio = build(tmp_path / "home", environ={})
    studio.save_settings(Settings("openai/mine", HERE))
    file = tmp_path / "films.nt"
    file.write_text('<http://x.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "A" .\n')
    studio.import_graph([file], "films")
    return studio


def test_another_model_is_not_asked_at_the_address_of_the_old_one(studio: Studio) -> None:
    run = studio.ask(Task("Who is A?", ("films",), model="openai/theirs", api_base=THERE))
    assert run.journal.started.api_base == THERE
    again = studio.rerun(run.id, model="openai/another").journal.started
    assert (dict(again.models), again.api_base) == ({"reason": "openai/another"}, "")
    mine = studio.rerun(run.id, model="openai/mine").journal.started
    assert mine.api_base == HERE, "the settings say where their own model is"
    same = studio.rerun(run.id).journal.started
    assert (same.models, same.api_base) == (run.journal.started.models, THERE)


def test_another_method_keeps_question_language_and_parent(studio: Studio) -> None:
    task = Task("A 是谁？", ("films",), model="offline", settings={"max_depth": 2})
    run = studio.ask(task)
    again = studio.rerun(run.id, method="think-on-graph").journal.started
    assert (again.method, again.question, again.parent) == ("think-on-graph", task.question, run.id)
    assert again.config.language == "zh"
    same = studio.rerun(run.id, method=task.method).journal.started
    assert same.config == run.journal.started.config, "the same method keeps its settings"


def test_settings_of_the_new_method_are_taken(studio: Studio) -> None:
    run = studio.ask(Task("Who is A?", ("films",), model="offline"))
    again = studio.rerun(run.id, method="think-on-graph", settings={"width": 2}).journal.started
    assert again.config.width == 2


def test_an_unknown_method_is_refused(studio: Studio) -> None:
    run = studio.ask(Task("Who is A?", ("films",), model="offline"))
    with pytest.raises(InputError):
        studio.rerun(run.id, method="guessing")
