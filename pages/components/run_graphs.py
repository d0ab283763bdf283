"""The two drawings of a run side by side: the knowledge subgraph and the search tree."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from kgcore.model import EntityId, Literal
from kgcore.model.conflicts import find_conflicts
from kgcore.runs import RunView
from kgcore.views.details import Things, things_at
from kgcore.views.entity_links import links_of
from kgcore.views.finding import hidden_entities, hidden_steps
from kgcore.views.kg_network import edge_id, edges_by_id, kg_network, same_in
from kgcore.views.moments import keep_places, room_of
from kgcore.views.style import kg_colors
from kgcore.views.tables import added_by, brought_by
from kgcore.views.tree_network import tree_network
from pages.components import finding, gate_waiting, graph_acts, graph_changes, rationales
from pages.components.challenge import marks
from pages.components.graph import graph
from pages.components.language import current as language
from pages.components.language import t
from pages.components.method_options import asks_sources, is_beam
from pages.components.selection import (
    Selection,
    growth_of,
    selection,
)
from pages.components.theme import Palette, heat_legend, legend
from pages.components.watch import Seen

__all__ = ["show"]

HEIGHT = 340


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw both, with what is picked in one shown in the other."""
    view, picked = seen.view, selection(run_id)
    with st.container(key="ts-drawings"):  # one above the other where there is little room
        left, right = st.columns([0.5, 0.5], gap="small", vertical_alignment="bottom")
        said = st.container()  # below both, so that what comes and goes in it moves nothing
    graph_changes.redraw_for_dialog()
    with said:
        graph_acts.show_hop(seen, run_id)
    with left:
        st.html(_kg_legend(seen, run_id, palette))
        _show_kg(seen, run_id, picked, palette)
    with right:
        if view.started is not None and asks_sources(view.started.method):
            _show_rationales(seen, run_id, picked, palette)
        else:
            _show_tree(seen, run_id, picked, palette)


def _show_rationales(seen: Seen, run_id: str, picked: Selection, palette: Palette) -> None:
    """Draw the cards of a Chain-of-Knowledge, or its chain as a tree."""
    kind = st.segmented_control(
        t("Show"),
        [t("Rationales"), t("Search tree")],
        default=t("Rationales"),
        key=f"rationales-or-tree-{run_id}",
        label_visibility="collapsed",
        required=True,
    )
    if kind == t("Search tree"):
        _show_tree(seen, run_id, picked, palette)
        return
    with st.container(height=HEIGHT, border=True, key="ts-rationales", gap="small"):
        rationales.show(seen, run_id, palette)


def _show_kg(seen: Seen, run_id: str, picked: Selection, palette: Palette) -> None:
    view = seen.view
    marked: list[str] = []
    if picked.node is not None and picked.node in view.nodes:
        added = same_in(view.subgraph, view.nodes[picked.node].added)
        marked = [edge_id(triple) for triple in added]
    things = _things(view, picked)
    marked += [edge_id(triple) for triple in same_in(view.subgraph, things.triples)]
    chosen = picked.id if picked.kind in ("entity", "triple", "extra") else ""
    only = graph_acts.only_of(run_id)
    growth = growth_of(run_id)
    growth.follow(seen.whole.entries)  # an earlier moment is drawn at the places of the whole run
    net = kg_network(
        view,
        palette,
        growth=growth,
        subgraph=view.nodes[only].subgraph if only in view.nodes else None,
        selected=chosen,
        marked=marked,
        suspects=marks(seen, run_id),
        beside=graph_acts.beside_of(run_id) if only not in view.nodes else None,
        waiting=gate_waiting.drawn(seen, run_id) if only not in view.nodes else None,
        language=language(),
    )
    key = f"kg-{run_id}"
    drawn = {str(node["id"]) for node in net.nodes}
    part = drawn if only in view.nodes else ()
    n_hidden = len(hidden_entities(view.subgraph, growth, part))
    graph(
        net,
        key=key,
        height=HEIGHT,
        select=picked.id.split("\n")
        if picked.kind == "several"
        else [chosen]
        if chosen
        else list(things.entities),
        current=_latest(view),
        room=() if seen.past is None else room_of(growth.positions.values()),
        empty=t("The graph appears here as the run explores it.")
        if view.ended is None
        else t("Nothing of the graphs was explored."),
        menus=graph_acts.kg_menus(seen, run_id),
        barred=graph_changes.barred_in_kg(seen, run_id),
        links=links_of({e.id: e.url for e in view.subgraph.entities if e.id in drawn}),
        undo=graph_acts.kg_undo(run_id),
        name=_file(seen, run_id, "graph"),
        finding=finding.answer(key, n_hidden, lambda: hidden_entities(view.subgraph, growth, part)),
        nowhere=t("not in what the run has seen"),
        on_event=_forward(key, seen, run_id, graph_acts.take_kg),
    )


