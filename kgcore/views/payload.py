"""A pyvis network as the JSON that the browser draws.

Nodes and edges are a model only; pyvis's HTML template is never used. All text is cut and freed from control
characters here, edges get ids and curves of their own, physics is off, and nothing may make a browser fetch an address.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgcore.views.safe_text import short

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["HARD_STOP", "payload", "vis_library"]

HARD_STOP = 1500  # more nodes are never drawn
LABEL_LENGTH = 60
LABEL_LINES = 4
TITLE_LENGTH = 300
TITLE_LINES = 12

OPTIONS: dict[str, Any] = {
    "nodes": {
        "shape": "dot",
        "size": 14,
        "borderWidth": 1.5,
        "borderWidthSelected": 3.5,
        "labelHighlightBold": False,
        "widthConstraint": {"maximum": 150},
    },
    "edges": {
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.6}},
        "arrowStrikethrough": False,
        "smooth": False,
        "selectionWidth": 1.5,
        "hoverWidth": 0.5,
        "labelHighlightBold": False,
        "font": {"size": 11},
    },
    "interaction": {
        "hover": True,
        "tooltipDelay": 120,
        "selectConnectedEdges": False,
        "hoverConnectedEdges": False,
        "zoomSpeed": 0.6,
    },
}
FORCED_OPTIONS: dict[str, Any] = {
    "physics": False,
    "layout": {"improvedLayout": False, "hierarchical": False},
    "autoResize": True,
}
# Fields through which vis-network would fetch an address.
FETCHING_FIELDS = frozenset({"image", "brokenImage", "src"})
FETCHING_SHAPES = frozenset({"image", "circularImage"})


def vis_library() -> str:
    """Return the vis-network script that pyvis ships."""
    package = find_spec("pyvis")  # found, not imported: that takes a second
    assert package is not None and package.submodule_search_locations
    folder = Path(package.submodule_search_locations[0])
    return (folder / "templates/lib/vis-9.1.2/vis-network.min.js").read_text("utf-8")


def payload(
    net: Network, *, select: Sequence[str | int] = (), focus: str | int | None = None
) -> dict[str, Any]:
    """Return the JSON form of a network as the browser gets it.

    Of more than HARD_STOP nodes the first are sent, and `cut` says how many there were.
    """
    nodes, edges = net.nodes, net.edges
    if len(nodes) > HARD_STOP:
        nodes = nodes[:HARD_STOP]
        kept = {node["id"] for node in nodes}
        edges = [edge for edge in edges if edge["from"] in kept and edge["to"] in kept]
    data = {
        "nodes": [_node(node) for node in nodes],
        "edges": _edges(edges),
        "options": _options(net),
        "select": list(select),
        "focus": focus,
    }
    if len(nodes) < len(net.nodes):
        data["cut"] = len(net.nodes)
    _refuse_addresses(data)
    return data


def _lines(text: object, *, length: int, limit: int) -> str:
    """Return at most ``limit`` safe lines."""
    lines = str(text)[: 4 * length * limit].split("\n")
    kept = [short(line, length) for line in lines[:limit]]
    return "\n".join([*kept, "…"] if len(lines) > limit else kept)


def _text_fields(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item with its label and title made safe to draw."""
    safe = dict(item)
    if safe.get("label") is not None:
        safe["label"] = _lines(safe["label"], length=LABEL_LENGTH, limit=LABEL_LINES)
    if safe.get("title") is not None:
        safe["title"] = _lines(safe["title"], length=TITLE_LENGTH, limit=TITLE_LINES)
    return safe


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return one node as sent; a node without a finite position is a mistake of the caller."""
    x, y = node.get("x"), node.get("y")
    if x is None or y is None or not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError(f"node {node['id']!r} has no position")
    return _text_fields(node) | {"x": round(x), "y": round(y)}  # vis-network keeps whole numbers


def _edges(edges: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the edges as sent: each with an id of its own, parallel ones bent apart."""
    given = [edge["id"] for edge in edges if "id" in edge]
    if len(given) != len(set(given)):
        raise ValueError("two edges have the same id")
    taken = set(given)
    lanes: Counter[frozenset[Any]] = Counter()
    between = Counter(_ends(edge) for edge in edges)
    firsts: dict[frozenset[Any], Any] = {}
    sent = []
    for edge in edges:
        line = _text_fields(edge)
        line.setdefault("id", _new_id(edge, taken))
        taken.add(line["id"])
        if _is_dynamic(line.get("smooth")):
            del line["smooth"]
        ends = _ends(edge)
        if between[ends] > 1 and "smooth" not in line:
            first = firsts.setdefault(ends, edge["from"])
            line |= _bend(edge, lanes[ends], is_back=edge["from"] != first)
        lanes[ends] += 1
        sent.append(line)
    return sent


def _ends(edge: Mapping[str, Any]) -> frozenset[Any]:
    return frozenset((edge["from"], edge["to"]))


def _new_id(edge: Mapping[str, Any], taken: set[Any]) -> str:
    """Return an id made of ends and label, numbered when that is taken."""
    name = f"{edge['from']}|{str(edge.get('label', ''))[:LABEL_LENGTH]}|{edge['to']}"
    number, new = 1, name
    while new in taken:
        number += 1
        new = f"{name}|{number}"
    return new


def _bend(edge: Mapping[str, Any], lane: int, *, is_back: bool) -> dict[str, Any]:
    """Return the curve of an edge in one of the lanes between two nodes: on either side in turn, further and further.

    A curve turns as its edge goes, so one that goes back turns the other way to stay on the same side.
    """
    if edge["from"] == edge["to"]:
        return {"selfReference": {"size": 18 + 10 * lane, "angle": math.pi / 4}}
    return {
        "smooth": {
            "enabled": True,
            "type": "curvedCCW" if (lane % 2 == 1) != is_back else "curvedCW",
            "roundness": round(0.24 + 0.22 * (lane // 2), 2),
        }
    }


def _is_dynamic(smooth: object) -> bool:
    """Tell whether a curve needs physics, which is off: such edges are drawn in a stale place."""
    return isinstance(smooth, Mapping) and smooth.get("type") == "dynamic"


def _options(net: Network) -> dict[str, Any]:
    """Return vis-network's options: ours, then the network's own where they were set."""
    own = net.options if isinstance(net.options, dict) else json.loads(net.options.to_json())
    own = {name: value for name, value in own.items() if name not in {"configure", "physics"}}
    edges = dict(own.get("edges") or {})
    if _is_dynamic(edges.get("smooth")):
        del edges["smooth"]
    if edges.get("color") == {"inherit": True}:
        del edges["color"]
    own["edges"] = edges
    return _merge(_merge(OPTIONS, own), FORCED_OPTIONS)


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``base`` with ``over`` laid on it, section by section."""
    merged = dict(base)
    for name, value in over.items():
        old = merged.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            value = _merge(old, value)
        merged[name] = value
    return merged


def _refuse_addresses(value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Raise when a node, edge or option would make the browser fetch something."""
    if isinstance(value, Mapping):
        shape = value.get("shape")
        fetching = FETCHING_FIELDS & value.keys()
        if fetching or (isinstance(shape, str) and shape in FETCHING_SHAPES):
            raise ValueError(f"a graph must not load images: {sorted(fetching) or shape}")
        value = list(value.values())
    for part in value:
        if isinstance(part, dict | list | tuple):  # all that JSON can nest
            _refuse_addresses(part)
