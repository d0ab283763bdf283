"""What is known of one graph, and what can be done with it: look again, forget what was kept, remove it."""

import streamlit as st

from kgcore.bootstrap import DEMO_GRAPHS, Studio
from kgcore.config import Secrets
from kgcore.errors import KGCoreError
from kgcore.kg.connections import Health, password_name
from kgcore.kg.overview import GraphInfo
from pages.components import frame, graph_export
from pages.components.graph_list import kind_of, size_of
from pages.components.studio import shared
from pages.components.text import cell, plain, safe_link
from pages.components.theme import current

__all__ = ["show"]


def show(studio: Studio, graph: GraphInfo) -> None:
    """Draw the facts of a graph with its buttons."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<h2 class="ts-section">{cell(graph.name, 100)}</h2>')
        is_asked = not graph.problem and st.button(
            "Check",
            key="kg-check",
            icon=":material/network_check:",
            help="See whether it answers, and how large it is",
        )
        if graph.is_remote and not graph.problem:
            st.button(
                "Refresh",
                key="kg-refresh",
                icon=":material/refresh:",
                on_click=_refresh,
                args=(studio, graph.name),
                help="Forget what was kept of its data: the next question asks it anew",
            )
        if graph.kind == "sparql" and not graph.problem:
            st.button(
                "Read names",
                key="kg-names",
                icon=":material/list_alt:",
                on_click=_read_names,
                args=(studio, graph.name),
                help="Read all names through the endpoint into an index on this computer: names in questions "
                "are then found at once, also with typing errors. Meant for endpoints of moderate size.",
            )
        if not graph.is_remote and not graph.problem:
            graph_export.show(studio, graph)
        if graph.name not in DEMO_GRAPHS:
            _show_remove(studio, graph)
    if is_asked:
        _check(studio, graph.name)
    if graph.problem:
        frame.show_problem(f"{graph.name} cannot be opened: {graph.problem}")
        return
    st.html(_facts(studio, graph))
    if graph.user:
        _show_password(studio, graph)


def _facts(studio: Studio, graph: GraphInfo) -> str:
    if graph.is_remote:
        source = safe_link(graph.source[0], graph.source[0])
        kept = f"version {cell(graph.version)}"
    else:
        source = cell(", ".join(graph.source), 200)
        kept = f"version {cell(graph.version[:8])}"
    sizes = [size_of(graph)]
    if graph.n_entities is not None:
        sizes += [f"{graph.n_entities:,} entities", f"{graph.n_relations:,} relations"]
    if graph.n_skipped:
        sizes.append(f"{graph.n_skipped:,} statements skipped")
    kind = kind_of(graph) + (f", profile {graph.profile}" if graph.profile else "")
    pairs = [
        ("Source", f"{cell(kind)}: {source}"),
        ("Size", cell(" · ".join(sizes))),
        ("Data", f"{kept}, added {cell(graph.added[:16].replace('T', ' '))} UTC"),
        ("Labels", cell(", ".join(graph.languages[:12])) if graph.languages else ""),
        ("Health", _health(graph)),
        ("Kept", _kept(studio, graph)),
    ]
    lines = "".join(f"<b>{name}</b><span>{value}</span>" for name, value in pairs if value)
    return f'<div class="ts-pairs">{lines}</div>'


def _health(graph: GraphInfo) -> str:
    local: dict[str, Health] = st.session_state.get("kg-health", {})
    if graph.checked is not None:
        when = f", looked at {cell(graph.checked.at[:16].replace('T', ' '))} UTC"
        return _verdict(graph.checked.health) + when
    if graph.name in local:
        return _verdict(local[graph.name])
    return "not checked yet" if graph.is_remote else ""


def _verdict(health: Health) -> str:
    palette = current()
    if not health.is_up:
        return f'<span style="color:{palette.rejected}">✗</span> does not answer: {cell(health.problem, 300)}'
    by = f", labels by {cell(', '.join(health.label_relations))}" if health.label_relations else ""
    return f'<span style="color:{palette.answer}">✓</span> answers in {_time(health.seconds)}{by}'


def _kept(studio: Studio, graph: GraphInfo) -> str:
    if not graph.is_remote:
        return ""
    n, n_bytes = studio.cache_size(graph.name)
    return cell(f"{n:,} replies, {n_bytes / 1e6:,.1f} MB") if n else "no replies yet"


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _check(studio: Studio, name: str) -> None:
    try:
        with st.spinner("Asking…"):
            st.session_state.setdefault("kg-health", {})[name] = studio.check(name)
    except KGCoreError as error:
        frame.problem(error)
    st.rerun()


def _refresh(studio: Studio, name: str) -> None:
    try:
        version = studio.refresh(name).data_version
        st.toast(f"{plain(name)} is asked anew from now on, as version {plain(version)}")
    except KGCoreError as error:
        frame.problem(error)


def _read_names(studio: Studio, name: str) -> None:
    try:
        shared().imports.read_names(studio, name)
    except KGCoreError as error:
        frame.problem(error)


def _show_remove(studio: Studio, graph: GraphInfo) -> None:
    with st.popover("Remove", icon=":material/delete:"):
        what = "The connection" if graph.is_remote else "The graph and its index"
        st.markdown(f"Remove **{plain(graph.name, 60)}**?")
        st.caption(
            f"{what} will be deleted from this computer. Runs that used it stay readable, "
            "but cannot be resumed."
        )
        st.button(
            "Remove it",
            key=f"kg-remove-{graph.name}",
            type="primary",
            on_click=_remove,
            args=(studio, graph.name),
        )


def _remove(studio: Studio, name: str) -> None:
    try:
        studio.remove_graph(name)
        st.toast(f"{plain(name)} was removed", icon=":material/delete:")
        st.query_params.clear()
    except KGCoreError as error:
        frame.problem(error)


def _show_password(studio: Studio, graph: GraphInfo) -> None:
    name = password_name(graph.name)
    where = studio.secrets.where(name)
    if where != "nowhere":
        st.caption(f"Signed in as {plain(graph.user, 60)}; the password comes from the {where}.")
        return
    st.caption(
        f"{plain(graph.user, 60)} needs a password: type it here, or set {plain(name)} before the start."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Password", type="password", key="kg-password", autocomplete="off")
        st.button("Use", key="kg-use", on_click=_use_password, args=(studio.secrets, name))


def _use_password(secrets: Secrets, name: str) -> None:
    secrets.set_for_session(name, st.session_state.get("kg-password") or "")
    st.session_state["kg-password"] = ""
