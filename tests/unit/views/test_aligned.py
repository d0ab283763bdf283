"""Two runs drawn side by side: the same things at the same places, the rest as a faint outline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kgcore.model import EntityId
from kgcore.runs import RunView
from kgcore.runs.first_difference import first_difference
from kgcore.steps import NodeAdded
from kgcore.views.aligned import ONLY_OTHER, aligned_graphs, aligned_trees, common_growth
from pages.components.theme import LIGHT
from tests.unit.views import hand_made as made


def other_story() -> RunView:
    """Return the same run, in which the second thought came first and another relation was followed."""
    changed: list[Any] = []
    for item in made.story():
        if isinstance(item, NodeAdded) and item.node == 3:
            item = NodeAdded(3, 1, 2, "select_relation", "composer", votes=1, samples=6)
        changed.append(item)
    return told(changed)


def told(bodies: Iterable[Any]) -> RunView:
    """Return the fold of these bodies, each at an address of its own."""
    return RunView.of(replace(entry, position=entry.seq) for entry in made.entries(bodies))


def places(net: Any) -> dict[str, tuple[float, float]]:
    return {n["id"]: (n["x"], n["y"]) for n in net.nodes}


def own(net: Any) -> dict[str, tuple[float, float]]:
    return {name: at for name, at in places(net).items() if not name.startswith("ghost\t")}


def test_equal_runs_are_drawn_equally() -> None:
    one, other = aligned_trees(made.view(), made.view(), LIGHT)
    assert places(one) == places(other) == own(one)
    one, other = aligned_graphs(made.view(), made.view(), LIGHT)
    assert places(one) == places(other) == own(one)


def test_what_both_have_stands_at_the_same_place_and_the_rest_is_faint() -> None:
    one, other = aligned_trees(made.view(), other_story(), LIGHT)
    mine, theirs = own(one), own(other)
    assert mine["3"] != theirs["3"]
    assert {n: at for n, at in mine.items() if n != "3"} == {
        n: at for n, at in theirs.items() if n != "3"
    }
    assert places(one)["ghost\t3"] == theirs["3"]
    assert places(other)["ghost\t3"] == mine["3"]
    ghost = next(n for n in one.nodes if n["id"] == "ghost\t3")
    assert "composer" in ghost["label"] and ghost["title"].startswith("only in the other run")
    twin = next(n for n in other.nodes if n["id"] == "3")
    assert ghost["card"] == twin["card"]  # as large there as here


def test_what_only_the_other_run_has_does_not_look_like_what_was_rejected() -> None:
    one, _ = aligned_trees(made.view(), other_story(), LIGHT)
    ghosts = [n for n in one.nodes if n["id"].startswith("ghost\t")]
    others = [n for n in one.nodes if n not in ghosts]
    dashes = [n.get("shapeProperties", {}).get("borderDashes") for n in others]
    assert any(dashes)
    for ghost in ghosts:
        assert ghost["label"].startswith(f"{ONLY_OTHER} ")
        assert ghost["shapeProperties"]["borderDashes"] not in dashes
    assert not any(n["label"].startswith(ONLY_OTHER) for n in others)


def test_two_boxes_never_stand_at_one_place() -> None:
    for net in aligned_trees(made.view(), other_story(), LIGHT):
        assert len(set(places(net).values())) == len(net.nodes)


def test_the_first_difference_is_marked_in_both() -> None:
    first, second = told(made.story()), other_story()
    one, other = aligned_trees(first, second, LIGHT, first_difference(first, second))
    for net in (one, other):
        marked = [n["id"] for n in net.nodes if n["label"].startswith("≠ ")]
        assert marked == ["3"]


def test_entities_stand_where_they_stand_in_the_other_graph() -> None:
    one, other = aligned_graphs(made.view(), other_story(), LIGHT)
    mine, theirs = own(one), own(other)
    assert made.NOLAN.id in mine and made.NOLAN.id not in theirs
    assert all(theirs[name] == mine[name] for name in theirs)
    assert f"ghost\t{made.NOLAN.id}" in places(other)


def test_an_entity_that_one_run_knows_by_another_id_is_drawn_in_both() -> None:
    artist = made.CAINE_ELSEWHERE
    alone = RunView.of(
        made.entries([made.story()[0], NodeAdded(0, None, 0, "start", entities=(artist,))])
    )
    for first, second in ((made.view(), alone), (alone, made.view())):
        plans = common_growth(first, second)
        plan = plans[0] if first is alone else plans[1]
        assert plan.is_shown(EntityId(artist.id))
        assert len(aligned_graphs(first, second, LIGHT)) == 2


def test_an_unfinished_and_an_empty_run_can_be_compared() -> None:
    for n in (1, 3, 12):
        for first, second in ((made.view(n), made.view()), (made.view(), made.view(n))):
            found = first_difference(first, second)
            aligned_trees(first, second, LIGHT, found)
            aligned_graphs(first, second, LIGHT)
