"""What a click on one of the drawings picks."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.views.growth import Growth, fold_id, literal_id
from kgcore.views.kg_network import edge_id
from pages.components.selection import Selection
from tests.unit.views import hand_made as made

RUN = "r1"
DATE = literal_id(made.DATE, made.INCEPTION.id, made.RELEASED.id)
TRIPLE = edge_id(made.OTHERS[0])


def picked(drawing: str, event: dict[str, Any] | None, **state: Any) -> AppTest:
    def page() -> None:
        import streamlit as st

        from pages.components import selection

        take = getattr(selection, f"on_{st.session_state['drawing']}_event")
        take("r1", st.session_state["event"])
        st.session_state["result"] = selection.selection("r1")

    app = AppTest.from_function(page)
    for name, value in {"drawing": drawing, "event": event, **state}.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "drawing,kind,name,expected",
    [
        ("tree", "node", "4", Selection("tree", "4")),
        ("tree", "node", "x4", Selection("tree", "4")),
        ("tree", "node", "+4", Selection("tree", "4")),
        ("tree", "edge", "0>1", Selection()),
        ("tree", "none", None, Selection()),
        ("kg", "node", "x:3", Selection("entity", "x:3")),
        ("kg", "node", DATE, Selection("triple", edge_id(made.OTHERS[1]))),
        ("kg", "edge", TRIPLE, Selection("triple", TRIPLE)),
        ("kg", "none", None, Selection()),
    ],
)
def test_a_click_picks(drawing: str, kind: str, name: str | None, expected: Selection) -> None:
    before = {RUN: Selection("tree", "0")}
    app = picked(drawing, {"type": kind, "id": name, "k": 1}, selections=before)
    assert app.session_state["result"] == expected


def test_without_an_event_the_selection_stays() -> None:
    app = picked("kg", None, selections={RUN: Selection("tree", "2")})
    assert app.session_state["result"] == Selection("tree", "2")


def test_a_click_on_a_fold_opens_it_and_keeps_the_selection() -> None:
    from tests.unit.views.test_kg_network import star

    growth = Growth.of(star(40).entries)
    (fold,) = growth.folds
    event = {"type": "node", "id": fold_id(fold), "k": 1}
    picked("kg", event, growths={RUN: growth})
    assert growth.is_shown("x:39")
