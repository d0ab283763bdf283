"""What stands on the first page after a start, while the program itself is still being read: that takes seconds.

It is drawn before anything that is slow to import, so this module imports next to nothing.
"""

from html import escape

import streamlit as st

from pages.components.language import t

__all__ = ["clear", "done", "show"]

_is_over = [False]  # whether a page was drawn in this process
_PLACE = "loading-place"
CSS = """<style>
[data-testid="stHeader"] { display: none; }
.stMainBlockContainer { padding: 8px 22px 10px; max-width: none; }
.ts-loading { display: grid; gap: 14px; }
.ts-loading p { margin: 0; }
.ts-loading p:first-of-type { font-size: 17px; font-weight: 600; }
.ts-loading i { border-radius: 10px; background: color-mix(in srgb, currentColor 9%, transparent); }
.ts-loading div { display: grid; gap: 14px; grid-template-columns: 1fr 1fr; }
@media (prefers-reduced-motion: no-preference) {
  .ts-loading i { animation: ts-loading 1.6s ease-in-out infinite alternate; }
  @keyframes ts-loading { from { opacity: .45; } to { opacity: 1; } } }
</style>"""


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
        f'{CSS}<div class="ts-loading" role="status"><p>{head}</p><p>{told}</p><i style="height: 40px"></i>'
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
