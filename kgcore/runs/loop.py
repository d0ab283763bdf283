"""The loop that every drive and every replay of a reasoner goes through.

It takes facts and steps out of the generator, numbers them, and sends results back as the reasoner may see them:
corrections, bans and a person's decisions are applied here, on the way from the journal to the reasoner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kgcore.runs.entries import Address, Started, StepDone
from kgcore.runs.gate import Decided
from kgcore.runs.inputs import seen
from kgcore.steps import All, Answer, Fact, LeafStep, Reasoning, Step


def run_through(
    reasoning: Reasoning,
    started: Started,
    *,
    note: Callable[[Fact, Address], None],
    do: Callable[[int, tuple[LeafStep, ...]], Sequence[StepDone]],
    decide: Callable[[int, Sequence[Any]], Decided | None],
) -> Answer:
    """Return the reasoner's answer.

    `note` is told each fact; `do` returns the raw results of a round's leaves; `decide` is shown what the reasoner
    would see of them and returns what a person decided, None where nothing had to wait.
    """
    position = ordinal = 0
    sent: Any = None
    decisions: list[Decided] = []
    while True:
        try:
            item = reasoning.send(sent)
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer
        if not isinstance(item, Step):
            note(item, (position, ordinal))
            sent, ordinal = None, ordinal + 1
            continue
        leaves = item.steps if isinstance(item, All) else (item,)
        pairs = list(zip(leaves, do(position, leaves), strict=True))
        shown = _seen(started, position, pairs, decisions)
        decided = decide(position, shown)
        if decided is not None:
            decisions.append(decided)
            shown = _seen(started, position, pairs, decisions)
        sent = shown if isinstance(item, All) else shown[0]
        position, ordinal = position + 1, 0


def _seen(
    started: Started,
    position: int,
    pairs: Sequence[tuple[LeafStep, StepDone]],
    decisions: Sequence[Decided],
) -> tuple[Any, ...]:
    return tuple(seen(started, position, leaf, done.result, decisions) for leaf, done in pairs)
