"""Subgraph and tree as text, and the details of a node."""

from kgcore.prompts import GiveAnswer, SelectRelation, Think
from kgcore.steps import Answer
from kgcore.views.details import calls_of, rejections_of, value_words
from kgcore.views.tables import added_by, brought_by, tree_text, triples_of
from tests.unit.views import hand_made as made


def test_the_tree_is_told_line_by_line() -> None:
    assert tree_text(made.view()).splitlines() == [
        "★ #0 start",
        "├─ ★ #1 expand · value 0.70",
        "│  ├─ #3 follow · director · value 0.20",
        "│  └─ ★ #4 follow · cast member · value 0.30",
        "│     └─ ★ #6 answer · Michael Caine · value 0.90",
        "└─ #2 think · first the director · value 0.40",
        "   └─ #5 think · first the director · same as #2",
    ]


def test_an_entity_knows_its_triples_and_who_brought_them() -> None:
    view = made.view()
    assert [t.relation.name for t in triples_of(view, made.CAINE.id)] == ["cast member"] * 2
    assert added_by(view, made.CAST_OF_OTHER[0]) == 6
    assert brought_by(view, made.NOLAN.id) == 3
    assert brought_by(view, made.CAINE_ELSEWHERE.id) == 4
    assert added_by(view, made.fact(made.NOLAN, made.CAST, made.FOY)) is None


def test_the_choice_that_led_to_a_node_comes_first() -> None:
    view = made.view()
    (call,) = calls_of(view, view.nodes[2])
    assert (call.part, call.prompt) == ("choice", "What next?")
    assert [reply.text for reply in call.replies] == [
        "EXPAND",
        "THINK first the director",
        "EXPAND",
    ]
    (call,) = calls_of(view, view.nodes[0])
    assert call.part == "next"


def test_rejected_moves_are_listed_with_the_reason() -> None:
    assert rejections_of(made.view(), 2) == [("garbage", "the reply names no action")]


def test_replies_are_told_in_words() -> None:
    view = made.view()
    assert value_words(Think("look at the cast"), view) == "think: look at the cast"
    assert value_words(GiveAnswer("?", is_unknown=True), view) == "cannot tell"
    assert value_words(SelectRelation(1), view, {1: "director"}) == "follow director"
    assert value_words(None, view) == "none"
    assert value_words(Answer("x").parts, view) == "none"
