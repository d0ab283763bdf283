"""A page with one graph of every kind of node and line, and hostile text in every place; what Python hears is shown."""

import json

import streamlit as st
from pyvis.network import Network

from kgcore.views.entity_links import links_of
from pages.components.graph import graph, load
from pages.components.theme import current

JS = "window.__xss=1;document.title='hacked'"
HOSTILE = [
    f'<img src="xss.png" onerror="{JS}">',
    f"</script><script>{JS}</script>",
    f'"><svg/onload={JS}>',
    f"]]></title></svg><script>{JS}</script>&lt;&#60;&amp;",
    "\u202etxet nul\x00 esc\x1b[31m \ud800",
]

st.set_page_config(page_title="Graph tools", layout="wide")
load()
palette, state = current(), st.session_state
state.setdefault("events", [])
state.setdefault("extra", 0)
if st.button("Grow"):
    state.extra += 5

net = Network(directed=True)
one, other = palette.source(0), palette.source(1)
net.add_node(
    "x:film", label="Inception", x=0, y=0, color=one, shape="diamond", title="Inception\na film"
)
net.add_node("x:caine", label="Léa Seydoux", x=260, y=-40, color=one, shape="star")
net.add_node("y:zimmer", label="Hans Zimmer", x=-240, y=-60, color=other, shape="hexagon")
net.add_node("x:lea", label="Lea Thompson", x=-60, y=190, color=other)
net.add_node("=\tdate", label="2010-07-16", x=180, y=150, shape="box", kind="value")
net.add_node("+\tmore", label="+12", x=-220, y=120, shape="box", kind="fold")
for i, text in enumerate(HOSTILE):
    net.add_node(text, label=text, title=text, x=460, y=-220 + 110 * i, color=one)
    net.add_edge("x:caine", text, label=text, title=text, id=f"-\t{text}")
net.add_edge("x:film", "x:caine", label="cast member", id="e1", width=4, color=palette.answer)
net.add_edge("x:film", "x:caine", label="voice", id="e2")
net.add_edge("x:caine", "x:film", label="known for", id="e3")
net.add_edge("x:film", "x:film", label="remake of", id="e4")
net.add_edge("x:film", "y:zimmer", label="composer ≠", id="e5")
net.add_edge(
    "x:film", "=\tdate", label="publication date ?!", id="e6", dashes=[7, 4], color=palette.rejected
)
net.add_edge("x:film", "+\tmore", id="e7", dashes=[4, 3])
net.add_edge(
    "x:film", "x:lea", label="a relation with a very long name that does not end soon", id="e8"
)
for i in range(state.extra):
    net.add_node(f"n{i}", label=f"New {i}", x=700 + 90 * i, y=60)
    net.add_edge("x:caine", f"n{i}", label="next")

addresses = {
    "x:film": "https://e.example/film",
    "x:caine": f"javascript:{JS}",
    HOSTILE[0]: f"https:{JS}",
}
event = graph(
    net,
    key="kg",
    height=460,
    current="x:film",
    menus={
        "node": [("grow", "Show one hop"), ("evil", HOSTILE[0])],
        "fold": [("open", "Show them")],
        "edge": [("look", "Look at it")],
        "view": [("all", "Show all")],
    },
    links=links_of({str(node["id"]): addresses.get(str(node["id"]), "") for node in net.nodes}),
    undo=f"one hop around {HOSTILE[0]}",
    name="ab12 <b>graph</b> ../x",
)
if event:
    state.events.append(event)
st.code(json.dumps(state.events))
