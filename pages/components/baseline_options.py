"""The settings of the methods that the three systems are compared with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from kgcore.reasoners import REASONERS
from pages.components.language import mark, t

__all__ = ["settings_of", "show"]


@dataclass(frozen=True, slots=True)
class Number:
    """A setting that is a number: what it is called, its bounds, and what it means."""

    label: str
    least: float
    most: float
    step: float
    help: str = ""


NUMBERS: Mapping[str, Number] = {
    "samples": Number(
        mark("Times sampled"), 1, 50, 1, mark("how often the model is asked the same")
    ),
    "threshold": Number(
        mark("Agreement"),
        0.0,
        1.0,
        0.05,
        mark("share of the samples below which sources are asked"),
    ),
    "max_rationales": Number(mark("Rationales"), 1, 20, 1),
    "max_sentences": Number(mark("Sentences"), 1, 20, 1),
    "max_steps": Number(mark("Steps"), 1, 30, 1, mark("thoughts with a step each")),
}
ONLY_TEXT = "only_text"
FROM_MEMORY = mark("This method looks nothing up: what it answers is the model's memory.")


def show(method: str, show_shots: Callable[[Any], None]) -> None:
    """Draw the settings of a method; `show_shots` draws the one that all methods have at a place."""
    usual = REASONERS[method].config_class()
    names = [name for name in NUMBERS if _has(usual, name)]
    columns = st.columns(4)
    for name, column in zip(names, columns, strict=False):
        number, value = NUMBERS[name], getattr(usual, name)
        kind = type(value)
        column.number_input(
            t(number.label),
            kind(number.least),
            kind(number.most),
            value,
            kind(number.step),
            key=_key(method, name),
            help=t(number.help) if number.help else None,
            persist_state="session",
        )
    show_shots(columns[len(names)])
    if _has(usual, ONLY_TEXT):
        st.toggle(
            t("Ask only sources of text, as in the paper"),
            value=usual.only_text,
            key=_key(method, ONLY_TEXT),
            persist_state="session",
        )
    elif "max_steps" not in names:
        st.caption(t(FROM_MEMORY))


def settings_of(method: str) -> dict[str, Any]:
    """Return the settings as they are chosen."""
    usual = REASONERS[method].config_class()
    return {
        name: st.session_state.get(_key(method, name), getattr(usual, name))
        for name in (*NUMBERS, ONLY_TEXT)
        if _has(usual, name)
    }


def _has(config: Any, name: str) -> bool:
    return name in type(config).__dataclass_fields__


def _key(method: str, name: str) -> str:
    return f"ask-{method}-{name}"
