"""RunView: what a journal says, folded entry by entry.

Every view of a run is this fold. It is incremental (`add` one entry), pure (the same entries give the same
view) and defined for every prefix, so looking at a moment of the past is folding the first i entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from typing import Literal as OneOf

from kgcore.model import EntityId, Subgraph, Triple
from kgcore.runs.acts import act_words
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.entries import Act, Ended, Entry, FactNoted, Resumed, Started, StepDone, spent
from kgcore.runs.gate import Decided
from kgcore.runs.hands import Hands
from kgcore.runs.journal import breakpoints_after
from kgcore.runs.memory import is_partial
from kgcore.runs.rationales_view import RationalesView
from kgcore.runs.standing import RunStatus, Via
from kgcore.runs.words import Words
from kgcore.steps import (
    ActionRejected,
    Answer,
    AnswerProposed,
    Backtracked,
    Fact,
    NodeAdded,
    NodeExpanded,
    NodeMerged,
    NodePruned,
    NodeScored,
    QuestionLinked,
    Seed,
    Usage,
    Warned,
    best_of,
)


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node of the search tree as a watcher sees it.

    `order` counts expansions from 1; `entries` are the numbers of the journal entries about it (prompts, replies,
    graph answers); `acts` is what people did here.
    """

    id: int
    parent: int | None
    depth: int
    action: str
    argument: str
    state: str
    subgraph: Subgraph
    added: tuple[Triple, ...] = ()
    selected: tuple[EntityId, ...] = ()
    value: float | None = None
    reason: str = ""
    votes: int = 1
    samples: int = 1
    order: int | None = None
    merged_into: int | None = None
    is_pruned: bool = False
    answer: Answer | None = None
    entries: tuple[int, ...] = ()
    seq: int = 0
    acts: tuple[Act, ...] = ()

    @property
    def status(self) -> str:
        """open, expanded, answer, no_answer, merged or pruned."""
        if self.is_pruned:
            return "pruned"
        if self.merged_into is not None:
            return "merged"
        if self.answer is not None:
            return "answer" if self.answer.is_answer else "no_answer"
        if self.action == "answer":
            return "answer"
        return "expanded" if self.order is not None else "open"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that happened, in words. `kind` is step, fact, human, error or end."""

    seq: int
    when: str
    kind: str
    text: str
    nodes: tuple[int, ...] = ()
    via: Via | OneOf[""] = ""


@dataclass(slots=True)
class RunView:
    """The state of a run after some of its entries."""

    started: Started | None = None
    ended: Ended | None = None
    seeds: tuple[Seed, ...] = ()
    nodes: dict[int, NodeView] = field(default_factory=dict)
    current: int | None = None
    expansions: list[int] = field(default_factory=list)
    backtracks: list[Backtracked] = field(default_factory=list)
    rejected: list[ActionRejected] = field(default_factory=list)
    decisions: list[Decided] = field(default_factory=list)
    subgraph: Subgraph = field(default_factory=Subgraph)
    best: Answer | None = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    via: dict[Via, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # graphs that did not answer every time
    rationales: RationalesView = field(default_factory=RationalesView)
    is_incomplete: bool = False  # a graph did not answer, or not with all there is
    log: list[LogLine] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    words: Words = field(default_factory=Words)
    hands: Hands = field(default_factory=Hands)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> RunView:
        """Fold a whole journal or any prefix of one."""
        view = cls()
        for entry in entries:
            view.add(entry)
        return view

    @property
    def n_entries(self) -> int:
        """How many entries were folded."""
        return len(self.entries)

    @property
    def status(self) -> RunStatus:
        """How the run ended; running while it has not."""
        return self.ended.status if self.ended else "running"

    @property
    def answer(self) -> Answer | None:
        """The answer of an ended run, or the best proposed so far."""
        if self.ended is not None and self.ended.answer is not None:
            return self.ended.answer
        return self.best

    @property
    def acts(self) -> tuple[Act, ...]:
        """What people did so far: edits, and decisions on fetched triples."""
        return self.hands.acts

    @property
    def answer_path(self) -> tuple[int, ...]:
        """Numbers of the nodes from the root to the answer's node."""
        answer = self.answer
        if answer is None or not answer.is_answer or answer.is_fallback:
            return ()
        path: list[int] = []
        node = self.nodes.get(answer.node)
        while node is not None:
            path.append(node.id)
            node = self.nodes.get(node.parent) if node.parent is not None else None
        return tuple(reversed(path))

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The breakpoints in force at this moment."""
        return breakpoints_after(self.entries)

    def entry(self, seq: int) -> Entry:
        """Return the entry of this number."""
        return self.entries[seq]

    def add(self, entry: Entry) -> None:
        """Fold one more entry."""
        body = entry.body
        self.entries.append(entry)
        self.usage = self.usage + spent(body)
        if isinstance(body, Started):
            self.started = body
            self.hands = self.hands.begin(body)
        elif isinstance(body, StepDone):
            self._add_step(entry, body)
        elif isinstance(body, FactNoted):
            self._add_fact(entry, body.fact)
        elif isinstance(body, Decided):
            self.decisions.append(body)
            self.hands = self.hands.decide(entry, body)
        elif isinstance(body, Resumed):
            self.ended = None
        elif isinstance(body, Ended):
            self.ended, self.seconds = body, body.seconds
        self.rationales.add(entry)
        self.log.append(self._line(entry))

    def _line(self, entry: Entry) -> LogLine:
        kind, text, nodes = self.words.tell(entry.body)
        via = entry.body.via if isinstance(entry.body, StepDone) else ""
        act = self.hands.edits.get(entry.address) if via == "human" else None
        if act is not None:  # who did what says more than that somebody did
            text = act_words(act)
        return LogLine(entry.seq, entry.when, kind, text, nodes, via)

    def _add_step(self, entry: Entry, done: StepDone) -> None:
        self.via[done.via] = self.via.get(done.via, 0) + 1
        self._add_notes(done.result)
        self.hands, marks = self.hands.step(entry, done)
        for node, act in marks:
            self._mark(node, act)
        for node in done.step.get("about", ()):
            known = self.nodes.get(node)
            if known is not None:
                self._change(node, entries=(*known.entries, entry.seq))

    def _add_notes(self, result: Any) -> None:
        """Warn of what went wrong on the way; of a graph that does not answer, once."""
        self.is_incomplete |= is_partial(result)
        notes, missing = getattr(result, "notes", ()), getattr(result, "missing", ())
        for number, note in enumerate(notes):
            name = missing[number] if number < len(missing) else ""
            if name in self.missing or note in self.warnings:
                continue
            self.warnings.append(note)
            if name:
                self.missing.append(name)

    def _mark(self, node: int, act: Act) -> None:
        known = self.nodes.get(node)
        if known is not None and act not in known.acts:
            self._change(node, acts=(*known.acts, act))

    def _change(self, node: int, **values: object) -> None:
        if node in self.nodes:  # a fact may speak of a node that was never added
            self.nodes[node] = replace(self.nodes[node], **values)  # type: ignore[arg-type]

    def _add_fact(self, entry: Entry, fact: Fact) -> None:
        if isinstance(fact, QuestionLinked):
            self.seeds = fact.seeds
        elif isinstance(fact, NodeAdded):
            self._add_node(entry, fact)
        elif isinstance(fact, NodeScored):
            self._change(fact.node, value=fact.value, reason=fact.reason)
        elif isinstance(fact, NodeExpanded):
            self.current = fact.node
            self.expansions.append(fact.node)
            self._change(fact.node, order=fact.order)
        elif isinstance(fact, Backtracked):
            self.backtracks.append(fact)
        elif isinstance(fact, NodeMerged):
            self._change(fact.node, merged_into=fact.into)
        elif isinstance(fact, NodePruned):
            self._change(fact.node, is_pruned=True)
        elif isinstance(fact, ActionRejected):
            self.rejected.append(fact)
        elif isinstance(fact, AnswerProposed):
            self._change(fact.answer.node, answer=fact.answer)
            self.best = best_of((self.best, fact.answer) if self.best else (fact.answer,))
        elif isinstance(fact, Warned) and not (fact.is_doubt and self._is_by_person()):
            self.warnings.append(fact.message)

    def _is_by_person(self) -> bool:
        """Whether a person answered the latest step: who chose a meaning is not told that there is another."""
        steps = (e.body for e in reversed(self.entries) if isinstance(e.body, StepDone))
        latest = next(steps, None)
        return latest is not None and latest.is_human

    def _add_node(self, entry: Entry, fact: NodeAdded) -> None:
        parent = self.nodes.get(fact.parent) if fact.parent is not None else None
        base = parent.subgraph if parent is not None else Subgraph()
        grown = base.add(
            fact.triples, entities=fact.entities, same_as=fact.same_as, more=dict(fact.more)
        )
        self.subgraph = self.subgraph.add(
            fact.triples, entities=fact.entities, same_as=fact.same_as, more=dict(fact.more)
        )
        self.nodes[fact.node] = NodeView(
            fact.node,
            fact.parent,
            fact.depth,
            fact.action,
            fact.argument,
            fact.state,
            grown,
            fact.triples,
            fact.selected,
            votes=fact.votes,
            samples=fact.samples,
            entries=(entry.seq,),
            seq=entry.seq,
            acts=self.hands.added(fact),
        )
