"""Where two runs part: by address, in the order the reasoner saw, told in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgcore.corrections import Correction
from kgcore.reasoners.think_on_graph import ThinkOnGraphConfig
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.runs import Decided, Entry, RunView, Started, StepDone
from kgcore.runs.entries import FactNoted
from kgcore.runs.first_difference import first_difference, set_up_differences
from kgcore.steps import EdgeSet, NodeAdded, NodeScored, Replies, Reply
from tests.unit.views.hand_made import CAINE, CAST, CAST_OF_ONE, FOY, INCEPTION, MURPHY, fact

START = Started("a" * 32, "Who?", "tree-of-traversals", "1", TraversalConfig())
ASK = {"kind": "Ask", "template": "choose_action", "n": 1, "role": "reason", "about": (0,)}
EDGES = {
    "kind": "Edges",
    "entities": (INCEPTION.id,),
    "relation": CAST.id,
    "direction": "out",
    "about": (1,),
}


def reply(text: str, value: Any = None, **changes: Any) -> StepDone:
    done = StepDone("asked", "key", ASK, Replies((Reply(text, value or text),)))
    return replace(done, **changes)


def edges(*triples: Any) -> StepDone:
    return StepDone("edges", "key", EDGES, EdgeSet(triples))


def run(*placed: tuple[int, int, Any]) -> RunView:
    items = [(-1, 0, START), *placed]
    return RunView.of(
        Entry(
            seq,
            "2026-03-01T10:00:00Z",
            body if isinstance(body, Started | StepDone | Decided) else FactNoted(body),
            position,
            index,
        )
        for seq, (position, index, body) in enumerate(items)
    )


def test_equal_runs_have_no_difference_whatever_the_order_of_arrival() -> None:
    one = run((0, 0, reply("THINK")), (1, 0, edges(*CAST_OF_ONE)), (1, 1, reply("x")))
    other = run((0, 0, reply("THINK")), (1, 1, reply("x")), (1, 0, edges(*CAST_OF_ONE)))
    assert first_difference(one, other) is None


def test_other_words_of_the_same_value_are_no_difference() -> None:
    one, other = run((0, 0, reply("THINK it", "t"))), run((0, 0, reply("I THINK it", "t")))
    assert first_difference(one, other) is None


def test_a_reply_read_differently_is_told_with_its_text() -> None:
    one = run((0, 0, reply("THINK")), (1, 0, reply("EXPAND")))
    other = run((0, 0, reply("THINK")), (1, 0, reply("ANSWER: x", via="human")))
    found = first_difference(one, other)
    assert found is not None
    assert (found.kind, found.position, found.index, found.n_same) == ("reply", 1, 0, 1)
    assert (found.first.detail, found.second.detail) == ("EXPAND", "ANSWER: x")
    assert found.first.nodes == (0,)
    assert found.sentence.startswith("After 1 equal step, ")


def test_the_graphs_answer_shows_what_only_one_run_saw() -> None:
    extra = fact(INCEPTION, CAST, FOY)
    found = first_difference(
        run((0, 0, edges(*CAST_OF_ONE))), run((0, 0, edges(CAST_OF_ONE[0], extra)))
    )
    assert found is not None and found.kind == "result"
    assert found.first.detail == CAST_OF_ONE[1].text
    assert found.second.detail == extra.text


def test_a_correction_between_equal_results_shows_as_what_they_led_to() -> None:
    raw = edges(*CAST_OF_ONE)
    node = NodeAdded(0, None, 0, "start", triples=CAST_OF_ONE)
    fixed = replace(node, triples=(CAST_OF_ONE[0],))
    found = first_difference(run((0, 0, raw), (1, 0, node)), run((0, 0, raw), (1, 0, fixed)))
    assert found is not None and found.kind == "fact" and found.n_same == 1
    assert found.first.detail == fact(INCEPTION, CAST, MURPHY).text
    assert found.second.detail == ""
    assert found.first.nodes == (0,)


def test_facts_come_before_the_step_of_their_position() -> None:
    one = run((1, 0, NodeScored(0, 0.2)), (1, 0, reply("a")))
    other = run((1, 0, NodeScored(0, 0.3)), (1, 0, reply("b")))
    found = first_difference(one, other)
    assert found is not None and found.kind == "fact"


def test_another_step_and_an_end_are_told_apart() -> None:
    ask, fetch = run((0, 0, reply("a"))), run((0, 0, edges()))
    found = first_difference(ask, fetch)
    assert found is not None and found.kind == "step"
    assert found.sentence.startswith("From the first step on")
    found = first_difference(ask, run((0, 0, reply("a")), (1, 0, edges())))
    assert found is not None and found.kind == "end"
    assert found.first.seq is None and found.second.seq == 2


def test_another_decision_at_the_gate_is_a_difference() -> None:
    gone = Correction("", "retract", INCEPTION, CAST, CAINE, None, "ann", "", "films")
    one = run((0, 0, edges(*CAST_OF_ONE)), (0, 0, Decided("k", CAST_OF_ONE)))
    other = run((0, 0, edges(*CAST_OF_ONE)), (0, 0, Decided("k", CAST_OF_ONE, (gone,))))
    found = first_difference(one, other)
    assert found is not None and found.kind == "decision"
    assert "rejected 1" in found.second.text


def test_set_ups_differ_by_name_and_value() -> None:
    other = replace(
        START, models=(("reason", "b"),), config=TraversalConfig(k=1), kgs=(("music", "v2"),)
    )
    assert set_up_differences(START, START) == []
    found = {name: values for name, *values in set_up_differences(START, other)}
    assert found["Model"] == ["", "b"] and found["Graphs"] == ["", "music"]
    assert found["k"] == [str(TraversalConfig().k), "1"]


def test_settings_of_another_method_are_no_list() -> None:
    other = replace(START, method="think-on-graph", config=ThinkOnGraphConfig())
    assert [name for name, *_ in set_up_differences(START, other)] == ["Method"]
