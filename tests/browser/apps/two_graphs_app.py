"""A page as the application draws it: a knowledge graph beside a search tree, every kind of mark."""

import networkx as nx
import streamlit as st
from pyvis.network import Network

from pages.components.graph import graph, load
from pages.components.styles import sheet
from pages.components.theme import Palette, chip, color_sheet, current, heat_legend, legend

TRIPLES = [
    ("Inception", "cast member", "Leonardo DiCaprio", 0),
    ("Inception", "cast member", "Joseph Gordon-Levitt", 0),
    ("Inception", "cast member", "Elliot Page", 0),
    ("Inception", "cast member", "Michael Caine", 0),
    ("Inception", "cast member", "Cillian Murphy", 0),
    ("Inception", "cast member", "Tom Hardy", 0),
    ("Inception", "director", "Christopher Nolan", 0),
    ("Inception", "screenwriter", "Christopher Nolan", 0),
    ("Inception", "composer", "Hans Zimmer", 1),
    ("Inception", "publication date", "2010-07-16", 0),
    ("Interstellar", "cast member", "Michael Caine", 0),
    ("Interstellar", "cast member", "Matthew McConaughey", 0),
    ("Interstellar", "cast member", "Anne Hathaway", 0),
    ("Interstellar", "cast member", "Jessica Chastain", 0),
    ("Interstellar", "director", "Christopher Nolan", 0),
    ("Interstellar", "composer", "Hans Zimmer", 1),
    ("Interstellar", "duration", "169 minute", 0),
    ("Hans Zimmer", "recorded", "Time", 1),
    ("Hans Zimmer", "born in", "Frankfurt", 1),
    ("Hans Zimmer", "recorded", "No Time for Caution", 1),
    ("Christopher Nolan", "born in", "London", 0),
    ("Christopher Nolan", "spouse", "Emma Thomas", -1),
    ("Michael Caine", "born in", "London", 0),
    ("Michael Caine", "award received", "Academy Award for Best Supporting Actor", 0),
    ("Matthew McConaughey", "place of birth", "Uvalde", -2),
    ("Frankfurt", "country", "Germany", 1),
    ("London", "ولد في", "المملكة المتحدة", 0),
]
LITERALS = {"2010-07-16", "169 minute"}
PROOF = {("Inception", "Michael Caine"), ("Interstellar", "Michael Caine")}
SEEDS = {"Inception", "Interstellar"}
ANSWER = "Michael Caine"

# id, parent, kind, action, argument, value, state
TREE = [
    (0, None, "start", "start", "", None, ""),
    (1, 0, "think", "think", "find both casts", 0.5, ""),
    (2, 0, "expand", "expand", "Inception", 0.6, ""),
    (3, 0, "expand", "expand", "Interstellar", 0.4, ""),
    (4, 2, "expand", "cast member", "Inception", 0.8, ""),
    (5, 2, "expand", "director", "Inception", 0.3, ""),
    (6, 2, "expand", "composer", "Inception", 0.2, "rejected"),
    (7, 4, "expand", "expand", "Interstellar", 0.8, ""),
    (8, 4, "think", "think", "compare the casts", 0.6, ""),
    (9, 4, "answer", "answer", "Cillian Murphy", 0.1, "rejected"),
    (10, 7, "expand", "cast member", "Interstellar", 0.9, ""),
    (11, 7, "expand", "director", "Interstellar", 0.3, ""),
    (12, 10, "answer", "answer", "Michael Caine", 1.0, "answer"),
    (13, 10, "answer", "answer", "Anne Hathaway", 0.2, "rejected"),
    (14, 10, "think", "think", "one name is in both lists", 0.7, ""),
    (15, 8, "expand", "expand", "Cillian Murphy", 0.4, ""),
    (16, 8, "expand", "expand", "Tom Hardy", 0.4, ""),
    (17, 3, "expand", "duration", "Interstellar", 0.0, "rejected"),
    (18, 14, "answer", "answer", "Michael Caine and Matthew McConaughey", 0.5, ""),
]
PATH = {0, 2, 4, 7, 10, 12}
BACKTRACKS = [(9, 7)]


def knowledge_graph(palette: Palette) -> Network:
    """Return the knowledge graph with the answer's proof in front."""
    drawing = nx.Graph([(s, o) for s, _, o, _ in TRIPLES])
    places = nx.spring_layout(drawing, seed=7, k=0.62, iterations=300)
    net = Network(directed=True)
    for name in drawing:
        x, y = places[name]
        source = next(k for s, _, o, k in TRIPLES if name in (s, o))
        net.add_node(name, label=name, x=460 * x, y=300 * y, **node_style(name, source, palette))
    for subject, relation, target, source in TRIPLES:
        style = edge_style((subject, target) in PROOF, source, palette)
        label = f"{relation} ?" if source == -1 else f"{relation} ✓" if source == -2 else relation
        title = f"{subject}\n{relation}\n{target}"
        net.add_edge(subject, target, label=label, title=title, **style)
    return net


