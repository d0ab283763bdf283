"""Which graph is looked at; the address of the page tells, so that a refresh and a link lead back to it."""

from collections.abc import Sequence

import streamlit as st

from kgcore.kg.overview import GraphInfo

__all__ = ["add_one", "choose", "chosen", "entity", "open_entity"]


def chosen(found: Sequence[GraphInfo]) -> GraphInfo | None:
    """Return the graph that is looked at; None where one is being added."""
    if "add" in st.query_params or not found:
        return None
    name = st.query_params.get("graph", "")
    return next((graph for graph in found if graph.name == name), found[0])


def choose(name: str) -> None:
    """Look at a graph."""
    st.query_params.from_dict({"graph": name})


def add_one() -> None:
    """Go to the form that adds a graph."""
    st.query_params.from_dict({"add": "1"})


def entity() -> str:
    """Return the id of the entity that is looked at; empty where none is."""
    return str(st.query_params.get("entity", ""))


def open_entity(graph: str, entity_id: str) -> None:
    """Look at an entity of a graph."""
    st.query_params.from_dict({"graph": graph, "entity": entity_id})
