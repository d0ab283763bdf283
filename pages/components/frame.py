"""What every page stands in: the top bar with the pages, and the style sheet."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages.components import browser, graph, loading, status
from pages.components.diff import diff_css
from pages.components.language import address, keep_in_address, show_switch, told_here
from pages.components.streamlit_words import words_css
from pages.components.text import plain
from pages.components.theme import Palette, current, heading, page_css

__all__ = ["need", "problem", "show", "show_problem", "show_told", "tell"]

_shown = [False]  # whether this process has drawn a frame yet


def show(pages: Sequence[tuple[Any, str]], title: str, *, is_bare: bool = False) -> None:
    """Draw the top bar, if any, and bring what every page needs: its heading, styles and the drawing library."""
    _shown[0] = True
    loading.clear()
    keep_in_address()
    palette = current()
    st.html(page_css(palette) + frame_css(palette) + diff_css(palette) + words_css())
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


def frame_css(palette: Palette) -> str:
    """Return the style sheet of the frame and of the pieces that several pages share."""
    return f"""<style>
[data-testid="stHeader"], [data-testid="stSidebarCollapsedControl"] {{ display: none; }}
.stMainBlockContainer {{ padding: 8px 22px 10px; max-width: none; }}
.st-key-ts-bar {{ border-bottom: 1px solid {palette.dimmed}; padding-bottom: 6px; }}
.st-key-ts-bar a {{ padding: 3px 10px; white-space: nowrap; }}
.st-key-ts-bar a:focus-visible {{ outline: 2px solid {palette.selected}; outline-offset: 1px; }}
[data-testid="stMain"]:is(:focus, :focus-visible) {{ outline: none; box-shadow: none; }}
[data-testid="stMain"]:focus-visible::before {{ display: none; }}
[data-testid="stCaptionContainer"][data-testid] {{ color: {palette.muted}; opacity: 1; }}
[data-has-shortcut="true"] > :last-child:not(:first-child) {{ opacity: .85; }}
[data-testid="stTextInputIcon"] {{ color: {palette.muted}; }}
.ts-to {{ display: inline-flex; min-width: 0; color: inherit; text-decoration: none; border-radius: 999px; }}
.ts-to:hover .ts-chip {{ text-decoration: underline; text-underline-offset: 3px; }}
.ts-to:focus-visible {{ outline: 2px solid {palette.selected}; outline-offset: 1px; }}
@media (max-width: 1100px) {{ .st-key-ts-bar {{ column-gap: 2px; }} .st-key-ts-bar a {{ padding: 3px 8px; }}
  .st-key-ts-bar a > span:has(> [data-testid="stIconMaterial"]) {{ display: none; }} }}
:is([data-testid^="stBaseButton-primary"]:not(:disabled), [data-tag], [data-tag] *) {{ color: {palette.background}; }}
[data-testid="stBaseButton-tertiary"] p {{ text-align: start; }}
{browser.CSS}
{status.CSS}
.st-key-ts-language button {{ min-height: 26px; padding: 0 9px; }}
.st-key-ts-language button p {{ font-size: 13px; }}
.ts-brand {{ font-weight: 600; font-size: 17px; letter-spacing: -.01em; margin-right: 14px; }}
.ts-brand span {{ color: {palette.selected}; }}
.ts-muted {{ color: {palette.muted}; font-size: 13px; margin: 0; }}
.ts-end {{ margin-left: auto; }}
.ts-head {{ display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; }}
.ts-question {{ font-size: 17px; font-weight: 600; line-height: 1.35; margin: 0 4px 0 0; padding: 0; letter-spacing: normal;
  overflow-wrap: anywhere; }}
