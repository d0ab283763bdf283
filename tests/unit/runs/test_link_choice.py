"""Linking that asks: where things of one name are close, a person is asked instead of the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Entity, from_dict, to_dict
from kgcore.prompts import ChooseEachEntity, ChooseEntity
from kgcore.reasoners.linking import LinkingConfig, are_close, link_names
from kgcore.runs import Gate, Journal, Launch, Run, RunView, lineage
from kgcore.runs.asked import asked_in
from kgcore.runs.changes import settling
from kgcore.runs.exchange import export_run, import_run
from kgcore.runs.link_choice import link_question_of, look_up
from kgcore.runs.offers import mentions_of
from kgcore.runs.strict_replay import replay
from kgcore.steps import Answer, Ask, Candidate, Candidates, Descriptions, Warned
from kgcore.transport import current_allowance
from tests.unit.runs.toys import Bench, Toy, ToyConfig, ToyGraph, Word, entity, wait_until

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


# another thing than the candidates

TEXAS = Candidate(entity("t:texas"), 0.6)


class Atlas(ToyGraph):
    """Knows two names, and what has which id; counts its look-ups."""

    def link(self, text: str, **_: Any) -> Candidates:
        self.calls["link"] += 1
        found = {"Texas": (TEXAS,), "abroad": (Candidate(Entity("u:x", "x", kg="other"), 1.0),)}
        return Candidates(found.get(text, ()))

    def describe(self, entities: Sequence[str]) -> Descriptions:
        self.calls["describe"] += 1
        if any(" " in name for name in entities):
            raise InputError("this is no id")
        return Descriptions(tuple(entity(name) for name in entities if name == "t:texas"))


@dataclass(frozen=True, slots=True)
class Linking(Toy):
    """Links “Paris” and “Rome” as every method does, and answers with what they stand for."""

    together: bool = True

    def solve(self, question: str, config: ToyConfig) -> Any:
        settings = LinkingConfig(link_together=self.together)
        spotted = [
            *(replace(c, mention="Paris") for c in PARIS),
            *(replace(c, mention="Rome") for c in (*CLEAR[:1], replace(CLEAR[1], score=0.9))),
        ]
        chosen = yield from link_names(question, ("Paris", "Rome"), settings, spotted)
        return Answer(", ".join(e.id for _, e in chosen))


def linking(bench: Bench, *, together: bool) -> Launch:
    bench.graph = Atlas()
    return replace(bench.launch(one), reasoner=Linking(one, together=together))


def settled(bench: Bench, picks: list[list[Any]], *, together: bool) -> Run:
    """Return a run in which a person answered each question with these picks."""
    run = lineage.ask(linking(bench, together=together), "?", ToyConfig(), gate=LINKS)
    run.start()
    before = None
    for pick in picks:
        wait_until(lambda: run.waiting_link not in (None, before))  # noqa: B023
        before = run.waiting_link
        assert before is not None
        run.settle(before, pick)
    assert run.join(5)
    return run


BOTH = pytest.mark.parametrize(
    "together, picks",
    [(True, [[TEXAS.entity, 1]]), (False, [[TEXAS.entity], [1]])],
    ids=["in one request", "one by one"],
)
FOUND = "t:texas, t:rome-georgia"


@BOTH
def test_a_thing_that_is_no_candidate_can_be_chosen(
    bench: Bench, picks: list[list[Any]], together: bool
) -> None:
    run = settled(bench, picks, together=together)
    assert ended(run) == FOUND
    assert bench.model.n == 0
    told = [line.text for line in RunView.of(run.journal.entries).log]
    assert any("texas, looked up by hand (decided by a person)" in text for text in told)


@BOTH
def test_a_journal_with_another_thing_replays_without_a_look_up(
    bench: Bench, picks: list[list[Any]], together: bool
) -> None:
    run = settled(bench, picks, together=together)
    import_ = json.loads(json.dumps([to_dict(entry) for entry in bench.store.load(run.id)]))
    entries = from_dict(import_)
    assert list(entries) == list(bench.store.load(run.id))
    answer = replay(Linking(one, together=together), Journal(entries))
    assert answer is not None and answer.text == FOUND
    assert not bench.graph.calls
    for n in range(1, len(entries) + 1):
        RunView.of(entries[:n])


@BOTH
def test_a_rerun_and_an_imported_run_remember_another_thing(
    bench: Bench, picks: list[list[Any]], together: bool
) -> None:
    run = settled(bench, picks, together=together)
    copy = import_run(bench.store, export_run(bench.store, run.id).encode())
    for known in (run.id, copy):
        again = lineage.rerun(linking(bench, together=together), known)
        again.start()
        assert ended(again) == FOUND
        assert (bench.model.n, bench.graph.calls.total()) == (0, 0)


@BOTH
def test_a_fork_keeps_another_thing_and_can_choose_one(
    bench: Bench, picks: list[list[Any]], together: bool
) -> None:
    run = settled(bench, picks, together=together)
    launch = linking(bench, together=together)
    asked = [*asked_in(launch.reasoner, run.journal).values()]
    assert mentions_of(asked[0].request, asked[0].replies.value)[0].chosen == TEXAS.entity
    london = entity("t:london")
    edit = settling(asked[-1], 1 if together else 0, london, author="ana")
    assert from_dict(to_dict(edit)) == edit
    fork = lineage.fork(launch, run.id, [edit])
    fork.start()
    assert ended(fork) == "t:texas, t:london"
    assert RunView.of(fork.journal.entries).started is not None
    back = settling(asked[0], 0, 0)
    other = lineage.fork(linking(bench, together=together), run.id, [back])
    other.start()
    if not together:  # the second name waits no more: its choice is remembered
        assert other.journal.started.edits[0].replies == ("Candidate: C1",)
    assert ended(other) == "t:paris, t:rome-georgia"
    assert bench.model.n == 0


def test_a_candidate_that_was_looked_up_is_that_candidate(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    assert run.waiting_link is not None
    run.settle(run.waiting_link, [entity("t:paris-texas")])
    assert ended(run) == "1"


def test_a_thing_of_another_graph_is_refused_and_the_run_still_waits(bench: Bench) -> None:
    run = start(bench, one)
    wait_until(lambda: run.waiting_link is not None)
    asked = run.waiting_link
    assert asked is not None
    with pytest.raises(InputError, match="of the graph 'moon', not of toy"):
        run.settle(asked, [Entity("m:paris", "Paris", kg="moon")])
    assert run.status == "waiting"
    run.settle(asked, [0])
    assert ended(run) == "0"


@pytest.mark.parametrize("text", ["Texas", "  Texas ", "t:texas"])
def test_a_name_or_an_id_is_looked_up(text: str) -> None:
    assert [c.entity for c in look_up(Atlas(), text)] == [TEXAS.entity]


@pytest.mark.parametrize("text", ["Nowhere", "t:nowhere", "t: nowhere", "http://", "abroad", ""])
def test_what_the_graph_does_not_have_is_told_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^nothing is found for “.*” in toy$"):
        look_up(Atlas(), text)


def test_a_name_without_end_is_not_looked_up() -> None:
    graph = Atlas()
    with pytest.raises(InputError, match="longer than"):
        look_up(graph, "x" * 10_000)
    assert not graph.calls


def test_a_look_up_is_bounded_in_time() -> None:
    class Slow(Atlas):
        def link(self, text: str, **_: Any) -> Candidates:
            deadlines.append(current_allowance().deadline)
            return super().link(text)

    deadlines: list[float | None] = []
    look_up(Slow(), "Texas")
    assert deadlines[0] is not None
