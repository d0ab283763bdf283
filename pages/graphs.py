"""The page Knowledge graphs: which there are, how they do, adding one, and a look inside."""

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.kg.overview import GraphInfo
from pages.components import frame, graph_add, graph_browse, graph_facts, graph_list
from pages.components.language import t
from pages.components.studio import studio


def main() -> None:
    """Draw the page."""
    frame.need("pages/graphs.py")
    frame.show_problem()
    found = all_graphs()
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        graph_list.show(studio(), found)
    with right:
        chosen = graph_list.chosen(found)
        if chosen is None:
            graph_add.show(studio())
        else:
            show_graph(chosen)


def all_graphs() -> tuple[GraphInfo, ...]:
    """Return the graphs there are; the demo graphs are imported on first use."""
    try:
        with st.spinner(t("Preparing the demo graphs, once…")):
            return studio().graphs()
    except KGCoreError as error:
        frame.show_problem(str(error))
        return ()


def show_graph(graph: GraphInfo) -> None:
    """Draw what is known of a graph, and what is in it."""
    with st.container(border=True):
        graph_facts.show(studio(), graph)
    if not graph.problem:
        with st.container(border=True):
            graph_browse.show(studio(), graph)


main()
