"""Where two runs part: the first step at which they differ, by address, and what they were set up with.

Entries are compared in the order in which the reasoner saw them, not in that of arrival: what it told before a step,
the results of the step, a person's decision on them. Of a model's replies the values as read count, not the wording.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from kgcore.runs.entries import Entry, FactNoted, Started, StepDone
from kgcore.runs.gate import Decided
from kgcore.runs.view import RunView
from kgcore.steps import Candidates, EdgeSet, NodeAdded, RelationOptions, Replies

__all__ = ["Difference", "Moment", "first_difference", "set_up_differences"]

_Place = tuple[int, int, int]  # position, rank within it, index
_RANKS: dict[type[object], int] = {FactNoted: 0, StepDone: 1, Decided: 2}
_LONG = 160


@dataclass(frozen=True, slots=True)
class Moment:
    """What one of the runs did where they part; `seq` is None where it did nothing any more.

    `detail` is what only its result holds, `then` what came of it.
    """

    seq: int | None
    text: str
    detail: str = ""
    then: str = ""
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first step at which two runs differ.

    `kind` is reply, result, step, fact, decision or end; `n_same` steps before it have equal results.
    """

    kind: str
    position: int
    index: int
    n_same: int
    first: Moment
    second: Moment

    @property
    def sentence(self) -> str:
        """What happened, in words."""
        way = (
            "From the first step on"
            if not self.n_same
            else f"After {self.n_same:,} equal step{'' if self.n_same == 1 else 's'}"
        )
        return f"{way}, {_KINDS[self.kind]}"


_KINDS = {
    "reply": "both ask the same and the replies are read differently.",
    "result": "both ask the same and the graphs answer differently.",
    "step": "the runs do different things.",
    "fact": "the same results lead to something else.",
    "decision": "a person decided differently.",
    "end": "one run ends and the other goes on.",
}


def first_difference(first: RunView, second: RunView) -> Difference | None:
    """Return the first step at which the runs differ; None where all they did is equal."""
    mine, theirs = _in_order(first), _in_order(second)
    n_same = 0
    for number, (one, other) in enumerate(zip_longest(mine, theirs)):
        if one is None or other is None or not _are_equal(one, other):
            there = min(_place(entry) for entry in (one, other) if entry is not None)
            moments = (
                _moment(first, mine[number:], other),
                _moment(second, theirs[number:], one),
            )
            return Difference(_kind(one, other), there[0], there[2], n_same, *moments)
        n_same += isinstance(one.body, StepDone)
    return None


def _in_order(view: RunView) -> list[Entry]:
    """Return what tells of the search, in the order in which the reasoner saw it."""
    return sorted((e for e in view.entries if type(e.body) in _RANKS), key=_place)


def _place(entry: Entry) -> _Place:
    return entry.position, _RANKS[type(entry.body)], entry.index


def _are_equal(mine: Entry, theirs: Entry) -> bool:
    one, other = mine.body, theirs.body
    if _place(mine) != _place(theirs):
        return False
    if isinstance(one, StepDone) and isinstance(other, StepDone):
        return one.step_hash == other.step_hash and _content(one) == _content(other)
    if isinstance(one, Decided) and isinstance(other, Decided):
        return [c.text for c in one.corrections] == [c.text for c in other.corrections]
    return one == other


def _content(done: StepDone) -> Any:
    """Return what of a result the reasoner goes by."""
    if isinstance(done.result, Replies):
        return [(reply.value, bool(reply.problem)) for reply in done.result.items]
    return done.result


def _kind(mine: Entry | None, theirs: Entry | None) -> str:
    if mine is None or theirs is None:
        return "end"
    one, other = mine.body, theirs.body
    if isinstance(one, StepDone) and isinstance(other, StepDone):
        if one.step_hash != other.step_hash:
            return "step"
        return "reply" if one.step.get("kind") == "Ask" else "result"
    if isinstance(one, FactNoted) and isinstance(other, FactNoted):
        return "fact"
    return "decision" if isinstance(one, Decided) or isinstance(other, Decided) else "step"


