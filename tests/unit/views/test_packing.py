"""What travels to the browser: looks once, ends of edges as positions."""

import json

from kgcore.views.packing import packed

RED = {"background": "#f00", "border": "#000"}


def unpacked(data: dict[str, object]) -> dict[str, object]:
    """Do what assets/components/packing.js does."""
    sent = json.loads(json.dumps(data))
    looks = sent.pop("looks")
    nodes = [{**looks[node.pop("look")], **node} for node in sent["nodes"]]
    edges = [{**looks[edge.pop("look")], **edge} for edge in sent["edges"]]
    for edge in edges:
        edge["from"], edge["to"] = nodes[edge["from"]]["id"], nodes[edge["to"]]["id"]
    return {**sent, "nodes": nodes, "edges": edges}


def drawing(n: int) -> dict[str, object]:
    nodes = [
        {"id": f"n{i}", "label": f"N {i}", "x": i, "y": 0, "color": RED, "size": 11 + i % 2}
        for i in range(n)
    ]
    edges = [
        {"id": f"e{i}", "from": f"n{i}", "to": f"n{i - 1}", "label": "knows", "width": 2}
        for i in range(1, n)
    ]
    return {"nodes": nodes, "edges": edges, "select": ["n1"], "focus": None}


def test_what_is_packed_can_be_put_together_again() -> None:
    data = drawing(7)
    assert unpacked(packed(data)) == data


def test_each_look_travels_once() -> None:
    assert len(packed(drawing(50))["looks"]) == 3


def test_numbers_and_texts_stay_apart_as_ids() -> None:
    nodes = [{"id": 1, "x": 0, "y": 0}, {"id": "1", "x": 1, "y": 1}]
    data = {"nodes": nodes, "edges": [{"id": "e", "from": "1", "to": 1}]}
    assert unpacked(packed(data)) == data
