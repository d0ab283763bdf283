"""What the graph component sends to the browser, without a browser."""

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from pyvis.network import Network
from streamlit.testing.v1 import AppTest

from kgcore.views.entity_links import links_of
from kgcore.views.payload import HARD_STOP
from kgcore.views.safe_text import file_name
from pages.components.graph import payload, short

RTL = "\u05e9\u05dc\u05d5\u05dd"
ISOLATE, POP = "\u2068", "\u2069"


def network(*edges: tuple[str, str, str]) -> Network:
    """Return a directed network with every node in its place."""
    net = Network(directed=True)
    for name in sorted({end for source, _, target in edges for end in (source, target)}):
        net.add_node(name, label=name.upper(), x=len(net.nodes) * 100, y=0)
    for source, label, target in edges:
        net.add_edge(source, target, label=label)
    return net


def page() -> None:
    import streamlit as st
    from pyvis.network import Network

    from pages.components.graph import graph, load

    load()
    net = Network(directed=True)
    net.add_node("a", label="Alpha", x=0, y=10, color="#274F83")
    net.add_node("b", label="Beta", x=120.04, y=-3, color="#13956A", shape="star")
    net.add_edge("a", "b", label="knows", width=2)
    event = graph(net, key="kg", height=300, select=["b"], focus="a", empty="Ask something.")
    st.text(repr(event))


def sent(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(item.proto.json or "{}") for item in app.get("bidi_component")]


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page, default_timeout=30).run()


def test_a_page_sends_exactly_its_graph(app: AppTest) -> None:
    _, graph = sent(app)
    options = graph.pop("options")
    assert options["physics"] is False
    assert graph == {
        "key": "kg",
        "height": 300,
        "empty": "Ask something.",
        "select": ["b"],
        "focus": "a",
        "nodes": [
            {"id": "a", "label": "Alpha", "x": 0.0, "y": 10.0, "look": 0},
            {"id": "b", "label": "Beta", "x": 120.0, "y": -3.0, "look": 1},
        ],
        "edges": [{"id": "a|knows|b", "from": 0, "to": 1, "label": "knows", "look": 2}],
        "looks": [
            {"color": "#274F83", "shape": "dot"},
            {"color": "#13956A", "shape": "star"},
            {"arrows": "to", "width": 2},
        ],
    }


def test_the_library_travels_in_its_own_component(app: AppTest) -> None:
    loader, view = (item.proto for item in app.get("bidi_component"))
    assert len(loader.js_content) > 400_000
    assert len(view.js_content) + len(view.html_content) < 2_000


def test_a_page_without_a_click_has_no_event(app: AppTest) -> None:
    assert not app.exception
    assert app.text[0].value == "None"


def test_a_second_run_sends_the_same_state(app: AppTest) -> None:
    first = sent(app)
    assert sent(app.run()) == first


def test_parallel_edges_get_ids_and_curves_of_their_own() -> None:
    edges = payload(network(("a", "knows", "b"), ("a", "knows", "b"), ("b", "knows", "a")))["edges"]
    assert [edge["id"] for edge in edges] == ["a|knows|b", "a|knows|b|2", "b|knows|a"]
    assert len({side_of(edge) for edge in edges}) == 3


def side_of(edge: dict[str, Any]) -> float:
    """Return how far an edge lies from the straight line, on one side of it or the other."""
    is_clockwise = (edge["smooth"]["type"] == "curvedCW") == (edge["from"] == "a")
    return float(edge["smooth"]["roundness"]) * (1 if is_clockwise else -1)


def test_parallel_edges_lie_far_enough_apart_for_a_name_on_each() -> None:
    ways = [("a", "knows", "b"), ("b", "knows", "a"), ("a", "knows", "b"), ("b", "knows", "a")]
    for n in (2, 3, 4):
        sides = sorted(side_of(edge) for edge in payload(network(*ways[-n:]))["edges"])
        assert all(high - low > 0.2 for low, high in pairwise(sides))


def test_single_edges_are_straight() -> None:
    data = payload(network(("a", "knows", "b")))
    assert "smooth" not in data["edges"][0]
    assert data["options"]["edges"]["smooth"] is False


def test_loops_on_one_node_grow_outwards() -> None:
    edges = payload(network(*[("a", "is", "a")] * 3))["edges"]
    sizes = [edge["selfReference"]["size"] for edge in edges]
    assert all(small < large for small, large in pairwise(sizes))


def test_the_ids_of_the_caller_are_kept() -> None:
    net = network(("a", "knows", "b"))
    net.add_edge("a", "b", id="t7", label="likes")
    net.add_edge("a", "b", id="a|knows|b", label="meets")
    assert [edge["id"] for edge in payload(net)["edges"]] == ["a|knows|b|2", "t7", "a|knows|b"]


def test_equal_ids_of_the_caller_are_refused() -> None:
    net = network(("a", "knows", "b"))
    net.add_edge("a", "b", id="t7")
    net.add_edge("b", "a", id="t7")
    with pytest.raises(ValueError, match="same id"):
        payload(net)


@pytest.mark.parametrize("place", [{}, {"x": 1}, {"x": math.nan, "y": 0}, {"x": 0, "y": math.inf}])
def test_a_node_without_a_position_is_refused(place: dict[str, float]) -> None:
    net = Network(directed=True)
    net.add_node("a", **place)
    with pytest.raises(ValueError, match="'a' has no position"):
        payload(net)