# what happened there


def _moment(view: RunView, rest: Sequence[Entry], other: Entry | None) -> Moment:
    """Tell the first of the entries that are left; `other` is what the other run did there."""
    if not rest:
        return Moment(None, "Nothing more" if view.ended else "Nothing yet")
    entry, *later = rest
    line = view.log[entry.seq]
    body, beside = entry.body, None if other is None else other.body
    detail, then = "", ""
    if isinstance(body, StepDone):
        detail = _only_here(body.result, beside.result if isinstance(beside, StepDone) else None)
        facts = (view.log[e.seq].text for e in later if isinstance(e.body, FactNoted))
        then = next(facts, "")
    elif isinstance(body, FactNoted) and isinstance(body.fact, NodeAdded):
        there = beside.fact if isinstance(beside, FactNoted) else None
        known = there.triples if isinstance(there, NodeAdded) else ()
        detail = _listed(t.text for t in body.fact.triples if t not in known)
    return Moment(entry.seq, line.text, detail, then, line.nodes)


def _only_here(mine: Any, other: Any) -> str:
    """Return what a result holds that the other one does not."""
    if isinstance(mine, Replies):
        known = [reply.value for reply in other.items] if isinstance(other, Replies) else []
        texts = [r.text for r in mine.items if r.problem or r.value not in known]
        return _cut((texts or [reply.text for reply in mine.items] or [""])[0])
    if not isinstance(mine, (EdgeSet, Candidates, RelationOptions)):
        return ""
    known_items = _items(other) if type(other) is type(mine) else ()
    return _listed(_name(item) for item in _items(mine) if item not in known_items)


def _items(result: EdgeSet | Candidates | RelationOptions) -> Sequence[Any]:
    return result.triples if isinstance(result, EdgeSet) else result.items


def _name(item: Any) -> str:
    if hasattr(item, "entity"):
        return str(item.entity.name)
    return str(item.phrase if hasattr(item, "phrase") else item.text)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - 3:,} more" if len(found) > 3 else ""
    return "; ".join(_cut(name) for name in found[:3]) + more


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[: _LONG - 1].rstrip() + "…"


# what they were set up with


def set_up_differences(first: Started, second: Started) -> list[tuple[str, str, str]]:
    """Return what differs between two set-ups: name, value in the first, value in the second."""
    found = [
        (name, one, other)
        for (name, one), (_, other) in zip(_set_up(first), _set_up(second), strict=True)
        if one != other
    ]
    return found + _settings(first.config, second.config)


def _set_up(started: Started) -> list[tuple[str, str]]:
    models = dict(started.models)
    names = {"Model": models.pop("reason", "")}
    kgs = [name for name, _ in started.kgs]
    return [
        ("Question", started.question),
        ("Method", started.method),
        *names.items(),
        ("Other models", ", ".join(f"{role}: {name}" for role, name in sorted(models.items()))),
        ("Graphs", " + ".join(kgs)),
        ("Data", ", ".join(version for _, version in started.kgs)),
        ("Prompts", started.prompt_set),
        ("Corrections", "; ".join(c.text for c in started.corrections)),
        ("Edits", _edits(started)),
    ]


def _edits(started: Started) -> str:
    """Return where a fork was changed, as moments: the step at position 0 is the first."""
    places = ", ".join(str(edit.position + 1) for edit in started.edits)
    return f"at step {places}" if places else ""


def _settings(one: Any, other: Any) -> list[tuple[str, str, str]]:
    """Return the settings that differ; those of another method are no difference of their own."""
    if type(one) is not type(other) or not dataclasses.is_dataclass(one):
        return []
    pairs = [
        (f.name.replace("_", " "), str(getattr(one, f.name)), str(getattr(other, f.name)))
        for f in dataclasses.fields(one)
    ]
    return [(name, mine, theirs) for name, mine, theirs in pairs if mine != theirs]
