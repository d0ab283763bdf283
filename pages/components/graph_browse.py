"""A look inside a graph: search an entity, open it, follow its relations, read its values."""

import contextlib
from typing import Any

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError, ServiceError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.overview import GraphInfo
from kgcore.model import Entity, EntityId
from kgcore.steps import Candidates, EdgeSet
from kgcore.views.entity_links import links_of
from kgcore.views.explored import Explored
from kgcore.views.finding import folded_of, hidden_entities
from kgcore.views.growth import fold_id
from pages.components import entity_panel, finding, frame, one_hop
from pages.components.graph import graph as draw
from pages.components.graph import warm_up
from pages.components.graph_choice import entity as wanted_entity
from pages.components.graph_choice import open_entity
from pages.components.language import current as language
from pages.components.language import mark, t, told_here
from pages.components.text import plain
from pages.components.theme import Palette, current, legend

__all__ = ["show"]

HEIGHT, FOUND, KEPT = 470, 8, 8
MENUS = {
    "node": (
        ("know", mark("What is known")),
        ("expand", mark("Show one hop around it")),
        ("fold", mark("Fold what hangs on it")),
    ),
    "fold": (("open", mark("Show what is folded")),),
}


def show(studio: Studio, info: GraphInfo) -> None:
    """Draw the search box, what was found, and what was opened."""
    warm_up()
    try:
        graph = studio.graph((info.name,), language=language())
        explored = _explored(info, graph)
        _show_search(graph, info)
        opened = _opened(graph, explored, wanted_entity())
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    if opened is None:
        st.caption(t("Search for a name, open what is found, and follow its relations from there."))
        return
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        _show_drawing(info, explored, opened.id, current())
    with right:
        entity_panel.show(graph, explored, opened)


def _explored(info: GraphInfo, graph: KnowledgeGraph) -> Explored:
    """Return what this session opened of a graph; another version of its data begins anew."""
    kept: dict[tuple[str, str], Explored] = st.session_state.setdefault("kg-explored", {})
    key = (info.name, info.version)
    while len(kept) >= KEPT and key not in kept:
        kept.pop(next(iter(kept)))
    explored = kept.setdefault(key, Explored((info.name,)))
    said: dict[tuple[str, str], str] = st.session_state.setdefault("kg-said", {})
    if said.setdefault(key, language()) != language():
        _relabel(graph, explored)
        said[key] = language()
    return explored


def _relabel(graph: KnowledgeGraph, explored: Explored) -> None:
    """Call what was opened as the graph calls it in the language of now; as before where it does not answer."""
    st.session_state.pop("kg-found", None)
    known = explored.subgraph
    ids = tuple(member.id for e in known.entities for member in known.members(e.id))
    if not ids:
        return
    with contextlib.suppress(ServiceError):
        options = graph.relations(ids).items
        explored.relabel(graph.describe(ids).entities, [option.relation for option in options])


def _opened(graph: KnowledgeGraph, explored: Explored, entity_id: str) -> Entity | None:
    """Return the entity that is looked at; one the address names is fetched first."""
    if not entity_id:
        return None
    name = EntityId(entity_id)
    if name not in explored.subgraph:
        with st.spinner(t("Looking it up…")):
            found = graph.describe((name,)).entities
        if not found:
            frame.show_problem(t("{graph} has no entity {id}", graph=graph.id, id=entity_id))
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
            t("Search"),
            key="kg-text",
            label_visibility="collapsed",
            placeholder=t("Search for a name"),
            icon=":material/search:",
        )
        is_asked = st.form_submit_button(t("Search"))
    if is_asked and text and text.strip():
        with st.spinner(t("Searching…")):
            st.session_state["kg-found"] = (info.name, text, graph.link(text, limit=FOUND))
    name, asked, found = st.session_state.get("kg-found", ("", "", Candidates()))
    if name == info.name and asked:
        _show_found(info.name, asked, found)


