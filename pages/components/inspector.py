"""A closer look at what is picked: a node of the search tree, an entry of the journal, an entity, or a triple."""

from dataclasses import replace

import streamlit as st

from kgcore.model import EntityId
from kgcore.runs import NodeView, RunView
from kgcore.runs.acts import act_words
from kgcore.views.details import before_and_after, calls_of, rejections_of
from kgcore.views.kg_network import edges_by_id
from kgcore.views.tables import node_line, tree_text
from pages.components import change, gate_waiting, graph_picks
from pages.components.inspector_calls import show_calls
from pages.components.inspector_entry import show_entry
from pages.components.inspector_things import show_entity, show_triple
from pages.components.language import current, mark, t, tn, told_here
from pages.components.selection import Selection, selection
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.triple_table import triple_table
from pages.components.watch import Seen

__all__ = ["show"]

BY_HAND = "✎"
STATUS = {
    "open": mark("open"),
    "expanded": mark("expanded"),
    "answer": mark("answer"),
    "no_answer": mark("no answer"),
    "merged": mark("merged"),
    "pruned": mark("not kept"),
}


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the inspector: what is picked, else the node the search is at."""
    view, picked = seen.view, selection(run_id)
    if graph_picks.show(seen, run_id):
        return
    if picked.kind == "entity" and picked.id in view.subgraph:
        show_entity(view, run_id, view.subgraph.entity(EntityId(picked.id)))
        return
    if picked.kind == "triple":
        triple = edges_by_id(view.subgraph).get(picked.id)
        if triple is not None:
            show_triple(seen, run_id, triple, palette)
            return
    if picked.kind in ("entity", "triple") and gate_waiting.show_picked(seen, run_id, picked.id):
        return
    entry = _entry_to_show(seen, picked)
    if entry is not None:
        show_entry(view, run_id, entry, palette)
        return
    node = view.nodes.get(_node_to_show(seen, picked))
    if node is None:
        hint = t("Click a node of either drawing, or an entry of the log, to look into it.")
        st.html(f'<p class="ts-muted">{hint}</p>')
    elif picked.kind != "tree" and seen.is_live and seen.status not in ("paused", "waiting"):
        _show_passing(node, palette)
    else:
        _show_node(seen, run_id, node, palette)


def _entry_to_show(seen: Seen, picked: Selection) -> int | None:
    """Return the entry that was picked; in the past, where nothing picked was there yet, the one of the moment."""
    if picked.kind == "entry" and picked.id.isdecimal() and int(picked.id) < seen.view.n_entries:
        return int(picked.id)
    if seen.past is None or (picked.kind == "tree" and picked.node in seen.view.nodes):
        return None
    return seen.past.n - 1


def _node_to_show(seen: Seen, picked: Selection) -> int:
    if picked.node is not None:
        return picked.node
    path = seen.view.answer_path
    if path and not seen.is_live:
        return path[-1]
    return seen.view.current if seen.view.current is not None else 0


def _show_node(seen: Seen, run_id: str, node: NodeView, palette: Palette) -> None:
    view = seen.view
    with st.container(horizontal=True, vertical_alignment="top", gap="xsmall", key="ts-inspected"):
        title = f'<span class="ts-panel-title">{cell(_title(node), 300)}</span>'
        st.html(f'<div class="ts-head">{title}{_facts(node, palette)}</div>{_about(node)}')
        change.show_button(run_id, place="node", node=node.id)
    calls, subgraph, text = st.tabs([t("Prompts and replies"), t("Subgraph"), t("All as text")])
    with calls:
        _show_calls(view, run_id, node, palette)
    subgraph.html(_before_and_after(view, node))
    text.code(tree_text(view, current()), language=None)
    held = [(line.triple, told) for line, told in gate_waiting.marked(seen, run_id)]
    none = t("No triples were fetched.")
    text.html(triple_table(view.subgraph.triples, empty=none, waiting=held))


def _show_passing(node: NodeView, palette: Palette) -> None:
    """Draw the node a live run is at: little enough to be drawn several times a second."""
    hint = f'<span class="ts-muted ts-end">{t("click a node to look into it")}</span>'
    title = f'<span class="ts-panel-title">{cell(_title(node), 300)}</span>'
    head = f'<div class="ts-head">{title}{_facts(node, palette)}{hint}</div>'
    st.html(head + _about(node) + triple_table(node.added))


def _title(node: NodeView) -> str:
    """Return number, action and argument."""
    return node_line(replace(node, value=None), current())


def _facts(node: NodeView, palette: Palette) -> str:
    parts = []
    if node.value is not None:
        fill, _ = palette.heat_of(node.value)
        words = t("value {value}", value=f"{node.value:.2f}")
        parts.append(chip(words, color=fill, border=palette.muted))
    if node.samples > 1:
        parts.append(chip(t("{votes} of {n} samples", votes=node.votes, n=node.samples)))
    return "".join(parts)


def _about(node: NodeView) -> str:
    parts = [
        t(STATUS.get(node.status, node.status)),
        t("depth {n}", n=node.depth),
        cell(told_here(node.reason), 600) if node.reason else "",
    ]
    acts = "".join(
        f'<p class="ts-byhand">{BY_HAND} {cell(act_words(act, current()), 300)}</p>'
        for act in node.acts
    )
    return f'<p class="ts-muted">{" · ".join(part for part in parts if part)}</p>{acts}'


def _show_calls(view: RunView, run_id: str, node: NodeView, palette: Palette) -> None:
    calls = calls_of(view, node)
    for text, reason in rejections_of(view, node.id):
        word = chip(t("rejected"), color=palette.rejected, mark="✗")
        st.html(f'<p class="ts-muted">{word} {cell(text, 200)} – {cell(reason, 200)}</p>')
    if not calls:
        st.html(f'<p class="ts-muted">{t("No call was made for this node.")}</p>')
    show_calls(run_id, calls, place=f"node-{node.id}")


def _before_and_after(view: RunView, node: NodeView) -> str:
    added, known = before_and_after(view, node)
    counts = t("{before} before, {after} after", before=len(known), after=len(node.subgraph))
    words = tn("{n} triple added", "{n} triples added", len(added)) if added else t("none added")
    head = f'<p class="ts-muted">{t("Triples")}: {counts} – {words}</p>'
    return head + triple_table(known, added=added, empty=t("Nothing is known here yet."))
