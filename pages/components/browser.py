"""What the page tells the browser and hears from it: the language it is in, and whether the system is light or dark."""

from functools import cache
from typing import Any

import streamlit as st

from pages.components.language import current

__all__ = ["show"]

TAGS = {"en": "en", "zh": "zh-Hans"}
# Screen readers and the choice of glyphs depend on the language. When the system turns dark, Streamlit changes its own
# colours at once and tells nobody; those of a page change when it is drawn anew.
SCRIPT = """export default function ({ data, setTriggerValue }) {
  document.documentElement.lang = data.lang;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => setTimeout(() => setTriggerValue("theme", dark.matches ? "dark" : "light"), 200);
  dark.addEventListener("change", tell);
  return () => dark.removeEventListener("change", tell);
}"""


def show() -> None:
    """Draw the piece of a page that is only for the browser."""
    with st.container(key="ts-browser"):
        _component()(key="browser", data={"lang": TAGS[current()]}, on_theme_change=_redraw)


def _redraw() -> None:
    """Be called: that alone draws the page anew."""


@cache
def _component() -> Any:
    return st.components.v2.component("kg_browser", js=SCRIPT)
