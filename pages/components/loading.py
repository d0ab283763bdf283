"""What stands on the first page after a start, while the program itself is still being read: that takes seconds.

It is drawn before anything that is slow to import, so this module imports next to nothing.
"""

from html import escape

import streamlit as st

from pages.components.language import t
from pages.components.styles import sheet

__all__ = ["clear", "done", "show"]

_is_over = [False]  # whether a page was drawn in this process
_PLACE = "loading-place"


def show() -> None:
    """Draw it, unless a page was drawn in this process before.

    Its place is kept all the same: without it all that follows would move up by one, and Streamlit would draw it
    anew – an open menu would close.
    """
    place = st.session_state[_PLACE] = st.empty()
    if _is_over[0]:
        return
    head = escape(t("Starting Traversal Studio…"))
    told = escape(t("The first page after a start takes some seconds."))
    place.html(
        f'{sheet("loading")}<div class="ts-loading" role="status"><p>{head}</p><p>{told}</p><i style="height: 40px"></i>'
        '<div><i style="height: 320px"></i><i style="height: 320px"></i></div></div>'
    )


def done() -> None:
    """Take it away for good: the page itself is drawn now."""
    _is_over[0] = True
    clear()


def clear() -> None:
    """Take it away, where it stands."""
    place = st.session_state.pop(_PLACE, None)
    if place is not None:
        place.empty()
