"""What every page stands in: the top bar with the pages, and the style sheet."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components import browser, graph, loading
from pages.components.language import address, keep_in_address, show_switch, told_here
from pages.components.streamlit_words import words_css
from pages.components.styles import sheet
from pages.components.text import plain
from pages.components.theme import color_sheet, current, heading

__all__ = ["need", "problem", "show", "show_problem", "show_told", "tell", "toast_problem"]

_shown = [False]  # whether this process has drawn a frame yet


def show(pages: Sequence[tuple[Any, str]], title: str, *, is_bare: bool = False) -> None:
    """Draw the top bar, if any, and bring what every page needs: its heading, styles and the drawing library."""
    _shown[0] = True
    loading.clear()
    keep_in_address()
    st.html(color_sheet(current()) + sheet("pieces", "frame", "corrections") + words_css())
    if not is_bare:
        st.html(heading(title, level=1))
        _show_bar(pages)
    browser.show()
    if wanted := st.session_state.pop("wanted-page", None):
        st.switch_page(wanted[0], query_params=wanted[1])
    graph.load()
    show_told()
    loading.show()  # below the bar, until the page itself has been imported


def _show_bar(pages: Sequence[tuple[Any, str]]) -> None:
    with st.container(key="ts-bar", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<div class="ts-brand"><span>Traversal</span> Studio</div>', width="content")
        for page, icon in pages:
            st.page_link(page, icon=icon, width="content", query_params=address())
        st.space("stretch")
        with st.container(width="content", key="ts-language"):
            show_switch()


def need(page: str) -> None:
    """Go to the workbench when a page was opened without it; the workbench leads back to the page.

    Until the workbench has run once in a process, Streamlit takes every file in pages/ for a page of its own.
    """
    if not _shown[0]:
        st.session_state["wanted-page"] = (page, st.query_params.to_dict())
        st.switch_page("app.py")
    loading.done()


def problem(error: Exception) -> None:
    """Keep what went wrong, to be shown in one line."""
    st.session_state["problem"] = str(error) or type(error).__name__


def show_problem(message: str = "") -> None:
    """Show what went wrong, if anything did."""
    message = message or st.session_state.pop("problem", "")
    if message:
        st.error(plain(told_here(message), 400), icon=":material/error:")


def toast_problem() -> None:
    """Show what went wrong as a toast: where only a fragment is drawn anew, the page's own line is not.

    Nor would a line inside the fragment stay until it is read: the next look at a live run draws over it.
    """
    message = st.session_state.pop("problem", "")
    if message:
        st.toast(plain(told_here(message), 400), icon=":material/error:", duration="long")


def tell(message: str, *, icon: str = "") -> None:
    """Keep a short word on what was done, to be shown at the next drawing.

    A callback may not draw: where only a fragment is drawn anew, what it draws takes the place of what the page
    drew first, and a toast that of the style sheet.
    """
    st.session_state["told"] = (message, icon)


def show_told() -> None:
    """Show what was done, if anything was told."""
    message, icon = st.session_state.pop("told", ("", ""))
    if message:
        st.toast(message, icon=icon or None)
