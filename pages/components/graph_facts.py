"""What is known of one graph, and what can be done with it: look again, forget what was kept, remove it."""

import streamlit as st

from kgcore.bootstrap import DEMO_GRAPHS, Studio
from kgcore.config import Secrets
from kgcore.errors import KGCoreError
from kgcore.kg.connections import Health, password_name
from kgcore.kg.overview import GraphInfo
from pages.components import frame, graph_export
from pages.components.graph_list import kind_of, size_of
from pages.components.language import t, tn, told_here
from pages.components.model_form import PLACES
from pages.components.studio import shared
from pages.components.text import cell, plain, safe_link
from pages.components.theme import current

__all__ = ["show"]


def show(studio: Studio, graph: GraphInfo) -> None:
    """Draw the facts of a graph with its buttons."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<h2 class="ts-section">{cell(graph.name, 100)}</h2>')
        is_asked = not graph.problem and st.button(
            t("Check"),
            key="kg-check",
            icon=":material/network_check:",
            help=t("See whether it answers, and how large it is"),
        )
        if graph.is_remote and not graph.problem:
            st.button(
                t("Refresh"),
                key="kg-refresh",
                icon=":material/refresh:",
                on_click=_refresh,
                args=(studio, graph.name),
                help=t("Forget what was kept of its data: the next question asks it anew"),
            )
        if graph.kind == "sparql" and not graph.problem:
            st.button(
                t("Read names"),
                key="kg-names",
                icon=":material/list_alt:",
                on_click=_read_names,
                args=(studio, graph.name),
                help=t(
                    "Read all names through the endpoint into an index on this computer: names in questions "
                    "are then found at once, also with typing errors. Meant for endpoints of moderate size."
                ),
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
        version = cell(graph.version)
    else:
        source = cell(", ".join(graph.source), 200)
        version = cell(graph.version[:8])
    sizes = [size_of(graph)]
    if graph.n_entities is not None:
        sizes.append(tn("{n:,} entity", "{n:,} entities", graph.n_entities))
        sizes.append(tn("{n:,} relation", "{n:,} relations", graph.n_relations or 0))
    if graph.n_skipped:
        n = graph.n_skipped
        sizes.append(tn("{n:,} statement skipped", "{n:,} statements skipped", n))
    kind = kind_of(graph)
    if graph.profile:
        kind = t("{kind}, profile {profile}", kind=kind, profile=graph.profile)
    added = cell(graph.added[:16].replace("T", " "))
    pairs = [
        (t("Source"), f"{cell(kind)}{t(': ')}{source}"),
        (t("Size"), cell(" · ".join(sizes))),
        (t("Data"), t("version {version}, added {added} UTC", version=version, added=added)),
        (t("Labels"), cell(", ".join(graph.languages[:12])) if graph.languages else ""),
        (t("Health"), _health(graph)),
        (t("Kept"), _kept(studio, graph)),
    ]
    lines = "".join(f"<b>{name}</b><span>{value}</span>" for name, value in pairs if value)
    return f'<div class="ts-pairs">{lines}</div>'


def _health(graph: GraphInfo) -> str:
    local: dict[str, Health] = st.session_state.get("kg-health", {})
    if graph.checked is not None:
        when = cell(graph.checked.at[:16].replace("T", " "))
        verdict = _verdict(graph.checked.health)
        return t("{verdict}, looked at {when} UTC", verdict=verdict, when=when)
    if graph.name in local:
        return _verdict(local[graph.name])
    return t("not checked yet") if graph.is_remote else ""


def _verdict(health: Health) -> str:
    palette = current()
    if not health.is_up:
        problem = cell(told_here(health.problem), 300)
        told = t("does not answer: {problem}", problem=problem)
        return f'<span style="color:{palette.rejected}">✗</span> {told}'
    told = t("answers in {time}", time=_time(health.seconds))
    if health.label_relations:
        names = cell(", ".join(health.label_relations))
        told = t("answers in {time}, labels by {names}", time=_time(health.seconds), names=names)
    return f'<span style="color:{palette.answer}">✓</span> {told}'


def _kept(studio: Studio, graph: GraphInfo) -> str:
    if not graph.is_remote:
        return ""
    n, n_bytes = studio.cache_size(graph.name)
    size = f"{n_bytes / 1e6:,.1f}"
    told = tn("{n:,} reply, {size} MB", "{n:,} replies, {size} MB", n, size=size)
    return cell(told) if n else t("no replies yet")


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _check(studio: Studio, name: str) -> None:
    try:
        with st.spinner(t("Asking…")):
            st.session_state.setdefault("kg-health", {})[name] = studio.check(name)
    except KGCoreError as error:
        frame.problem(error)
    st.rerun()


def _refresh(studio: Studio, name: str) -> None:
    try:
        version = studio.refresh(name).data_version
        frame.tell(
            t(
                "{name} is asked anew from now on, as version {version}",
                name=plain(name),
                version=plain(version),
            )
        )
    except KGCoreError as error:
        frame.problem(error)


def _read_names(studio: Studio, name: str) -> None:
    try:
        shared().imports.read_names(studio, name)
    except KGCoreError as error:
        frame.problem(error)


def _show_remove(studio: Studio, graph: GraphInfo) -> None:
    key = f"kg-ask-{graph.name}"  # one of its own: what was open for a graph that is gone is not open for the next
    with st.popover(t("Remove"), icon=":material/delete:", key=key):
        told = t(
            "The graph and its index will be deleted from this computer. Runs that used it stay readable, but "
            "cannot be resumed."
        )
        if graph.is_remote:
            told = t(
                "The connection will be deleted from this computer. Runs that used it stay readable, but cannot "
                "be resumed."
            )
        st.markdown(t("Remove **{name}**?", name=plain(graph.name, 60)))
        st.caption(told)
        st.button(
            t("Remove it"),
            key=f"kg-remove-{graph.name}",
            type="primary",
            on_click=_remove,
            args=(studio, graph.name),
        )


def _remove(studio: Studio, name: str) -> None:
    try:
        studio.remove_graph(name)
        frame.tell(t("{name} was removed", name=plain(name)), icon=":material/delete:")
        st.query_params.clear()
    except KGCoreError as error:
        frame.problem(error)


def _show_password(studio: Studio, graph: GraphInfo) -> None:
    name = password_name(graph.name)
    where = studio.secrets.where(name)
    if where != "nowhere":
        st.caption(
            t(
                "Signed in as {user}; the password comes from {where}.",
                user=plain(graph.user, 60),
                where=t(PLACES.get(where, where)),
            )
        )
        return
    st.caption(
        t(
            "{user} needs a password: type it here, or set {name} before the start.",
            user=plain(graph.user, 60),
            name=plain(name),
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(t("Password"), type="password", key="kg-password", autocomplete="off")
        st.button(t("Use"), key="kg-use", on_click=_use_password, args=(studio.secrets, name))


def _use_password(secrets: Secrets, name: str) -> None:
    secrets.set_for_session(name, st.session_state.get("kg-password") or "")
    st.session_state["kg-password"] = ""
