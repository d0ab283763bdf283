"""What a person opens beside a run: drawn faintly, folded, taken back, and never more than can be drawn."""

from __future__ import annotations

from typing import Any

from kgcore.model import EntityId, Literal, Relation, RelationId
from kgcore.runs import RunView
from kgcore.steps import NodeAdded
from kgcore.views.beside import OPACITY, Beside, leaves_of, needed_of
from kgcore.views.growth import Growth, fold_id
from kgcore.views.kg_network import kg_network
from kgcore.views.payload import HARD_STOP
from pages.components.theme import LIGHT
from tests.unit.views import hand_made as made
from tests.unit.views.test_kg_network import star

GENRE = Relation(RelationId("x:genre"), "genre")
DRAMA = made.entity(70, "Drama")
HOP = (
    made.fact(made.INCEPTION, GENRE, DRAMA),
    made.fact(made.INCEPTION, Relation(RelationId("x:len"), "length"), Literal("148")),
    made.fact(made.entity(71, "Book"), GENRE, made.INCEPTION),
)


def drawn(view: RunView, growth: Growth, beside: Beside) -> dict[str, dict[str, Any]]:
    net = kg_network(view, LIGHT, growth=growth, beside=beside)
    return {node["id"]: node for node in net.nodes}


def at(nodes: dict[str, dict[str, Any]]) -> dict[str, tuple[float, float]]:
    return {name: (node["x"], node["y"]) for name, node in nodes.items()}


def test_a_hop_is_drawn_faintly_and_moves_nothing() -> None:
    view, growth, beside = made.view(), Growth(), Beside()
    before = drawn(view, growth, beside)
    assert beside.expand(growth, made.INCEPTION, HOP) == 0
    after = drawn(view, growth, beside)
    new = after.keys() - before.keys()
    assert len(new) == 3
    assert at(before).items() <= at(after).items()
    assert {after[name]["opacity"] for name in new} == {OPACITY}
    assert all("not part of the run" in after[name]["title"] for name in new)
    assert {after[name]["kind"] for name in new} == {"extra", "extra value"}


def test_a_hop_of_what_a_hop_brought_hangs_on_it() -> None:
    view, growth, beside = made.view(), Growth(), Beside()
    drawn(view, growth, beside)
    beside.expand(growth, made.INCEPTION, HOP)
    other = made.fact(DRAMA, GENRE, made.entity(72, "Kind"))
    beside.expand(growth, DRAMA, (other,))
    assert "x:72" in drawn(view, growth, beside)
    beside.collapse(made.INCEPTION)
    assert not {"x:70", "x:72"} & drawn(view, growth, beside).keys()


def test_more_of_a_hop_is_taken_back_to_what_was_open_before() -> None:
    view, growth, beside = made.view(), Growth(), Beside()
    drawn(view, growth, beside)
    beside.expand(growth, made.INCEPTION, HOP[:1])
    few = at(drawn(view, growth, beside))
    beside.expand(growth, made.INCEPTION, HOP)
    net = kg_network(view, LIGHT, growth=growth, beside=beside)
    new = {edge["to"]: edge["isNew"] for edge in net.edges if edge.get("kind") == "extra edge"}
    assert new.pop(DRAMA.id) is False, "it was there before"
    assert set(new.values()) == {True}
    beside.undo(growth)
    assert at(drawn(view, growth, beside)) == few


def test_every_act_can_be_taken_back_one_by_one() -> None:
    view, growth, beside = star(40), Growth(), Beside()
    hub = made.entity(0, "Hub")
    states = [at(drawn(view, growth, beside))]
    (fold,) = growth.folds
    beside.open(growth, fold, "Hub")
    states.append(at(drawn(view, growth, beside)))
    beside.fold(growth, hub, leaves_of(view.subgraph, hub.id, kept=("x:1",)))
    states.append(at(drawn(view, growth, beside)))
    beside.expand(growth, hub, (made.fact(hub, GENRE, DRAMA),))
    states.append(at(drawn(view, growth, beside)))
    beside.collapse(hub)
    assert at(drawn(view, growth, beside)) == states[2]
    assert [len(state) for state in states] == [10, 41, 3, 4]
    for expected in reversed(states):
        beside.undo(growth)
        assert at(drawn(view, growth, beside)) == expected
        if beside.last is None:
            break
    assert beside.last is None
    assert at(drawn(view, growth, beside)) == states[0]


def test_a_folded_leaf_comes_back_when_the_run_goes_on_from_it() -> None:
    view, growth, beside = star(5), Growth(), Beside()
    hub = made.entity(0, "Hub")
    drawn(view, growth, beside)
    assert beside.fold(growth, hub, leaves_of(view.subgraph, hub.id))
    assert "x:3" not in drawn(view, growth, beside)
    further = made.fact(made.entity(3, "Leaf 3"), GENRE, made.entity(99, "Far"))
    later = star(
        5,
        NodeAdded(
            2, 1, 2, "select_relation", "of", triples=(further,), selected=(EntityId("x:3"),)
        ),
    )
    assert {"x:3", "x:99"} <= drawn(later, growth, beside).keys()


def test_what_question_and_answer_are_about_is_not_folded() -> None:
    view = made.view()
    kept = needed_of(view)
    assert {made.INCEPTION.id, made.CAINE.id} <= kept
    leaves = leaves_of(view.subgraph, made.INCEPTION.id, kept=kept)
    assert leaves
    assert not kept & set(leaves)


def test_what_the_run_gets_to_later_stays_where_the_hop_put_it() -> None:
    growth, beside = Growth(), Beside()
    early = made.view(3)
    drawn(early, growth, beside)
    cast = made.CAST_OF_ONE[1]
    beside.expand(growth, made.INCEPTION, (cast,))
    place = at(drawn(early, growth, beside))[made.MURPHY.id]
    later = drawn(made.view(), growth, beside)
    assert at(later)[made.MURPHY.id] == place
    assert later[made.MURPHY.id].get("kind") is None


def test_no_more_than_fifteen_hundred_nodes_are_opened_and_the_rest_stays_folded() -> None:
    view, growth, beside = star(1800), Growth(), Beside()
    hub = made.entity(0, "Hub")
    before = drawn(view, growth, beside)
    (fold,) = growth.folds
    assert not beside.open(growth, fold, "Hub")
    after = drawn(view, growth, beside)
    assert len(before) < len(after) == HARD_STOP
    assert after[fold_id(fold)]["label"] == f"+{1801 - (HARD_STOP - 1)}"
    assert beside.expand(growth, hub, (made.fact(hub, GENRE, made.entity(9999, "Far")),)) == 1
    assert len(drawn(view, growth, beside)) == HARD_STOP
    beside.undo(growth)
    beside.undo(growth)
    assert at(drawn(view, growth, beside)) == at(before)
