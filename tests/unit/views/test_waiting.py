"""What waits at the approval gate in the drawing of the subgraph."""

from __future__ import annotations

from typing import Any

import pytest

from kgcore.model import EntityId, Literal, Relation, RelationId, Triple
from kgcore.runs import RunView
from kgcore.steps import NodeAdded
from kgcore.views.growth import FANNED, MAX_NODES, SHOWN, Growth
from kgcore.views.kg_network import edge_id, kg_network
from kgcore.views.payload import HARD_STOP
from kgcore.views.waiting import Waiting, waiting_lines
from pages.components.theme import LIGHT
from tests.unit.views import hand_made as made

HUB = made.entity(0, "Hub")
HAS = Relation(RelationId("x:has"), "has")
Item = dict[str, Any]


def leaves(n: int, start: int = 1) -> tuple[Triple, ...]:
    return tuple(made.fact(HUB, HAS, made.entity(i, f"Leaf {i}")) for i in range(start, start + n))


def view_of(*grown: tuple[Triple, ...]) -> RunView:
    facts = [NodeAdded(0, None, 0, "start", entities=(HUB,))]
    facts += [
        NodeAdded(n, 0, 1, "select_relation", "has", triples=t) for n, t in enumerate(grown, 1)
    ]
    return RunView.of(made.entries([made.story()[0], *facts]))


def drawn(view: RunView, **options: Any) -> tuple[dict[str, Item], dict[str, Item]]:
    net = kg_network(view, LIGHT, **options)
    return {n["id"]: n for n in net.nodes}, {e["id"]: e for e in net.edges}


def test_what_waits_is_dashed_and_says_so() -> None:
    batch = leaves(2)
    nodes, edges = drawn(view_of(), waiting=Waiting(batch))
    line = edges[edge_id(batch[0])]
    assert (line["label"], line["dashes"], line["kind"]) == ("has ?", [5, 4], "waiting edge")
    assert line["title"].splitlines()[-1] == "waiting for your decision"
    assert nodes["x:1"]["label"] == "Leaf 1 ?"
    assert nodes["x:1"]["shapeProperties"]["borderDashes"]
    assert nodes["x:0"]["label"] == "Hub", "what the run knows already does not wait"


def test_what_was_chosen_so_far_is_seen() -> None:
    batch = leaves(4)
    new = made.entity(9, "Other")
    waiting = Waiting(batch, rejected={batch[0]}, edited={batch[1]}, replaced={batch[2]: new})
    nodes, edges = drawn(view_of(), waiting=waiting)
    labels = [edges[edge_id(t)]["label"] for t in batch]
    assert labels == ["has ✗", "has ✎", "has ✗", "has ?"]
    assert nodes["x:1"]["label"] == "Leaf 1 ✗"
    became = edges[edge_id(made.fact(HUB, HAS, new))]
    assert became["label"] == "has ✓ ?"
    assert nodes["x:9"]["label"] == "Other ?"


def test_what_is_approved_keeps_its_place_and_its_id() -> None:
    batch, growth = (*leaves(3), made.fact(HUB, made.RELEASED, Literal("1999"))), Growth()
    before = drawn(view_of(), growth=growth, waiting=Waiting(batch, rejected={batch[0]}))
    after = drawn(view_of(batch[1:]), growth=growth)
    assert "x:1" not in after[0], "a rejected one is gone"
    assert len(after[0]) == 4
    for name, node in after[0].items():
        assert (node["x"], node["y"]) == (before[0][name]["x"], before[0][name]["y"])
    assert after[1].keys() < before[1].keys()
    assert not any(edge["dashes"] for edge in after[1].values())
    assert all("kind" not in item for item in after[1].values())


def test_choosing_moves_nothing() -> None:
    batch, growth = leaves(5), Growth()
    before, _ = drawn(view_of(), growth=growth, waiting=Waiting(batch))
    after, _ = drawn(view_of(), growth=growth, waiting=Waiting(batch, rejected=batch))
    assert {n: (v["x"], v["y"]) for n, v in before.items()} == {
        n: (v["x"], v["y"]) for n, v in after.items()
    }


