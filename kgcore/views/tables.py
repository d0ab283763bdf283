"""Subgraph and search tree as text: for reading, for screen readers, and where a drawing says too little."""

from __future__ import annotations

from typing import Any

from kgcore.i18n import translate
from kgcore.model import EntityId, Triple
from kgcore.runs import NodeView, RunView
from kgcore.views.tree_network import ACTIONS, hand_mark


def triples_of(view: RunView, entity: EntityId) -> list[Triple]:
    """Return the triples of the run's subgraph that touch an entity, in order of growth."""
    known = view.subgraph.canonical(entity)
    return [
        triple
        for triple in view.subgraph.triples
        if known in (triple.subject.id, getattr(triple.object, "id", None))
    ]


def added_by(view: RunView, triple: Triple) -> int | None:
    """Return the number of the first node of the search tree that added a triple."""
    wanted = triple_key(view, triple)
    for node in view.nodes.values():
        if any(triple_key(view, added) == wanted for added in node.added):
            return node.id
    return None


def brought_by(view: RunView, entity: EntityId) -> int | None:
    """Return the number of the first node of the search tree that holds an entity."""
    known = view.subgraph.canonical(entity)
    for node in view.nodes.values():
        held = {view.subgraph.canonical(e.id) for e in node.subgraph.entities}
        if known in held:
            return node.id
    return None


def triple_key(view: RunView, triple: Triple) -> tuple[Any, ...]:
    """Return what makes a triple the same as another one in a run, whichever of an entity's ids it uses."""
    known, end = view.subgraph.canonical, triple.object
    target = known(end.id) if hasattr(end, "id") else end
    return (known(triple.subject.id), triple.relation.id, target)


def tree_text(view: RunView, language: str = "en") -> str:
    """Return the search tree as indented lines; the answer's path is marked with a star."""
    path = set(view.answer_path)
    children: dict[int | None, list[NodeView]] = {}
    for node in view.nodes.values():
        children.setdefault(node.parent, []).append(node)
    lines: list[str] = []
    stack = [(node, "", "") for node in reversed(children.get(None, []))]
    while stack:
        node, lead, below = stack.pop()
        lines.append(f"{lead}{'★ ' if node.id in path else ''}{node_line(node, language)}")
        kids = children.get(node.id, [])
        for i, kid in reversed(list(enumerate(kids))):
            is_last = i == len(kids) - 1
            branch, bar = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
            stack.append((kid, below + branch, below + bar))
    return "\n".join(lines)


def node_line(node: NodeView, language: str = "en") -> str:
    """Return a node of the search tree in one line, marked where a person had a hand in it."""
    parts = [
        f"#{node.id} {translate(ACTIONS.get(node.action, node.action), language)}{hand_mark(node)}"
    ]
    if node.argument:
        parts.append(" ".join(node.argument.split()))
    if node.value is not None:
        parts.append(translate("value {value:.2f}", language, value=node.value))
    if node.status == "merged":
        parts.append(translate("same as #{node}", language, node=node.merged_into))
    if node.status == "no_answer":
        parts.append(translate("cannot tell", language))
    return " · ".join(parts)
