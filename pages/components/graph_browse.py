"""A look inside a graph: search an entity, open it, follow its relations, read its values."""

from typing import Any

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.overview import GraphInfo
from kgcore.model import Entity, EntityId
from kgcore.steps import Candidates
from kgcore.views.explored import Explored
from kgcore.views.growth import fold_id
from pages.components import entity_panel, frame
from pages.components.graph import graph as draw
from pages.components.graph import warm_up
from pages.components.graph_choice import entity as wanted_entity
from pages.components.graph_choice import open_entity
from pages.components.text import plain
from pages.components.theme import Palette, current, legend

__all__ = ["show"]

HEIGHT, FOUND, KEPT = 470, 8, 8


def show(studio: Studio, info: GraphInfo) -> None:
    """Draw the search box, what was found, and what was opened."""
    warm_up()
    try:
        graph = studio.graph((info.name,))
        _show_search(graph, info)
        explored = _explored(info)
        opened = _opened(graph, explored, wanted_entity())
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    if opened is None:
        st.caption("Search for a name, open what is found, and follow its relations from there.")
        return
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        _show_drawing(info, explored, opened.id, current())
    with right:
        entity_panel.show(graph, explored, opened)


def _explored(info: GraphInfo) -> Explored:
    """Return what this session opened of a graph; another version of its data begins anew."""
    kept: dict[tuple[str, str], Explored] = st.session_state.setdefault("kg-explored", {})
    key = (info.name, info.version)
    while len(kept) >= KEPT and key not in kept:
        kept.pop(next(iter(kept)))
    return kept.setdefault(key, Explored((info.name,)))


def _opened(graph: KnowledgeGraph, explored: Explored, entity_id: str) -> Entity | None:
    """Return the entity that is looked at; one the address names is fetched first."""
    if not entity_id:
        return None
    name = EntityId(entity_id)
    if name not in explored.subgraph:
        with st.spinner("Looking it up…"):
            found = graph.describe((name,)).entities
        if not found:
            frame.show_problem(f"{graph.id} has no entity {entity_id}")
            return None
        explored.open(found[0])
        name = found[0].id
    return explored.subgraph.entity(name)


def _show_search(graph: KnowledgeGraph, info: GraphInfo) -> None:
    with (
        st.form(f"kg-search-{info.name}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        text = st.text_input(
            "Search",
            key="kg-text",
            label_visibility="collapsed",
            placeholder="Search for a name",
            icon=":material/search:",
        )
        is_asked = st.form_submit_button("Search")
    if is_asked and text and text.strip():
        with st.spinner("Searching…"):
            st.session_state["kg-found"] = (info.name, text, graph.link(text, limit=FOUND))
    name, asked, found = st.session_state.get("kg-found", ("", "", Candidates()))
    if name == info.name and asked:
        _show_found(info.name, asked, found)


def _show_found(graph: str, asked: str, found: Candidates) -> None:
    for note in found.notes:
        st.caption(plain(note, 300))
    if not found.items:
        st.caption(f"Nothing is called {plain(asked, 80)}.")
    with st.container(key="ts-compact-found", gap="xxsmall"):
        for candidate in found.items:
            entity = candidate.entity
            more = f":gray[ – {plain(entity.description, 110)}]" if entity.description else ""
            st.button(
                plain(entity.name, 70) + more,
                key=f"kg-take-{entity.id}",
                type="tertiary",
                icon=":material/arrow_outward:",
                help=plain(entity.id, 120),
                on_click=_take,
                args=(graph, entity.id),
            )


def _take(graph: str, entity_id: str) -> None:
    st.session_state.pop("kg-found", None)
    open_entity(graph, entity_id)


def _show_drawing(info: GraphInfo, explored: Explored, opened: EntityId, palette: Palette) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(legend("Opened so far", [("◆", palette.text, "opened by its name")]))
        st.button(
            "Start over",
            key="kg-over",
            type="tertiary",
            icon=":material/restart_alt:",
            on_click=_start_over,
            args=(info,),
        )
    key = f"browse-{info.name}-{info.version}".replace("__", "-")

    def on_event() -> None:
        state = st.session_state.get(key)
        _take_event(info.name, explored, state.get("event") if state is not None else None)

    draw(
        explored.network(palette, selected=opened),
        key=key,
        height=HEIGHT,
        select=[opened],
        focus=opened,
        on_event=on_event,
    )


def _take_event(graph: str, explored: Explored, event: dict[str, Any] | None) -> None:
    """Take a click on the drawing: an entity is opened, a "+n" node draws what waits behind it."""
    name = str((event or {}).get("id") or "")
    if not event or event.get("type") != "node":
        return
    folds = {fold_id(fold): fold for fold in explored.growth.folds}
    if name in folds:
        explored.growth.open(folds[name])
    elif name in explored.subgraph:
        open_entity(graph, name)


def _start_over(info: GraphInfo) -> None:
    st.session_state.get("kg-explored", {}).pop((info.name, info.version), None)
    st.query_params.from_dict({"graph": info.name})
