"""Breakpoints, stepping over and steering, each with a real driver on reasoners small enough to follow by hand."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import InputError, ServiceError
from kgcore.model import from_dict, to_dict
from kgcore.runs import Breakpoint, Budget, Edit, Journal, Run, RunView, lineage
from kgcore.runs import replay as strict_replay
from kgcore.runs.breakpoints import KINDS, MAX_POINTS, checked
from kgcore.runs.entries import BreakpointsSet, FactNoted, StepFailed
from kgcore.runs.exchange import export_run, import_run
from kgcore.runs.pauses import why
from kgcore.steps import (
    ActionRejected,
    All,
    Answer,
    AnswerPart,
    AnswerProposed,
    Ask,
    Backtracked,
    Edges,
    NodeAdded,
    NodeExpanded,
    NodeScored,
    QuestionLinked,
    Seed,
)
from tests.unit.runs.toys import (
    BORN,
    DIRECTOR,
    Bench,
    ToyConfig,
    Word,
    birthplace,
    entity,
    wait_until,
)


def tree(question: str, config: ToyConfig) -> Any:
    """A search with two expansions, a rejected move, a turn back and an answer."""
    film = entity("t:film")
    yield QuestionLinked((Seed("film", film),))
    yield NodeAdded(0, None, 0, "start", entities=(film,))
    yield NodeExpanded(0, 1)
    yield Ask(Word(question, "what next"), about=(0,))
    yield NodeAdded(1, 0, 1, "think", "about it")
    yield NodeScored(1, 0.2, "vague")
    found = yield Edges(("t:film",), DIRECTOR.id, about=(0,))
    yield NodeAdded(2, 0, 1, "select_relation", "director", triples=found.triples)
    yield NodeScored(2, 0.8)
    yield Backtracked(1, 2, 0.2, 0.8)
    yield NodeExpanded(2, 2)
    yield ActionRejected(2, "gibberish", "nobody can read it")
    born = yield Edges(("t:nolan",), BORN.id, about=(2,))
    yield NodeAdded(3, 2, 2, "answer", "london", triples=born.triples)
    answer = Answer("london", (AnswerPart(entity("t:london")),), 0.9, node=3)
    yield AnswerProposed(answer)
    return answer


def beam(question: str, config: ToyConfig) -> Any:
    """Two depths of a beam: the paths of a depth are expanded together."""
    for depth in range(2):
        for number in (1, 2):
            yield NodeExpanded(number, 2 * depth + number)
        yield All(tuple(Ask(Word(question, f"{depth} {number}")) for number in (1, 2)))
    return Answer("done")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def started() -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def start(bench: Bench, reasoner: Any, *points: Breakpoint, **options: Any) -> Run:
        mode = options.pop("mode", "run")
        launch = bench.launch(reasoner, breakpoints=points, mode=mode)
        run = lineage.ask(launch, "where", ToyConfig(), **options)
        run.start()
        runs.append(run)
        return run

    yield start
    for run in runs:
        run.stop()
        assert run.join(5)


def last(run: Run) -> Any:
    """The fact or outcome that was journaled last."""
    body = run.journal.entries[-1].body
    return body.fact if isinstance(body, FactNoted) else body


def is_paused_after(run: Run, n: int) -> bool:
    return run.status == "paused" and len(steps(run)) == n


def steps(run: Run) -> list[str]:
    return [str(done.step["kind"]) for _, done in run.journal.results_in_yield_order()]


MEETINGS = [
    (Breakpoint("action", "select_relation"), NodeAdded, 2, "action: follow a relation"),
    (Breakpoint("value_below", number=0.3), NodeScored, 1, "value below 0.3"),
    (Breakpoint("value_above", number=0.5), NodeScored, 2, "value above 0.5"),
    (Breakpoint("depth", number=2), NodeAdded, 3, "depth 2"),
    (Breakpoint("backtrack"), Backtracked, 2, "a backtrack"),
    (Breakpoint("error"), ActionRejected, 2, "an error"),
    (Breakpoint("answer"), AnswerProposed, 3, "an answer"),
    (Breakpoint("entity", "t:london"), NodeAdded, 3, "entity t:london"),
    (Breakpoint("entity", " LONDON "), NodeAdded, 3, "entity  LONDON "),
    (Breakpoint("relation", "Director"), NodeAdded, 2, "relation Director"),
]


@pytest.mark.parametrize("point, fact, node, words", MEETINGS)
def test_a_run_pauses_right_where_a_fact_meets_a_breakpoint(
    bench: Bench,
    started: Callable[..., Run],
    point: Breakpoint,
    fact: type[Any],
    node: int,
    words: str,
) -> None:
    run = started(bench, tree, point)
    wait_until(lambda: run.status == "paused")
    assert isinstance(last(run), fact), "nothing came after it"
    assert why(run.control) == f"{words} – at #{node}"
    run.pauses.use(())
    run.go_on()
    assert run.join(5)
    assert run.status == "answered"


ASKINGS = [
    (Breakpoint("step", "Edges"), ["Ask"], "before fetching edges – at #0"),
    (Breakpoint("step", "choose_action"), [], "before choose action – at #0"),
    (Breakpoint("relation", str(BORN.id)), ["Ask", "Edges"], f"relation {BORN.id} – at #2"),
]


@pytest.mark.parametrize("point, done, words", ASKINGS)
def test_a_run_pauses_before_a_step_that_meets_a_breakpoint(
    bench: Bench, started: Callable[..., Run], point: Breakpoint, done: list[str], words: str
) -> None:
    run = started(bench, tree, point)
    wait_until(lambda: run.status == "paused")
    assert steps(run) == done
    assert why(run.control) == words
    run.pauses.use(())
    run.go_on()
    assert run.join(5)


def test_a_label_is_known_from_what_came_before(bench: Bench, started: Callable[..., Run]) -> None:
    def by_label(question: str, config: ToyConfig) -> Any:
        yield Edges(("t:film",), DIRECTOR.id)
        yield Ask(Word(question, "between"))
        yield Edges(("t:nolan",), BORN.id)
        return Answer("done")

    run = started(bench, by_label, Breakpoint("entity", "Nolan"))
    wait_until(lambda: run.status == "paused")
    assert steps(run) == ["Edges", "Ask"], "before the step that carries only its id"


def test_a_graph_is_met_by_steps_and_facts_of_it(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, tree, Breakpoint("graph", "Toy"))
    wait_until(lambda: run.status == "paused")
    assert isinstance(last(run), QuestionLinked)
    other = started(bench, tree, Breakpoint("graph", "another"))
    assert other.join(5), "what is of no such graph pauses nothing"


def test_a_failed_call_pauses_before_the_run_ends(
    bench: Bench, started: Callable[..., Run]
) -> None:
    def fail(name: str) -> None:
        raise ServiceError("the graph is down")

    bench.graph.on_edges = fail
    run = started(bench, birthplace, Breakpoint("error"))
    wait_until(lambda: run.status == "paused")
    assert isinstance(last(run), StepFailed)
    assert why(run.control) == "an error"
    run.go_on()
    assert run.join(5)
    assert run.status == "failed"


def test_a_share_of_the_budget_pauses_once(bench: Bench, started: Callable[..., Run]) -> None:
    def many(question: str, config: ToyConfig) -> Any:
        for number in range(10):
            yield Ask(Word(question, f"number {number}"))
        return Answer("done")

    run = started(bench, many, Breakpoint("budget", "calls", 0.5), budget=Budget(calls=10))
    wait_until(lambda: run.status == "paused")
    assert bench.model.n == 5
    assert why(run.control) == "50 % of calls used"
    run.go_on()
    assert run.join(5)
    assert (run.status, bench.model.n) == ("answered", 10)


def test_a_budget_without_a_limit_has_no_share(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, birthplace, Breakpoint("budget", "", 0.01), budget=Budget())
    assert run.join(5)


def test_what_is_switched_off_pauses_nothing(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, tree, Breakpoint("answer", is_on=False))
    assert run.join(5)
    assert run.status == "answered"


def test_a_breakpoint_set_while_the_run_goes_takes_effect_at_once(
    bench: Bench, started: Callable[..., Run]
) -> None:
    is_inside, may_end = threading.Event(), threading.Event()

    def on_edges(name: str) -> None:
        is_inside.set()
        assert may_end.wait(10)

    bench.graph.on_edges = on_edges
    run = started(bench, tree, Breakpoint("value_above", number=0.5))
    assert is_inside.wait(5)
    run.pauses.put(Breakpoint("answer"))
    run.pauses.put(Breakpoint("value_above", number=0.5, is_on=False))
    assert [p.is_on for p in run.pauses.points] == [False, True]
    may_end.set()
    wait_until(lambda: run.status == "paused")
    assert isinstance(last(run), AnswerProposed)
    run.pauses.remove(Breakpoint("answer"))
    assert [p.on for p in run.pauses.points] == ["value_above"]


def test_many_hands_may_change_them_at_the_same_time(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, mode="pause")

    def change(start: int) -> None:
        for number in range(start, start + 20):
            run.pauses.put(Breakpoint("depth", number=number))

    threads = [threading.Thread(target=change, args=(20 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(run.pauses.points) == 80


def test_stopping_where_a_breakpoint_was_met_keeps_the_answer(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, Breakpoint("answer"))
    wait_until(lambda: run.status == "paused")
    run.stop()
    assert run.join(5)
    assert run.status == "answered", "nothing more had to be done"


def test_a_step_from_a_breakpoint_does_one_step(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, tree, Breakpoint("value_below", number=0.3))
    wait_until(lambda: run.status == "paused")
    run.step()
    wait_until(lambda: run.status == "paused" and len(steps(run)) == 2)
    assert isinstance(last(run), ActionRejected), "the facts up to the next step were told"


def test_stepping_over_goes_to_the_next_expansion(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, mode="pause")
    wait_until(lambda: run.status == "paused")
    assert steps(run) == []
    run.step_over()
    wait_until(lambda: run.status == "paused" and len(steps(run)) == 2)
    assert why(run.control) == "the next expansion"
    run.step_over()
    assert run.join(5), "there is no further expansion"
    assert run.status == "answered"


def test_the_paths_of_a_beam_are_one_expansion(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, beam, mode="pause")
    wait_until(lambda: run.status == "paused")
    run.step_over()
    wait_until(lambda: run.status == "paused" and len(steps(run)) == 2)
    assert last(run) == NodeExpanded(2, 4)
    run.step_over()
    assert run.join(5)


def test_a_method_without_expansions_goes_over_from_node_to_node(
    bench: Bench, started: Callable[..., Run]
) -> None:
    def chain(question: str, config: ToyConfig) -> Any:
        for number in range(3):
            yield NodeAdded(number, None, number, "think")
            yield Ask(Word(question, f"first {number}"))
            yield Ask(Word(question, f"second {number}"))
        return Answer("done")

    run = started(bench, chain, mode="pause")
    for n in (2, 4):
        wait_until(lambda: run.status == "paused")
        run.step_over()
        wait_until(partial(is_paused_after, run, n))
    run.step_over()
    assert run.join(5)


def test_a_breakpoint_is_met_while_going_over(bench: Bench, started: Callable[..., Run]) -> None:
    run = started(bench, tree, Breakpoint("value_below", number=0.3), mode="pause")
    wait_until(lambda: run.status == "paused")
    run.step_over()
    wait_until(lambda: run.status == "paused" and why(run.control) != "")
    assert isinstance(last(run), NodeScored)


POINTS = (Breakpoint("answer"), Breakpoint("value_below", number=0.1, is_on=False))


def test_breakpoints_are_kept_with_the_run_and_all_that_comes_from_it(bench: Bench) -> None:
    run = lineage.ask(bench.launch(tree, breakpoints=POINTS), "where", ToyConfig())
    assert from_dict(to_dict(run.journal.started)) == run.journal.started
    run.pauses.mute()
    run.drive()
    resumed = lineage.resume(bench.launch(tree), run.id)
    fork = lineage.fork(bench.launch(tree), run.id, [Edit(0, replies=("other",))])
    rerun = lineage.rerun(bench.launch(tree), run.id)
    for made in (run, resumed, fork, rerun):
        assert made.journal.started.breakpoints == POINTS
    for made in (resumed, fork, rerun):
        assert made.pauses.points == POINTS


def test_what_was_met_before_a_run_is_taken_up_again_does_not_pause_it(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, Breakpoint("step", "Edges"), Breakpoint("value_below", number=0.3))
    wait_until(lambda: run.status == "paused")
    run.stop()
    assert run.join(5)
    again = lineage.resume(bench.launch(tree), run.id)
    again.start()
    wait_until(lambda: again.status == "paused")
    assert why(again.control).startswith("before fetching edges"), "the value was told before"
    again.stop()
    assert again.join(5)


@pytest.mark.parametrize(
    "values",
    [
        {"on": "anything"},
        {"on": "entity", "text": " "},
        {"on": "entity", "text": "x" * 1000},
        {"on": "entity", "text": 7},
        {"on": "depth", "number": float("nan")},
        {"on": "depth", "number": "7"},
        {"on": "budget", "number": 7.0},
        {"on": "budget", "text": "patience", "number": 0.5},
    ],
)
def test_an_unusable_breakpoint_is_refused_in_one_line(values: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        Breakpoint(**values)
    assert "\n" not in str(refused.value)


def test_a_list_holds_each_once_and_not_too_many() -> None:
    assert checked([Breakpoint("answer"), Breakpoint("answer", is_on=False)]) == (
        Breakpoint("answer", is_on=False),
    )
    with pytest.raises(InputError):
        checked(Breakpoint("depth", number=n) for n in range(MAX_POINTS + 1))
    with pytest.raises(InputError):
        checked(["answer"])


def test_every_kind_has_words_in_both_languages() -> None:
    texts = {"step": "Edges", "action": "think", "budget": "calls"}
    for kind in KINDS:
        point = Breakpoint(kind, texts.get(kind, "Nolan"), 0.5)
        assert point.words()
        assert point.words("zh") != point.words("en"), kind


def set_points(run: Run) -> list[tuple[Breakpoint, ...]]:
    bodies = [entry.body for entry in run.store.load(run.id)]
    return [body.points for body in bodies if isinstance(body, BreakpointsSet)]


def test_a_change_of_breakpoints_is_kept_with_the_run_while_it_waits(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, Breakpoint("answer"), mode="pause")
    wait_until(lambda: run.status == "paused")
    run.pauses.put(Breakpoint("value_below", number=0.3))
    run.pauses.put(Breakpoint("answer", is_on=False))
    run.pauses.remove(Breakpoint("depth", number=7))
    off, below = Breakpoint("answer", is_on=False), Breakpoint("value_below", number=0.3)
    assert set_points(run) == [(Breakpoint("answer"), below), (off, below)], "durable at once"
    view = RunView.of(run.store.load(run.id))
    assert view.breakpoints == (off, below)
    assert view.log[-1].text == "Breakpoints were set: value below 0.3"
    run.pauses.use(())
    run.go_on()
    assert run.join(5)
    assert run.status == "answered"
    answer = strict_replay(bench.launch(tree).reasoner, Journal(run.store.load(run.id)))
    assert answer is not None and answer.text == "london", "replay passes them by"


def test_what_was_set_last_is_in_force_in_all_that_comes_of_the_run(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, Breakpoint("answer"), mode="pause")
    wait_until(lambda: run.status == "paused")
    run.pauses.use(POINTS)
    run.stop()
    assert run.join(5)
    text = export_run(run.store, run.id).encode()
    made = [
        lineage.resume(bench.launch(tree), run.id),
        lineage.rerun(bench.launch(tree), run.id),
        lineage.resume(bench.launch(tree), import_run(run.store, text)),
    ]
    assert [one.pauses.points for one in made] == [POINTS] * 3


def test_breakpoints_changed_before_or_after_the_drive_break_nothing(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = lineage.ask(bench.launch(tree), "where", ToyConfig())
    run.pauses.use(POINTS)
    assert set_points(run) == []
    run.pauses.mute()
    run.drive()
    assert (run.status, set_points(run)) == ("answered", [POINTS]), "kept, and paused at none"
    n = len(run.store.load(run.id))
    run.pauses.use(())
    assert len(run.store.load(run.id)) == n, "an ended run stays as it is"
    again = Journal(run.store.load(run.id))
    assert [entry.seq for entry in again.entries] == list(range(n))


def test_changes_from_many_hands_while_it_runs_keep_the_order_of_the_journal(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, mode="pause")
    wait_until(lambda: run.status == "paused")
    hands = [
        threading.Thread(target=lambda n=n: run.pauses.put(Breakpoint("depth", number=50 + n)))  # type: ignore[misc]
        for n in range(8)
    ]
    run.go_on()
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert run.join(5)
    entries = run.store.load(run.id)
    assert [entry.seq for entry in entries] == list(range(len(entries)))
    assert entries == run.journal.entries


def test_a_file_with_unusable_breakpoints_is_refused(
    bench: Bench, started: Callable[..., Run]
) -> None:
    run = started(bench, tree, mode="pause")
    wait_until(lambda: run.status == "paused")
    run.pauses.put(Breakpoint("answer"))
    run.stop()
    assert run.join(5)
    text = export_run(run.store, run.id)
    for bad in ('"points": ["x"]', '"points": 7', '"points": [{"@": "Breakpoint", "on": "luck"}]'):
        found = re.sub(r'"points": \[\s*\{[^}]*\}\s*\]', bad, text)
        assert found != text
        with pytest.raises(InputError):
            import_run(run.store, found.encode())
