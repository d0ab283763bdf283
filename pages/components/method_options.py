"""The methods on offer and the settings that each of them has."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from kgcore.prompts.sets import MAX_SHOTS
from kgcore.reasoners import BASELINES, REASONERS, USUAL_METHOD, base
from kgcore.reasoners.chain_of_knowledge import ChainOfKnowledgeConfig
from kgcore.reasoners.chain_of_knowledge.config import MAX_SAMPLES
from kgcore.reasoners.think_on_graph import ThinkOnGraphConfig
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.views.run_settings import VALUES
from pages.components import baseline_options
from pages.components.graph import short
from pages.components.language import t

__all__ = [
    "asks_sources",
    "chosen_method",
    "chosen_sources",
    "is_beam",
    "settings_of",
    "show",
]

MODES = ("step", "parallel")
PRUNERS = ("model", "words", "bm25", "embedding")
KNOB: dict[str, Any] = {"persist_state": "session"}


def chosen_method() -> str:
    """Return the method that is chosen."""
    return str(st.session_state.get("ask-method") or USUAL_METHOD)


def is_beam(method: str) -> bool:
    """Whether a method keeps a beam of paths."""
    return method.startswith("think-on-graph")


def asks_sources(method: str) -> bool:
    """Whether a method looks things up in knowledge sources."""
    known = REASONERS.get(method)
    return known is not None and base.asks_sources(known.config_class)


def show(method: str, sources: Sequence[str] = ()) -> None:
    """Draw the settings of a method; `sources` are the knowledge sources there are."""
    if method in BASELINES:
        baseline_options.show(method, _show_shots)
    elif asks_sources(method):
        _show_rationales()
    elif is_beam(method):
        _show_beam(method)
    else:
        _show_traversals(method)
    if asks_sources(method):
        _show_sources(sources)


def _show_traversals(method: str) -> None:
    usual = TraversalConfig()
    columns = iter(st.columns(5 if method == USUAL_METHOD else 4))
    if method == USUAL_METHOD:
        help_k = t("actions sampled at a node")
        next(columns).number_input("k", 1, 10, usual.k, 1, key="ask-k", help=help_k, **KNOB)
    next(columns).number_input(t("Depth"), 1, 30, usual.max_depth, 1, key="ask-depth", **KNOB)
    next(columns).number_input(
        t("Expansions"), 1, 500, usual.max_expansions, 1, key="ask-exp", **KNOB
    )
    next(columns).number_input(
        t("Threshold"),
        0.0,
        1.0,
        usual.threshold,
        0.05,
        key="ask-threshold",
        help=t("an answer rated at least this ends the search"),
        **KNOB,
    )
    _show_shots(next(columns))
    st.toggle(t("Without an answer, ask the model's memory"), key="ask-fallback", **KNOB)


def _show_beam(method: str) -> None:
    usual = ThinkOnGraphConfig()
    width, depth, pruner, shots = st.columns([1, 1, 1.7, 1])
    width.number_input(
        t("Width N"),
        1,
        20,
        usual.width,
        1,
        key="ask-width",
        help=t("paths kept in the beam"),
        **KNOB,
    )
    depth.number_input(
        t("Depth D"),
        1,
        10,
        usual.max_depth,
        1,
        key="ask-beam-depth",
        help=t("steps of a path"),
        **KNOB,
    )
    pruner.selectbox(
        t("Relations scored by")
        if method.endswith("-r")
        else t("Relations and entities scored by"),
        PRUNERS,
        format_func=lambda name: t(VALUES[name]),
        key="ask-pruner",
        **KNOB,
    )
    _show_shots(shots)
    st.toggle(
        t("Score all lists of a step in one request"),
        value=usual.is_batched,
        key="ask-batched",
        help=t("Off, as in the paper: one request for each path of the beam."),
        **KNOB,
    )
    st.toggle(
        t(
            "Where the paths do not suffice, answer with the model's own knowledge too (marked as such)"
        ),
        value=usual.own_knowledge,
        key="ask-own",
        **KNOB,
    )


def _show_rationales() -> None:
    usual = ChainOfKnowledgeConfig()
    samples, threshold, most, shots = st.columns(4)
    samples.number_input(
        t("Lines of thought"),
        1,
        MAX_SAMPLES,
        usual.samples,
        1,
        key="ask-samples",
        help=t("lines of thought sampled to see whether the model is sure"),
        **KNOB,
    )
    threshold.number_input(
        t("Agreement"),
        0.0,
        1.0,
        usual.threshold,
        0.05,
        key="ask-agreement",
        help=t("share of the samples that must agree for their answer to stand"),
        **KNOB,
    )
    most.number_input(t("Rationales"), 1, 20, usual.max_rationales, 1, key="ask-rationales", **KNOB)
    _show_shots(shots)
    st.selectbox(
        t("Rationales are checked"),
        MODES,
        format_func=lambda name: t(VALUES[name]),
        key="ask-mode",
        **KNOB,
    )


def _show_sources(sources: Sequence[str]) -> None:
    st.multiselect(
        t("Knowledge sources"),
        list(sources),
        key="ask-sources",
        format_func=lambda name: short(name, 60),
        placeholder=t("those added and the graphs above, or else those of the demo"),
        **KNOB,
    )


def chosen_sources(method: str) -> tuple[str, ...]:
    """Return the knowledge sources that are chosen for a method."""
    return tuple(st.session_state.get("ask-sources") or ()) if asks_sources(method) else ()


def _show_shots(place: Any) -> None:
    place.number_input(
        t("Examples"),
        0,
        MAX_SHOTS,
        0,
        1,
        key="ask-shots",
        help=t("worked examples shown with every request"),
        **KNOB,
    )


def settings_of(method: str) -> dict[str, Any]:
    """Return the settings as they are chosen."""
    state = st.session_state
    shots = state.get("ask-shots", 0)
    settings: dict[str, Any] = {"shots": shots} if shots else {}
    if method in BASELINES:
        return settings | baseline_options.settings_of(method)
    if asks_sources(method):
        asked = ChainOfKnowledgeConfig()
        return settings | {
            "samples": state.get("ask-samples", asked.samples),
            "threshold": state.get("ask-agreement", asked.threshold),
            "max_rationales": state.get("ask-rationales", asked.max_rationales),
            "mode": state.get("ask-mode", asked.mode),
        }
    if is_beam(method):
        usual = ThinkOnGraphConfig()
        return settings | {
            "width": state.get("ask-width", usual.width),
            "max_depth": state.get("ask-beam-depth", usual.max_depth),
            "pruner": state.get("ask-pruner", usual.pruner),
            "is_batched": state.get("ask-batched", usual.is_batched),
            "own_knowledge": state.get("ask-own", usual.own_knowledge),
        }
    usual_search = TraversalConfig()
    return settings | {
        "k": state.get("ask-k", usual_search.k),
        "max_depth": state.get("ask-depth", usual_search.max_depth),
        "max_expansions": state.get("ask-exp", usual_search.max_expansions),
        "threshold": state.get("ask-threshold", usual_search.threshold),
        "fallback": state.get("ask-fallback", False),
    }
