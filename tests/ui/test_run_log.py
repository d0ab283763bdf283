"""The log beside a run: calls under way with their waits, and steps in words."""

from streamlit.testing.v1 import AppTest

from kgcore.i18n import told
from kgcore.runs import RunView
from kgcore.runs.words import ASKED
from pages.components.run_log import LINES, doing
from pages.components.watch import Seen
from tests.unit.views import hand_made as made


def drawn(seen: Seen) -> str:
    def page() -> None:
        import streamlit as st

        from pages.components import run_log

        run_log.show(st.session_state["seen"])

    app = AppTest.from_function(page)
    app.session_state["seen"] = seen
    app.run()
    assert not app.exception
    return "\n".join(block.proto.body for block in app.get("html"))


def test_calls_under_way_are_named_with_seconds_and_what_they_wait_for() -> None:
    call = {"kind": "Ask", "template": "choose_action"}
    seen = Seen(
        made.view(5), "running", 3.0, None, ((call, 2.34, "waiting 2 s for the model <b>"),)
    )
    shown = drawn(seen)
    assert (
        "Asking the model (what to do next) … 2.3 s – waiting 2 s for the model &lt;b&gt;" in shown
    )


def test_graph_calls_are_told_with_the_labels_seen_so_far() -> None:
    view = made.view()
    assert doing(view.words, {"kind": "Edges", "entities": (made.CAINE.id,)}) == (
        "Fetching edges of Michael Caine"
    )


def test_whatever_the_model_is_asked_has_words_in_both_languages() -> None:
    for words in ASKED.values():
        assert told(words, "zh") != words


def test_the_newest_entry_comes_first_and_a_rejection_stands_out() -> None:
    shown = drawn(Seen(made.view(), "answered", 3.0))
    assert shown.index("Answer: Michael Caine") < shown.index("Question: ")
    assert 'class="is-error"' in shown


def test_a_long_log_is_cut_and_says_so() -> None:
    many = RunView.of(made.entries([made.story()[0], *[made.story()[16]] * (LINES + 20)]))
    assert "21 earlier entries" in drawn(Seen(many, "running", 3.0))
