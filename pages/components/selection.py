"""What a person picked in a run: a node of the search tree, an entity or a triple of the graph."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from kgcore.views.growth import Fold, Growth, fold_id

__all__ = [
    "Selection",
    "clear",
    "forget_entries",
    "growth_of",
    "on_kg_event",
    "on_tree_event",
    "pick",
    "selection",
]

GROWTHS = 8  # drawings kept in a session


@dataclass(frozen=True, slots=True)
class Selection:
    """`kind` is tree, entity, triple, several, extra, entry or empty.

    `id` is a node's number, the id of what the graph shows, or an entry's number.
    """

    kind: str = ""
    id: str = ""

    @property
    def node(self) -> int | None:
        """The number of the node of the search tree that was picked."""
        return int(self.id) if self.kind == "tree" else None


def selection(run_id: str) -> Selection:
    """Return what is picked in this run."""
    kept: dict[str, Selection] = st.session_state.setdefault("selections", {})
    return kept.get(run_id, Selection())


def pick(run_id: str, kind: str, name: str) -> None:
    """Pick something."""
    st.session_state.setdefault("selections", {})[run_id] = Selection(kind, name)


def clear(run_id: str) -> None:
    """Pick nothing."""
    st.session_state.setdefault("selections", {}).pop(run_id, None)


def forget_entries() -> None:
    """Pick nothing where an entry of the journal was picked."""
    kept: dict[str, Selection] = st.session_state.get("selections", {})
    for run_id in [name for name, picked in kept.items() if picked.kind == "entry"]:
        del kept[run_id]


def growth_of(run_id: str) -> Growth:
    """Return the places of this run's drawing, kept so that nothing moves within a session."""
    kept: dict[str, Growth] = st.session_state.setdefault("growths", {})
    while len(kept) >= GROWTHS and run_id not in kept:
        kept.pop(next(iter(kept)))
    return kept.setdefault(run_id, Growth())


def on_tree_event(run_id: str, event: dict[str, Any] | None) -> None:
    """Take a click on the search tree: a node, or what hangs below it."""
    if not event:
        return
    name = str(event.get("id") or "")
    number = name.lstrip("x+")
    if event.get("type") == "node" and number.isdigit():
        pick(run_id, "tree", number)
    else:
        clear(run_id)


def on_kg_event(run_id: str, event: dict[str, Any] | None) -> None:
    """Take a click on the graph: an entity, a literal's triple, a line, or a "+n" node to open."""
    if not event:
        return
    kind, name = event.get("type"), str(event.get("id") or "")
    mark, _, rest = name.partition("\t")
    if kind == "none" or mark in ("?", "-+"):
        clear(run_id)
    elif mark == "+":
        _open(run_id, name)
    elif mark == "=":
        subject, _, literal = rest.partition("\t")
        relation = literal.partition("\t")[0]
        pick(run_id, "triple", "\t".join(("-", subject, relation, name)))
    else:
        pick(run_id, "triple" if mark == "-" else "entity", name)


def _open(run_id: str, name: str) -> None:
    growth = growth_of(run_id)
    folds: dict[str, Fold] = {fold_id(fold): fold for fold in growth.folds}
    if name in folds:
        growth.open(folds[name])
