"""Which calls stand at a node: what led to it and what brought its triples, though they were made for its parent."""

from __future__ import annotations

from typing import Any

from kgcore.runs import RunView, StepDone
from kgcore.steps import EdgeSet, Evidence, NodeAdded, Passages
from kgcore.views.details import calls_of
from tests.unit.views import hand_made as made


def fetched(node: int, result: Any, kind: str = "Edges") -> StepDone:
    step = {
        "kind": kind,
        "entities": [made.INCEPTION.id],
        "relation": made.CAST.id,
        "direction": "out",
        "source": "films",
        "about": (node,),
    }
    return StepDone("hash", "key", step, result)


def parts(view: RunView, node: int) -> list[tuple[str, int]]:
    return [(call.part, call.seq) for call in calls_of(view, view.nodes[node])]


def folded(*bodies: Any) -> RunView:
    return RunView.of(made.entries([*made.story()[:3], *bodies]))


def test_a_fetch_stands_at_the_node_whose_triples_it_brought() -> None:
    view = folded(
        made.asked(0, "choose_relation", "Which?", "A", "B"),
        fetched(0, EdgeSet(made.OTHERS)),
        fetched(0, EdgeSet(made.CAST_OF_ONE)),
        NodeAdded(1, 0, 1, "select_relation", "director", triples=made.OTHERS),
        NodeAdded(2, 0, 1, "select_relation", "cast member", triples=made.CAST_OF_ONE),
        NodeAdded(3, 0, 1, "think", "of the cast"),
        fetched(0, EdgeSet(made.OTHERS)),
    )
    assert parts(view, 1) == [("choice", 3), ("fetch", 4)]
    assert parts(view, 2) == [("choice", 3), ("fetch", 5)]
    assert parts(view, 3) == [("choice", 3)]
    assert [seq for _, seq in parts(view, 0)] == [3, 4, 5, 9]


def test_what_a_source_knows_stands_at_the_rationale_it_changed() -> None:
    known = Passages((Evidence("a", triples=made.CAST_OF_ONE),))
    view = folded(
        NodeAdded(1, 0, 1, "draft", "They starred."),
        made.asked(1, "write_sparql", "Write.", "SELECT"),
        fetched(1, known, "Lookup"),
        fetched(1, Passages((Evidence("b"),)), "Lookup"),
        made.asked(1, "correct_rationale", "Correct.", "Caine starred."),
        NodeAdded(2, 1, 2, "correct", "Caine starred.", triples=made.CAST_OF_ONE),
    )
    assert parts(view, 2) == [("fetch", 5), ("choice", 7)]


def test_the_call_that_made_an_answer_stands_at_it() -> None:
    view = folded(
        NodeAdded(1, 0, 1, "draft", "They starred."),
        made.asked(1, "next_rationale", "What follows?", "none"),
        made.asked(1, "answer_from_rationales", "Answer.", "Michael Caine"),
        NodeAdded(2, 1, 2, "answer", "Michael Caine", "done"),
        made.asked(1, "rate_state", "Rate.", "0.5"),
    )
    (call,) = calls_of(view, view.nodes[2])
    assert (call.part, call.template) == ("choice", "answer_from_rationales")
