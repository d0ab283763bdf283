"""Two runs of one question side by side: what changed in answer and proof, why, and what each cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgcore.corrections import Correction
from kgcore.model import Triple
from kgcore.runs.elapsed import seconds_of
from kgcore.runs.first_difference import set_up_differences
from kgcore.runs.standing import ANEW, ENDS, TAKEN_OVER, RunStatus, Via
from kgcore.runs.view import RunView
from kgcore.steps import Answer, Usage


@dataclass(frozen=True, slots=True)
class Side:
    """One of the runs; `n_asked` steps were done anew, `n_remembered` taken from an earlier run or from itself."""

    run_id: str
    status: RunStatus
    answer: Answer | None
    usage: Usage
    seconds: float
    n_asked: int
    n_remembered: int

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can come of it: a run that is held or was cut off may still answer."""
        return self.status in ENDS

    @property
    def text(self) -> str:
        """The answer in words; empty when there is none."""
        return self.answer.text if self.answer and self.answer.is_answer else ""

    @property
    def proof(self) -> tuple[Triple, ...]:
        """The triples it rests on."""
        return self.answer.proof if self.answer and self.answer.is_answer else ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """An old and a new run of one question.

    `new_corrections` are in force in the new one only, `gone_corrections` in the old one only; `dropped` and `gained`
    are the triples of one proof that the other does not hold. `set_up` is what the runs are set up with otherwise:
    a name, its value in the old run and in the new one.
    """

    question: str
    old: Side
    new: Side
    new_corrections: tuple[Correction, ...]
    gone_corrections: tuple[Correction, ...]
    dropped: tuple[Triple, ...]
    gained: tuple[Triple, ...]
    set_up: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether both have ended, so that their answers can be compared."""
        return self.old.has_ended and self.new.has_ended

    @property
    def is_changed(self) -> bool:
        """Whether the new run answers something else; false as long as one has not ended."""
        return self.is_settled and _said(self.old) != _said(self.new)


def compare(old: RunView, new: RunView) -> Comparison:
    """Return two runs side by side."""
    before, after = _side(old), _side(new)
    return Comparison(
        new.started.question if new.started else "",
        before,
        after,
        _missing(_pinned(new), _pinned(old)),
        _missing(_pinned(old), _pinned(new)),
        tuple(t for t in before.proof if t not in after.proof),
        tuple(t for t in after.proof if t not in before.proof),
        _set_up(old, new),
    )


def _set_up(old: RunView, new: RunView) -> tuple[tuple[str, str, str], ...]:
    """Return what differs in set-up but corrections, which are told one by one."""
    if old.started is None or new.started is None:
        return ()
    found = set_up_differences(old.started, new.started)
    return tuple(difference for difference in found if difference[0] != "Corrections")


def _side(view: RunView) -> Side:
    return Side(
        view.started.run_id if view.started else "",
        view.status,
        view.answer,
        view.usage,
        seconds_of(view.entries),
        _counted(view, ANEW),
        _counted(view, TAKEN_OVER),
    )


def _counted(view: RunView, ways: Iterable[Via]) -> int:
    return sum(view.via.get(via, 0) for via in ways)


def _said(side: Side) -> object:
    """Return what an answer names; its words where it names nothing."""
    named = {part.value for part in side.answer.parts} if side.text and side.answer else set()
    return named or side.text.casefold()


def _pinned(view: RunView) -> tuple[Correction, ...]:
    return view.started.corrections if view.started else ()


def _missing(some: Iterable[Correction], others: Iterable[Correction]) -> tuple[Correction, ...]:
    """Return the corrections that say something the others do not."""
    known = [(c.id, c) for c in others]
    return tuple(c for c in some if (c.id, c) not in known)
