"""The journal: the only record of a run, append-only.

A leaf step has an address, (position of its yield, index inside its All); a fact has (position of the next
step, ordinal). Results are appended in order of arrival and fed back by address. An entry keeps the source's
own result: corrections and bans are applied between the journal and the reasoner.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgcore.corrections import Correction
from kgcore.errors import InputError, ReplayDivergedError
from kgcore.model import RelationId, to_dict, wired
from kgcore.runs.breakpoints import Breakpoint, checked
from kgcore.runs.budget import Budget
from kgcore.runs.gate import Decided, Gate
from kgcore.runs.standing import ANEW, EndStatus, Via
from kgcore.steps import Answer, Ask, Fact, LeafStep, Usage

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


class Journal:
    """The entries of one run, indexed by address."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.results: dict[Address, StepDone] = {}
        self.facts: dict[Address, Fact] = {}
        self.decisions: dict[int, Decided] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Index one more entry."""
        self.entries.append(entry)
        if isinstance(entry.body, StepDone):
            self.results[entry.address] = entry.body
        elif isinstance(entry.body, FactNoted):
            self.facts[entry.address] = entry.body.fact
        elif isinstance(entry.body, Decided):
            self.decisions[entry.position] = entry.body

    @property
    def started(self) -> Started:
        """The first entry."""
        body = self.entries[0].body
        assert isinstance(body, Started)
        return body

    @property
    def budget(self) -> Budget:
        """The budget in force: that of the last Resumed entry, else of the first one."""
        resumed = [e.body.budget for e in self.entries if isinstance(e.body, Resumed)]
        return resumed[-1] if resumed else self.started.budget

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force at the end of it."""
        return breakpoints_after(self.entries)

    @property
    def ended(self) -> Ended | None:
        """The last end, unless the run was taken up again after it."""
        for entry in reversed(self.entries):
            if isinstance(entry.body, Resumed):
                return None
            if isinstance(entry.body, Ended):
                return entry.body
        return None

    @property
    def usage(self) -> Usage:
        """What the run itself spent."""
        return sum((spent(entry.body) for entry in self.entries), Usage())

    def result(self, address: Address, hashed: str) -> StepDone | None:
        """Return the result of the step with this hash; ReplayDivergedError where another step was done."""
        done = self.results.get(address)
        if done is not None and done.step_hash != hashed:
            raise ReplayDivergedError(
                f"step {address[0]}.{address[1]} is not the one of the journal"
            )
        return done

    def has_fact(self, address: Address, fact: Fact) -> bool:
        """Whether the fact was told here already; ReplayDivergedError where another one was."""
        known = self.facts.get(address)
        if known is not None and known != fact:
            raise ReplayDivergedError(
                f"fact {address[0]}.{address[1]} is not the one of the journal"
            )
        return known is not None

    def results_in_yield_order(self) -> list[tuple[Address, StepDone]]:
        """All results, sorted by address."""
        return sorted(self.results.items(), key=lambda item: item[0])


def breakpoints_after(entries: Sequence[Entry]) -> tuple[Breakpoint, ...]:
    """Return the breakpoints in force after these entries: those set last, else those of the start."""
    for entry in reversed(entries):
        if isinstance(entry.body, BreakpointsSet):
            return entry.body.points
        if isinstance(entry.body, Started):
            return entry.body.breakpoints
    return ()


def spent(body: EntryBody) -> Usage:
    """Return what the run paid for this entry: nothing for what it took over."""
    if isinstance(body, StepFailed) or (isinstance(body, StepDone) and body.via in ANEW):
        return body.usage
    return Usage()


def step_hash(step: LeafStep) -> str:
    """Hash what a step asks; who answers and for which node it is asked do not count."""
    return _hash([type(step).__name__, _content(step)])


def key_of(hashed: str, who: str) -> str:
    """Hash a step together with who answers it: the key under which its result is remembered."""
    return _hash([hashed, who])


def _content(step: LeafStep) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for item in dataclasses.fields(step):
        if item.name in ("about", "role"):
            continue
        value = getattr(step, item.name)
        data[item.name] = value.key() if item.name == "request" else to_dict(value)
    return data


def summary(step: LeafStep) -> dict[str, Any]:
    """Return what the journal says of a step: its kind, its small arguments, the nodes it is about."""
    if isinstance(step, Ask):
        request = step.request
        source = getattr(request, "source", "")  # the knowledge source that a query is written for
        return {
            "kind": "Ask",
            "template": request.template,
            "n": step.n,
            "temperature": step.temperature,
            "role": step.role,
            "about": step.about,
            **({"source": source} if source else {}),
        }
    data = {"kind": type(step).__name__}
    for item in dataclasses.fields(step):
        data[item.name] = getattr(step, item.name)
    return data


def _hash(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
