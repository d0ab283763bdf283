"""A closer look at what is picked: a node of the search tree, an entity, or a triple."""

from dataclasses import replace

import streamlit as st

from kgcore.model import Entity, EntityId, Triple
from kgcore.runs import NodeView, RunView
from kgcore.views.details import Call, calls_of, rejections_of
from kgcore.views.kg_network import edges_by_id
from kgcore.views.report import kg_of
from kgcore.views.tables import added_by, brought_by, node_line, tree_text, triples_of
from pages.components import correction_dialog, graph_picks
from pages.components.selection import Selection, pick, selection
from pages.components.text import cell, rows, safe_link
from pages.components.theme import Palette, chip
from pages.components.trace import show_source
from pages.components.watch import Seen

__all__ = ["show"]

PARTS = {"choice": "The choice that led here", "rating": "Its rating", "next": "What to do next"}


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the inspector: what is picked, else the node the search is at."""
    view, picked = seen.view, selection(run_id)
    if graph_picks.show(seen, run_id):
        return
    if picked.kind == "entity" and picked.id in view.subgraph:
        _show_entity(view, run_id, view.subgraph.entity(EntityId(picked.id)))
        return
    if picked.kind == "triple":
        triple = edges_by_id(view.subgraph).get(picked.id)
        if triple is not None:
            _show_triple(seen, run_id, triple, palette)
            return
    node = view.nodes.get(_node_to_show(seen, picked))
    if node is None:
        st.html('<p class="ts-muted">Click a node of either drawing to look into it.</p>')
        return
    if picked.kind != "tree" and seen.is_live:
        _show_passing(node, palette)
    else:
        _show_node(view, node, palette)


def _node_to_show(seen: Seen, picked: Selection) -> int:
    if picked.node is not None:
        return picked.node
    path = seen.view.answer_path
    if path and not seen.is_live:
        return path[-1]
    return seen.view.current if seen.view.current is not None else 0


# a node of the search tree


def _show_node(view: RunView, node: NodeView, palette: Palette) -> None:
    title = f'<span class="ts-panel-title">{cell(_title(node), 300)}</span>'
    st.html(f'<div class="ts-head">{title}{_facts(node, palette)}</div>{_reason(node)}')
    calls, added, known, text = st.tabs(
        ["Prompts and replies", "Added", "Known here", "All as text"]
    )
    with calls:
        _show_calls(view, node, palette)
    added.html(_triples(node.added, empty="This step added no triples."))
    known.html(_triples(node.subgraph.triples, empty="Nothing is known here yet."))
    text.code(tree_text(view), language=None)
    text.html(_triples(view.subgraph.triples, empty="No triples were fetched."))


def _show_passing(node: NodeView, palette: Palette) -> None:
    """Draw the node a live run is at: little enough to be drawn several times a second."""
    hint = '<span class="ts-muted ts-end">click a node to look into it</span>'
    title = f'<span class="ts-panel-title">{cell(_title(node), 300)}</span>'
    added = _triples(node.added, empty="")
    st.html(
        f'<div class="ts-head">{title}{_facts(node, palette)}{hint}</div>{_reason(node)}{added}'
    )


def _title(node: NodeView) -> str:
    """Return number, action and argument."""
    return node_line(replace(node, value=None))


def _facts(node: NodeView, palette: Palette) -> str:
    parts = []
    if node.value is not None:
        fill, _ = palette.heat_of(node.value)
        parts.append(chip(f"value {node.value:.2f}", color=fill, mark=""))
    if node.samples > 1:
        parts.append(chip(f"{node.votes} of {node.samples} samples"))
    return "".join(parts)


def _reason(node: NodeView) -> str:
    parts = [
        node.status.replace("_", " "),
        f"depth {node.depth}",
        cell(node.reason, 600) if node.reason else "",
    ]
    return f'<p class="ts-muted">{" · ".join(part for part in parts if part)}</p>'


def _show_calls(view: RunView, node: NodeView, palette: Palette) -> None:
    calls = calls_of(view, node)
    for text, reason in rejections_of(view, node.id):
        st.html(
            f'<p class="ts-muted">{chip("rejected", color=palette.rejected, mark="✗")} '
            f"{cell(text, 200)} – {cell(reason, 200)}</p>"
        )
    if not calls:
        st.html('<p class="ts-muted">No call was made for this node.</p>')
    for call in calls:
        if not call.prompt and not call.replies:
            st.html(f'<p class="ts-muted">{cell(call.text, 300)} · {call.seconds:.2f} s</p>')
            continue
        with st.expander(f"{PARTS[call.part]} – {_size(call)}", key=f"call-{node.id}-{call.seq}"):
            st.html(_replies(call))
            for text in call.left_out:
                st.html(f'<p class="ts-muted">left out of the prompt: {cell(text, 200)}</p>')
            if call.prompt:
                st.caption("Prompt as sent")
                st.code(call.prompt, language=None, wrap_lines=True)


def _size(call: Call) -> str:
    n = len(call.replies)
    tokens = f", {call.usage.tokens:,} tokens" if call.usage.tokens else ""
    via = "" if call.via == "live" else f", {call.via}"
    return f"{n} sample{'' if n == 1 else 's'}{tokens}, {call.seconds:.2f} s{via}"


def _replies(call: Call) -> str:
    items = [
        {
            "reply": cell(reply.text, 600),
            "read as": f"✗ {cell(reply.problem, 200)}"
            if reply.problem
            else cell(reply.read_as, 300),
        }
        for reply in call.replies
    ]
    return rows(("reply", "read as"), items)


# an entity, a triple


def _show_entity(view: RunView, run_id: str, entity: Entity) -> None:
    members = view.subgraph.members(entity.id)
    links = " ".join(
        f"{safe_link(m.id, m.url)}{f' ({cell(m.kg, 60)})' if m.kg else ''}" for m in members
    )
    kind = f" · {cell(', '.join(entity.types[:4]), 120)}" if entity.types else ""
    about = f'<p class="ts-muted">{cell(entity.description, 300)}{kind}</p>'
    st.html(
        f'<p class="ts-panel-title">{cell(entity.name, 200)}</p>'
        f'<p class="ts-muted ts-link">{links}</p>{about}'
    )
    _show_node_button(run_id, brought_by(view, entity.id))
    st.html(_triples(triples_of(view, entity.id), empty="No triple about it was fetched yet."))


def _show_triple(seen: Seen, run_id: str, triple: Triple, palette: Palette) -> None:
    view = seen.view
    with st.container(gap="xsmall"):
        st.html(f'<p class="ts-panel-title">{cell(triple.text, 300)}</p>')
        show_source(view, triple, palette)
        with st.container(horizontal=True, gap="small"):
            _show_node_button(run_id, added_by(view, triple))
            if not seen.is_live:
                st.button(
                    "Correct it",
                    key="inspect-correct",
                    type="tertiary",
                    icon=":material/edit:",
                    on_click=correction_dialog.open_for,
                    args=(triple, "replace", view),
                )


def _show_node_button(run_id: str, node: int | None) -> None:
    if node is not None:
        st.button(
            f"Brought by step #{node} of the search",
            key="inspect-node",
            type="tertiary",
            icon=":material/account_tree:",
            on_click=pick,
            args=(run_id, "tree", str(node)),
        )


def _triples(triples: object, *, empty: str = "") -> str:
    items = [
        {
            "subject": cell(t.subject.name, 100),
            "relation": cell(t.relation.name, 80),
            "object": cell(t.object.name, 140),
            "graph": cell(kg_of(t), 60),
        }
        for t in triples  # type: ignore[attr-defined]
    ]
    return rows(("subject", "relation", "object", "graph"), items, empty=empty)
