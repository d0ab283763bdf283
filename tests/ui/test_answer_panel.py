"""The answer panel: what the graphs disagree on, and which of them did not answer."""

from __future__ import annotations

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from kgcore.model import Conflict, Literal, Provenance, Triple
from kgcore.runs import Ended, RunView
from kgcore.runs.entries import StepDone
from kgcore.steps import AnswerPart, RationaleDrafted, RelationOptions
from pages.components.watch import Seen
from tests.unit.views import hand_made as made

NOTE = "mus<b>ic did not answer: it is down"


def drawn(view: RunView) -> str:
    def page() -> None:
        import streamlit as st

        from pages.components import answer_panel
        from pages.components.theme import current

        answer_panel.show(st.session_state["seen"], "0" * 32, current())

    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["seen"] = Seen(view, view.status, 3.0)
    app.run()
    assert not app.exception
    shown = [block.proto.body for block in app.get("html")]
    return "\n".join([*shown, *(button.label for button in app.button)])


def disputed() -> RunView:
    born = [
        Triple(made.INCEPTION, made.RELEASED, Literal(value, "xsd:date"), Provenance(kg))
        for value, kg in (("2010-07-16", "films"), ("2011-01-01", "music"))
    ]
    answer = replace(
        made.ANSWER, proof=(*made.ANSWER.proof, born[0]), conflicts=(Conflict(tuple(born)),)
    )
    return RunView.of(made.entries([*made.story()[:-2], Ended("answered", "", answer, 1.0)]))


def test_a_disagreement_is_told_in_one_sentence_and_marked_in_the_proof() -> None:
    shown = drawn(disputed())
    assert (
        "≠ <bdi>The graphs disagree: publication date of Inception is 2010-07-16 (films) and"
        " 2011-01-01 (music)"
    ) in shown
    assert r"2010\-07\-16 ≠ :gray" in shown
    assert r"Michael Caine :gray" in shown
    assert "≠" not in drawn(made.view())


def test_a_graph_that_did_not_answer_is_named_beside_the_answer_and_why_below() -> None:
    step = {"kind": "Relations", "entities": ("x:1",), "about": (0,)}
    gone = RelationOptions(is_partial=True, notes=(NOTE,), missing=("mus<b>ic",))
    story = made.story()
    story.insert(4, StepDone("h", "k", step, gone))
    shown = drawn(RunView.of(made.entries(story)))
    assert ", without <bdi>mus&lt;b&gt;ic</bdi></small>" in shown
    assert "mus&lt;b&gt;ic did not answer: it is down" in shown
    assert "without" not in drawn(made.view())


def test_each_part_has_its_path_from_each_thing_of_the_question() -> None:
    shown = drawn(made.view())
    assert r"Inception – cast member → Michael Caine :gray[films]" in shown
    assert r"Interstellar – cast member → Michael Caine :gray[films]" in shown
    assert "Also cited" not in shown


def test_a_part_without_an_edge_is_marked_as_model_memory() -> None:
    parts = (*made.ANSWER.parts, AnswerPart(Literal("2<b>3"), is_supported=False))
    answer = replace(made.ANSWER, parts=parts)
    shown = drawn(
        RunView.of(made.entries([*made.story()[:-2], Ended("answered", "", answer, 1.0)]))
    )
    assert "2&lt;b&gt;3</bdi>: no edge supports it" in shown
    assert "<b><bdi>Michael Caine</bdi></b> because" in shown


def test_no_answer_from_what_was_incomplete_is_no_verdict_on_the_graphs() -> None:
    step = {"kind": "Relations", "entities": ("x:1",), "about": (0,)}
    verdict = "The graphs hold no answer"
    for is_partial in (True, False):
        done = StepDone("h", "k", step, RelationOptions(is_partial=is_partial))
        story = [*made.story()[:4], done, Ended("no_answer", "", None, 1.0)]
        shown = drawn(RunView.of(made.entries(story)))
        assert (verdict in shown) is not is_partial
        assert ("There may be one" in shown) is is_partial


def test_what_was_cut_by_its_length_is_told_only_where_no_graph_was_searched() -> None:
    cut = Ended("no_answer", "limit: 12 sentences", None, 1.0)
    searched = drawn(RunView.of(made.entries([*made.story()[:-2], cut])))
    drafted = RationaleDrafted(0, 1, "It is so.", "ahead")
    written = drawn(RunView.of(made.entries([*made.story()[:-2], drafted, cut])))
    assert "12 sentences" not in searched
    assert "12 sentences" in written
