"""The timeline of a run: a slider over its entries that can be dragged, clicked and moved by keys.

The whole state is sent on every run of the page and the browser draws what is new (``assets/components/timeline.js``):
one letter an entry, the moment that is shown, and the words a screen reader says.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from kgcore.views.timeline import looks
from pages.components.language import current, t
from pages.components.theme import Palette

__all__ = ["timeline"]

ASSETS = Path(__file__).parents[2] / "assets" / "components"


def timeline(
    kinds: str,
    palette: Palette,
    *,
    key: str,
    at: int | None = None,
    said: str = "",
    on_seek: Callable[[int | None], None],
) -> None:
    """Draw the timeline; `at` is the moment shown, None for now, and `said` what happens there in words."""
    echoes: dict[str, int] = st.session_state.setdefault("timeline-echoes", {})

    def on_event() -> None:
        state = st.session_state.get(key)
        event = state.get("seek") if state is not None else None
        if isinstance(event, dict):
            echoes[key] = event.get("k", 0)
            on_seek(_moment(event.get("at"), len(kinds)))

    data = {
        "key": key,
        "kinds": kinds,
        "at": at,
        "said": said,
        "echo": echoes.get(key, 0),
        "looks": looks(palette, current()),
        "colors": {name: getattr(palette, name) for name in ("text", "muted", "selected", "dimmed")}
        | {"background": palette.background},
        "texts": {
            "label": t("Timeline of the run"),
            "now": t("Now, after {n} entries", n="{n}"),
            "moment": t("Moment {i} of {n}", i="{i}", n="{n}"),
        },
    }
    _component()(key=key, data=data, on_seek_change=on_event)


def _moment(value: Any, n: int) -> int | None:
    """Return the moment a browser asks for; None for now and for what is none."""
    return value if isinstance(value, int) and 1 <= value < n else None


@cache
def _component() -> Any:
    html, css, js = (
        (ASSETS / f"timeline.{kind}").read_text("utf-8") for kind in ("html", "css", "js")
    )
    return st.components.v2.component("kg_timeline", html=html, css=css, js=js)
