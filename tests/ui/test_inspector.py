"""The inspector: a node with its calls and what it added, an entry of the journal, and the marks of people."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.reasoners import reasoner
from kgcore.runs import RunView, StepDone
from kgcore.runs.asked import asked_in
from kgcore.runs.changes import valuing
from kgcore.steps import Replies, Reply, Usage
from pages.components.selection import Selection
from pages.components.watch import Past, Seen
from tests.unit.views import hand_made as made

RUN = "0" * 32


def drawn(view: RunView, picked: Selection, *, past: Past | None = None) -> AppTest:
    def page() -> None:
        import streamlit as st

        from pages.components import inspector
        from pages.components.theme import current

        inspector.show(st.session_state["seen"], "0" * 32, current())

    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["seen"] = Seen(view, view.status, 3.0, past=past)
    app.session_state["selections"] = {RUN: picked}
    app.run()
    assert not app.exception
    return app


def text_of(app: AppTest) -> str:
    parts = [block.proto.body for block in app.get("html")]
    parts += [code.value for code in app.code] + [caption.value for caption in app.caption]
    parts += [box.label for box in app.expander] + [button.label for button in app.button]
    return "\n".join(parts)


def node(number: int, view: RunView | None = None) -> str:
    return text_of(drawn(view or made.view(), Selection("tree", str(number))))


def test_a_node_shows_what_was_sent_and_how_each_sample_was_read() -> None:
    shown = node(1)
    assert "The choice that led here – 3 samples" in shown
    assert "What next?" in shown
    assert "Prompt as sent – 100 tokens" in shown
    assert "100 tokens sent, 20 received · $0.0010 · 1 request · 0.40 s" in shown
    assert "THINK first the director" in shown
    assert "2 / 3" in shown, "two samples were read alike"


def test_what_a_node_added_is_marked_beside_what_was_known() -> None:
    shown = node(4)
    assert "0 before, 2 after – 2 triples added" in shown
    assert shown.count("<b>+</b>") == 2
    assert "none added" in node(1)


def test_a_repaired_sample_and_what_was_left_out_are_told() -> None:
    step = {"kind": "Ask", "template": "rate_state", "n": 1, "role": "evaluate", "about": (1,)}
    replies = Replies((Reply("Value: 0.7", 0.7, "", True),), "How good?", ("12 <b>edges</b>",))
    story = made.story()
    story.insert(-1, StepDone("h", "k", step, replies, usage=Usage(2), seconds=0.1))
    shown = node(1, RunView.of(made.entries(story)))
    assert "(repaired)" in shown and "2 requests" in shown
    assert "left out of the prompt: <bdi>12 &lt;b&gt;edges&lt;/b&gt;</bdi>" in shown
    assert "≈ " in shown, "who counts no tokens has them estimated"


def test_an_entry_shows_its_response_as_it_came() -> None:
    step = {
        "kind": "Edges",
        "entities": ("x:1",),
        "relation": "x:cast",
        "direction": "out",
        "about": (1,),
    }
    from kgcore.steps import EdgeSet

    story = made.story()
    raw = EdgeSet(made.CAST_OF_ONE, more=(("x:1", 233),), notes=("cut <i>short</i>",))  # type: ignore[arg-type]
    story.insert(-1, StepDone("h", "k", step, raw, seconds=0.1))
    view = RunView.of(made.entries(story))
    seq = next(e.seq for e in view.entries if getattr(e.body, "result", None) is raw)
    shown = text_of(drawn(view, Selection("entry", str(seq))))
    assert "Cillian Murphy" in shown and "233" in shown
    assert "cut &lt;i&gt;short&lt;/i&gt;" in shown
    assert "Node #1" in shown


@pytest.mark.parametrize("wrong", ["999", "-1", "x", "²", ""])
def test_an_entry_that_is_not_there_shows_a_node(wrong: str) -> None:
    assert "#6 answer" in text_of(drawn(made.view(), Selection("entry", wrong)))


def test_every_entry_can_be_looked_into() -> None:
    view = made.view()
    for entry in view.entries:
        shown = text_of(drawn(view, Selection("entry", str(entry.seq))))
        assert f"entry {entry.seq + 1}<" in shown


def test_looking_back_shows_the_entry_of_the_moment() -> None:
    view = made.view()
    earlier = RunView.of(view.entries[:5])
    shown = text_of(drawn(earlier, Selection(), past=Past(5, view)))
    assert "entry 5<" in shown


@pytest.mark.parametrize("picked", [Selection("tree", "6"), Selection("entity", "gone")])
def test_what_was_not_there_yet_gives_way_to_the_entry_of_the_moment(picked: Selection) -> None:
    view = made.view()
    earlier = RunView.of(view.entries[:5])
    assert "entry 5<" in text_of(drawn(earlier, picked, past=Past(5, view)))


def test_the_mark_of_a_person_stands_on_the_node_with_what_was_done(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    studio: Studio = build(tmp_path_factory.mktemp("inspected"), environ={})
    run = studio.ask(Task("Who directed Inception?", model="offline"))
    run.drive()
    view, journal = studio.view(run.id), studio.journal(run.id)
    asked = asked_in(reasoner(run.journal.started.method), journal)
    fork = studio.fork(run.id, [valuing(view, asked, view.nodes[3], 0.2, author="<b>ana</b>")])
    fork.drive()
    shown = node(3, studio.view(fork.id))
    assert "✎ <bdi>&lt;b&gt;ana&lt;/b&gt; set the value of #3 to 0.20</bdi>" in shown
    assert "No prompt was sent: a person wrote this reply." in shown
    assert "ts-byhand" not in node(2, studio.view(fork.id))
