"""The Settings page: model and key, budget, contact, and where the data lies."""

from dataclasses import replace

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.config import Settings
from kgcore.errors import KGCoreError
from pages.components import composer, frame, graph_cache, model_form
from pages.components.data_folder import prompt_sets, shown, size_of
from pages.components.language import mark, t
from pages.components.studio import studio
from pages.components.text import cell

BUDGET = (
    (mark("Model calls"), "budget_calls", 1),
    (mark("Tokens"), "budget_tokens", 1000),
    (mark("US dollars"), "budget_usd", 0.1),
    (mark("Seconds"), "budget_seconds", 1.0),
)


def main() -> None:
    """Draw the page."""
    frame.need("pages/settings.py")
    frame.show_problem()
    left, right = st.columns([0.58, 0.42], gap="medium")
    with left.container(border=True):
        st.html(f'<h2 class="ts-section">{t("Model")}</h2>')
        model_form.show(studio())
        model_form.show_check(studio())
    with left.container(border=True):
        st.html(f'<h2 class="ts-section">{t("Key")}</h2>')
        model_form.show_key(studio())
    with right.container(border=True):
        show_budget(studio().settings)
    with right.container(border=True):
        show_rest(studio())
    with st.container(key="ts-save", horizontal=True, horizontal_alignment="right"):
        is_pressed = st.button(t("Save settings"), type="primary", icon=":material/save:")
    if is_pressed:
        save(studio())
    if st.session_state.pop("set-saved", False):
        st.toast(t("Settings saved"), icon=":material/check:")


def show_budget(settings: Settings) -> None:
    """Draw the default budget of a run."""
    st.html(f'<h2 class="ts-section">{t("Default budget of a run")}</h2>')
    columns = [*st.columns(2), *st.columns(2)]
    for column, (label, name, step) in zip(columns, BUDGET, strict=True):
        kind = type(step)
        value = kind(getattr(settings, name))
        form = "%d" if kind is int else "%g"  # a whole number of seconds has no decimals
        column.number_input(
            t(label), kind(0), value=value, step=step, format=form, key=f"set-{name}"
        )
    st.caption(t("0 is no limit. A run asks before each call, so calls are never exceeded."))


def show_rest(made: Studio) -> None:
    """Draw contact, prompt set, time-out and the data folder."""
    settings = made.settings
    st.html(f'<h2 class="ts-section">{t("Requests and data")}</h2>')
    st.text_input(
        t("Contact"),
        settings.contact,
        key="set-contact",
        placeholder=t("an address or URL"),
        help=t("Public services ask for it; it goes into the User-Agent of every request to one."),
    )
    prompts, timeout = st.columns(2)
    names = ["", *prompt_sets(made.home)]
    if settings.prompts not in names:
        names.append(settings.prompts)
    prompts.selectbox(
        t("Prompt set"),
        names,
        index=names.index(settings.prompts),
        format_func=lambda name: name or t("built-in"),
        key="set-prompts",
    )
    timeout.number_input(
        t("Time-out of a call (s)"),
        1.0,
        3600.0,
        settings.timeout_seconds,
        5.0,
        format="%g",
        key="set-timeout",
    )
    graph_cache.show(made)
    size = cell(f"{size_of(made.home) / 1e6:,.1f} MB")
    told = t("Data folder {folder}, {size}", folder=cell(shown(made.home), 300), size=size)
    st.html(f'<p class="ts-muted">{told}</p>')


def save(made: Studio) -> None:
    """Keep what the fields say."""
    state = st.session_state
    try:
        wanted = replace(
            model_form.read(made.settings),
            contact=(state["set-contact"] or "").strip(),
            prompts=state["set-prompts"] or "",
            timeout_seconds=state["set-timeout"],
            cache_mb=state["set-cache_mb"],
            cache_days=state["set-cache_days"],
            **{name: state[f"set-{name}"] for _, name, _ in BUDGET},
        )
        made.save_settings(wanted)
        composer.forget_defaults()
        state["set-saved"] = True
    except (KGCoreError, OSError) as error:
        frame.problem(error)
    st.rerun()


main()