def _show_found(graph: str, asked: str, found: Candidates) -> None:
    for note in found.notes:
        st.caption(plain(told_here(note), 300))
    if not found.items:
        st.caption(t("Nothing is called {name}.", name=plain(asked, 80)))
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
    _show_hop(info, explored)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(legend(t("Opened so far"), [("◆", palette.text, t("opened by its name"))]))
        st.button(
            t("Start over"),
            key="kg-over",
            type="tertiary",
            icon=":material/restart_alt:",
            on_click=_start_over,
            args=(info,),
        )
    key = f"browse-{info.name}-{info.version}".replace("__", "-")

    def on_event() -> None:
        state = st.session_state.get(key)
        event = state.get("event") if state is not None else None
        if event and event.get("type") == "find":
            finding.ask(key, event)
        else:
            _take_event(info.name, explored, event)

    def hidden() -> dict[str, str]:
        return hidden_entities(explored.subgraph, explored.growth)

    draw(
        explored.network(palette, selected=opened, language=language()),
        key=key,
        height=HEIGHT,
        select=[opened],
        focus=opened,
        menus={kind: [(a, t(label)) for a, label in lines] for kind, lines in MENUS.items()},
        links=links_of({entity.id: entity.url for entity in explored.subgraph.entities}),
        undo=t("what was done last") if explored.can_undo else "",
        name=f"{info.name} {explored.subgraph.entity(opened).name}",
        finding=finding.answer(key, len(hidden()), hidden),
        nowhere=t("not in what was opened so far"),
        on_event=on_event,
    )


def _take_event(graph: str, explored: Explored, event: dict[str, Any] | None) -> None:
    """Take what was done with the drawing: a click opens an entity, or draws what waits behind a "+n" node."""
    name, kind = str((event or {}).get("id") or ""), (event or {}).get("type")
    action = (event or {}).get("action") if kind == "menu" else kind
    folds = {fold_id(fold): fold for fold in explored.growth.folds}
    if kind == "reveal":
        name = fold_id(behind) if (behind := folded_of(explored.growth, name)) else ""
    if kind == "undo":
        explored.undo()
    elif name in folds:
        explored.folding.open(explored.growth, folds[name], "")
    elif name not in explored.subgraph or action not in ("node", "know", "open", "expand", "fold"):
        return
    elif action == "fold":
        if not explored.fold(explored.subgraph.entity(EntityId(name))):
            frame.tell(t("Nothing hangs on it alone."))
    else:
        open_entity(graph, name)
        if action in ("open", "expand"):
            st.session_state["kg-hop"] = (name, 1)


def _show_hop(info: GraphInfo, explored: Explored) -> None:
    """Fetch one hop round an entity where a person asked for it; say what is left, and offer it."""
    wanted, times = st.session_state.pop("kg-hop", ("", 0))
    name = EntityId(wanted)
    if name in explored.subgraph:
        st.session_state["kg-hop-left"] = _fetch_hop(info, explored, name, times)
    left = st.session_state.get("kg-hop-left")
    if left is None or left[0] != info.name or left[1] not in explored.subgraph:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(left[3], width="content")
        st.button(
            t("Fetch more"),
            key="kg-hop-more",
            type="tertiary",
            icon=":material/add_circle:",
            on_click=st.session_state.__setitem__,
            args=("kg-hop", left[1:3]),
        )


def _fetch_hop(
    info: GraphInfo, explored: Explored, name: EntityId, times: int
) -> tuple[str, str, int, str] | None:
    """Fetch it; return graph, entity, how much more to fetch and what is left, in words, if anything is."""
    ids = dict.fromkeys((name, *(member.id for member in explored.subgraph.members(name))))
    try:
        with st.spinner(t("Following…")):
            found = one_hop.fetch((info.name,), tuple(ids), times=times)
    except KGCoreError as error:
        frame.show_problem(str(error))
        return None
    explored.expand(EdgeSet(found.triples))
    if not found.more:
        return None
    return info.name, name, one_hop.MORE * times, one_hop.told(found)


def _start_over(info: GraphInfo) -> None:
    st.session_state.get("kg-explored", {}).pop((info.name, info.version), None)
    st.query_params.from_dict({"graph": info.name})
