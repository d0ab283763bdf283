"""Two runs side by side as text, for those who do not look at drawings: both search trees, and whose triples."""

from collections.abc import Collection

import streamlit as st

from kgcore.runs import RunView
from kgcore.runs.first_difference import Difference
from kgcore.views.tree_network import node_label
from pages.components.language import current as language
from pages.components.language import mark, t, tn
from pages.components.text import cell
from pages.components.triple_table import NARROW, triple_table

__all__ = ["show"]

TREES = (mark("First: search tree"), mark("Second: search tree"))
ONLY = (mark("Only in the first"), mark("Only in the second"))
DEEPEST = 12  # steps of indentation
MOST = 120  # lines of a tree


def show(views: tuple[RunView, RunView], found: Difference | None) -> None:
    """Draw both as text, closed until somebody opens it."""
    first, second = (tuple(view.subgraph.triples) for view in views)
    n_shared = len(set(first) & set(second))
    told = t(
        "As text: triples in both {both:,}, only in the first {first:,}, only in the second {second:,}",
        both=n_shared,
        first=len(set(first) - set(second)),
        second=len(set(second) - set(first)),
    )
    with st.expander(told, key="compare-text", icon=":material/notes:"):
        marked = (found.first.nodes, found.second.nodes) if found else ((), ())
        for column, view, title, nodes in zip(st.columns(2), views, TREES, marked, strict=True):
            column.html(f'<p class="ts-panel-title">{t(title)}</p>{_tree(view, nodes)}')
        for column, mine, theirs, title in zip(
            st.columns(2), (first, second), (second, first), ONLY, strict=True
        ):
            only = [triple for triple in mine if triple not in set(theirs)]
            table = triple_table(only, empty=t("none"), lengths=NARROW, has_graph=False)
            column.html(f'<p class="ts-panel-title">{t(title)}</p>{table}')


def _tree(view: RunView, marked: Collection[int]) -> str:
    below: dict[int | None, list[int]] = {}
    for node in view.nodes.values():
        above = node.parent if node.parent in view.nodes else None
        below.setdefault(above, []).append(node.id)
    lines: list[str] = []
    stack = [(node, 0) for node in reversed(below.get(None, []))]
    while stack and len(lines) < MOST:
        name, depth = stack.pop()
        text = " ".join(node_label(view.nodes[name], language=language()).split())
        sign = f"<b>≠ {t('first difference')}</b> " if name in marked else ""
        lines.append(
            f'<li style="margin-left:{14 * min(depth, DEEPEST)}px">{sign}{cell(text, 140)}</li>'
        )
        stack.extend((child, depth + 1) for child in reversed(below.get(name, [])))
    left = len(view.nodes) - len(lines)
    told = tn("and {n:,} more", "and {n:,} more", left)
    more = f'<p class="ts-muted">{told}</p>' if left > 0 else ""
    return f'<ul class="ts-lines">{"".join(lines)}</ul>{more}'
