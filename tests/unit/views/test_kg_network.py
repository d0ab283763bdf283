"""The drawing of the subgraph: where nodes are, and what marks them."""

from itertools import combinations
from typing import Any

import pytest

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from kgcore.runs import RunView
from kgcore.steps import Answer, AnswerPart, AnswerProposed, NodeAdded
from kgcore.views.growth import Growth, literal_id
from kgcore.views.kg_network import edge_id, kg_network
from kgcore.views.style import kg_colors
from pages.components.theme import LIGHT
from tests.unit.views import hand_made as made

Node = dict[str, Any]


def nodes(view: RunView, **options: Any) -> dict[str, Node]:
    return {node["id"]: node for node in kg_network(view, LIGHT, **options).nodes}


def edges(view: RunView, **options: Any) -> dict[str, Node]:
    return {edge["id"]: edge for edge in kg_network(view, LIGHT, **options).edges}


def places(view: RunView, **options: Any) -> dict[str, tuple[float, float]]:
    return {name: (node["x"], node["y"]) for name, node in nodes(view, **options).items()}


def star(n: int, *more: Any) -> RunView:
    """A hub with n leaves along one relation."""
    hub, relation = made.entity(0, "Hub"), Relation(RelationId("x:has"), "has")
    leaves = [made.entity(i, f"Leaf {i}") for i in range(1, n + 1)]
    triples = tuple(made.fact(hub, relation, leaf) for leaf in leaves)
    grown = NodeAdded(1, 0, 1, "select_relation", "has", triples=triples)
    bodies = [made.story()[0], NodeAdded(0, None, 0, "start", entities=(hub,)), grown, *more]
    return RunView.of(made.entries(bodies))


def test_nodes_never_move_as_the_run_grows() -> None:
    final = places(made.view())
    for n in range(len(made.entries()) + 1):
        early = places(made.view(n))
        assert {name: final[name] for name in early if name in final} == {
            name: at for name, at in early.items() if name in final
        }


def test_growing_step_by_step_gives_the_places_of_growing_at_once() -> None:
    growth = Growth()
    for n in range(len(made.entries()) + 1):
        step_by_step = places(made.view(n), growth=growth)
    assert step_by_step == places(made.view())


def test_an_earlier_moment_is_drawn_at_the_places_of_the_whole() -> None:
    growth = Growth.of(made.entries())
    early = places(made.view(12), growth=growth)
    final = places(made.view(), growth=growth)
    assert early.items() <= final.items()
    assert len(early) < len(final)


@pytest.mark.parametrize("n", [9, 40])
def test_no_two_nodes_lie_on_each_other(n: int) -> None:
    at = places(star(n))
    assert all(
        abs(a[0] - b[0]) > 60 or abs(a[1] - b[1]) > 30 for a, b in combinations(at.values(), 2)
    )


def test_each_kind_of_node_has_its_shape() -> None:
    drawn = nodes(made.view())
    date = literal_id(made.DATE, made.INCEPTION.id, made.RELEASED.id)
    assert drawn["x:1"]["shape"] == "diamond"
    assert drawn["x:3"]["shape"] == "star"
    assert drawn["x:6"]["shape"] == "dot"
    assert drawn[date]["shape"] == "box"
    assert drawn[date]["label"] == "2010-07-16"


def test_an_entity_of_several_graphs_is_marked_by_its_shape() -> None:
    drawn = nodes(made.view(12))["x:3"]
    assert drawn["shape"] == "hexagon"
    assert "the same as y:artist/caine" in drawn["title"]


def test_the_answer_path_is_green_and_everything_else_is_dimmed() -> None:
    lines = edges(made.view())
    on_path = lines.pop(edge_id(made.PROOF[0]))
    assert (on_path["color"]["color"], on_path["width"]) == (LIGHT.answer, 4)
    assert lines[edge_id(made.OTHERS[0])]["color"]["color"] == LIGHT.dimmed
    drawn = nodes(made.view())
    assert drawn["x:6"]["opacity"] < 0.5 < drawn["x:3"]["opacity"]


def test_nothing_is_dimmed_while_the_run_goes_on() -> None:
    assert all(node.get("opacity", 1.0) == 1.0 for node in nodes(made.view(-1)).values())


def test_a_part_of_the_graph_is_drawn_where_the_whole_has_it() -> None:
    view = made.view()
    whole, part = places(view), places(view, subgraph=view.nodes[3].subgraph)
    assert part.items() <= whole.items()
    assert "x:3" not in part


def test_the_selected_node_has_a_ring_of_its_own() -> None:
    ringed = nodes(made.view(), selected="x:6")["x:6"]
    assert ringed["color"]["border"] == LIGHT.selected
    assert ringed["borderWidth"] == 3.5


def test_many_leaves_are_folded_into_one_node_that_counts_them() -> None:
    drawn = nodes(star(40))
    (fold,) = [node for node in drawn.values() if node["label"].startswith("+")]
    assert fold["label"] == "+32"
    assert len(drawn) == 1 + 8 + 1


