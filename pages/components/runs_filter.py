"""The filters above the list of runs, and what they say."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import streamlit as st

from kgcore.reasoners import LABELS
from kgcore.runs import RunRecord
from kgcore.runs.listing import RunFilter
from pages.components.composer import model_name
from pages.components.graph import short
from pages.components.language import mark, t
from pages.components.run_head import STATES

__all__ = ["BIN", "chosen_filter", "chosen_shelf", "method_name", "status_name"]

ALL, STARRED, BIN = mark("all"), mark("starred"), mark("deleted")
_FIELDS = ("methods", "models", "kgs", "statuses", "tags")


def method_name(method: str) -> str:
    """Return what a method is called on screen; its own name where a file brought one nobody knows."""
    return t(LABELS.get(method, method))


def status_name(status: str) -> str:
    """Return a status in words."""
    names: dict[str, str] = {known: name for known, (_, _, name) in STATES.items()}
    return t(names.get(status, status))


def chosen_shelf(n: int, n_starred: int, n_deleted: int) -> str:
    """Draw the choice between all runs, starred ones and deleted ones, and return it."""
    counts = {ALL: n, STARRED: n_starred, BIN: n_deleted}
    shelf = st.segmented_control(
        t("Which runs"),
        list(counts),
        format_func=lambda name: f"{t(name)} {counts[name]:,}",
        default=ALL,
        key="runs-shelf",
        label_visibility="collapsed",
        required=True,
        persist_state="session",
    )
    return str(shelf or ALL)


def chosen_filter(runs: Sequence[RunRecord]) -> RunFilter:
    """Draw search and filters over these runs and return what they say."""
    state = st.session_state
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.text_input(
            t("Search"),
            key="runs-search",
            icon=":material/search:",
            placeholder=t("Question, name, answer or tag"),
            label_visibility="collapsed",
            type="search",
            persist_state="session",
        )
        n = sum(bool(state.get(f"runs-{name}")) for name in (*_FIELDS, "since", "until"))
        with st.popover(
            t("Filters, {n} set", n=n) if n else t("Filters"),
            icon=":material/filter_list:",
            key="runs-more",
        ):
            _show_filters(runs)
        if n or state.get("runs-search"):
            st.button(t("Clear"), key="runs-clear", on_click=_clear, type="tertiary")
    since, until = state.get("runs-since"), state.get("runs-until")
    return RunFilter(
        text=state.get("runs-search") or "",
        **{name: tuple(state.get(f"runs-{name}") or ()) for name in _FIELDS},
        since=since.isoformat() if isinstance(since, date) else "",
        until=until.isoformat() if isinstance(until, date) else "",
        is_starred=state.get("runs-shelf") == STARRED,
    )


def _show_filters(runs: Sequence[RunRecord]) -> None:
    fields: tuple[tuple[str, str, set[str], Callable[[str], str]], ...] = (
        (t("Method"), "methods", {r.method for r in runs}, method_name),
        (t("Model"), "models", {r.model for r in runs}, model_name),
        (t("Graph"), "kgs", {kg for r in runs for kg in r.kgs}, str),
        (t("Status"), "statuses", {r.status for r in runs}, status_name),
        (t("Tag"), "tags", {tag for r in runs for tag in r.tags}, str),
    )
    for label, name, values, told in fields:
        key = f"runs-{name}"
        known = values | set(st.session_state.get(key) or ())  # what is chosen stays choosable
        st.multiselect(
            label,
            sorted(known),
            key=key,
            format_func=partial(_told, told),
            placeholder=t("any"),
            persist_state="session",
        )
    left, right = st.columns(2)
    for place, label, key in ((left, t("From"), "runs-since"), (right, t("Until"), "runs-until")):
        place.date_input(label, None, key=key, format="YYYY-MM-DD", persist_state="session")


def _told(name_of: Callable[[str], str], value: str) -> str:
    return short(name_of(value), 60)


def _clear() -> None:
    for name in _FIELDS:
        st.session_state[f"runs-{name}"] = []
    st.session_state["runs-since"] = st.session_state["runs-until"] = None
    st.session_state["runs-search"] = ""
