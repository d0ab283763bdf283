"""What "find a name" finds beyond what is drawn: the browser asks, the next drawing brings what was found."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from kgcore.views.finding import matching
from kgcore.views.safe_text import short
from pages.components.language import t

__all__ = ["answer", "ask"]

_LENGTH = 60


def ask(key: str, event: Mapping[str, Any]) -> None:
    """Keep what a person looks for in the drawing of this key."""
    st.session_state["finding"] = (key, str(event.get("text") or "")[:200])


def answer(key: str, n_hidden: int, hidden: Callable[[], Mapping[str, str]]) -> dict[str, Any]:
    """Return what the drawing is sent: how much it does not show, and what of that was looked for."""
    if not n_hidden:
        return {}
    asked, text = st.session_state.get("finding", ("", ""))
    if asked != key or not text:
        return {"hidden": n_hidden}
    found = matching(text, hidden().items())
    hits = [[name, short(label, _LENGTH)] for name, label in found]
    return {"hidden": n_hidden, "text": text, "hits": hits, "mark": t("folded")}
