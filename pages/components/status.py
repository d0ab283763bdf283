"""How the run stands, for screen readers: said once whenever it changes, and not with each look at the run.

What Streamlit draws is put in anew while a run is followed; a live region must stay and only change its text.
"""

from functools import cache
from typing import Any

import streamlit as st

__all__ = ["say"]

SCRIPT = """export default function ({ data, parentElement }) {
  const region = parentElement.querySelector("[role=status]");
  if (region.textContent !== data.text) region.textContent = data.text;
}"""
HTML = '<div role="status" aria-live="polite" aria-atomic="true"></div>'


def say(text: str) -> None:
    """Say this, if it was not the last that was said."""
    with st.container(key="ts-status"):
        _component()(key="status", data={"text": text})


@cache
def _component() -> Any:
    return st.components.v2.component("kg_status", html=HTML, js=SCRIPT)
