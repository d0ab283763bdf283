"""The settings that each method has on the Ask page, and the gate that goes with a question."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.reasoners import LABELS, reasoner
from kgcore.reasoners.settings import read_settings
from kgcore.runs import Gate


def drawn(method: str, **state: Any) -> AppTest:
    def page() -> None:
        import streamlit as st

        from pages.components import gate_options, method_options

        chosen = st.session_state["method"]
        method_options.show(chosen)
        gate_options.show(("films", "music"))
        st.session_state["settings"] = method_options.settings_of(chosen)
        st.session_state["gate"] = gate_options.chosen_gate()

    app = AppTest.from_function(page, default_timeout=30)
    for name, value in {"method": method, **state}.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize("method", LABELS)
def test_what_is_chosen_can_be_read_by_the_method(method: str) -> None:
    app = drawn(method)
    app.number_input(key="ask-shots").set_value(3).run()
    settings = dict(app.session_state["settings"])
    assert settings.pop("shots") == 3
    read_settings(reasoner(method).config_class, settings)


def test_a_beam_has_width_and_depth_and_a_tree_has_samples_and_a_threshold() -> None:
    beam = {field.label for field in drawn("think-on-graph").number_input}
    tree = {field.label for field in drawn("tree-of-traversals").number_input}
    chain = {field.label for field in drawn("chain-of-traversals").number_input}
    assert beam == {"Width N", "Depth D", "Examples"}
    assert tree == {"k", "Depth", "Expansions", "Threshold", "Examples"}
    assert chain == tree - {"k"}


@pytest.mark.parametrize(
    "state, gate",
    [
        ({}, None),
        ({"ask-gate": "all"}, Gate()),
        ({"ask-gate": "conflicts"}, Gate(only_conflicts=True)),
        ({"ask-gate": "graphs", "ask-gate-kgs": ["music"]}, Gate(kgs=("music",))),
        (
            {"ask-gate": "relations", "ask-gate-relations": ["director"]},
            Gate(relations=("director",)),
        ),
    ],
)
def test_the_switch_gives_the_gate(state: dict[str, Any], gate: Gate | None) -> None:
    assert drawn("tree-of-traversals", **state).session_state["gate"] == gate
