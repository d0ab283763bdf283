"""Which nodes of a search tree a person had a hand in: part of the fold that shows a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kgcore.model.text import one_line
from kgcore.runs.acts import act_of
from kgcore.runs.gate import Decided
from kgcore.runs.journal import Act, Address, Entry, Started, StepDone
from kgcore.steps import NodeAdded, RelationOptions

_RATINGS = ("rate_",)
_MADE_BY = (
    "choose_",
    "score_relations",
    "judge_",
    "answer_",
)  # what follows is made by their reply


@dataclass(slots=True)
class Hands:
    """What people did so far, and for which nodes it still has to show."""

    acts: list[Act] = field(default_factory=list)
    _edits: dict[Address, Act] = field(default_factory=dict)
    _bans: list[tuple[int, str, Act]] = field(default_factory=list)
    _paths: dict[str, Act] = field(default_factory=dict)  # a path of a beam → who scored it
    _below: dict[int | None, Act] = field(default_factory=dict)  # a node → who made its children
    _fetched: tuple[int, tuple[int, ...]] = (-1, ())

    def begin(self, started: Started) -> None:
        """Take up the edits of a run."""
        for edit in started.edits:
            act = act_of(edit)
            self.acts.append(act)
            if edit.banned is not None:
                self._bans.append((edit.position, edit.banned, act))
            elif not edit.is_input:
                self._edits[edit.address] = act

    def step(self, entry: Entry, done: StepDone) -> Iterator[tuple[int, Act]]:
        """Yield the nodes that a step marks at once."""
        about = tuple(done.step.get("about", ()))
        template = str(done.step.get("template", ""))
        if done.step.get("kind") == "Edges":
            before = self._fetched[1] if self._fetched[0] == entry.position else ()
            self._fetched = (entry.position, (*before, *about))
        if isinstance(done.result, RelationOptions):
            offered = {option.relation.id for option in done.result.items}
            for position, relation, act in self._bans:
                if entry.position >= position and relation in offered:
                    yield from ((node, act) for node in about)
        if not done.is_human:
            if template.startswith(_MADE_BY):
                for node in about:
                    self._below.pop(node, None)
            return
        act = self._edits.get(entry.address, Act("decided", ""))
        if act.kind == "decided":
            self.acts.append(act)
        if act.kind == "value" and act.node < 0:
            self._paths[act.what] = act
        elif act.kind in ("value", "prune"):
            yield act.node, act
        elif template.startswith(_RATINGS):
            yield from ((node, act) for node in about)
        else:
            self._below.update(dict.fromkeys(about or (None,), act))

    def decide(self, entry: Entry, decided: Decided) -> None:
        """Take a decision on fetched triples: what it changed shows in the nodes that they bring."""
        changed = decided.corrections
        author = changed[0].author if changed else "local"
        told = f"{len(decided.shown)}, {len(changed)} ≠" if changed else f"{len(decided.shown)}"
        act = Act("triples", author or "local", what=told)
        self.acts.append(act)
        if changed and self._fetched[0] == entry.position:
            self._below.update(dict.fromkeys(self._fetched[1], act))

    def added(self, fact: NodeAdded) -> tuple[Act, ...]:
        """Return what people did to bring this node about."""
        scored = self._paths.get(fact.argument) if fact.action == "beam" else None
        act = self._below.get(fact.parent)
        if act is not None and not _is_of(act, fact):
            act = None
        return tuple(dict.fromkeys(one for one in (act, scored) if one is not None))


def _is_of(act: Act, fact: NodeAdded) -> bool:
    """Whether a node below the one a person touched is what the person wanted, where others stand beside it."""
    if act.kind == "thought":
        return fact.action == "think" and one_line(fact.argument, 80) == one_line(act.to, 80)
    if act.kind in ("next", "instead") and fact.action == "beam":
        return any(label in fact.argument for label in act.to.split(", "))
    return True
