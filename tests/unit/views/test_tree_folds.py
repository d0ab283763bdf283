"""Branches of the search tree that a person folds, and "+n" nodes that open."""

from __future__ import annotations

from typing import Any

from kgcore.runs import RunView
from kgcore.steps import NodeAdded
from kgcore.views.payload import HARD_STOP
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_network import tree_network
from pages.components.theme import LIGHT
from tests.unit.views import hand_made as made


def nodes(view: RunView, folds: TreeFolds | None = None) -> dict[str, dict[str, Any]]:
    return {node["id"]: node for node in tree_network(view, LIGHT, folds=folds).nodes}


def wide(n: int) -> RunView:
    bodies = [made.story()[0], NodeAdded(0, None, 0, "start")]
    bodies += [NodeAdded(i, 0, 1, "think", f"thought {i}") for i in range(1, n)]
    return RunView.of(made.entries(bodies))


def test_a_folded_branch_is_one_node_that_counts_it_and_nothing_else_moves() -> None:
    folds = TreeFolds()
    before = nodes(made.view())
    folds.toggle(1)
    after = nodes(made.view(), folds)
    assert before.keys() - after.keys() == {"3", "4", "6"}
    assert after["+1"]["label"] == "+3"
    assert all(
        (after[n]["x"], after[n]["y"]) == (before[n]["x"], before[n]["y"])
        for n in after
        if n != "+1"
    )
    assert after["+1"]["y"] == after["1"]["y"]


def test_a_click_on_the_count_unfolds_and_an_undo_folds_again() -> None:
    folds = TreeFolds()
    whole = nodes(made.view())
    folds.toggle(1)
    folded = nodes(made.view(), folds)
    folds.open(1)
    assert nodes(made.view(), folds) == whole
    folds.undo()
    assert nodes(made.view(), folds) == folded
    folds.undo()
    assert nodes(made.view(), folds) == whole
    folds.undo()
    assert not folds.acts


def test_a_fold_inside_a_folded_branch_is_counted_with_it() -> None:
    folds = TreeFolds()
    folds.toggle(4)
    folds.toggle(1)
    drawn = nodes(made.view(), folds)
    assert drawn["+1"]["label"] == "+3"
    assert "+4" not in drawn


def test_edges_lead_to_the_count_and_none_leads_nowhere() -> None:
    folds = TreeFolds()
    folds.toggle(1)
    net = tree_network(made.view(), LIGHT, folds=folds)
    drawn = {node["id"] for node in net.nodes}
    assert all({edge["from"], edge["to"]} <= drawn for edge in net.edges)
    assert "1>+1" in {edge["id"] for edge in net.edges}


def test_the_rest_of_a_wide_tree_opens_up_to_the_hard_stop() -> None:
    folds = TreeFolds()
    assert nodes(wide(700))["+0"]["label"] == "+200"
    folds.open(0)
    assert len(nodes(wide(700), folds)) == 700
    drawn = nodes(wide(1800), folds)
    assert len(drawn) == HARD_STOP + 1
    assert drawn["+0"]["label"] == f"+{1800 - HARD_STOP}"


def test_a_folded_wide_tree_counts_what_was_not_drawn_too() -> None:
    folds = TreeFolds()
    folds.toggle(0)
    assert nodes(wide(700), folds)["+0"]["label"] == "+699"
