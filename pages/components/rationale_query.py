"""One query that was written for a rationale: what came of it, and a box to write it otherwise in a fork."""

from html import escape

import streamlit as st

from kgcore.errors import InputError, KGCoreError
from kgcore.reasoners import reasoner
from kgcore.runs.asked import asked_in
from kgcore.runs.changes import replying
from kgcore.runs.rationales_view import QueryView, RationaleView
from kgcore.steps import Evidence
from pages.components import correction_dialog
from pages.components.forking import fork_with
from pages.components.frame import problem
from pages.components.language import mark, t, tn, told_here
from pages.components.source_list import LANGUAGES
from pages.components.studio import studio
from pages.components.text import cell, rows
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["show"]

# status of a query → what is said of it
OUTCOMES = {
    "none": mark("cannot help here"),
    "unread": mark("could not be read"),
    "unlinked": mark("not run"),
    "asked": mark("asking…"),
    "bad": mark("refused"),
    "empty": mark("found nothing"),
}


def show(seen: Seen, run_id: str, item: RationaleView, number: int, palette: Palette) -> None:
    """Draw the query of this number: for whom, as written and as run, what came of it, and the way to edit it."""
    query = item.queries[number]
    outcome = t(OUTCOMES[query.status]) if query.status in OUTCOMES else _found_words(query)
    again = chip(t("second try"), color=palette.muted, mark="↻") if query.is_repaired else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<div class="ts-head"><b>{cell(query.source, 80)}</b>'
            f"{chip(t(LANGUAGES.get(query.language, query.language)))}{again}"
            f'<span class="ts-muted">{escape(outcome)}</span></div>'
        )
        if query.address is not None and not seen.is_live:
            _show_edit(run_id, item, query, number)
    is_mended = any(q.source == query.source and q.is_mended for q in item.queries[number + 1 :])
    own = (
        query.problem if query.outcome in ("unread", "unlinked") else ""
    )  # else that of the query before
    for text in (own, query.failure):
        if text:
            said = chip(t("problem"), color=palette.rejected, mark="✗")
            if is_mended:
                said = chip(t("query mended"), color=palette.muted, mark="↻")
            st.html(f'<p class="ts-muted">{said} {cell(told_here(text), 300)}</p>')
    if query.written:
        st.code(query.written, language=None, wrap_lines=True)
    if query.query and query.query != query.written:
        st.caption(t("as it was run, with the ids of the names"))
        st.code(query.query, language=None, wrap_lines=True)
    if query.evidence:
        found, raw = t("found"), t("as it came back")
        lines = [{found: _found(e), raw: cell(e.raw, 300)} for e in query.evidence]
        st.html(rows((found, raw), lines))


def _found(item: Evidence) -> str:
    """Return what was found, and below it where."""
    return f'{cell(item.text, 500)}<br><span class="ts-muted">{cell(item.origin, 120)}</span>'


def _found_words(query: QueryView) -> str:
    told = tn("{n} found", "{n} found", len(query.evidence))
    return f"{told}, {t('{n} more', n=query.n_more)}" if query.n_more else told


def _show_edit(run_id: str, item: RationaleView, query: QueryView, number: int) -> None:
    """Draw the box in which a query can be written otherwise; that makes a fork."""
    key = f"rationale-edit-{item.node}-{number}"
    with st.popover(t("Write this query otherwise"), icon=":material/edit_note:", type="tertiary"):
        st.text_area(
            t("Query"), query.written, key=key, max_chars=20_000, label_visibility="collapsed"
        )
        st.caption(t("Makes a fork: this run stays as it is."))
        if st.button(
            t("Start the fork"),
            key=f"{key}-go",
            type="primary",
            icon=":material/fork_right:",
            on_click=_fork,
            args=(run_id, item.node, query, key),
        ):
            if st.query_params.get("run") != run_id or "problem" in st.session_state:
                st.rerun()  # the fork, or what went wrong, is beyond this piece of the page


def _fork(run_id: str, node: int, query: QueryView, key: str) -> None:
    text = str(st.session_state.get(key) or "")
    try:
        journal = studio().journal(run_id)
        asked = asked_in(reasoner(journal.started.method), journal)
        if query.address is None or query.address not in asked:
            raise InputError("this query cannot be written otherwise any more")
        edit = replying(asked[query.address], (text,), author=correction_dialog.author(), node=node)
        st.query_params["run"] = fork_with(run_id, edit)
    except KGCoreError as error:
        problem(error)
