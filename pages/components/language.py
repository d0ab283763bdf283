"""The language a session is shown in, and the texts in it."""

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from kgcore.i18n import LANGUAGES, mark, plural, told, translate

__all__ = [
    "address",
    "current",
    "keep_in_address",
    "mark",
    "show_switch",
    "t",
    "tn",
    "told_here",
]

_KEY = "language"


def current() -> str:
    """Return the language of this session: as switched, as the address says, as the browser prefers."""
    if get_script_run_ctx(suppress_warning=True) is None:  # no session asks
        return "en"
    chosen = st.session_state.get(_KEY)
    if chosen in LANGUAGES:
        return str(chosen)
    asked = st.query_params.get("lang", "")
    if asked not in LANGUAGES:
        asked = str(st.context.locale or "").partition("-")[0]
    return asked if asked in LANGUAGES else "en"


def keep_in_address() -> None:
    """Write the language that was chosen into the address of each page, so that a reload and a link keep it."""
    asked = st.query_params.get("lang", "")
    if _KEY not in st.session_state and asked in LANGUAGES:
        st.session_state[_KEY] = asked
    chosen = st.session_state.get(_KEY)
    if chosen and chosen != asked:
        st.query_params["lang"] = chosen


def address(**query: str) -> dict[str, str]:
    """Return what the address of another page is to say: this, and the language that was chosen.

    Were the language written once the page is there, the browser would keep two addresses to go back to.
    """
    chosen = st.session_state.get(_KEY)
    return {**query, "lang": chosen} if chosen in LANGUAGES else query


def t(message: str, /, **values: Any) -> str:
    """Return a text in the session's language, its `{names}` filled in."""
    return translate(message, current(), **values)


def tn(one: str, many: str, n: int, /, **values: Any) -> str:
    """Return the text that fits the number n in the session's language."""
    return plural(one, many, n, current(), **values)


def told_here(sentence: str) -> str:
    """Return a finished English sentence, such as an error's, in the session's language."""
    return told(sentence, current())


def show_switch() -> None:
    """Draw the switch between the languages."""
    now = current()
    st.segmented_control(
        t("Language"),
        list(LANGUAGES),
        default=now,
        format_func=lambda code: "EN" if code == "en" else "中文",
        key="language-switch",
        label_visibility="collapsed",
        required=True,
        on_change=_switch,
    )


def _switch() -> None:
    chosen = st.session_state["language-switch"]
    st.session_state[_KEY] = chosen
    st.query_params["lang"] = chosen
