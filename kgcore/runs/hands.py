"""Which nodes of a search tree a person had a hand in: part of the fold that shows a run.

A value like all that the fold is made of: what an entry changes is a new one, so copies of a fold stay apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kgcore.model.text import one_line
from kgcore.runs.acts import act_of
from kgcore.runs.entries import Act, Address, Entry, Started, StepDone
from kgcore.runs.gate import Decided
from kgcore.steps import NodeAdded, RelationOptions

_RATINGS = ("rate_",)
# Requests whose reply makes what follows.
_MADE_BY = ("choose_", "score_relations", "judge_", "answer_")
Marks = tuple[tuple[int, Act], ...]


@dataclass(frozen=True, slots=True)
class Hands:
    """What people did so far, and for which nodes it still has to show.

    `below` names who made the children of a node, `paths` who scored a path of a beam; `fetched` are the nodes for
    which edges came at the latest position.
    """

    acts: tuple[Act, ...] = ()
    edits: Mapping[Address, Act] = field(default_factory=dict)
    bans: tuple[tuple[int, str, Act], ...] = ()
    paths: Mapping[str, Act] = field(default_factory=dict)
    below: Mapping[int | None, Act] = field(default_factory=dict)
    fetched: tuple[int, tuple[int, ...]] = (-1, ())

    def begin(self, started: Started) -> Hands:
        """Take up the edits of a run."""
        acts = [(edit, act_of(edit)) for edit in started.edits]
        return replace(
            self,
            acts=tuple(act for _, act in acts),
            edits={edit.address: act for edit, act in acts if not edit.is_input},
            bans=tuple((e.position, e.banned, act) for e, act in acts if e.banned is not None),
        )

    def step(self, entry: Entry, done: StepDone) -> tuple[Hands, Marks]:
        """Take a step; return too which nodes it marks at once."""
        hands, about = self, tuple(done.step.get("about", ()))
        if done.step.get("kind") == "Edges":
            before = self.fetched[1] if self.fetched[0] == entry.position else ()
            hands = replace(hands, fetched=(entry.position, (*before, *about)))
        marks = self._bans_at(entry, done, about)
        if done.is_human:
            hands, others = hands._by_person(entry, done, about)
            return hands, (*marks, *others)
        if str(done.step.get("template", "")).startswith(_MADE_BY):
            below = {node: act for node, act in hands.below.items() if node not in about}
            hands = replace(hands, below=below)
        return hands, marks

    def _bans_at(self, entry: Entry, done: StepDone, about: tuple[int, ...]) -> Marks:
        """Return the nodes at which a banned relation would have been offered."""
        if not isinstance(done.result, RelationOptions) or not self.bans:
            return ()
        offered = {option.relation.id for option in done.result.items}
        acts = [act for at, name, act in self.bans if entry.position >= at and name in offered]
        return tuple((node, act) for act in acts for node in about)

    def _by_person(
        self, entry: Entry, done: StepDone, about: tuple[int, ...]
    ) -> tuple[Hands, Marks]:
        hands, act = self, self.edits.get(entry.address)
        if act is None:
            act = Act("decided", "")
            hands = replace(hands, acts=(*hands.acts, act))
        if act.kind == "value" and act.node < 0:
            return replace(hands, paths={**hands.paths, act.what: act}), ()
        if act.kind in ("value", "prune"):
            return hands, ((act.node, act),)
        if str(done.step.get("template", "")).startswith(_RATINGS):
            return hands, tuple((node, act) for node in about)
        return replace(hands, below={**hands.below, **dict.fromkeys(about or (None,), act)}), ()

    def decide(self, entry: Entry, decided: Decided) -> Hands:
        """Take a decision on fetched triples: what it changed shows in the nodes that they bring."""
        changed = decided.corrections
        author = changed[0].author if changed else "local"
        told = f"{len(decided.shown)}, {len(changed)} ≠" if changed else f"{len(decided.shown)}"
        act = Act("triples", author or "local", what=told)
        hands = replace(self, acts=(*self.acts, act))
        if not changed or self.fetched[0] != entry.position:
            return hands
        return replace(hands, below={**hands.below, **dict.fromkeys(self.fetched[1], act)})

    def added(self, fact: NodeAdded) -> tuple[Act, ...]:
        """Return what people did to bring this node about."""
        scored = self.paths.get(fact.argument) if fact.action == "beam" else None
        act = self.below.get(fact.parent)
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
