"""The breakpoints on screen: those of the next run in its options, those of a run under way beside its buttons."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kgcore.errors import InputError, KGCoreError
from kgcore.model import Entity
from kgcore.runs import Breakpoint, Run, RunView
from kgcore.runs.breakpoint_file import load_points, save_points
from kgcore.runs.breakpoints import ACTIONS, KINDS, RESOURCES, STEPS, checked
from pages.components.frame import problem
from pages.components.graph import short
from pages.components.language import current, mark, t
from pages.components.studio import shared
from pages.components.text import cell, plain

__all__ = ["chosen", "put", "show_kept", "show_list", "show_live", "show_setup"]

NAMES = {
    "step": mark("A kind of step"),
    "action": mark("An action"),
    "value_below": mark("A value below"),
    "value_above": mark("A value above"),
    "depth": mark("A depth"),
    "entity": mark("An entity"),
    "relation": mark("A relation"),
    "graph": mark("A graph"),
    "answer": mark("An answer"),
    "error": mark("An error"),
    "backtrack": mark("A backtrack"),
    "budget": mark("A share of the budget"),
}
FIRST = ("answer", "value_below", "value_above", "action", "entity", "relation", "graph", "depth")
_TABLES: Mapping[str, Mapping[str, str]] = {"step": STEPS, "action": ACTIONS}
_KEY, KNOWN = "ask-breakpoints", 400
Change = Callable[[Breakpoint], None]


def chosen() -> tuple[Breakpoint, ...]:
    """Return the breakpoints of the next run: as set in this session, else as kept in the data folder."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = ()
        try:
            st.session_state[_KEY] = load_points(shared().studio.home)
        except InputError as error:
            problem(error)
    points: tuple[Breakpoint, ...] = st.session_state[_KEY]
    return points


def show_setup(graphs: Sequence[str]) -> None:
    """Draw the breakpoints of the next run."""
    points = chosen()
    title = t("Breakpoints ({n})", n=len(points)) if points else t("Breakpoints")
    with st.expander(title, key="ask-breakpoints-open"):
        known = {"graph": list(graphs)}
        seeds: list[Entity] = st.session_state.get("ask-seed-pool", [])
        known["entity"] = [entity.name for entity in seeds]
        _show("setup", points, known, _put, _remove)


def show_live(run: Run, view: RunView) -> None:
    """Draw the breakpoints of a run under way; a change takes effect at once."""
    points = run.pauses.points
    n = sum(point.is_on for point in points)
    label = t("Breakpoints ({n})", n=n) if n else t("Breakpoints")
    with st.popover(label, icon=":material/adjust:", key=f"breakpoints-{run.id}"):
        _show("live", points, _known(view), run.pauses.put, run.pauses.remove)


def show_kept(view: RunView) -> None:
    """Draw the breakpoints that a run which nobody drives here had last; nothing where it had none."""
    points = view.breakpoints
    if not points:
        return
    label = t("Breakpoints ({n})", n=len(points))
    with st.popover(label, icon=":material/adjust:", key="breakpoints-kept"):
        show_list(points)
        st.caption(t("They are in force again when the run is resumed, forked or run again."))


def show_list(points: Sequence[Breakpoint]) -> None:
    """Draw breakpoints to be read."""
    lines = [
        cell(point.words(current()), 160)
        + ("" if point.is_on else f' <span class="ts-muted">({t("switched off")})</span>')
        for point in points
    ]
    items = "".join(f"<li>{line}</li>" for line in lines)
    empty = f'<p class="ts-muted">{t("None was set any more.")}</p>'
    st.html(f'<ul class="ts-lines ts-points">{items}</ul>' if items else empty)


def _known(view: RunView) -> dict[str, list[str]]:
    """Return the names a run has met, to choose from."""
    graph = view.subgraph
    entities = dict.fromkeys(entity.name for entity in graph.entities)
    relations = dict.fromkeys(triple.relation.name for triple in graph.triples)
    started = view.started
    return {
        "entity": list(entities)[:KNOWN],
        "relation": list(relations)[:KNOWN],
        "graph": [name for name, _ in started.kgs] if started else [],
    }


