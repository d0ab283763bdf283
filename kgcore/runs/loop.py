"""The loop that every drive and every replay of a reasoner goes through.

It takes facts and steps out of the generator, numbers them, and sends results back as the reasoner may see them:
corrections and bans are applied here, on the way from the journal to the reasoner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kgcore.runs.inputs import seen
from kgcore.runs.journal import Address, Started, StepDone
from kgcore.steps import All, Answer, Fact, LeafStep, Reasoning, Step


def run_through(
    reasoning: Reasoning,
    started: Started,
    *,
    note: Callable[[Fact, Address], None],
    do: Callable[[int, tuple[LeafStep, ...]], Sequence[StepDone]],
) -> Answer:
    """Return the reasoner's answer. `note` is told each fact; `do` returns the raw results of a round's leaves."""
    position = ordinal = 0
    sent: Any = None
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
        views = tuple(
            seen(started, position, leaf, done.result)
            for leaf, done in zip(leaves, do(position, leaves), strict=True)
        )
        sent = views if isinstance(item, All) else views[0]
        position, ordinal = position + 1, 0
