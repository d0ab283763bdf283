"""Where models are asked, and what a run keeps of it: keys go to nobody they were not meant for."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build, user_agent
from kgcore.config import Settings
from kgcore.errors import InputError, LeaseLostError
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.runs import Run

HERE = "http://127.0.0.1:9/v1"


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(LiteLLMModel, "warm", lambda self: None)
    studio = build(tmp_path / "home", environ={})
    file = tmp_path / "films.nt"
    file.write_text('<http://x.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "A" .\n')
    studio.import_graph([file], "films")
    return studio


def asked(studio: Studio, **task: str) -> Run:
    return studio.ask(Task("Who is A?", kgs=("films",), **task))


def services(run: Run) -> dict[str, str]:
    return {role: model.service for role, model in run.ports.models.items()}


def test_an_address_of_the_settings_is_for_their_model_alone(studio: Studio) -> None:
    studio.save_settings(Settings("openai/mine", HERE, evaluate_model="anthropic/judge"))
    run = asked(studio)
    assert run.journal.started.api_base == HERE
    assert services(run) == {"reason": "127.0.0.1:9", "evaluate": "anthropic"}
    run = asked(studio, model="openai/gpt-4o-mini")
    assert run.journal.started.api_base == ""
    assert services(run) == {"reason": "openai"}


def test_a_resumed_run_asks_every_model_where_it_was_asked_before(studio: Studio) -> None:
    studio.save_settings(Settings("openai/mine", HERE, evaluate_model="anthropic/judge"))
    for run in (asked(studio), asked(studio, model="openai/gpt-4o-mini")):
        assert services(studio.resume(run.id)) == services(run)
        assert services(studio.rerun(run.id)) == services(run)


def test_a_setting_of_the_method_chooses_what_ranks(studio: Studio) -> None:
    task = Task("Who is A?", ("films",), "think-on-graph", settings={"pruner": "bm25"})
    run = studio.ask(task)
    assert run.ports.ranker.name == "bm25"
    assert studio.resume(run.id).ports.ranker.name == "bm25"
    assert studio.rerun(run.id, settings={"pruner": "words"}).ports.ranker.name == "stems"


@pytest.mark.parametrize(
    "address", ["http://me:canary@localhost", "http://localhost/v1?key=canary", "http://h/#canary"]
)
@pytest.mark.parametrize("model", ["openai/mine", "offline"])
def test_an_address_that_holds_a_key_reaches_no_run(
    studio: Studio, address: str, model: str
) -> None:
    if model == "offline":
        assert asked(studio, model=model, api_base=address).journal.started.api_base == ""
        return
    with pytest.raises(InputError) as error:
        asked(studio, model=model, api_base=address)
    assert "canary" not in str(error.value)
    assert studio.store.list() == []


@pytest.mark.parametrize("text", ["[1, 2]", "", "{", "null"])
def test_a_record_of_the_demo_that_cannot_be_read_counts_as_none(studio: Studio, text: str) -> None:
    (studio.home / "demo.json").write_text(text)
    assert {m.name for m in studio.graphs()} == {"films", "demo-wikidata", "demo-musicbrainz"}


@pytest.mark.parametrize(
    "contact, header",
    [
        ("", "TraversalStudio/0.1"),
        ("me@example.org", "TraversalStudio/0.1 (me@example.org)"),
        ("me@example.org\r\nX-Evil: 1", "TraversalStudio/0.1 (me@example.orgX-Evil: 1)"),
        ("我 <me@example.org>", "TraversalStudio/0.1 (<me@example.org>)"),
    ],
)
def test_a_contact_always_makes_a_header(contact: str, header: str) -> None:
    assert user_agent(contact) == header


def test_a_run_under_way_is_not_taken_up_a_second_time(studio: Studio) -> None:
    run = studio.ask(Task("Who is A?", kgs=("films",), model="offline", is_paused=True))
    run.start()
    with pytest.raises(LeaseLostError):
        studio.resume(run.id)
    assert studio.live(run.id) is run, "whoever looks on still sees the one that is driven"
    run.stop()
    assert run.join(10)
    again = studio.resume(run.id)
    again.drive()
    assert studio.view(run.id).status in ("answered", "no_answer")