def _show_tree(seen: Seen, run_id: str, picked: Selection, palette: Palette) -> None:
    view = seen.view
    st.html(_tree_legend(view, palette))
    node = picked.node if picked.kind == "tree" else _node_of(view, picked)
    node = _things(view, picked).node if node is None else node
    key = f"tree-{run_id}"
    current = view.current if seen.is_live or not view.answer_path else view.answer_path[-1]
    focus = node if node is not None else current  # seen at a readable size where the whole is not
    folds = graph_acts.folds_of(run_id)
    net = tree_network(view, palette, selected=node, folds=folds, language=language())
    drawn = {str(node["id"]) for node in net.nodes}
    n_hidden = sum(str(number) not in drawn for number in view.nodes)
    room = (
        keep_places(net, tree_network(seen.whole, palette, folds=folds))
        if seen.past is not None
        else ()
    )
    graph(
        net,
        key=key,
        height=HEIGHT,
        select=[] if node is None else [str(node)],
        focus=None if focus is None else str(focus),
        room=room,
        empty=t("The search tree appears here.")
        if seen.is_live
        else t("The search did not begin."),
        menus=graph_acts.tree_menus(seen),
        barred=graph_changes.barred_in_tree(view),
        undo=graph_acts.tree_undo(run_id),
        name=_file(seen, run_id, "tree"),
        finding=finding.answer(key, n_hidden, lambda: hidden_steps(view, drawn, language())),
        nowhere=t("not in what the run has seen"),
        on_event=_forward(key, seen, run_id, graph_acts.take_tree),
    )


def _latest(view: RunView) -> str | None:
    """Return the entity the run is at: the one it picked last, else the one it came to last."""
    node = view.nodes.get(view.current) if view.current is not None else None
    names = [*(node.selected if node else ()), *(e.id for e in view.subgraph.entities[-1:])]
    return view.subgraph.canonical(names[0]) if names else None


def _file(seen: Seen, run_id: str, kind: str) -> str:
    """Return the name of the files of pictures of this run."""
    question = seen.view.started.question if seen.view.started else ""
    return f"{run_id[:8]} {kind} {question}"


def _things(view: RunView, picked: Selection) -> Things:
    """Return what the entry that was picked is about; nothing where none was."""
    is_known = picked.kind == "entry" and picked.id.isdecimal() and int(picked.id) < view.n_entries
    return things_at(view, int(picked.id)) if is_known else Things()


def _node_of(view: RunView, picked: Selection) -> int | None:
    """Return the node of the search tree that brought what is picked in the graph."""
    if picked.kind == "entity":
        return brought_by(view, EntityId(picked.id))
    triple = edges_by_id(view.subgraph).get(picked.id)
    return None if triple is None else added_by(view, triple)


def _forward(
    key: str, seen: Seen, run_id: str, take: Callable[[Seen, str, dict[str, Any] | None], None]
) -> Callable[[], None]:
    def on_event() -> None:
        state = st.session_state.get(key)
        take(seen, run_id, state.get("event") if state is not None else None)

    return on_event


def _kg_legend(seen: Seen, run_id: str, palette: Palette) -> str:
    view = seen.view
    names = [name for name, _ in view.started.kgs] if view.started else []
    items = [("", color, name) for name, color in kg_colors(names, palette).items()]
    items.append(("◆", palette.text, t("question")))
    if any(isinstance(triple.object, Literal) for triple in view.subgraph.triples):
        items.append(("▭", palette.muted, t("value")))
    if any(len(view.subgraph.members(e.id)) > 1 for e in view.subgraph.entities):
        items.append(("⬢", palette.muted, t("several graphs")))
    answer = view.answer
    if answer is not None and answer.is_answer:
        items.append(("★", palette.answer, t("answer path")))
        if answer.is_model_memory:
            items.append(("?", palette.memory, t("model memory")))
    if any(one.provenance and one.provenance.correction for one in view.subgraph.triples):
        items.append(("✓", palette.corrected, t("corrected")))
    if find_conflicts(view.subgraph.triples):
        items.append(("≠", palette.muted, t("graphs disagree")))
    if gate_waiting.drawn(seen, run_id) is not None:
        items.append(("?", palette.corrected, t("waiting")))
    if marks(seen, run_id):
        items.append(("?!", palette.rejected, t("suspect")))
    return legend(t("Knowledge graph"), items)


def _tree_legend(view: RunView, palette: Palette) -> str:
    if view.started is not None and is_beam(view.started.method):
        items = [("▭", palette.muted, t("path of the beam")), ("┄", palette.muted, t("not kept"))]
        title, value = t("Beams by depth"), t("value of a path")
    else:
        items = [("◯", palette.muted, t("think")), ("▭", palette.muted, t("other actions"))]
        items.append(("┄", palette.backtrack, t("turned back")))
        title, value = t("Search tree"), t("value of a step")
    items.append(("✗", palette.rejected, t("rejected")))
    if any(node.acts for node in view.nodes.values()):
        items.append(("✎", palette.corrected, t("by a person")))
    row = legend(title, items)
    return row.removesuffix("</div>") + heat_legend(palette, value) + "</div>"