.ts-facts {{ font-size: 13.5px; color: {palette.muted}; font-variant-numeric: tabular-nums; }}
.ts-head .ts-chip, .ts-badge {{ font-size: 13px; padding: 2px 10px; }}
.ts-answer {{ font-size: 23px; font-weight: 650; line-height: 1.25; overflow-wrap: anywhere; }}
#the-answer {{ scroll-margin: 16px; }}
.ts-answer.is-long {{ font-size: 16px; }}
.ts-answer small {{ font-size: 13px; font-weight: 400; color: {palette.muted}; margin-left: 8px; }}
.ts-answer.is-open {{ border-left: 4px solid {palette.answer}; padding-left: 12px; }}
[data-testid="InputInstructions"] {{ display: none; }}
.ts-row {{ gap: 4px 12px; }}
.ts-row > .ts-item {{ font-size: 12.5px; }}
.stMarkdownColoredText {{ color: {palette.muted} !important; }}
.ts-welcome {{ max-width: 620px; padding-top: 26px; }}
.ts-welcome h2 {{ font-size: 26px; font-weight: 650; letter-spacing: -.015em; padding: 0; margin: 0 0 6px; }}
.ts-welcome p {{ color: {palette.muted}; margin: 0 0 4px; }}
.st-key-ts-recorded {{ padding-top: 32px; gap: 6px; }}
.ts-first {{ padding-top: 18px !important; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-ts-save) {{ position: sticky; bottom: 0; z-index: 3; }}
.st-key-ts-save {{ background: {palette.background}; border-top: 1px solid {palette.dimmed}; padding: 10px 0 12px; }}
.ts-section {{ font-size: 16px; font-weight: 600; margin: 0; padding: 0; }}
.ts-verdict {{ font-size: 14px; margin: 0; padding: 6px 12px; border-left: 4px solid {palette.rejected}; }}
.ts-verdict.is-ok {{ border-left-color: {palette.answer}; }}
.ts-panel-title {{ font-size: 14px; font-weight: 600; margin: 0 0 2px; }}
.ts-table {{ border-collapse: collapse; width: 100%; font-size: 13px; }}
.ts-table th {{ text-align: left; font-weight: 500; color: {palette.muted}; padding: 3px 10px 3px 0;
  border-bottom: 1px solid {palette.dimmed}; }}
.ts-table td {{ padding: 4px 10px 4px 0; border-bottom: 1px solid {palette.dimmed};
  vertical-align: top; overflow-wrap: anywhere; }}
.ts-table.is-dense td {{ overflow-wrap: break-word; }}
.ts-table.is-dense td > bdi {{ display: inline-block; max-width: max(9em, 8vw); }}
@media (max-width: 1100px) {{ .ts-table.is-dense, .ts-table.is-dense .ts-chip {{ font-size: 12px; }}
  .ts-table.is-dense :is(th, td) {{ padding-right: 6px; }} }}
.ts-table .ts-chip {{ font-size: 12px; padding: 0; border: 0; white-space: normal; max-width: 9em;
  overflow-wrap: break-word; }}
.ts-table tr:last-child td {{ border-bottom: 0; }}
.ts-byhand {{ font-size: 13px; margin: 0; color: {palette.corrected}; overflow-wrap: anywhere; }}
.ts-pairs {{ display: grid; grid-template-columns: max-content 1fr; gap: 3px 14px; font-size: 13.5px; }}
.ts-pairs b {{ color: {palette.muted}; font-weight: 400; }}
.ts-pairs span {{ overflow-wrap: anywhere; }}
[class*="st-key-ts-graph-"] {{ padding: 10px 14px; }}
[class*="st-key-ts-graph-"] button {{ min-height: 0; padding: 0; font-weight: 600; }}
.st-key-ts-graph-now {{ border-color: {palette.selected}; box-shadow: inset 3px 0 {palette.selected}; }}
[class*="st-key-ts-graph-"] button p {{ text-align: left; }}
[class*="st-key-ts-compact"] button {{ min-height: 0; padding: 3px 0; text-align: left;
  justify-content: flex-start; }}
[class*="st-key-ts-compact"] button p {{ text-align: left; font-size: 13.5px; }}
.st-key-kg-vis {{ width: 1px !important; overflow: hidden; position: absolute; }}
.ts-pairs a, .ts-table a, .ts-link a {{ color: {palette.selected}; }}
</style>"""
