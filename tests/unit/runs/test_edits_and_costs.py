"""Forks of forks, prompts a person wrote, what a cut step cost, and the clock while a person thinks."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kgcore.errors import InputError, UnreadableReplyError
from kgcore.llm import ModelReply
from kgcore.prompts import Prompt, PromptSet, TypedRequest
from kgcore.runs import Budget, Edit, Run, lineage
from kgcore.runs.entries import StepFailed
from kgcore.steps import All, Answer, Ask, Edges, EdgeSet, Usage
from tests.unit.runs.toys import (
    BORN,
    DIRECTOR,
    Bench,
    ToyConfig,
    ToyModel,
    birthplace,
    three_samples,
    wait_until,
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def driven(run: Run) -> Run:
    run.drive()
    return run


def text_of(run: Run) -> str:
    assert run.journal.ended is not None
    assert run.journal.ended.answer is not None, run.journal.ended
    return run.journal.ended.answer.text


@dataclass(frozen=True, slots=True)
class Digits(TypedRequest):
    """Reads to a number; any other reply is unreadable."""

    template: ClassVar[str] = "choose_action"

    def fields(self, budget: int | None) -> Any:
        names = ("question", "seeds", "facts", "steps", "actions", "action_names")
        return dict.fromkeys(names, "x"), ()

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        return Prompt("", self.question)

    def read(self, text: str) -> int:
        if not text.isdecimal():
            raise UnreadableReplyError("no number")
        return int(text)


def a_number(question: str, config: ToyConfig) -> Any:
    replies = yield Ask(Digits(question))
    return Answer(str(replies.value))


class CostlyModel(ToyModel):
    """Every reply costs ten tokens and a dollar."""

    def answer(self, *args: Any, **options: Any) -> ModelReply:
        reply = super().answer(*args, **options)
        usage = Usage(llm_requests=1, completions=1, completion_tokens=10, cost_usd=1.0)
        return ModelReply(reply.texts, reply.prompt, usage)


def test_an_edited_prompt_with_an_unreadable_reply_gets_its_repair_turn(bench: Bench) -> None:
    bench.model.words = ["1", "no number", "7"]
    parent = driven(lineage.ask(bench.launch(a_number), "how many", ToyConfig()))
    edit = Edit(0, prompt="my own words")
    fork = driven(lineage.fork(bench.launch(a_number), parent.id, [edit]))
    assert text_of(fork) == "7"
    assert bench.model.prompts_seen[1] == "my own words"
    assert bench.model.prompts_seen[2].startswith("my own words\n\n")


def test_a_step_that_the_budget_cut_short_is_paid_in_full(bench: Bench) -> None:
    bench.model = CostlyModel(words=["no number", "7", "7"])
    run = driven(lineage.ask(bench.launch(a_number), "?", ToyConfig(), budget=Budget(calls=1)))
    assert run.status == "budget"
    assert [e.body.kind for e in run.journal.entries if isinstance(e.body, StepFailed)] == [
        "cut_short"
    ]
    assert run.journal.usage == Usage(1, 1, 0, 10, 1.0)


def test_money_spent_on_a_cut_step_counts_when_the_run_goes_on(bench: Bench) -> None:
    bench.model = CostlyModel(words=["no number", "7", "7"])
    run = driven(lineage.ask(bench.launch(a_number), "?", ToyConfig(), budget=Budget(calls=1)))
    again = driven(lineage.resume(bench.launch(a_number), run.id, budget=Budget(usd=1.0)))
    assert again.status == "budget"
    assert bench.model.n == 1, "the dollar is spent"


def test_a_fork_before_an_earlier_edit_leaves_that_edit_behind(bench: Bench) -> None:
    def depends(question: str, config: ToyConfig) -> Any:
        first = yield from three_samples(question, config)
        if first.text.startswith("other"):
            yield Edges(("t:film",), DIRECTOR.id)
        else:
            yield Ask(Digits(question))
        return first

    bench.model.words = ["a", "b", "c", "1"]
    parent = driven(lineage.ask(bench.launch(depends), "say", ToyConfig()))
    late = driven(lineage.fork(bench.launch(depends), parent.id, [Edit(3, replies=("2",))]))
    early = driven(lineage.fork(bench.launch(depends), late.id, [Edit(0, replies=("other",))]))
    assert text_of(early) == "other b c"
    assert early.journal.started.edits == (Edit(0, replies=("other",)),)


def test_a_fork_after_an_earlier_edit_keeps_it(bench: Bench) -> None:
    parent = driven(lineage.ask(bench.launch(three_samples), "say", ToyConfig()))
    first = [Edit(0, replies=("x",))]
    fork = driven(lineage.fork(bench.launch(three_samples), parent.id, first))
    again = driven(lineage.fork(bench.launch(three_samples), fork.id, [Edit(2, replies=("z",))]))
    assert text_of(again).split()[0] == "x"
    assert text_of(again).split()[-1] == "z"


@pytest.mark.parametrize("edit", [Edit(0, replies=("x",)), Edit(0, prompt="x"), Edit(1, 1, "y")])
def test_words_cannot_stand_where_no_model_was_asked(bench: Bench, edit: Edit) -> None:
    parent = driven(lineage.ask(bench.launch(birthplace), "where", ToyConfig()))
    with pytest.raises(InputError, match=r"no model was asked; it was at: 1\.0, 2\.0"):
        lineage.fork(bench.launch(birthplace), parent.id, [edit])
    assert len(bench.store.list()) == 1


@pytest.mark.parametrize(
    "changes", [{}, {"replies": ("x",), "prompt": "y"}, {"prompt": "y", "banned": BORN.id}]
)
def test_an_edit_changes_one_thing(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="one thing"):
        Edit(0, **changes)


def test_a_partial_result_is_asked_for_again_after_a_resume_too(bench: Bench) -> None:
    def twice(question: str, config: ToyConfig) -> Any:
        yield Edges(("t:film",), DIRECTOR.id)
        yield Ask(Digits(question))
        yield Edges(("t:film",), DIRECTOR.id)
        return Answer("done")

    whole = bench.graph.edges
    bench.graph.edges = lambda *a, **o: EdgeSet(whole(*a, **o).triples, is_partial=True)  # type: ignore[method-assign]
    bench.model.words = ["1"]
    run = driven(lineage.ask(bench.launch(twice), "?", ToyConfig(), budget=Budget(calls=0)))
    assert run.status == "budget"
    bench.graph.calls.clear()
    again = driven(lineage.resume(bench.launch(twice), run.id, budget=Budget()))
    assert again.status == "answered"
    assert dict(bench.graph.calls) == {"t:film t:director": 1}


def test_time_spent_paused_is_not_time_spent(bench: Bench) -> None:
    run = lineage.ask(bench.launch(three_samples, mode="pause"), "say", ToyConfig())
    began = time.monotonic()
    run.start()
    wait_until(lambda: run.status == "paused")
    shown = run.meter.seconds
    time.sleep(0.1)
    assert run.meter.seconds == shown, "the clock stands still"
    run.go_on()
    assert run.join(5)
    assert run.journal.ended is not None
    assert shown <= run.journal.ended.seconds <= time.monotonic() - began - 0.09


def test_an_empty_all_gets_an_empty_tuple(bench: Bench) -> None:
    def nothing(question: str, config: ToyConfig) -> Any:
        results = yield All(())
        return Answer(repr(results))

    assert text_of(driven(lineage.ask(bench.launch(nothing), "?", ToyConfig()))) == "()"
