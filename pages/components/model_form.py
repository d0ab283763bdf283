"""Which model answers: a preset or any model litellm speaks, its address, its key, and a check of all that."""

from dataclasses import dataclass, replace

import streamlit as st

from kgcore.bootstrap import Studio, key_name
from kgcore.config import OFFLINE, Settings, is_offline
from kgcore.errors import KGCoreError
from pages.components.composer import OFFLINE_NAME
from pages.components.frame import problem
from pages.components.language import mark, t, told_here
from pages.components.text import cell

__all__ = ["PLACES", "read", "show", "show_check", "show_key"]

PLACES = {  # where a secret comes from
    "session": mark("the session"),
    "environment": mark("the environment"),
    "keyring": mark("the keyring"),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A place models come from: an example of a name, and an address where one is needed."""

    name: str
    model: str
    api_base: str = ""
    help: str = ""


PRESETS = {
    "offline": Preset(
        OFFLINE_NAME,
        OFFLINE,
        help=mark(
            "Answers by matching words and graph structure. Needs no key and no network, and is no model."
        ),
    ),
    "openai": Preset("OpenAI", "openai/gpt-4.1-mini", help=mark("Needs a key.")),
    "anthropic": Preset("Anthropic", "anthropic/claude-sonnet-4-5", help=mark("Needs a key.")),
    "ollama": Preset(
        "Ollama",
        "ollama/llama3.1",
        "http://127.0.0.1:11434",
        help=mark("Runs on your own machine; no key."),
    ),
    "compatible": Preset(
        mark("OpenAI-compatible server"),
        "openai/name-of-the-model",
        "http://127.0.0.1:8000/v1",
        help=mark("vLLM, llama.cpp, LM Studio and many others; the name starts with openai/."),
    ),
}


def show(studio: Studio) -> None:
    """Draw the fields of the model, with the settings as they are."""
    _fill(studio.settings)
    preset = st.pills(
        t("Preset"),
        list(PRESETS),
        format_func=lambda name: t(PRESETS[name].name),
        key="set-preset",
        required=True,
        on_change=_use_preset,
    )
    if preset:
        st.caption(t(PRESETS[preset].help))
    name, base = st.columns(2)
    name.text_input(
        t("Model"),
        key="set-model",
        help=t("As litellm writes it: provider/name. `offline` is the matcher."),
    )
    base.text_input(
        t("Address of the server"),
        key="set-base",
        placeholder=t("the provider's own"),
        help=t("Only for servers of your own or a proxy."),
    )
    rating, query = st.columns(2)
    rating.text_input(t("Model that rates"), key="set-evaluate", placeholder=t("the same"))
    query.text_input(t("Model that writes queries"), key="set-query", placeholder=t("the same"))


def _fill(settings: Settings) -> None:
    """Put the saved settings into fields that were not drawn yet."""
    values = {
        "set-model": settings.model,
        "set-base": settings.api_base,
        "set-evaluate": settings.evaluate_model,
        "set-query": settings.query_model,
        "set-preset": _preset_of(settings),
    }
    for key, value in values.items():
        st.session_state.setdefault(key, value)


def _preset_of(settings: Settings) -> str | None:
    if is_offline(settings.model):
        return "offline"
    provider = settings.model.partition("/")[0]
    if provider == "openai" and settings.api_base:
        return "compatible"
    return provider if provider in PRESETS else None


def _use_preset() -> None:
    chosen = st.session_state.get("set-preset")
    if chosen:
        st.session_state["set-model"] = PRESETS[chosen].model
        st.session_state["set-base"] = PRESETS[chosen].api_base


def read(settings: Settings) -> Settings:
    """Return the settings with what the fields say of models; InputError when they cannot be used."""
    state = st.session_state
    return replace(
        settings,
        model=(state["set-model"] or "").strip() or OFFLINE,
        api_base=(state["set-base"] or "").strip(),
        evaluate_model=(state["set-evaluate"] or "").strip(),
        query_model=(state["set-query"] or "").strip(),
    )


def show_check(studio: Studio) -> None:
    """Draw the button that sends one tiny request to the model as it stands in the fields."""
    if st.button(t("Check"), icon=":material/network_check:", key="set-check"):
        with st.spinner(t("Asking the model for one word…")):
            st.session_state["set-verdict"] = _verdict(studio)
    verdict = st.session_state.get("set-verdict", "")
    if verdict:
        tone = "ok" if verdict.startswith("ok") else "bad"
        st.html(f'<p class="ts-verdict is-{tone}">{cell(told_here(verdict), 500)}</p>')


def _verdict(studio: Studio) -> str:
    from kgcore.llm.check import check_model

    try:
        wanted = read(studio.settings)
        if is_offline(wanted.model):
            return mark("ok: the offline matcher needs no key and no network")
        return check_model(studio.model(wanted.model, api_base=wanted.api_base))
    except KGCoreError as error:
        return str(error)


def show_key(studio: Studio) -> None:
    """Draw where the key comes from, and a field for another one. A key itself is never shown."""
    model = (st.session_state.get("set-model") or OFFLINE).strip()
    if is_offline(model):
        st.caption(t("The offline matcher needs no key."))
        return
    name = key_name(model, st.session_state.get("set-base") or "")
    st.html(f'<p class="ts-muted">{_where(studio, name)}</p>')
    places = {"session": t("this tab, until it is reloaded")}
    if studio.secrets.has_keyring:
        places["keyring"] = t("the keyring of this computer")
    # A form, since a field of secrets alone forgets what was typed when it is left by the Tab key.
    with st.form("set-key-form", border=False, clear_on_submit=True):
        st.text_input(t("Key"), type="password", key="set-key", autocomplete="off")
        st.segmented_control(
            t("Keep it in"),
            list(places),
            format_func=places.__getitem__,
            default="session",
            key="set-place",
        )
        st.form_submit_button(
            t("Use this key"), key="set-use-key", on_click=_use_key, args=(studio, name)
        )
    st.caption(
        t(
            "Or set the environment variable {name} before the start. Keys never enter a run, a log or an export.",
            name=name,
        )
    )


def _where(studio: Studio, name: str) -> str:
    key, where = studio.secrets.key(name), studio.secrets.where(name)
    if not key:
        return t("No key for {name} yet.", name=cell(name))
    return t(
        "{name} comes from {where} and ends in …{end}",
        name=cell(name),
        where=t(PLACES.get(where, where)),
        end=cell(key[-4:] if len(key) > 12 else ""),
    )


def _use_key(studio: Studio, name: str) -> None:
    key = (st.session_state.get("set-key") or "").strip()
    st.session_state["set-key"] = ""
    st.session_state.pop("set-verdict", None)
    if not key:
        return
    try:
        if st.session_state.get("set-place") == "keyring":
            studio.secrets.set_in_keyring(name, key)
        else:
            studio.secrets.set_for_session(name, key)
    except KGCoreError as error:
        problem(error)
