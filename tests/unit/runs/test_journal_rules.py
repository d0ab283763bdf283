"""The rules of the journal, on reasoners small enough to follow by hand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kgcore.corrections import Correction
from kgcore.errors import (
    InputError,
    LeaseLostError,
    ReplayDivergedError,
    ServiceError,
    VersionChangedError,
)
from kgcore.model import from_dict, to_dict
from kgcore.runs import Breakpoint, Budget, Edit, Journal, Run, RunView, StepDone, lineage, replay
from kgcore.runs.elapsed import seconds_of
from kgcore.runs.entries import FactNoted, StepFailed
from kgcore.steps import All, Answer, Edges
from tests.unit.runs.toys import (
    BORN,
    DIRECTOR,
    Bench,
    Toy,
    ToyConfig,
    birthplace,
    entity,
    everyone,
    three_samples,
    wait_until,
)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def driven(run: Run) -> Run:
    run.drive()
    return run


def steps(run: Run) -> dict[tuple[int, int], StepDone]:
    return Journal(run.store.load(run.id)).results


WELLES = Correction(
    "c1", "replace", entity("t:film"), DIRECTOR, entity("t:nolan"), entity("t:welles")
)


def test_results_arrive_in_any_order_and_are_fed_back_by_address(bench: Bench) -> None:
    run = lineage.ask(bench.launch(everyone), "who", ToyConfig())

    def on_edges(name: str) -> None:
        if name == "t:film":
            wait_until(lambda: (0, 2) in run.journal.results)

    bench.graph.on_edges = on_edges
    driven(run)
    arrived = [e.index for e in run.journal.entries if isinstance(e.body, StepDone)][:3]
    assert arrived.index(2) < arrived.index(0), "the last leaf answered before the first"
    assert run.journal.ended is not None
    assert run.journal.ended.answer is not None
    assert run.journal.ended.answer.text == "leo,tom | london | la"


def test_a_kill_inside_an_all_repeats_only_the_calls_in_flight(tmp_path: Path) -> None:
    calls = tmp_path / "calls.txt"
    script = [sys.executable, "-m", "tests.unit.runs.killed_run", str(tmp_path)]
    process = subprocess.Popen(script, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        wait_until(lambda: calls.exists() and len(calls.read_text().split()) == 3, 30)
        bench = Bench(tmp_path)
        run_id = (tmp_path / "run.txt").read_text()
        wait_until(lambda: len(Journal(bench.store.load(run_id)).results) == 2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    bench.store.release_lease(run_id, _driver_of(bench, run_id))
    run = driven(lineage.resume(bench.launch(everyone), run_id))
    assert dict(bench.graph.calls) == {"t:leo t:born": 1}
    assert run.journal.ended is not None
    assert run.journal.ended.status == "answered"


def _driver_of(bench: Bench, run_id: str) -> str:
    import sqlalchemy as sa

    with bench.store._reader.connect() as connection:
        query = sa.text("select driver from runs where id = :id")
        return str(connection.execute(query, {"id": run_id}).scalar())


def test_a_fork_inside_an_all_keeps_the_siblings(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(everyone), "who", ToyConfig()))
    bench.graph.calls.clear()
    edited = replace(parent.journal.results[0, 1].result, triples=())
    fork = driven(lineage.fork(bench.launch(everyone), parent.id, [Edit(0, 1, result=edited)]))
    assert not bench.graph.calls
    assert fork.journal.ended is not None
    assert fork.journal.ended.answer is not None
    assert fork.journal.ended.answer.text == "leo,tom |  | la"
    assert steps(fork)[0, 1].via == "human"
    assert steps(fork)[0, 0].via == steps(fork)[0, 2].via == "parent"
    assert bench.model.n == 2, "the model sees other facts, so it is asked again"


def test_a_fresh_fork_equals_its_parents_prefix(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    fork = lineage.fork(bench.launch(birthplace), parent.id, [Edit(2, replies=("no",))])
    old = [(e.address, e.body) for e in parent.journal.entries if 0 <= e.position < 2]
    new = [(e.address, e.body) for e in fork.journal.entries if e.position >= 0]
    assert [a for a, _ in old] == [a for a, _ in new]
    assert [b.result for _, b in old] == [b.result for _, b in new]


def test_a_rerun_after_a_correction_asks_only_what_it_touches(bench: Bench) -> None:
    first = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    asked, calls = bench.model.n, dict(bench.graph.calls)
    again = driven(lineage.rerun(bench.launch(birthplace), first.id, corrections=[WELLES]))
    assert again.journal.ended is not None
    assert again.journal.ended.answer is not None
    assert again.journal.ended.answer.text == "kenosha"
    new_calls = {k: n - calls.get(k, 0) for k, n in bench.graph.calls.items()}
    assert {k for k, n in new_calls.items() if n} == {"t:welles t:born"}
    assert bench.model.n == asked + 1
    assert bench.model.prompts_seen[-1] == "where is it welles"
    raw = steps(again)[0, 0].result
    assert raw.triples[0].object.id == "t:nolan", "the journal keeps what the graph said"


def test_undoing_a_correction_costs_nothing(bench: Bench) -> None:
    first = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    again = driven(lineage.rerun(bench.launch(birthplace), first.id, corrections=[WELLES]))
    asked, calls = bench.model.n, dict(bench.graph.calls)
    undone = driven(lineage.rerun(bench.launch(birthplace), again.id, corrections=[]))
    assert undone.journal.ended is not None
    assert undone.journal.ended.answer == first.journal.ended.answer  # type: ignore[union-attr]
    assert (bench.model.n, dict(bench.graph.calls)) == (asked, calls)
    assert {done.via for done in steps(undone).values()} == {"memory"}


def test_three_equal_samples_stay_three(bench: Bench) -> None:
    first = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig()))
    assert first.journal.ended is not None
    assert first.journal.ended.answer is not None
    assert first.journal.ended.answer.text == "word 1 word 2 word 3"
    again = driven(lineage.rerun(bench.launch(three_samples), first.id))
    assert again.journal.ended is not None
    assert again.journal.ended.answer == first.journal.ended.answer
    assert bench.model.n == 3


def test_replay_gives_the_same_answer_and_asks_nobody(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    before = (bench.model.n, dict(bench.graph.calls))
    answer = replay(Toy(birthplace), Journal(bench.store.load(run.id)))
    assert answer == run.journal.ended.answer  # type: ignore[union-attr]
    assert (bench.model.n, dict(bench.graph.calls)) == before


def test_every_prefix_replays_and_folds(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    entries = bench.store.load(run.id)
    for size in range(1, len(entries) + 1):
        answer = replay(Toy(birthplace), Journal(entries[:size]))
        assert (answer is not None) == (size >= len(entries) - 1)
        assert RunView.of(entries[:size]).n_entries == size


def test_a_foreign_journal_diverges(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    with pytest.raises(ReplayDivergedError):
        replay(Toy(everyone), Journal(bench.store.load(run.id)))


def test_another_fact_diverges(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    entries = [
        replace(e, body=FactNoted(replace(e.body.fact, message="else")))
        if isinstance(e.body, FactNoted) and e.index == 0 and e.position == 3
        else e
        for e in bench.store.load(run.id)
    ]
    with pytest.raises(ReplayDivergedError):
        replay(Toy(birthplace), Journal(entries))


def test_resume_refuses_another_version_and_a_rerun_works(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    changed = bench.launch(birthplace, version="2")
    with pytest.raises(VersionChangedError, match=r"toy 1.*is 2.*rerun"):
        lineage.resume(changed, run.id)
    with pytest.raises(VersionChangedError):
        lineage.fork(changed, run.id, [Edit(1, replies=("x",))])
    again = driven(lineage.rerun(changed, run.id))
    assert again.journal.ended is not None
    assert again.journal.ended.answer == run.journal.ended.answer  # type: ignore[union-attr]
    assert bench.model.n == 2


def test_entries_survive_their_wire_form(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    entries = bench.store.load(run.id)
    assert entries == run.journal.entries
    assert [from_dict(to_dict(e)) for e in entries] == entries


def test_a_failed_leaf_keeps_its_siblings_and_resume_asks_it_again(bench: Bench) -> None:
    is_down = True

    def on_edges(name: str) -> None:
        if name == "t:nolan" and is_down:
            raise ServiceError("the graph is down")

    bench.graph.on_edges = on_edges
    run = driven(lineage.ask(bench.launch(everyone), "who", ToyConfig()))
    assert run.status == "failed"
    assert run.journal.ended is not None
    assert run.journal.ended.reason == "the graph is down"
    assert set(steps(run)) == {(0, 0), (0, 2)}
    assert any(isinstance(e.body, StepFailed) for e in run.journal.entries)
    is_down = False
    bench.graph.calls.clear()
    again = driven(lineage.resume(bench.launch(everyone), run.id))
    assert again.status == "answered"
    assert dict(bench.graph.calls) == {"t:nolan t:born": 1}


def test_calls_never_exceed_the_budget_and_more_budget_goes_on(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig(), budget=Budget(2)))
    assert run.status == "budget"
    assert bench.model.n == 2
    more = driven(lineage.resume(bench.launch(three_samples), run.id, budget=Budget(3)))
    assert more.status == "answered"
    assert bench.model.n == 3
    assert more.journal.usage.llm_requests == 3


def test_a_budget_of_nothing_asks_nothing(bench: Bench) -> None:
    run = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig(), budget=Budget(0)))
    assert (run.status, bench.model.n) == ("budget", 0)


def test_the_best_answer_so_far_survives_the_budget(bench: Bench) -> None:
    def talks_on(question: str, config: ToyConfig) -> object:
        yield from birthplace(question, config)
        yield from three_samples(question, config)
        raise AssertionError("the budget ends it before")

    run = driven(lineage.ask(bench.launch(talks_on), "where", ToyConfig(), budget=Budget(3)))
    assert run.journal.ended is not None
    assert run.journal.ended.answer is not None
    assert (run.status, run.journal.ended.answer.text) == ("budget", "london")


def test_stop_shows_at_once_and_keeps_what_was_in_flight(bench: Bench) -> None:
    is_inside, may_end = threading.Event(), threading.Event()

    def on_edges(name: str) -> None:
        is_inside.set()
        assert may_end.wait(10)

    bench.graph.on_edges = on_edges
    run = lineage.ask(bench.launch(everyone), "who", ToyConfig())
    run.start()
    assert is_inside.wait(5)
    wait_until(lambda: sum(bench.graph.calls.values()) == 3)
    asked = time.monotonic()
    run.stop()
    assert run.status == "stopping"
    assert time.monotonic() - asked < 1
    may_end.set()
    assert run.join(5)
    assert run.status == "stopped"
    assert len(steps(run)) == 3
    assert bench.model.n == 0, "nothing starts after the stop"
    again = driven(lineage.resume(bench.launch(everyone), run.id))
    assert again.status == "answered"


def test_pause_step_and_continue(bench: Bench) -> None:
    run = lineage.ask(bench.launch(birthplace, mode="pause"), "where", ToyConfig())
    run.start()
    wait_until(lambda: run.status == "paused")
    assert not steps(run)
    run.step()
    wait_until(lambda: len(steps(run)) == 1 and run.status == "paused")
    run.step()
    wait_until(lambda: len(steps(run)) == 2 and run.status == "paused")
    run.go_on()
    assert run.join(5)
    assert run.status == "answered"


def test_a_breakpoint_pauses_before_a_step(bench: Bench) -> None:
    point = Breakpoint("entity", "t:nolan")
    run = lineage.ask(bench.launch(birthplace, breakpoints=(point,)), "where", ToyConfig())
    run.start()
    wait_until(lambda: run.status == "paused")
    assert len(steps(run)) == 3
    assert run.control.reason == "breakpoint: entity t:nolan"
    run.go_on()
    assert run.join(5)


def test_a_fork_with_an_edited_prompt_sends_it_and_reads_as_before(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig()))
    edit = Edit(1, prompt="my own words")
    fork = driven(lineage.fork(bench.launch(three_samples), parent.id, [edit]))
    assert bench.model.prompts_seen[3:] == ["my own words"]
    assert fork.journal.ended is not None
    assert fork.journal.ended.answer is not None
    assert fork.journal.ended.answer.text == "word 1 word 4 word 3"
    assert steps(fork)[1, 0].via == "human"


def test_an_input_applies_from_its_position_on(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    late = Correction(
        "c2", "replace", entity("t:nolan"), BORN, entity("t:london"), entity("t:rome")
    )
    fork = driven(lineage.fork(bench.launch(birthplace), parent.id, [Edit(3, correction=late)]))
    assert fork.journal.ended is not None
    assert fork.journal.ended.answer is not None
    assert fork.journal.ended.answer.text == "rome"
    early = replace(WELLES, id="c3")
    after = driven(lineage.fork(bench.launch(birthplace), parent.id, [Edit(3, correction=early)]))
    assert after.journal.ended is not None
    assert after.journal.ended.answer is not None
    assert after.journal.ended.answer.text == "london", "what was seen before stays as it was seen"


def test_a_second_driver_is_refused_and_the_loser_stops_quietly(bench: Bench) -> None:
    is_inside, may_end = threading.Event(), threading.Event()

    def on_edges(name: str) -> None:
        is_inside.set()
        assert may_end.wait(10)

    bench.graph.on_edges = on_edges
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    run.start()
    assert is_inside.wait(5)
    with pytest.raises(LeaseLostError):
        bench.store.take_lease(run.id, "somebody else")
    bench.store.release_lease(run.id, _driver_of(bench, run.id))
    bench.store.take_lease(run.id, "somebody else")
    may_end.set()
    assert run.join(5)
    assert run.status == "interrupted"
    assert len(bench.store.load(run.id)) == 1, "the loser wrote nothing more"


def test_an_expired_lease_reads_interrupted(bench: Bench) -> None:
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    bench.store.lease_seconds = -1.0
    bench.store.take_lease(run.id, "gone")
    assert bench.store.record(run.id).status == "interrupted"


def test_the_same_graph_question_is_asked_once(bench: Bench) -> None:
    def twice(question: str, config: ToyConfig) -> object:
        yield All((Edges(("t:film",), DIRECTOR.id), Edges(("t:film",), DIRECTOR.id)))
        yield Edges(("t:film",), DIRECTOR.id)
        return Answer("done")

    run = driven(lineage.ask(bench.launch(twice), "who", ToyConfig()))
    assert run.status == "answered"
    assert dict(bench.graph.calls) == {"t:film t:director": 1}
    assert sorted(d.via for d in steps(run).values()) == ["live", "run", "run"]


def test_a_deleted_fork_leaves_its_parent_whole(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    fork = driven(lineage.fork(bench.launch(birthplace), parent.id, [Edit(1, replies=("x",))]))
    before = bench.store.load(parent.id)
    bench.store.delete(fork.id)
    assert bench.store.load(parent.id) == before


def test_a_breakpoint_on_the_answer_that_ends_the_run_still_pauses(bench: Bench) -> None:
    launch = bench.launch(birthplace, breakpoints=(Breakpoint("answer"),))
    run = lineage.ask(launch, "where", ToyConfig())
    run.start()
    wait_until(lambda: run.status == "paused")
    assert run.journal.ended is None
    run.go_on()
    assert run.join(5)
    assert run.status == "answered"


def test_what_a_person_decided_is_remembered_and_listed(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig()))
    edit = Edit(1, replies=("my word",))
    fork = driven(lineage.fork(bench.launch(three_samples), parent.id, [edit]))
    again = driven(lineage.rerun(bench.launch(three_samples), fork.id))
    assert again.journal.ended is not None
    assert again.journal.ended.answer is not None
    assert again.journal.ended.answer.text == "word 1 my word word 3"
    told = [line for line in RunView.of(again.journal.entries).log if line.kind == "human"]
    assert [line.text for line in told] == [
        "Asked what to do next (from memory, no call), decided by a person"
    ]


def test_a_graph_is_asked_again_where_the_setting_says_so(bench: Bench) -> None:
    def twice(question: str, config: ToyConfig) -> object:
        yield Edges(("t:film",), DIRECTOR.id)
        yield Edges(("t:film",), DIRECTOR.id)
        return Answer("done")

    config = ToyConfig(ask_graph_once=False)
    run = driven(lineage.ask(bench.launch(twice), "who", config))
    assert run.status == "answered"
    assert dict(bench.graph.calls) == {"t:film t:director": 2}


def test_a_killed_run_keeps_the_seconds_of_its_steps(bench: Bench) -> None:
    bench.graph.on_edges = lambda name: time.sleep(0.2)
    run = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    before_the_end = Journal(run.journal.entries[:-1])
    assert seconds_of(before_the_end.entries) >= 0.4
    assert seconds_of(run.journal.entries) >= seconds_of(before_the_end.entries)


def test_a_lone_surrogate_is_replaced_and_the_run_is_kept(bench: Bench) -> None:
    bench.model.words = ["half \ud800 a character", "b", "c"]
    run = driven(lineage.ask(bench.launch(three_samples), "say \udcff", ToyConfig()))
    assert run.status == "answered"
    assert bench.store.load(run.id) == run.journal.entries
    assert bench.store.record(run.id).answer == "half ? a character b c"


def test_a_question_longer_than_any_is_refused(bench: Bench) -> None:
    with pytest.raises(InputError, match="longer than 2,000 characters"):
        lineage.ask(bench.launch(three_samples), "word " * 500, ToyConfig())
