"""A page for bench/drawing.py: one graph, drawn by the app's own component or as pyvis draws by itself.

    ?way=app|pyvis &kind=kg|tree &nodes=200

Each click on "Add" grows the graph by one node. What Python took is written to the file DRAWING_LOG, one line of JSON
for each drawing: the moment at which it began, and the seconds for the layout and for the rest.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Sequence

import streamlit as st
from pyvis.network import Network

from kgcore.model import Entity, EntityId, Relation, RelationId, Triple
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.runs import Entry, RunView, Started
from kgcore.runs.entries import FactNoted
from kgcore.steps import NodeAdded, NodeScored
from kgcore.views.growth import Growth
from kgcore.views.kg_network import kg_network
from kgcore.views.tree_network import tree_network
from pages.components.graph import graph, load
from pages.components.theme import current

HEIGHT = 430
LEAVES = 6  # that one step of the search brings
JOINS = 2  # further edges of a step, between entities that are known: 1.33 edges a node in all
WORDS = "north river film award city actor album band prize year song part house light".split()


def entries_of(kind: str, n_nodes: int, n_more: int) -> list[Entry]:
    """Return a journal whose drawing has so many nodes, and more that came one by one."""
    started = Started(
        "drawing", "How fast is it drawn?", "tree-of-traversals", "1", TraversalConfig()
    )
    facts = kg_facts(n_nodes, n_more) if kind == "kg" else tree_facts(n_nodes + n_more)
    bodies = [started, *(FactNoted(fact) for fact in facts)]
    return [Entry(i, "2026-01-01T00:00:00+00:00", body, i) for i, body in enumerate(bodies)]


def kg_facts(n_nodes: int, n_more: int) -> list[NodeAdded]:
    """Return steps of a search that grow a graph of so many entities, the last ones one by one."""
    rng = random.Random(7)
    entities = [entity(0, rng)]
    facts = [NodeAdded(0, None, 0, "start", entities=(entities[0],))]
    while len(entities) < n_nodes + n_more:
        centre = entities[rng.randrange(max(1, len(entities) // 2))]
        relation = Relation(RelationId(f"b:R{len(facts)}"), rng.choice(WORDS), kg="demo-wikidata")
        n_new = min(LEAVES, n_nodes - len(entities)) if len(entities) < n_nodes else 1
        leaves = [entity(len(entities) + i, rng) for i in range(n_new)]
        triples = [Triple(centre, relation, leaf) for leaf in leaves]
        for _ in range(JOINS if n_new == LEAVES and len(entities) > LEAVES else 0):
            one, other = rng.sample(entities, 2)
            triples.append(Triple(one, relation, other))
        added = NodeAdded(len(facts), 0, 1, "select_relation", centre.name, triples=tuple(triples))
        facts.append(added)
        entities += leaves
    return facts


def entity(number: int, rng: random.Random) -> Entity:
    """Return an entity with a name like those of real ones."""
    name = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4))).title()
    return Entity(
        EntityId(f"b:Q{number}"), f"{name} {number}", "made for measuring", kg="demo-wikidata"
    )


def tree_facts(n_nodes: int) -> list[NodeAdded | NodeScored]:
    """Return steps of a search whose tree has so many nodes, three below each."""
    facts: list[NodeAdded | NodeScored] = [NodeAdded(0, None, 0, "start")]
    for i in range(1, n_nodes):
        parent = (i - 1) // 3
        kind = ("think", "expand", "select_relation")[i % 3]
        facts.append(
            NodeAdded(i, parent, 1, kind, f"{WORDS[i % len(WORDS)]} {i}", votes=1, samples=3)
        )
        facts.append(NodeScored(i, (i * 37 % 100) / 100, "measured"))
    return facts


def network(kind: str, entries: Sequence[Entry], growth: Growth) -> Network:
    """Return the drawing as the app makes it, with nothing folded."""
    view = RunView.of(entries)
    if kind == "tree":
        return tree_network(view, current())
    return kg_network(view, current(), growth=growth)


def placed(entries: Sequence[Entry]) -> Growth:
    """Return the places of all entities, those behind a "+n" as well, kept as in a session of the app."""
    growth: Growth = st.session_state.setdefault("growth", Growth())
    growth.follow(entries)
    for fold in list(growth.folds):
        growth.open(fold)
    return growth


def by_itself(net: Network) -> None:
    """Draw the network as pyvis does without our component: its physics, its page, in an iframe."""
    plain = Network(directed=True, height=f"{HEIGHT}px", cdn_resources="in_line")
    for node in net.nodes:
        style = {key: value for key, value in node.items() if key not in ("id", "x", "y")}
        plain.add_node(node["id"], **style)
    for edge in net.edges:
        style = {key: value for key, value in edge.items() if key not in ("from", "to", "arrows")}
        plain.add_edge(edge["from"], edge["to"], **style)
    st.iframe(plain.generate_html(), height=HEIGHT + 20)


def main() -> None:
    """Draw the page."""
    st.set_page_config(page_title="Drawing", layout="wide")
    wanted = st.query_params
    kind, way = wanted.get("kind", "kg"), wanted.get("way", "app")
    st.session_state.setdefault("more", 0)
    if st.button("Add"):
        st.session_state["more"] += 1
    entries = entries_of(kind, int(wanted.get("nodes", "200")), st.session_state["more"])
    if way == "app":
        load()
    if not st.toggle(
        "Draw"
    ):  # the page, and the library on it, are there before anything is measured
        return
    began, clock = time.time(), time.perf_counter()
    growth = placed(entries) if way == "app" and kind == "kg" else Growth.of(entries)
    laid_out = time.perf_counter()
    net = network(kind, entries, growth)
    if way == "app":
        graph(net, key="bench", height=HEIGHT)
    else:
        by_itself(net)
    row = {
        "began": began,
        "layout": laid_out - clock,
        "rest": time.perf_counter() - laid_out,
        "nodes": len(net.nodes),
        "edges": len(net.edges),
    }
    with open(os.environ["DRAWING_LOG"], "a", encoding="utf-8") as log:
        log.write(json.dumps(row) + "\n")


main()
