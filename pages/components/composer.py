"""Where a question is put: the box, sample questions, and what the run may use and spend."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from kgcore.bootstrap import DEMO_GRAPHS, Studio, Task
from kgcore.config import OFFLINE, is_offline
from kgcore.errors import KGCoreError
from kgcore.kg.overview import GraphInfo
from kgcore.model import Entity
from kgcore.reasoners import LABELS
from kgcore.runs import Budget
from pages.components import breakpoints, estimate, gate_options, method_options
from pages.components.frame import problem
from pages.components.graph import short
from pages.components.language import current, mark, t, tn
from pages.components.questions import KINDS, Sample, samples
from pages.components.text import cell, plain

__all__ = [
    "OFFLINE_NAME",
    "follow_up",
    "forget_defaults",
    "model_name",
    "pending",
    "show",
    "show_samples",
]

OFFLINE_NAME = mark("offline matcher – no language model")
DOUBLE_CLICK_S = 2.0
FIRST = ("intersection", "one_hop", "composition", "comparison_date", "cross_graph", "count")


@dataclass(frozen=True, slots=True)
class Start:
    """A run that was asked for; the token makes sure that it starts once."""

    token: str
    task: Task
    at: float


def model_name(name: str) -> str:
    """Return what a model is called on screen."""
    return t(OFFLINE_NAME) if is_offline(name) else name


def pending() -> Start | None:
    """Return the run that was asked for and take it off the list."""
    start: Start | None = st.session_state.pop("ask-pending", None)
    return start


def follow_up(entities: Sequence[Entity]) -> None:
    """Let the next question start from these entities too."""
    st.session_state["ask-seed-pool"] = list(entities)
    st.session_state["ask-seeds"] = [e.id for e in entities]
    st.session_state["ask-question"] = ""


def forget_defaults() -> None:
    """Let model and budget be those of the settings again."""
    names = ("ask-model", *(f"ask-budget-{kind}" for kind in ("calls", "tokens", "usd", "seconds")))
    for name in names:
        st.session_state.pop(name, None)


def show(studio: Studio, graphs: Sequence[GraphInfo], *, is_roomy: bool) -> None:
    """Draw the question box with its options; `graphs` are those there are."""
    _show_seeds()
    with st.container(key="ts-composer", horizontal=True, vertical_alignment="bottom"):
        with (
            st.form("ask-form", border=False),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
            st.text_input(
                t("Question"),
                key="ask-question",
                label_visibility="collapsed",
                placeholder=t("Ask a question about what the graphs hold"),
                icon=":material/search:",
                persist_state="session",
            )
            st.form_submit_button(
                t("Run"),
                type="primary",
                icon=":material/play_arrow:",
                on_click=_ask,
                args=(studio,),
            )
        with st.popover(t("Options"), icon=":material/tune:"):
            _show_options(studio, graphs)
        if not is_roomy:
            with st.popover(t("Samples"), icon=":material/lightbulb:"):
                show_samples()
    if is_roomy:
        with st.container(gap="xxsmall", key="ts-foretold"):
            st.html(f'<p class="ts-muted">{_summary(studio, [g.name for g in graphs])}</p>')
            estimate.show(studio, lambda: _task(studio))


def show_samples(*, is_short: bool = False) -> None:
    """Draw the sample questions as buttons, all or the first few, in one language or in all."""
    languages = {"en": "English", "zh": "中文"}
    language = st.segmented_control(
        t("Language of the sample questions"),
        list(languages),
        format_func=languages.__getitem__,
        default=current(),
        key="ask-language-short" if is_short else "ask-language",
        label_visibility="collapsed",
    )
    of_sources = method_options.asks_sources(method_options.chosen_method())
    found = [s for s in samples(of_sources=of_sources) if language in (None, s.language)]
    if is_short:
        first = {s.kind: s for s in reversed(found) if not s.needs_model}
        with st.container(gap="xxsmall", key="ts-list-samples"):
            for kind in reversed(first) if of_sources else (k for k in FIRST if k in first):
                _sample_button(first[kind], "short")
        return
    with st.container(height=420, border=False, gap="xxsmall"):
        kind = ""
        for sample in found:
            if sample.kind != kind:
                kind = sample.kind
                st.caption(t(KINDS.get(kind, kind)))
            _sample_button(sample, "all")


def _sample_button(sample: Sample, place: str) -> None:
    note = f" :gray[– {t('needs a language model')}]" if sample.needs_model else ""
    st.button(
        plain(sample.text, 200) + note,
        key=f"ask-sample-{place}-{sample.text}",
        on_click=_take_sample,
        args=(sample.text,),
        type="tertiary",
        icon=":material/arrow_outward:",
    )


def _take_sample(text: str) -> None:
    st.session_state["ask-question"] = text


def _show_seeds() -> None:
    pool: list[Entity] = st.session_state.get("ask-seed-pool", [])
    if not pool:
        return
    names = {e.id: e.name for e in pool}
    st.multiselect(
        t("Start from"),
        list(names),
        key="ask-seeds",
        format_func=lambda i: short(names[i], 60),
        placeholder=t("Choose"),
        help=t("A follow-up starts from these entities beside those its question names."),
    )


def _show_options(studio: Studio, graphs: Sequence[GraphInfo]) -> None:
    names = [graph.name for graph in graphs]
    remote = {graph.name for graph in graphs if graph.is_remote}
    chosen = st.session_state.get("ask-kgs", [n for n in DEMO_GRAPHS if n in names] or names[:1])
    st.session_state["ask-kgs"] = [n for n in chosen if n in names]  # one may be gone by now
    st.multiselect(
        t("Graphs"),
        names,
        format_func=lambda name: t("{name} (remote)", name=name) if name in remote else name,
        key="ask-kgs",
        placeholder=t("None chosen: the demo graphs are asked"),
        persist_state="session",
    )
    left, right = st.columns(2)
    left.selectbox(
        t("Method"),
        list(LABELS),
        format_func=lambda name: t(LABELS[name]),
        key="ask-method",
        persist_state="session",
    )
    models = list(dict.fromkeys([studio.settings.model, OFFLINE]))
    right.selectbox(
        t("Model"),
        models,
        format_func=model_name,
        key="ask-model",
        accept_new_options=True,
        persist_state="session",
        help=t(
            "Choose one, or write a model's name as litellm writes it. Keys belong to Settings."
        ),
    )
    method = method_options.chosen_method()
    asked = studio.source_infos() if method_options.asks_sources(method) else ()
    method_options.show(method, [info.name for info in asked if not info.problem])
    gate_options.show(st.session_state["ask-kgs"])
    _show_budget(studio)
    estimate.show(studio, lambda: _task(studio))
    breakpoints.show_setup(st.session_state["ask-kgs"])
    st.toggle(t("Pause before the first step"), key="ask-paused")


def _show_budget(studio: Studio) -> None:
    st.caption(t("Budget of the run; 0 is no limit"))
    budget, columns = studio.budget, st.columns(4)
    fields = (
        (t("Calls"), "calls", 1),
        (t("Tokens"), "tokens", 1000),
        (t("US$"), "usd", 0.1),
        (t("Seconds"), "seconds", 1),
    )
    for column, (label, name, step) in zip(columns, fields, strict=True):
        kind = type(step)
        column.number_input(
            label,
            kind(0),
            value=kind(getattr(budget, name) or 0),
            step=step,
            format="%d" if kind is int else "%g",
            key=f"ask-budget-{name}",
            persist_state="session",
        )


def _summary(studio: Studio, names: Sequence[str]) -> str:
    state = st.session_state
    graphs = " + ".join(state.get("ask-kgs") or [n for n in DEMO_GRAPHS if n in names])
    if state.get("ask-kgs") == []:
        graphs = t("none chosen, so {graphs}", graphs=graphs)
    n = sum(point.is_on for point in breakpoints.chosen())
    points = tn("{n} breakpoint", "{n} breakpoints", n) if n else ""
    method = t(LABELS.get(method_options.chosen_method(), ""))
    model = model_name(state.get("ask-model") or studio.settings.model)
    return " · ".join(cell(text) for text in (model, graphs, method, points) if text)


def _ask(studio: Studio) -> None:
    """Ask for a run; a second click on the same question is the same run."""
    try:
        task = _task(studio)
    except KGCoreError as error:
        problem(error)
        return
    last: Start | None = st.session_state.get("ask-last")
    now = time.monotonic()
    is_again = last is not None and last.task == task and now - last.at < DOUBLE_CLICK_S
    token = last.token if is_again and last is not None else uuid.uuid4().hex
    start = Start(token, task, now)
    st.session_state["ask-last"] = st.session_state["ask-pending"] = start


def _task(studio: Studio) -> Task:
    state = st.session_state
    method = method_options.chosen_method()
    chosen = set(state.get("ask-seeds", []))
    return Task(
        question=state.get("ask-question") or "",
        kgs=tuple(state.get("ask-kgs") or ()),
        method=method,
        model="" if state.get("ask-model") == studio.settings.model else state.get("ask-model", ""),
        settings=method_options.settings_of(method),
        sources=method_options.chosen_sources(method),
        budget=Budget(
            state.get("ask-budget-calls") or None,
            state.get("ask-budget-tokens") or None,
            state.get("ask-budget-usd") or None,
            state.get("ask-budget-seconds") or None,
        ),
        seeds=tuple(e for e in state.get("ask-seed-pool", []) if e.id in chosen),
        breakpoints=breakpoints.chosen(),
        is_paused=state.get("ask-paused", False),
        gate=gate_options.chosen_gate(),
    )