@pytest.mark.parametrize("n", [FANNED, FANNED + 5])
def test_editing_folds_nothing_that_is_seen(n: int) -> None:
    batch, growth, new = leaves(n), Growth(), made.entity(99, "Other")
    before, _ = drawn(view_of(), growth=growth, waiting=Waiting(batch))
    edited, _ = drawn(view_of(), growth=growth, waiting=Waiting(batch, replaced={batch[0]: new}))
    assert edited.keys() == before.keys() | {"x:99"}
    decided = (*batch[1:], made.fact(HUB, HAS, new))
    after, _ = drawn(view_of(decided), growth=growth)
    assert edited.keys() - {"x:1"} <= after.keys()
    assert (after["x:99"]["x"], after["x:99"]["y"]) == (edited["x:99"]["x"], edited["x:99"]["y"])


def test_long_batches_are_folded_and_what_was_seen_stays_in_sight() -> None:
    batch, growth = leaves(FANNED + 20), Growth()
    nodes, _ = drawn(view_of(), growth=growth, waiting=Waiting(batch))
    seen = {name for name in nodes if name.startswith("x:")} - {"x:0"}
    assert len(seen) == SHOWN
    (fold,) = (node for node in nodes.values() if node.get("kind") == "waiting fold")
    assert fold["label"] == f"+{FANNED + 20 - SHOWN} ?"
    after, _ = drawn(view_of(batch[::-1]), growth=growth)
    assert seen <= after.keys(), "in whatever order they arrive"
    assert (after[fold["id"]]["x"], after[fold["id"]]["y"]) == (fold["x"], fold["y"])


def test_a_large_graph_gets_no_more_nodes() -> None:
    parts = [
        tuple(made.fact(HUB, Relation(RelationId(f"x:r{r}"), "r"), end) for end in ends)
        for r, ends in enumerate(
            [made.entity(100 * r + i, "Leaf") for i in range(1, 9)] for r in range(1, 45)
        )
    ]
    view = view_of(*parts)
    assert len(drawn(view)[0]) >= MAX_NODES
    n_before = len(drawn(view)[0])
    nodes, edges = drawn(view, waiting=Waiting((*leaves(5), parts[0][0])))
    assert len(nodes) == n_before + 1, "one box says how many more wait"
    assert len(edges) <= len(nodes) + 1
    growth = Growth()
    growth.extra |= {f"n{i}": (0.0, 1000.0 * i) for i in range(HARD_STOP)}
    nodes, _ = drawn(view_of(), growth=growth, waiting=Waiting(leaves(3)))
    assert not any(name in nodes for name in ("x:1", "x:2", "x:3")), "the hard stop holds"


def test_a_batch_that_nothing_of_the_run_touches_is_drawn_by_itself() -> None:
    growth = Growth()
    nodes, edges = drawn(view_of(), growth=growth, waiting=Waiting(made.CAST_OF_ONE))
    assert len(edges) == 2
    later = RunView.of(
        made.entries(
            [
                made.story()[0],
                NodeAdded(0, None, 0, "start", entities=(HUB,)),
                NodeAdded(1, 0, 1, "start", entities=(made.INCEPTION,), triples=made.CAST_OF_ONE),
            ]
        )
    )
    after, _ = drawn(later, growth=growth)
    assert {n: (v["x"], v["y"]) for n, v in after.items()} == {
        n: (v["x"], v["y"]) for n, v in nodes.items()
    }


@pytest.mark.parametrize("name, places", [("x:0", {0, 1}), ("x:2", {1}), ("x:7", set())])
def test_an_entity_stands_for_all_that_touches_it(name: str, places: set[int]) -> None:
    lines = waiting_lines(Waiting(leaves(2)), view_of().subgraph)
    assert {line.place for line in lines if line.is_of(name)} == places
    assert EntityId("x:0") in view_of().subgraph
