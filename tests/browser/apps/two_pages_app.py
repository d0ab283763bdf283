"""A graph on one page, none on the other."""

import streamlit as st
from pyvis.network import Network

from pages.components.graph import graph, load


def drawing() -> None:
    """Draw a line of nodes."""
    load()
    net = Network(directed=True)
    for i in range(6):
        net.add_node(f"n{i}", label=f"Node {i}", x=120 * i, y=0)
    graph(net, key="kg", height=300)


def text() -> None:
    """Draw nothing."""
    st.text("No graph here.")


st.navigation(
    [st.Page(drawing, title="Drawing", default=True), st.Page(text, title="Text")], position="top"
).run()
