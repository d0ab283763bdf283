"""Linking that asks: where things of one name are close, a person is asked instead of the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.prompts import ChooseEachEntity, ChooseEntity
from kgcore.reasoners.linking import are_close
from kgcore.runs import Gate, Run, RunView, lineage
from kgcore.runs.link_choice import link_question_of
from kgcore.steps import Answer, Ask, Candidate, Warned
from tests.unit.runs.toys import Bench, ToyConfig, Word, entity, wait_until

PARIS = (Candidate(entity("t:paris"), 0.9), Candidate(entity("t:paris-texas"), 0.85))
CLEAR = (Candidate(entity("t:rome"), 1.0), Candidate(entity("t:rome-georgia"), 0.4))
LINKS = Gate(triples=False, links=True)


def one(question: str, config: ToyConfig) -> Any:
    replies = yield Ask(ChooseEntity(question, "Paris", PARIS))
    return Answer(str(replies.value))


def clear(question: str, config: ToyConfig) -> Any:
    replies = yield Ask(ChooseEntity(question, "Rome", CLEAR))
    return Answer(str(replies.value))


def each(question: str, config: ToyConfig) -> Any:
    items = (ChooseEntity(question, "Paris", PARIS), ChooseEntity(question, "Rome", CLEAR))
    replies = yield Ask(ChooseEachEntity(question, items))
    return Answer(str(replies.value))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path)
    made.model.words = ["C1"]
    return made


def start(bench: Bench, run: Any, gate: Gate | None = LINKS, mode: str = "run") -> Run:
    made = lineage.ask(bench.launch(run, mode=mode), "?", ToyConfig(), gate=gate)
    made.start()
    return made


def ended(run: Run) -> str:
    assert run.join(5)
    assert run.journal.ended is not None
    assert run.journal.ended.answer is not None, run.journal.ended.reason
    return run.journal.ended.answer.text


def test_the_person_chooses_and_the_model_is_not_asked(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.status == "waiting")
    asked = run.waiting_link
    assert asked is not None
    assert (asked.mentions, asked.candidates) == (("Paris",), (PARIS,))
    assert run.waiting == ()
    run.settle(asked, [1])
    assert ended(run) == "1"
    assert bench.model.n == 0
    done = run.journal.results[0, 0]
    assert (done.via, done.is_human) == ("human", True)


def doubtful(question: str, config: ToyConfig) -> Any:
    replies = yield Ask(ChooseEntity(question, "Paris", PARIS))
    yield Warned("it may also be another", is_doubt=True)
    yield Warned("a graph is missing")
    return Answer(str(replies.value))


@pytest.mark.parametrize("is_chosen", [True, False])
def test_who_chose_is_not_told_of_a_doubt(bench: Bench, is_chosen: bool) -> None:
    run = start(bench, doubtful)
    wait_until(lambda: run.status == "waiting")
    asked = run.waiting_link
    assert asked is not None
    run.settle(asked, [1] if is_chosen else None)
    assert ended(run)
    told = ["a graph is missing"] if is_chosen else ["it may also be another", "a graph is missing"]
    assert RunView.of(run.journal.entries).warnings == told


@pytest.mark.parametrize("run_of", [one, each])
def test_none_of_these_is_a_choice_too(bench: Bench, run_of: Any) -> None:
    run = start(bench, run_of)
    wait_until(lambda: run.waiting_link is not None)
    asked = run.waiting_link
    assert asked is not None
    run.settle(asked, [None] * len(asked.mentions))
    assert ended(run) == ("None" if run_of is one else "(None, None)")


def test_a_choice_can_be_left_to_the_model(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    assert run.waiting_link is not None
    run.settle(run.waiting_link, None)
    assert ended(run) == "0"
    assert (bench.model.n, run.journal.results[0, 0].is_human) == (1, False)


def test_what_is_clear_is_not_asked(bench: Bench) -> None:
    assert ended(start(bench, clear)) == "0"
    assert bench.model.n == 1


def test_without_the_gate_nobody_is_asked(bench: Bench) -> None:
    assert ended(start(bench, one, gate=None)) == "0"


@pytest.mark.parametrize("move", [Run.step, Run.step_over])
def test_whoever_steps_is_asked(bench: Bench, move: Callable[[Run], None]) -> None:
    run = start(bench, one, gate=None, mode="pause")
    wait_until(lambda: run.status == "paused")
    move(run)
    wait_until(lambda: run.status == "waiting")
    assert run.waiting_link is not None
    run.settle(run.waiting_link, [1])
    run.go_on()
    assert ended(run) == "1"


def test_fetched_triples_do_not_wait_where_only_links_do() -> None:
    from kgcore.steps import EdgeSet
    from tests.unit.runs.toys import TRIPLES

    assert LINKS.batch([EdgeSet(tuple(TRIPLES))], ()) == ()
    assert Gate().batch([EdgeSet(tuple(TRIPLES))], ()) != ()


def test_a_wrong_pick_is_refused_and_the_run_still_waits(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    asked = run.waiting_link
    assert asked is not None
    for picks in ([7], [0, 0], [-1]):
        with pytest.raises(InputError):
            run.settle(asked, picks)
    run.settle(asked, [0])
    assert ended(run) == "0"
    with pytest.raises(InputError, match="not asked any more"):
        run.settle(asked, [1])


def test_a_rerun_remembers_the_choice(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    assert run.waiting_link is not None
    run.settle(run.waiting_link, [1])
    assert ended(run) == "1"
    again = lineage.rerun(bench.launch(one), run.id)
    again.start()
    assert ended(again) == "1"
    done = again.journal.results[0, 0]
    assert (done.via, done.is_human, bench.model.n) == ("memory", True, 0)


def test_a_stop_while_it_waits_ends_the_run_and_resume_asks_again(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    run.stop()
    assert run.join(5)
    assert run.status == "stopped"
    again = lineage.resume(bench.launch(one), run.id)
    again.start()
    wait_until(lambda: again.waiting_link is not None)
    assert again.waiting_link is not None
    again.settle(again.waiting_link, [1])
    assert ended(again) == "1"


def test_other_requests_are_never_a_person_s() -> None:
    assert link_question_of(Ask(Word("?"))) is None
    assert not are_close(())
    assert not are_close(PARIS[:1])
