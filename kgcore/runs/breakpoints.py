"""Breakpoints: where a run pauses by itself.

A breakpoint is data, so that it can be listed, switched and saved with the run. What it is compared with is in
kgcore.runs.matching, and when in kgcore.runs.pauses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args
from typing import Literal as OneOf

from kgcore.errors import InputError
from kgcore.i18n import mark, translate
from kgcore.model import wired

Kind = OneOf[
    "step",
    "action",
    "value_below",
    "value_above",
    "depth",
    "entity",
    "relation",
    "graph",
    "answer",
    "error",
    "backtrack",
    "budget",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_TEXT, MAX_POINTS = 300, 100
STEPS: Mapping[str, str] = {
    "Ask": mark("asking the model"),
    "Link": mark("looking for names"),
    "Relations": mark("listing relations"),
    "Edges": mark("fetching edges"),
    "Describe": mark("looking up entities"),
    "Rank": mark("ranking options"),
    "Lookup": mark("querying a knowledge source"),
}
ACTIONS: Mapping[str, str] = {
    "think": mark("think"),
    "expand": mark("expand the graph"),
    "select_entities": mark("pick entities"),
    "select_relation": mark("follow a relation"),
    "search": mark("open an entity"),
    "answer": mark("answer"),
    "beam": mark("extend a path"),
}
RESOURCES: Mapping[str, str] = {
    "": mark("any budget"),
    "calls": mark("calls"),
    "tokens": mark("tokens"),
    "usd": mark("money"),
    "seconds": mark("time"),
}
_NAMES = {"step": STEPS, "action": ACTIONS, "budget": RESOURCES}
_NEED_TEXT = ("step", "action", "entity", "relation", "graph")
_WORDS: Mapping[str, str] = {
    "step": mark("before {what}"),
    "action": mark("action: {what}"),
    "value_below": mark("value below {number}"),
    "value_above": mark("value above {number}"),
    "depth": mark("depth {number}"),
    "entity": mark("entity {what}"),
    "relation": mark("relation {what}"),
    "graph": mark("graph {what}"),
    "answer": mark("an answer"),
    "error": mark("an error"),
    "backtrack": mark("a backtrack"),
    "budget": mark("{number} % of {what} used"),
}


@wired
@dataclass(frozen=True, slots=True)
class Breakpoint:
    """What a run pauses on.

    That is a kind of step or a template, a kind of action, a value below or above `number`, nodes of a depth, an
    entity or relation (`text` is its id or label), anything of a graph, an answer, an error, a backtrack, or a share
    of the budget used (`number` in 0…1 of the resource `text`; any of them where it is empty).
    """

    on: Kind
    text: str = ""
    number: float = 0.0
    is_on: bool = True

    def __post_init__(self) -> None:
        if self.on not in KINDS:
            raise InputError(f"no breakpoint is of the kind {str(self.on)[:40]!r}")
        text: object = self.text  # a file may hold anything
        if not isinstance(text, str) or len(text) > MAX_TEXT:
            raise InputError("the text of a breakpoint is not usable")
        if self.on in _NEED_TEXT and not self.text.strip():
            raise InputError(f"a breakpoint on {self.on} needs a name")
        number: object = self.number
        if not isinstance(number, int | float) or not math.isfinite(number):
            raise InputError("the number of a breakpoint is not usable")
        if self.on == "budget" and not 0 < self.number <= 1:
            raise InputError("the share of a budget lies between 0 and 1")
        if self.on == "budget" and self.text not in RESOURCES:
            raise InputError(f"no budget is called {self.text[:40]!r}")

    @property
    def key(self) -> tuple[str, str, float]:
        """What it is, switched on or not."""
        return (self.on, self.text.strip().casefold(), self.number)

    def words(self, language: str = "en") -> str:
        """Return what it pauses on."""
        what, number = self.text, f"{self.number:g}"
        if self.on in _NAMES:
            what = translate(_NAMES[self.on].get(what, what.replace("_", " ")), language)
        if self.on == "budget":
            number = f"{100 * self.number:g}"
        return translate(_WORDS[self.on], language, what=what, number=number)


def checked(points: Iterable[Any]) -> tuple[Breakpoint, ...]:
    """Return the breakpoints, each once; InputError where there is something else or too many."""
    found: dict[tuple[str, str, float], Breakpoint] = {}
    for point in points:
        if not isinstance(point, Breakpoint):
            raise InputError("a breakpoint is not of the right form")
        found[point.key] = point
    if len(found) > MAX_POINTS:
        raise InputError(f"there are more than {MAX_POINTS} breakpoints")
    return tuple(found.values())
