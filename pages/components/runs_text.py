"""Two runs side by side as text, for those who do not look at drawings: both search trees, and whose triples."""

from collections.abc import Collection, Iterable

import streamlit as st

from kgcore.model import Triple
from kgcore.runs import RunView
from kgcore.runs.first_difference import Difference
from kgcore.views.tree_network import node_label
from pages.components.text import cell, rows

__all__ = ["show"]

DEEPEST = 12  # steps of indentation
MOST = 120  # lines of a tree


def show(views: tuple[RunView, RunView], titles: tuple[str, str], found: Difference | None) -> None:
    """Draw both as text, closed until somebody opens it."""
    first, second = (tuple(view.subgraph.triples) for view in views)
    n_shared = len(set(first) & set(second))
    counts = f"{n_shared:,} triples in both, {len(set(first) - set(second)):,} only in the first"
    counts += f", {len(set(second) - set(first)):,} only in the second"
    with st.expander(f"As text: {counts}", key="compare-text", icon=":material/notes:"):
        marked = (found.first.nodes, found.second.nodes) if found else ((), ())
        for column, view, title, nodes in zip(st.columns(2), views, titles, marked, strict=True):
            column.html(f'<p class="ts-panel-title">{title}: search tree</p>{_tree(view, nodes)}')
        for column, mine, theirs, title in zip(
            st.columns(2), (first, second), (second, first), titles, strict=True
        ):
            only = [triple for triple in mine if triple not in set(theirs)]
            column.html(f'<p class="ts-panel-title">Only in the {title.lower()}</p>{_table(only)}')


def _tree(view: RunView, marked: Collection[int]) -> str:
    below: dict[int | None, list[int]] = {}
    for node in view.nodes.values():
        above = node.parent if node.parent in view.nodes else None
        below.setdefault(above, []).append(node.id)
    lines: list[str] = []
    stack = [(node, 0) for node in reversed(below.get(None, []))]
    while stack and len(lines) < MOST:
        name, depth = stack.pop()
        text = " ".join(node_label(view.nodes[name]).split())
        mark = "<b>≠ first difference</b> " if name in marked else ""
        lines.append(
            f'<li style="margin-left:{14 * min(depth, DEEPEST)}px">{mark}{cell(text, 140)}</li>'
        )
        stack.extend((child, depth + 1) for child in reversed(below.get(name, [])))
    left = len(view.nodes) - len(lines)
    more = f'<p class="ts-muted">and {left:,} more</p>' if left > 0 else ""
    return f'<ul class="ts-lines">{"".join(lines)}</ul>{more}'


def _table(triples: Iterable[Triple]) -> str:
    items = [
        {
            "subject": cell(t.subject.name, 80),
            "relation": cell(t.relation.name, 60),
            "object": cell(t.object.name, 80),
        }
        for t in triples
    ]
    return rows(("subject", "relation", "object"), items, empty="none")
