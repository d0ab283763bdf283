"""The log beside a run: calls under way with their waits, steps in words, and what a click on one picks."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.i18n import told
from kgcore.runs import RunView
from kgcore.runs.words import ASKED
from pages.components.run_log import LINES, doing
from pages.components.selection import Selection
from pages.components.watch import Past, Seen
from tests.unit.views import hand_made as made


def drawn(seen: Seen, picked: int | None = None) -> dict[str, Any]:
    """Return what the browser is sent."""

    def page() -> None:
        import streamlit as st

        from pages.components import run_log
        from pages.components.theme import current

        run_log.show(st.session_state["seen"], "run", current())

    app = AppTest.from_function(page, default_timeout=30)
    app.session_state["seen"] = seen
    if picked is not None:
        app.session_state["selections"] = {"run": Selection("entry", str(picked))}
    app.run()
    assert not app.exception
    sent: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.json)
    return sent


def clicked(seen: Seen, seq: int) -> AppTest:
    """Return the page after an entry was picked."""

    def page() -> None:
        import streamlit as st

        from pages.components import run_log

        run_log.pick_entry(st.session_state["seen"], "run", st.session_state["seq"])

    app = AppTest.from_function(page, default_timeout=30)
    app.session_state["seen"] = seen
    app.session_state["seq"] = seq
    app.run()
    assert not app.exception
    return app


def test_calls_under_way_are_named_with_seconds_and_what_they_wait_for() -> None:
    call = {"kind": "Ask", "template": "choose_action"}
    waits = "waiting 2 s for the model <b>"
    seen = Seen(made.view(5), "running", 3.0, None, ((call, 2.34, waits),))
    assert drawn(seen)["flying"] == [f"Asking the model (what to do next) … 2.3 s – {waits}"]


def test_graph_calls_are_told_with_the_labels_seen_so_far() -> None:
    view = made.view()
    assert doing(view.words, {"kind": "Edges", "entities": (made.CAINE.id,)}) == (
        "Fetching edges of Michael Caine"
    )


def test_whatever_the_model_is_asked_has_words_in_both_languages() -> None:
    for words in ASKED.values():
        assert told(words, "zh") != words


def test_the_newest_entry_comes_first_and_a_rejection_stands_out() -> None:
    lines = drawn(Seen(made.view(), "answered", 3.0))["lines"]
    assert "Answer: Michael Caine" in lines[0][3]
    assert "Question: " in lines[-1][3]
    assert [seq for seq, *_ in lines] == list(range(made.view().n_entries))[::-1]
    assert any(kind == "error" and text.startswith("✗ ") for _, _, kind, text in lines)


def test_a_long_log_is_cut_and_says_so() -> None:
    many = RunView.of(made.entries([made.story()[0], *[made.story()[16]] * (LINES + 20)]))
    sent = drawn(Seen(many, "running", 3.0))
    assert (sent["earlier"], sent["later"]) == ("21 earlier entries", "")
    past = Seen(RunView.of(many.entries[:10]), "past", 1.0, past=Past(10, many))
    sent = drawn(past)
    assert sent["at"] in [seq for seq, *_ in sent["lines"]]
    assert sent["later"]


def test_what_came_after_the_moment_that_is_looked_at_stays_in_the_list() -> None:
    whole = made.view()
    past = Seen(made.view(5), "past", 1.0, past=Past(5, whole))
    sent = drawn(past)
    assert len(sent["lines"]) == whole.n_entries
    assert sent["at"] == 4


@pytest.mark.parametrize("seq", [0, 7, 14])
def test_a_click_on_an_entry_goes_to_its_moment_and_picks_it(seq: int) -> None:
    app = clicked(Seen(made.view(), "answered", 3.0), seq)
    assert app.session_state["selections"]["run"] == Selection("entry", str(seq))
    assert app.query_params["at"] == str(seq + 1)


def test_the_last_entry_of_a_run_that_is_over_is_now() -> None:
    view = made.view()
    app = clicked(Seen(view, "answered", 3.0), view.n_entries - 1)
    assert "at" not in app.query_params
    assert app.session_state["selections"]["run"].kind == "entry"


@pytest.mark.parametrize("seq", [-1, 10_000])
def test_an_entry_that_is_none_picks_nothing(seq: int) -> None:
    app = clicked(Seen(made.view(), "answered", 3.0), seq)
    assert "selections" not in app.session_state
