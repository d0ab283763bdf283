"""The drawing of the search tree."""

from typing import Any

from kgcore.runs import RunView
from kgcore.steps import NodeAdded, NodePruned, NodeScored
from kgcore.views.tree_layout import COLUMN, ROW, tidy_tree
from kgcore.views.tree_network import tree_network
from pages.components.theme import DARK, LIGHT
from tests.unit.views import hand_made as made


def nodes(view: RunView, **options: Any) -> dict[str, dict[str, Any]]:
    return {node["id"]: node for node in tree_network(view, LIGHT, **options).nodes}


def glowing(view: RunView) -> list[str]:
    return [n for n, node in nodes(view).items() if node.get("shadow", {}).get("enabled")]


def edges(view: RunView) -> dict[str, dict[str, Any]]:
    return {edge["id"]: edge for edge in tree_network(view, LIGHT).edges}


def test_a_tree_grows_to_the_right_and_parents_stand_amid_their_children() -> None:
    places = tidy_tree({"a": None, "b": "a", "c": "a", "d": "b", "e": "b"})
    assert places["a"][0] == 0
    assert places["b"][0] == places["c"][0] == COLUMN
    assert places["b"][1] == (places["d"][1] + places["e"][1]) / 2
    assert places["c"][1] - places["e"][1] == ROW


def test_leaves_of_a_tree_never_share_a_row() -> None:
    places = tidy_tree({"a": None, "b": "a", "c": "a", "d": "b", "e": "c"})
    assert places["d"][1] != places["e"][1]


def test_low_boxes_stand_closer_and_none_covers_another() -> None:
    parents = {"a": None, "b": "a", "c": "a", "d": "b", "e": "c", "f": "a"}
    heights = {"a": 60.0, "b": 60.0, "c": 60.0, "d": 30.0, "e": 30.0, "f": 30.0}
    places = tidy_tree(parents, column=10, heights=heights)
    assert places["c"][1] - places["b"][1] == 60  # the room of the parents, which stand alone
    assert places["f"][1] - places["e"][1] == 45
    assert places["d"][0] == 20


def beams(is_pruned: bool) -> RunView:
    bodies = made.story()[:3]
    path = NodeAdded(1, 0, 1, "beam", "cast member → Foy", selected=(made.INTERSTELLAR.id,))
    other = [NodePruned(1)] if is_pruned else []
    return RunView.of(made.entries([*bodies, path, NodeScored(1, 0.25, "relation 1.00"), *other]))


def test_a_path_of_a_beam_says_its_start_its_last_step_and_its_score() -> None:
    assert nodes(beams(False))["1"]["label"] == "#1 Interstellar: cast member → \nFoy 0.25"


def test_a_pruned_path_is_dimmed_dashed_and_low() -> None:
    pruned = nodes(beams(True))["1"]
    assert pruned["label"] == "#1 Interstellar: cast member → Foy 0.25"
    assert pruned["shapeProperties"]["borderDashes"]
    assert pruned["font"]["color"] == LIGHT.dimmed_text
    assert "not kept in the beam" in pruned["title"]


def test_a_box_says_number_action_argument_and_value() -> None:
    assert nodes(made.view())["4"]["label"] == "#4 follow\ncast member\n0.30"
    assert nodes(made.view())["6"]["label"] == "#6 answer\nMichael Caine\n★ 0.90"


def test_the_value_is_the_colour() -> None:
    drawn = nodes(made.view(15))
    assert drawn["1"]["color"]["background"] == LIGHT.heat_of(0.7)[0]
    assert drawn["1"]["font"]["color"] == LIGHT.heat_of(0.7)[1]


def test_the_node_being_expanded_glows_until_the_run_ends() -> None:
    assert glowing(made.view(-1)) == ["4"]
    assert glowing(made.view()) == []


def test_the_path_to_the_answer_is_green() -> None:
    lines = edges(made.view())
    green = {name for name, line in lines.items() if line["color"]["color"] == LIGHT.answer}
    assert green == {"0>1", "1>4", "4>6"}
    assert lines["0>1"]["width"] == 4


def test_a_backtrack_is_a_dotted_curve_with_its_reason() -> None:
    first = edges(made.view())["back0"]
    assert (first["from"], first["to"]) == ("1", "2")
    assert first["dashes"] == [2, 5]
    assert "value 0.40 is higher than 0.30" in first["title"]


def test_a_merged_node_is_dashed_and_names_its_twin() -> None:
    merged = nodes(made.view())["5"]
    assert merged["label"].endswith("= #2")
    assert merged["shapeProperties"]["borderDashes"]


def test_a_rejected_move_hangs_below_the_node_that_tried_it() -> None:
    rejected = nodes(made.view())["x2"]
    assert rejected["label"] == "✗ rejected"
    assert rejected["title"] == "the reply names no action"


def test_the_selected_node_has_a_ring() -> None:
    assert nodes(made.view(), selected=3)["3"]["borderWidth"] == 3.5


def test_five_hundred_nodes_are_drawn_and_the_rest_is_counted() -> None:
    bodies = [made.story()[0], NodeAdded(0, None, 0, "start")]
    bodies += [NodeAdded(i, 0, 1, "think", f"thought {i}") for i in range(1, 700)]
    drawn = nodes(RunView.of(made.entries(bodies)))
    assert drawn["+0"]["label"] == "+200"
    assert len(drawn) == 501


def test_every_prefix_of_a_journal_can_be_drawn() -> None:
    for n in range(len(made.entries()) + 1):
        view = made.view(n)
        assert len(tree_network(view, DARK).nodes) >= len(view.nodes), (
            "rejected moves are drawn too"
        )
