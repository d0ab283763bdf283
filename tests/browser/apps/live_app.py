"""A graph that grows by itself, as during a run."""

import streamlit as st
from pyvis.network import Network

from pages.components.graph import graph, load

load()
st.session_state.setdefault("size", 1)


@st.fragment(run_every=0.2)
def live() -> None:
    """Draw one node more than last time, up to twenty."""
    st.session_state.size = min(20, st.session_state.size + 1)
    net = Network(directed=True)
    for i in range(st.session_state.size):
        net.add_node(i, label=f"#{i}", shape="box", x=150 * (i // 3), y=80 * (i % 3))
        if i:
            net.add_edge((i - 1) // 2, i)
    graph(net, key="kg", height=300, focus=st.session_state.size - 1)


live()
st.text_input("Note", key="note")
