"""Taking a branch out of a search, as replies.

In a tree of traversals a branch is there because some samples chose its first step: without these samples it never
comes into being. A path of a beam is dropped when it is scored 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgcore.errors import InputError
from kgcore.model.text import one_line
from kgcore.prompts import (
    ChooseAction,
    ChooseEntities,
    ChooseRelation,
    ExpandKG,
    GiveAnswer,
    SelectEntities,
    SelectRelation,
    Think,
)
from kgcore.runs.asked import Asked, asked_by
from kgcore.runs.entries import Act, Address, Edit
from kgcore.runs.scoring import reply_scoring, score_of
from kgcore.runs.view import NodeView, RunView
from kgcore.steps import Replies, Reply

_STEPS = ChooseAction | ChooseEntities | ChooseRelation


def choice_of(view: RunView, asked: Mapping[Address, Asked], node: NodeView) -> Asked | None:
    """Return the latest question about a node's parent before the node came; None where there was none.

    One reply may bring a thought and, below it, the step that follows: then the question is about what is above both.
    """
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    for seq in reversed(parent.entries if parent is not None else ()):
        found = asked_by(asked, view.entry(seq))
        if found is not None and seq < node.seq:
            return found
    is_thought = parent is not None and parent.action == "think"
    return choice_of(view, asked, parent) if parent is not None and is_thought else None


def can_prune(view: RunView, asked: Mapping[Address, Asked], node: NodeView) -> Address | None:
    """Return where a node can be pruned; None where no reply of a model brought it."""
    if node.action == "beam":
        score = score_of(view, asked, node)
        return score.asked.address if score is not None else None
    choice = choice_of(view, asked, node)
    return choice.address if choice is not None and _samples(view, choice, node) else None


def pruning(
    view: RunView, asked: Mapping[Address, Asked], node: NodeView, *, author: str = "local"
) -> Edit:
    """Return the edit that takes a node, and all that grew below it, out of the search."""
    parent = node.parent if node.parent is not None else -1
    words = node.argument or node.action.replace("_", " ")
    act = Act("prune", author, parent, f"#{node.id} “{one_line(words, 80)}”")
    if node.action == "beam":
        score = score_of(view, asked, node)
        if score is not None:
            reply = reply_scoring(score, 0.0, f"pruned by {author}")
            return Edit(*score.asked.address, replies=(reply,), act=act)
    else:
        choice = choice_of(view, asked, node)
        gone = _samples(view, choice, node) if choice is not None else set()
        if choice is not None and gone:
            kept = tuple(text for n, text in enumerate(choice.texts) if n not in gone)
            if kept:
                return Edit(*choice.address, replies=kept, act=act)
            return Edit(*choice.address, result=_silent(choice, act), act=act)
    raise InputError(f"#{node.id} was not chosen by a model: prune the step before it")


def _silent(choice: Asked, act: Act) -> Replies:
    """Return replies that choose nothing and say why; the search tells it like any other choice it cannot follow."""
    reason = f"{one_line(act.author, 40)} took this out of the search"
    return Replies((Reply(act.what, None, reason),), choice.replies.prompt)


def _samples(view: RunView, choice: Asked, node: NodeView) -> set[int]:
    """Return which samples chose a node's step."""
    if not isinstance(choice.request, _STEPS):
        return set()
    replies = enumerate(choice.replies.items)
    return {
        n for n, reply in replies if not reply.problem and _is_of(view, choice, reply.value, node)
    }


def _is_of(view: RunView, choice: Asked, value: Any, node: NodeView) -> bool:
    """Whether a reply's value is the step that led to a node."""
    if isinstance(value, Think):
        return node.action == "think" and value.text == node.argument
    if isinstance(value, ExpandKG):
        return node.action == "expand"
    if isinstance(value, GiveAnswer):
        return node.action == "answer" and value.text == node.argument
    if isinstance(value, SelectEntities):
        known = view.nodes[node.parent].subgraph.canonical if node.parent is not None else str
        chosen = tuple(dict.fromkeys(known(e) for e in value.entities))
        return node.action == "select_entities" and chosen == node.selected
    if isinstance(value, SelectRelation) and isinstance(choice.request, ChooseRelation):
        phrase = choice.request.options[value.option].phrase
        return node.action == "select_relation" and phrase == node.argument
    return False