def put(run: Run | None, point: Breakpoint) -> None:
    """Set a breakpoint in a run under way, at once; with none in those of the next run."""
    (run.pauses.put if run is not None else _put)(point)


def _put(point: Breakpoint) -> None:
    points = {p.key: p for p in chosen()} | {point.key: point}
    _keep(tuple(points.values()))


def _remove(point: Breakpoint) -> None:
    _keep(tuple(p for p in chosen() if p.key != point.key))


def _keep(points: tuple[Breakpoint, ...]) -> None:
    st.session_state[_KEY] = checked(points)
    try:
        save_points(shared().studio.home, points)
    except OSError as error:
        problem(InputError(f"the breakpoints could not be kept: {error.strerror}"))


# a list and a form, for either


def _show(
    place: str,
    points: Sequence[Breakpoint],
    known: Mapping[str, Sequence[str]],
    put: Change,
    remove: Change,
) -> None:
    with st.container(key=f"ts-points-{place}", gap="xxsmall"):
        for point in points:
            _show_point(place, point, put, remove)
        if not points:
            st.caption(t("The run pauses by itself where one of these is met."))
        _show_form(place, known, put)


def _show_point(place: str, point: Breakpoint, put: Change, remove: Change) -> None:
    name = "-".join(str(part) for part in (place, *point.key))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        key = f"point-on-{name}"
        st.session_state[key] = point.is_on
        st.toggle(
            plain(point.words(current()), 80),
            key=key,
            on_change=_guarded,
            args=(put, replace(point, is_on=not point.is_on)),
        )
        st.button(
            t("Remove"),
            key=f"point-off-{name}",
            type="tertiary",
            icon=":material/close:",
            on_click=_guarded,
            args=(remove, point),
        )


def _show_form(place: str, known: Mapping[str, Sequence[str]], put: Change) -> None:
    kinds = [*FIRST, *(kind for kind in KINDS if kind not in FIRST)]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox(
            t("Pause at"),
            kinds,
            format_func=lambda k: t(NAMES[k]),
            key=f"point-kind-{place}",
        )
        _show_fields(place, kind, known.get(kind, ()))
        st.button(
            t("Add"),
            key=f"point-add-{place}",
            icon=":material/add:",
            on_click=_add,
            args=(place, kind, put),
        )


def _show_fields(place: str, kind: str, known: Sequence[str]) -> None:
    text, number = f"point-text-{kind}-{place}", f"point-number-{kind}-{place}"
    if kind in _TABLES:
        table = _TABLES[kind]
        st.selectbox(t("Which"), list(table), format_func=lambda k: t(table[k]), key=text)
    elif kind in ("entity", "relation", "graph"):
        st.selectbox(
            t("Label or id"),
            list(known),
            key=text,
            index=None,
            accept_new_options=True,
            format_func=lambda name: short(name, 60),
            placeholder=t("choose or write"),
        )
    elif kind == "budget":
        st.selectbox(t("Of"), list(RESOURCES), format_func=lambda k: t(RESOURCES[k]), key=text)
        st.number_input(t("Percent"), 1, 100, 80, 5, key=number)
    elif kind == "depth":
        st.number_input(t("Depth"), 1, 100, 3, 1, key=number)
    elif kind in ("value_below", "value_above"):
        st.number_input(t("Value"), 0.0, 1.0, 0.3, 0.05, key=number)


def _add(place: str, kind: str, put: Change) -> None:
    text = st.session_state.get(f"point-text-{kind}-{place}") or ""
    number = st.session_state.get(f"point-number-{kind}-{place}") or 0
    share = number / 100 if kind == "budget" else number
    try:
        point = Breakpoint(kind, str(text), float(share))  # type: ignore[arg-type]
    except InputError as error:
        problem(error)
        return
    _guarded(put, point)


def _guarded(change: Change, point: Breakpoint) -> None:
    try:
        change(point)
    except KGCoreError as error:
        problem(error)
