"""Where a node of the search tree got its value, and the reply that gives it another one.

In a tree of traversals a node is rated by itself or together with its siblings. In a beam a path's value is the score of
its last relation times that of the thing it leads to: whichever of the two the model was asked for can be set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgcore.errors import InputError
from kgcore.model.text import one_line
from kgcore.prompts import (
    RateAnswer,
    RateSiblings,
    RateState,
    Rating,
    ScoreEntities,
    ScoreRelations,
)
from kgcore.runs.asked import Asked, asked_by
from kgcore.runs.entries import Address
from kgcore.runs.offers import read_or_raise
from kgcore.runs.view import NodeView, RunView

_NEAR = 0.005


@dataclass(frozen=True, slots=True)
class Score:
    """A question whose reply scores a node: which of its scores, and by what that is multiplied to the node's value."""

    asked: Asked
    number: int
    factor: float = 1.0


def score_of(view: RunView, asked: Mapping[Address, Asked], node: NodeView) -> Score | None:
    """Return where a node got its value; None where no model was asked for it."""
    if node.action == "beam":
        return _score_of_path(view, asked, node)
    for seq in reversed(node.entries):
        found = asked_by(asked, view.entry(seq))
        if found is None or node.id not in found.about:
            continue
        if isinstance(found.request, RateSiblings) and found.replies.value is not None:
            return Score(found, found.about.index(node.id))
        if isinstance(found.request, RateState | RateAnswer):
            return Score(found, 0)
    return None


def reply_scoring(score: Score, value: float, reason: str) -> str:
    """Return the reply that gives the node this value; InputError where it cannot have it."""
    if not 0 <= value <= 1:
        raise InputError("a value lies between 0 and 1")
    own = value / score.factor if score.factor > 0 else value
    if own > 1 + _NEAR:
        raise InputError(f"this path can be given at most {score.factor:.2f}")
    request, old = score.asked.request, _ratings(score.asked)
    new = [
        Rating(min(own, 1.0), reason) if n == score.number else rating
        for n, rating in enumerate(old)
    ]
    if isinstance(request, RateState | RateAnswer):
        reply = f"Value: {new[0].value:.4g}\nReason: {one_line(reason, 200)}"
    else:
        reply = _numbered(request, new, has_reasons=True)
    if not _says(request, reply, new) and not isinstance(request, RateState | RateAnswer):
        reply = _numbered(request, new, has_reasons=False)
    if not _says(request, reply, new):
        raise InputError("this value would be read as another one")
    return reply


def _ratings(asked: Asked) -> tuple[Rating, ...]:
    """Return all scores of a reply in a row; none was readable: all are 0."""
    value: Any = asked.replies.value
    if isinstance(asked.request, ScoreRelations | ScoreEntities):
        groups = value or [[Rating(0.0)] * len(names) for names in _things(asked.request)]
        return tuple(rating for group in groups for rating in group)
    if isinstance(asked.request, RateSiblings):
        return tuple(value)
    return (value or Rating(0.0),)


def _numbered(request: Any, ratings: Sequence[Rating], *, has_reasons: bool) -> str:
    letter = getattr(request, "letter", "")
    lines = []
    for n, rating in enumerate(ratings, 1):
        if letter and not rating.value and not rating.reason:
            continue  # what is not named counts 0
        reason = one_line(rating.reason, 200) if has_reasons else ""
        lines.append(f"{letter}{n}: {rating.value:.4g}" + (f" – {reason}" if reason else ""))
    return "\n".join(lines) or "none"


def _says(request: Any, reply: str, wanted: Sequence[Rating]) -> bool:
    """Whether a reply would be read as these values."""
    try:
        value = read_or_raise(request, reply)
    except InputError:
        return False
    if isinstance(request, ScoreRelations | ScoreEntities):
        value = [rating for group in value for rating in group]
    elif isinstance(value, Rating):
        value = [value]
    return len(value) == len(wanted) and all(
        abs(one.value - other.value) <= _NEAR for one, other in zip(value, wanted, strict=True)
    )


# paths of a beam


def _score_of_path(view: RunView, asked: Mapping[Address, Asked], node: NodeView) -> Score | None:
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    if parent is None:
        return None
    before = [
        found
        for seq in reversed(parent.entries)
        if seq < node.seq and (found := asked_by(asked, view.entry(seq))) is not None
    ]
    path, relation = _path_text(view, parent, node), node.argument.rpartition(" → ")[0]
    by_thing = _first(before, ScoreEntities, path, node.argument)
    by_relation = _first(before, ScoreRelations, path, relation)
    if by_thing is not None:
        factor = _value(by_relation) if by_relation is not None else 1.0
        return Score(by_thing.asked, by_thing.number, factor)
    if by_relation is None:
        return None
    own = _value(by_relation)
    return Score(
        by_relation.asked,
        by_relation.number,
        (node.value or 0) / own if own and node.value else 1.0,
    )


def _value(score: Score) -> float:
    return _ratings(score.asked)[score.number].value


def _first(before: Sequence[Asked], kind: type[Any], path: str, name: str) -> Score | None:
    """Return the score of what is called so after a path, in the latest question of a kind."""
    for asked in before:
        if not isinstance(asked.request, kind):
            continue
        n = 0
        for group, names in zip(asked.request.groups, _things(asked.request), strict=True):
            if group.path == path and name in names:
                return Score(asked, n + names.index(name))
            n += len(names)
    return None


def _things(request: ScoreRelations | ScoreEntities) -> list[list[str]]:
    """Return what the things of each group are called, as a node of the tree calls them."""
    if isinstance(request, ScoreRelations):
        return [[option.phrase for option in group.options] for group in request.groups]
    return [
        [f"{group.phrase} → {thing.name}" for thing in group.things] for group in request.groups
    ]


def _path_text(view: RunView, parent: NodeView, node: NodeView) -> str:
    """Return a path in words as the requests write it, from the question's entity to its end."""
    steps: list[str] = []
    first = node
    above: NodeView | None = parent
    while above is not None and above.action == "beam":
        steps.append(above.argument)
        first = above
        above = view.nodes.get(above.parent) if above.parent is not None else None
    start = view.nodes[0].subgraph.entity(first.selected[0]).name if first.selected else ""
    return " → ".join([start, *reversed(steps)])
