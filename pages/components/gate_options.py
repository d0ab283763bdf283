"""The switch of the approval gate: which fetched triples wait for a person before the model sees them."""

from collections.abc import Sequence

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.kg import ListsRelations
from kgcore.runs import Gate
from pages.components.graph import short
from pages.components.language import mark, t
from pages.components.studio import studio

__all__ = ["chosen_gate", "show"]

MOST = 2_000  # relations of a graph that are offered
RULES = {
    "off": mark("Off"),
    "all": mark("All"),
    "graphs": mark("Only from these graphs"),
    "relations": mark("Only these relations"),
    "conflicts": mark("Only where graphs disagree"),
}


def show(kgs: Sequence[str]) -> None:
    """Draw the switch; `kgs` are the graphs that are chosen."""
    left, right = st.columns(2)
    rule = left.selectbox(
        t("Approve fetched triples"),
        list(RULES),
        format_func=lambda name: t(RULES[name]),
        key="ask-gate",
        persist_state="session",
        help=t(
            "Each batch waits for you: approve, edit or reject its triples before the model sees them."
        ),
    )
    if rule == "graphs":
        right.multiselect(
            t("Graphs that wait"),
            list(kgs),
            key="ask-gate-kgs",
            placeholder=t("Choose"),
            format_func=lambda name: short(name, 60),
            persist_state="session",
        )
    elif rule == "relations":
        right.multiselect(
            t("Relations that wait"),
            _relations(kgs),
            key="ask-gate-relations",
            format_func=lambda name: short(name, 60),
            accept_new_options=True,
            persist_state="session",
            placeholder=t("choose, or write a label or id"),
        )
    st.toggle(
        t("Ask me when a name may mean several things"),
        key="ask-links",
        persist_state="session",
        help=t(
            "The run waits for you where two things of one name are close; in step mode it always does."
        ),
    )


def _relations(kgs: Sequence[str]) -> list[str]:
    """Return the labels of the relations that may wait: those the graphs can list, and those written before."""
    labels = set(st.session_state.get("ask-gate-relations") or ())
    for name in kgs:
        try:
            graph = studio().graph((name,))
        except KGCoreError:  # it is told where the run is asked for
            continue
        if isinstance(graph, ListsRelations):
            labels.update(relation.name for relation in graph.all_relations()[:MOST])
    return sorted(labels, key=str.casefold)


def chosen_gate() -> Gate | None:
    """Return the gate that is chosen; a rule that names nothing holds everything."""
    state = st.session_state
    rule, links = state.get("ask-gate", "off"), bool(state.get("ask-links"))
    if rule == "off":
        return Gate(triples=False, links=True) if links else None
    kgs = state.get("ask-gate-kgs") or () if rule == "graphs" else ()
    relations = state.get("ask-gate-relations") or () if rule == "relations" else ()
    return Gate(tuple(kgs), tuple(relations), rule == "conflicts", links=links)
