"""The entries of a journal: what a run was started with, results, facts, decisions, ends.

An entry keeps the source's own result: corrections and bans are applied between the journal and the reasoner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kgcore.corrections import Correction
from kgcore.errors import InputError
from kgcore.model import RelationId, wired
from kgcore.runs.breakpoints import Breakpoint, checked
from kgcore.runs.budget import Budget
from kgcore.runs.gate import Decided, Gate
from kgcore.runs.standing import ANEW, EndStatus, Via
from kgcore.steps import Answer, Usage

Address = tuple[int, int]


@wired
@dataclass(frozen=True, slots=True)
class Act:
    """What a person did with an edit, for people to read; it never decides what an edit does.

    `kind` is next, instead, thought, value, prune, link, ban, reply, prompt, result or correction; `node` is the
    node of the search tree that it is about (-1 for none), `what` the thing it touches, `to` what was chosen.
    """

    kind: str
    author: str = "local"
    node: int = -1
    what: str = ""
    to: str = ""


@wired
@dataclass(frozen=True, slots=True)
class Edit:
    """What a fork changes at one address.

    `replies` are texts to read instead of the model's; `prompt` is a text to send instead of the prompt;
    `result` stands instead of the graph's answer. One of them is given. Inputs instead apply from this
    position on: `correction`, or `banned` (a relation no longer offered). `act` says what it is for and whose it is.
    """

    position: int
    index: int = 0
    replies: tuple[str, ...] = ()
    prompt: str = ""
    result: Any = None
    correction: Correction | None = None
    banned: RelationId | None = None
    act: Act | None = None

    def __post_init__(self) -> None:
        changes = (self.replies, self.prompt, self.result, self.correction, self.banned)
        if sum(change not in ((), "", None) for change in changes) != 1:
            raise InputError("an edit changes one thing, and nothing else")

    @property
    def address(self) -> Address:
        """Where it applies, or from where on."""
        return (self.position, self.index)

    @property
    def is_input(self) -> bool:
        """Whether it applies from the position on, not at one address."""
        return self.correction is not None or self.banned is not None


@wired
@dataclass(frozen=True, slots=True)
class Started:
    """First entry: everything a run depends on, so that it can be replayed and judged alone."""

    run_id: str
    question: str
    method: str
    reasoner_version: str
    config: Any
    kgs: tuple[tuple[str, str], ...] = ()  # (name, data version)
    models: tuple[tuple[str, str], ...] = ()  # (role, model name)
    templates: tuple[tuple[str, str], ...] = ()  # (template, version)
    prompt_set: str = ""
    api_base: str = ""
    budget: Budget = field(default=Budget())
    corrections: tuple[Correction, ...] = ()
    edits: tuple[Edit, ...] = ()
    gate: Gate | None = None
    breakpoints: tuple[Breakpoint, ...] = ()
    parent: str = ""
    lineage: tuple[str, ...] = ()  # parent first, then its ancestors
    kind: str = "ask"  # ask, fork, rerun


@wired
@dataclass(frozen=True, slots=True)
class StepDone:
    """The raw result of a leaf step.

    `via` says who gave it: live (a call), run (asked before in this run), memory (an earlier run of the
    lineage), parent (copied when forking), human (an edit). Only live and human entries cost anything.
    `is_human` stays with what a person decided, however it is passed on.
    """

    step_hash: str
    key: str
    step: Mapping[str, Any]
    result: Any
    via: Via = "live"
    usage: Usage = field(default=Usage())
    seconds: float = 0.0
    is_human: bool = False


@wired
@dataclass(frozen=True, slots=True)
class StepFailed:
    """A leaf step failed; resuming asks it again. `usage` counts what it spent all the same."""

    step: Mapping[str, Any]
    kind: str
    message: str
    usage: Usage = field(default=Usage())

    @property
    def is_cut_short(self) -> bool:
        """Whether it was given up for a stop or a used-up budget, and nothing went wrong."""
        return self.kind == CUT_SHORT


@wired
@dataclass(frozen=True, slots=True)
class FactNoted:
    """A fact the reasoner told."""

    fact: Any


@wired
@dataclass(frozen=True, slots=True)
class Resumed:
    """A driver took the run up again; `budget` is the one in force from here."""

    budget: Budget = field(default=Budget())


@wired
@dataclass(frozen=True, slots=True)
class BreakpointsSet:
    """A person changed the breakpoints while the run was driven; these were in force from here. Replay passes it by."""

    points: tuple[Breakpoint, ...] = ()

    def __post_init__(self) -> None:
        checked(self.points)


@wired
@dataclass(frozen=True, slots=True)
class Ended:
    """The run ended: answered, no_answer, stopped, budget or failed, with the reason in words."""

    status: EndStatus
    reason: str = ""
    answer: Answer | None = None
    seconds: float = 0.0


EntryBody = Started | StepDone | StepFailed | FactNoted | Decided | Resumed | BreakpointsSet | Ended
CUT_SHORT = (
    "cut_short"  # the kind of a failure that is none: a stop, or a used-up budget, ended the call
)


@wired
@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal; `when` is ISO 8601 in UTC and never decides anything."""

    seq: int
    when: str
    body: EntryBody
    position: int = -1
    index: int = 0

    @property
    def address(self) -> Address:
        """(position, index) of a leaf step, (position, ordinal) of a fact."""
        return (self.position, self.index)


def spent(body: EntryBody) -> Usage:
    """Return what the run paid for this entry: nothing for what it took over."""
    if isinstance(body, StepFailed) or (isinstance(body, StepDone) and body.via in ANEW):
        return body.usage
    return Usage()
