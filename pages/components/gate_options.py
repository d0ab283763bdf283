"""The switch of the approval gate: which fetched triples wait for a person before the model sees them."""

from collections.abc import Sequence

import streamlit as st

from kgcore.runs import Gate
from pages.components.language import t
from pages.components.text import plain

__all__ = ["chosen_gate", "show"]

RULES = {
    "off": "Off",
    "all": "All",
    "graphs": "Only from these graphs",
    "relations": "Only these relations",
    "conflicts": "Only where graphs disagree",
}


def show(kgs: Sequence[str]) -> None:
    """Draw the switch; `kgs` are the graphs that are chosen."""
    left, right = st.columns(2)
    rule = left.selectbox(
        "Approve fetched triples",
        list(RULES),
        format_func=RULES.__getitem__,
        key="ask-gate",
        persist_state="session",
        help="Each batch waits for you: approve, edit or reject its triples before the model sees them.",
    )
    if rule == "graphs":
        right.multiselect(
            "Graphs that wait",
            list(kgs),
            key="ask-gate-kgs",
            format_func=lambda name: plain(name, 60),
            persist_state="session",
        )
    elif rule == "relations":
        right.multiselect(
            "Relations that wait",
            sorted(st.session_state.get("ask-gate-relations") or ()),
            key="ask-gate-relations",
            format_func=lambda name: plain(name, 60),
            accept_new_options=True,
            persist_state="session",
            placeholder="label or id, then Enter",
        )
    st.toggle(
        t("Ask me when a name may mean several things"),
        key="ask-links",
        persist_state="session",
        help=t(
            "The run waits for you where two things of one name are close; in step mode it always does."
        ),
    )


def chosen_gate() -> Gate | None:
    """Return the gate that is chosen; a rule that names nothing holds everything."""
    state = st.session_state
    rule, links = state.get("ask-gate", "off"), bool(state.get("ask-links"))
    if rule == "off":
        return Gate(triples=False, links=True) if links else None
    kgs = state.get("ask-gate-kgs") or () if rule == "graphs" else ()
    relations = state.get("ask-gate-relations") or () if rule == "relations" else ()
    return Gate(tuple(kgs), tuple(relations), rule == "conflicts", links=links)
