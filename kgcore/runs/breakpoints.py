"""Breakpoints: where a run pauses by itself.

A breakpoint is data, so that it can be listed, switched and saved. It looks at one thing a run meets, a step
about to start or a fact just told, and says whether to pause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

from kgcore.model import wired
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Ask,
    Backtracked,
    Edges,
    NodeAdded,
    NodeScored,
)


@wired
@dataclass(frozen=True, slots=True)
class Breakpoint:
    """Pause on: a step kind or template (`step`), an action, a value below or above a limit, a depth, an
    entity id or relation id (`contains`), an answer, a backtrack, a rejected action.
    """

    on: OneOf[
        "step",
        "action",
        "value_below",
        "value_above",
        "depth",
        "contains",
        "answer",
        "backtrack",
        "rejected",
    ]
    text: str = ""
    number: float = 0.0
    is_on: bool = True

    def matches(self, item: Any) -> bool:
        """Whether the run pauses at this step or fact."""
        return self.is_on and _MATCHES[self.on](self, item)

    @property
    def label(self) -> str:
        """The breakpoint in words."""
        words = {
            "step": f"before {self.text}",
            "action": f"action {self.text}",
            "value_below": f"value below {self.number:g}",
            "value_above": f"value above {self.number:g}",
            "depth": f"depth {self.number:g}",
            "contains": f"touches {self.text}",
            "answer": "answer proposed",
            "backtrack": "backtrack",
            "rejected": "action rejected",
        }
        return words[self.on]


def _step(point: Breakpoint, item: Any) -> bool:
    name = item.request.template if isinstance(item, Ask) else type(item).__name__
    return point.text in (name, type(item).__name__)


def _contains(point: Breakpoint, item: Any) -> bool:
    if isinstance(item, Edges):
        return point.text in (*item.entities, item.relation)
    if isinstance(item, NodeAdded):
        found: set[str] = {e.id for e in item.entities}
        for triple in item.triples:
            found |= {triple.subject.id, triple.relation.id, getattr(triple.object, "id", "")}
        return point.text in found
    return False


_MATCHES: dict[str, Callable[[Breakpoint, Any], bool]] = {
    "step": _step,
    "action": lambda p, i: isinstance(i, NodeAdded) and i.action == p.text,
    "value_below": lambda p, i: isinstance(i, NodeScored) and i.value < p.number,
    "value_above": lambda p, i: isinstance(i, NodeScored) and i.value > p.number,
    "depth": lambda p, i: isinstance(i, NodeAdded) and i.depth >= p.number,
    "contains": _contains,
    "answer": lambda p, i: isinstance(i, AnswerProposed),
    "backtrack": lambda p, i: isinstance(i, Backtracked),
    "rejected": lambda p, i: isinstance(i, ActionRejected),
}
