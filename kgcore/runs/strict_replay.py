"""Strict replay: the reasoner on a journal alone must take the very steps that the journal holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kgcore.errors import JournalEndsError
from kgcore.reasoners.base import Reasoner
from kgcore.runs.entries import Address, StepDone
from kgcore.runs.gate import Decided, batch_at
from kgcore.runs.journal import Journal
from kgcore.runs.keys import step_hash
from kgcore.runs.loop import run_through
from kgcore.steps import Answer, Fact, LeafStep


def replay(
    reasoner: Reasoner,
    journal: Journal,
    *,
    on_leaf: Callable[[Address, LeafStep], None] | None = None,
) -> Answer | None:
    """Run the reasoner on the journal alone, no port in reach, and return its answer.

    None when the journal ends before an answer. ReplayDivergedError when the reasoner asks for another step
    or tells another fact than the journal holds. `on_leaf` is told each step with its address.
    """
    started = journal.started
    generator = reasoner.solve(started.question, started.config)

    def note(fact: Fact, address: Address) -> None:
        if not journal.has_fact(address, fact):
            raise JournalEndsError("the journal ends here")

    def recorded(position: int, leaves: tuple[LeafStep, ...]) -> list[StepDone]:
        if on_leaf is not None:
            for index, leaf in enumerate(leaves):
                on_leaf((position, index), leaf)
        found = [journal.result((position, i), step_hash(leaf)) for i, leaf in enumerate(leaves)]
        if None in found:
            raise JournalEndsError("the journal ends here")
        return [done for done in found if done is not None]

    def decided(position: int, views: Sequence[Any]) -> Decided | None:
        found = journal.decisions.get(position)
        gate = started.gate
        if found is None and gate and batch_at(gate, journal.decisions, position, views):
            raise JournalEndsError("the journal ends here")
        return found

    try:
        return run_through(generator, started, note=note, do=recorded, decide=decided)
    except JournalEndsError:
        return None
    finally:
        generator.close()
