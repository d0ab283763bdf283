"""A page with one graph, buttons that change it, and what Python heard from it."""

import json

import streamlit as st
from pyvis.network import Network

from pages.components.graph import graph, load

PAYLOAD = "<img src=x onerror=\"document.title='hacked'\">"
SCRIPT = "</script><script>document.title='hacked'</script>"

st.set_page_config(page_title="Graph test", layout="wide")
load()
state = st.session_state
state.setdefault("extra", 0)
state.setdefault("events", [])
with st.container(horizontal=True):
    st.button("Rerun")
    if st.button("Add"):
        state.extra += 1
    if st.button("Add ten"):
        state.extra += 10
    is_red = st.toggle("Red")
    is_plain = st.toggle("Plain")
    is_empty = st.toggle("Empty")
    is_moved = st.toggle("Moved")

net = Network(directed=True)
if not is_empty:
    style = {} if is_plain else {"shadow": {"enabled": True, "size": 9}}
    net.add_node("a", label="Alpha", x=0, y=0, title="first\nsecond line", **style)
    net.add_node("b", label="Beta", x=200, y=0, color="#ff0000" if is_red else "#0000ff")
    y = 140 if is_moved else 120
    net.add_node(PAYLOAD, label=PAYLOAD, title=f"{PAYLOAD} href {SCRIPT}", group=PAYLOAD, x=0, y=y)
    net.add_edge("a", "b", label="knows", title=SCRIPT)
    net.add_edge("a", "b", label="likes", id=SCRIPT)
    net.add_edge(PAYLOAD, "b", label=SCRIPT)
    for i in range(state.extra):
        net.add_node(f"n{i}", label=f"New {i}", x=400 + 60 * i, y=60)
        net.add_edge("b", f"n{i}", label="next")


def remember() -> None:
    """Keep the event as the callback finds it."""
    state.told = state["kg"]["event"]


event = graph(net, key="kg", height=360, on_event=remember)
if event:
    assert event == state.told
    state.events.append(event)
st.code(json.dumps(state.events))