@pytest.mark.parametrize(
    "style",
    [
        {"shape": "image", "image": "http://example.org/x.png"},
        {"shape": "circularImage"},
        {"image": {"unselected": "x.png"}},
        {"brokenImage": "x.png"},
    ],
)
def test_pictures_are_refused(style: dict[str, Any]) -> None:
    net = Network(directed=True)
    net.add_node("a", x=0, y=0, **style)
    with pytest.raises(ValueError, match="must not load images"):
        payload(net)


def test_a_picture_as_arrow_head_is_refused() -> None:
    net = network(("a", "knows", "b"))
    net.edges[0]["arrows"] = {"to": {"enabled": True, "type": "image", "src": "x.png"}}
    with pytest.raises(ValueError, match="must not load images"):
        payload(net)


def test_physics_stays_off_whatever_the_network_says() -> None:
    net = network(("a", "knows", "b"))
    net.set_options('{"physics": {"enabled": true}, "edges": {"smooth": {"type": "cubicBezier"}}}')
    options = payload(net)["options"]
    assert options["physics"] is False
    assert options["edges"]["smooth"] == {"type": "cubicBezier"}
    assert options["edges"]["font"] == {"size": 11}


def test_a_label_of_ten_thousand_characters_is_cut() -> None:
    net = Network(directed=True)
    net.add_node("a", label="long " * 2000, title="t" * 10_000, x=0, y=0)
    (node,) = payload(net)["nodes"]
    assert len(node["label"]) <= 60
    assert node["label"].endswith("…")
    assert len(node["title"]) <= 300


def test_a_label_keeps_its_lines_up_to_four() -> None:
    net = Network(directed=True)
    net.add_node("a", label="#1 think\nreason\n0.8", x=0, y=0)
    net.add_node("b", label="1\n2\n3\n4\n5", x=0, y=0)
    assert [node["label"] for node in payload(net)["nodes"]] == [
        "#1 think\nreason\n0.8",
        "1\n2\n3\n4\n…",
    ]


@pytest.mark.parametrize(
    "text,expected",
    [
        ("Inception", "Inception"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("**bold** [x](y)", "**bold** [x](y)"),
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("two\nlines\tand\u2028more", "two lines and more"),
        ("abc\u202edef\u2066g", "abcdefg"),
        ("\ud800lone", "lone"),
        (RTL, f"{ISOLATE}{RTL}{POP}"),
        (f"{ISOLATE}{RTL}{POP}", f"{ISOLATE}{RTL}{POP}"),
        ("", ""),
        ("盗梦空间", "盗梦空间"),
        ("x" * 30, "x" * 30),
        ("x" * 31, "x" * 29 + "…"),
        ("x" * 28 + "e" + "\u0301" * 9, "x" * 28 + "…"),
    ],
)
def test_short_makes_any_text_safe_to_draw(text: str, expected: str) -> None:
    assert short(text, 30) == expected


def test_short_is_stable() -> None:
    for text in ("x" * 50, RTL * 20, "e\u0301" * 30):
        once = short(text, 12)
        assert short(once, 12) == once


def test_of_too_many_nodes_the_first_are_sent_with_a_count_of_all() -> None:
    net = Network(directed=True)
    for i in range(HARD_STOP + 20):
        net.add_node(i, label=str(i), x=i, y=0)
        if i:
            net.add_edge(i - 1, i)
    data = payload(net)
    assert (len(data["nodes"]), data["cut"]) == (HARD_STOP, HARD_STOP + 20)
    assert len(data["edges"]) == HARD_STOP - 1


def addresses_of(links: dict[str, Any], names: list[str]) -> dict[str, str]:
    """Read the addresses as the browser does."""
    found = dict(links.get("own", {}))
    for name in names:
        for head, start in links.get("heads", []):
            if name.startswith(head):
                found.setdefault(name, start + name[len(head) :])
    return found


@pytest.mark.parametrize(
    "addresses",
    [
        {
            "wd:Q1": "http://www.wikidata.org/entity/Q1",
            "wd:Q12": "http://www.wikidata.org/entity/Q12",
        },
        {
            "a:1": "https://one.example/1",
            "a:2": "https://two.example/x",
            "a:21": "https://one.example/21",
        },
        {"a:1": "https://one.example/1", "a:2": ""},
        {"1": "http://e.example/1", "2": ""},
        {"x:1": "javascript:alert(1)", "x:2": "data:text/html,2", "x:3": "//e.example/3"},
        {},
    ],
)
def test_addresses_of_pages_travel_short_and_come_out_whole(addresses: dict[str, str]) -> None:
    web = {name: a for name, a in addresses.items() if a.startswith("http")}
    assert addresses_of(links_of(addresses), list(addresses)) == web


def test_a_thousand_addresses_of_one_graph_are_one_pair() -> None:
    links = links_of({f"wd:Q{i}": f"http://www.wikidata.org/entity/Q{i}" for i in range(1000)})
    assert links == {"heads": [("wd:", "http://www.wikidata.org/entity/")], "own": {}}


@pytest.mark.parametrize(
    "text,expected",
    [
        ("ab12 graph Which actor?", "ab12-graph-Which-actor"),
        ("../../etc/passwd\x00", "etc-passwd"),
        ("谁执导了《盗梦空间》？", "谁执导了-盗梦空间"),
        ('<>:"|?*', "graph"),
        ("x" * 300, "x" * 60),
    ],
)
def test_names_of_pictures_are_safe_for_every_file_system(text: str, expected: str) -> None:
    assert file_name(text) == expected
