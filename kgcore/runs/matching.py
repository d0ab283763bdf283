"""What meets a breakpoint: a step about to start, a fact just told, or an outcome just journaled.

What a budget has come to is no such thing; its share is compared before each step (kgcore.runs.pauses).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.entries import StepDone, StepFailed
from kgcore.runs.known import Known
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Ask,
    Backtracked,
    BadQuery,
    NodeAdded,
    NodeScored,
    Warned,
)


def matches(point: Breakpoint, item: Any, known: Known) -> bool:
    """Whether a run pauses at this step, fact or outcome; `known` are the names it has met."""
    return point.is_on and point.on in _MATCHES and _MATCHES[point.on](point, item, known)


def _step(point: Breakpoint, item: Any, known: Known) -> bool:
    name = item.request.template if isinstance(item, Ask) else type(item).__name__
    return point.text in (name, type(item).__name__)


def _error(point: Breakpoint, item: Any, known: Known) -> bool:
    """Something went wrong: a failed call, a rejected action or query, a warning, a graph that did not answer."""
    if isinstance(item, Warned):
        return not item.is_doubt
    if isinstance(item, StepFailed | ActionRejected):
        return True
    if isinstance(item, StepDone):
        is_bad = isinstance(item.result, BadQuery) or bool(getattr(item.result, "notes", ()))
        replies = getattr(item.result, "items", ())
        return is_bad or any(getattr(reply, "problem", "") for reply in replies)
    return bool(getattr(item, "problem", ""))


_MATCHES: Mapping[str, Callable[[Breakpoint, Any, Known], bool]] = {
    "step": _step,
    "action": lambda p, i, k: isinstance(i, NodeAdded) and i.action == p.text,
    "value_below": lambda p, i, k: isinstance(i, NodeScored) and i.value < p.number,
    "value_above": lambda p, i, k: isinstance(i, NodeScored) and i.value > p.number,
    "depth": lambda p, i, k: isinstance(i, NodeAdded) and i.depth == p.number,
    "entity": lambda p, i, k: k.is_any_called(k.entities_of(i), p.text),
    "relation": lambda p, i, k: k.is_any_called(k.relations_of(i), p.text),
    "graph": lambda p, i, k: p.text.strip().casefold() in k.graphs_of(i),
    "answer": lambda p, i, k: isinstance(i, AnswerProposed) and i.answer.is_answer,
    "error": _error,
    "backtrack": lambda p, i, k: isinstance(i, Backtracked),
}