def test_what_two_branches_fetch_stays_folded() -> None:
    again = star(40).nodes[1]
    bodies = NodeAdded(2, 0, 1, "select_relation", "has", triples=again.added)
    assert places(star(40, bodies)) == places(star(40))


def test_a_folded_node_appears_when_the_run_goes_on_from_it() -> None:
    leaf = made.entity(39, "Leaf 39")
    further = made.fact(leaf, Relation(RelationId("x:of"), "of"), made.entity(99, "Far"))
    grown = NodeAdded(2, 1, 2, "select_relation", "of", triples=(further,))
    assert {"x:39", "x:99"} <= places(star(40, grown)).keys()


def test_a_fold_that_is_opened_shows_its_nodes_and_moves_none() -> None:
    view, growth = star(40), Growth()
    before = places(view, growth=growth)
    growth.open(next(iter(growth.folds)))
    after = places(view, growth=growth)
    assert len(after) == 41
    assert {n: at for n, at in before.items() if n in after}.items() <= after.items()


def test_what_the_answer_needs_is_never_folded_away() -> None:
    hub, leaf = made.entity(0, "Hub"), made.entity(39, "Leaf 39")
    proof = (made.fact(hub, Relation(RelationId("x:has"), "has"), leaf),)
    answer = Answer("Leaf 39", (AnswerPart(leaf),), 0.9, proof, node=1)
    assert nodes(star(40, AnswerProposed(answer)))["x:39"]["shape"] == "star"


def test_no_more_than_three_hundred_nodes_are_drawn() -> None:
    relation = Relation(RelationId("x:has"), "has")
    bodies: list[Any] = [made.story()[0]]
    hubs = tuple(made.entity(1000 * i, f"Hub {i}") for i in range(1, 41))
    bodies.append(NodeAdded(0, None, 0, "start", entities=hubs))
    for i, hub in enumerate(hubs, 1):
        leaves = [made.entity(1000 * i + k, f"Leaf {k}") for k in range(1, 11)]
        triples = tuple(made.fact(hub, relation, leaf) for leaf in leaves)
        bodies.append(NodeAdded(i, 0, 1, "select_relation", "has", triples=triples))
    drawn = nodes(RunView.of(made.entries(bodies)))
    assert 250 < len(drawn) <= 340
    assert sum(int(n["label"]) for n in drawn.values() if n["label"].startswith("+")) > 100


def test_an_answer_no_graph_holds_is_drawn_as_model_memory() -> None:
    answer = Answer("Atlantis", (AnswerPart(Literal("Atlantis"), is_supported=False),), 0.5)
    view = RunView.of(made.entries([*made.story()[:-2], AnswerProposed(answer)]))
    (memory,) = [n for n in nodes(view).values() if n["label"] == "Atlantis ?"]
    assert memory["color"]["border"] == LIGHT.memory
    assert memory["shapeProperties"]["borderDashes"]


def test_entities_joined_later_keep_the_place_of_the_first() -> None:
    one, other = made.entity(1, "Nolan"), Entity(EntityId("y:1"), "Nolan", kg="music")
    born = made.fact(other, Relation(RelationId("y:born"), "born"), Literal("1970"), kg="music")
    start = [made.story()[0], NodeAdded(0, None, 0, "start", entities=(one, other))]
    apart = [*start, NodeAdded(1, 0, 1, "select_relation", "born", triples=(born,))]
    joined = [*apart, NodeAdded(2, 1, 2, "think", "same", same_as=((one.id, other.id),))]
    before, after = (places(RunView.of(made.entries(b))) for b in (apart, joined))
    assert after["x:1"] == before["x:1"]
    assert "y:1" not in after
    assert set(after.values()) <= set(before.values())


def test_a_graph_has_one_colour_in_every_run_and_two_graphs_never_the_same() -> None:
    names = ["demo-wikidata", "demo-musicbrainz", "films", "music", "dbpedia"]
    together = kg_colors(names, LIGHT)
    assert len(set(together.values())) == len(names)
    assert kg_colors(names[:1], LIGHT)[names[0]] == together[names[0]]
    assert len(kg_colors([f"kg{i}" for i in range(20)], LIGHT)) == 20


def test_values_on_which_graphs_disagree_are_both_drawn_and_marked_with_who_says_what() -> None:
    values = [made.fact(made.INCEPTION, made.RELEASED, made.DATE)]
    values.append(
        made.fact(made.INCEPTION, made.RELEASED, Literal("2011", "xsd:gYear"), kg="music")
    )
    facts = [*values, made.fact(made.INCEPTION, made.DIRECTOR, made.NOLAN)]
    story = [*made.story()[:3], NodeAdded(1, 0, 1, "select_relation", triples=tuple(facts))]
    drawn = edges(RunView.of(made.entries(story)))
    disputed = [edge for edge in drawn.values() if edge["label"] == "publication date ≠"]
    assert len(disputed) == 2
    for edge in disputed:
        assert "is 2010-07-16 (films) and 2011 (music)" in edge["title"]
    assert [e["label"] for e in drawn.values() if e not in disputed] == ["director"]