def node_style(name: str, source: int, palette: Palette) -> dict[str, object]:
    on_proof = name in SEEDS or name == ANSWER
    color = palette.source(source) if source >= 0 else palette.memory
    style: dict[str, object] = {"title": f"{name}\nfrom demo-{source}", "size": 12}
    style["font"] = {"color": palette.text if on_proof else palette.muted, "size": 13}
    if name in LITERALS:
        style |= {"shape": "box", "margin": 5, "font": {"color": palette.text, "size": 12}}
        style["color"] = fill(palette.surface, color, palette)
    elif name == ANSWER:
        style |= {"shape": "star", "size": 20, "font": {"color": palette.text, "size": 15}}
        style["color"] = fill(palette.answer, palette.answer, palette)
    elif name in SEEDS:
        style |= {"shape": "diamond", "size": 18, "font": {"color": palette.text, "size": 15}}
        style["color"] = fill(palette.text, palette.answer, palette)
        style["borderWidth"] = 3
    else:
        style["shape"] = "dot"
        style["color"] = fill(color, color, palette)
        style["opacity"] = 0.6
    if source == -1 and name not in SEEDS and name == "Emma Thomas":
        style["shapeProperties"] = {"borderDashes": [4, 3]}
    return style


def fill(background: str, border: str, palette: Palette) -> dict[str, object]:
    on = {"background": background, "border": palette.selected}
    return {"background": background, "border": border, "highlight": on, "hover": on}


def edge_style(on_proof: bool, source: int, palette: Palette) -> dict[str, object]:
    if on_proof:
        return {"color": palette.answer, "width": 4, "font": {"color": palette.text, "size": 12}}
    color = {-1: palette.memory, -2: palette.corrected}.get(source) or palette.line
    font = {"color": palette.muted, "size": 11}
    return {"color": color, "width": 1.3, "dashes": source == -1, "font": font}


def search_tree(palette: Palette, *, current_node: int) -> Network:
    """Return the tree, growing to the right."""
    net = Network(directed=True)
    rows = leaf_rows()
    for node, _, kind, action, argument, value, state in TREE:
        depth = depth_of(node)
        lines = [f"#{node} {action}", argument, "" if value is None else f"{value:.1f}"]
        mark = {"rejected": " ✗", "answer": " ★"}.get(state, "")
        label = "\n".join(filter(None, lines)) + mark
        style = tree_style(node, kind, value, state, current_node, palette)
        net.add_node(node, label=label, x=depth * 190, y=rows[node] * 78, title=label, **style)
    for node, parent, *_ in TREE:
        if parent is None:
            continue
        on_path = node in PATH and parent in PATH
        color = palette.answer if on_path else palette.line
        net.add_edge(parent, node, color=color, width=3.5 if on_path else 1.3, arrows="")
    for start, end in BACKTRACKS:
        curve = {"enabled": True, "type": "curvedCW", "roundness": 0.35}
        net.add_edge(start, end, color=palette.backtrack, dashes=[2, 5], width=1.6, smooth=curve)
    smooth = '{"type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.4}'
    net.set_options('{"edges": {"smooth": ' + smooth + "}}")
    return net


def tree_style(
    node: int, kind: str, value: float | None, state: str, now: int, palette: Palette
) -> dict[str, object]:
    background, text = palette.heat_of(value or 0)
    border = palette.answer if node in PATH else palette.line
    style: dict[str, object] = {"shape": "ellipse" if kind == "think" else "box", "margin": 7}
    style |= {"borderWidth": 3 if node in PATH else 1.2, "widthConstraint": {"maximum": 110}}
    style["font"] = {"color": text, "size": 13}
    if state == "rejected":
        background, border = palette.background, palette.dimmed
        style["shapeProperties"] = {"borderDashes": [4, 3]}
        style["font"] = {"color": palette.dimmed_text, "size": 13}
    if node == now:
        border = palette.selected
        style |= {"borderWidth": 3.5}
        style["shadow"] = {"enabled": True, "color": palette.selected, "size": 18, "x": 0, "y": 0}
    style["color"] = fill(background, border, palette)
    return style


def depth_of(node: int) -> int:
    parent = TREE[node][1]
    return 0 if parent is None else 1 + depth_of(parent)


def leaf_rows() -> dict[int, float]:
    rows: dict[int, float] = {}
    leaves = 0

    def place(node: int) -> float:
        nonlocal leaves
        children = [child for child, parent, *_ in TREE if parent == node]
        if not children:
            rows[node] = leaves
            leaves += 1
        else:
            below = [place(child) for child in children]
            rows[node] = (below[0] + below[-1]) / 2
        return rows[node]

    place(0)
    return rows


st.set_page_config(page_title="Two graphs", layout="wide", initial_sidebar_state="collapsed")
load()
colors = current()
st.html(color_sheet(colors) + sheet("pieces"))
st.html(
    '<div class="ts-row">'
    + chip("answered", color=colors.answer, mark="★")
    + "".join(chip(text) for text in ("step 34", "26 calls", "10,712 tokens", "run 98545160"))
    + "</div>"
)
left, right = st.columns([0.48, 0.52], gap="medium")
with left:
    marks = [("", colors.source(0), "demo-wikidata"), ("", colors.source(1), "demo-musicbrainz")]
    marks += [("┄", colors.memory, "model memory"), ("◆", colors.text, "seed")]
    marks += [("★", colors.answer, "answer path")]
    st.html(legend("Knowledge graph", marks))
    picked = graph(knowledge_graph(colors), key="kg", select=["Hans Zimmer"])
with right:
    marks = [("◯", colors.muted, "think"), ("▭", colors.muted, "expand, answer")]
    marks += [("┄", colors.backtrack, "backtrack"), ("✗", colors.muted, "rejected")]
    st.html(legend("Search tree", marks).replace("</div>", heat_legend(colors) + "</div>"))
    now = st.session_state.get("now", 18)
    node = graph(search_tree(colors, current_node=now), key="tree", focus=now)
if node and node["type"] == "node":
    st.session_state["now"] = node["id"]
    st.rerun()
st.text(f"picked {picked}")
