"""One call in a large dialog: prompt, replies and raw response whole, each to be copied; Escape closes it."""

from collections import Counter

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.views.details import Call, ReplyLine, call_at
from kgcore.views.raw import raw_table
from pages.components.inspector_parts import about_line, read_as, show_prompt, show_raw
from pages.components.language import t, tn, told_here
from pages.components.studio import shared
from pages.components.text import cell, plain

__all__ = ["show_button", "show_pending"]

_PENDING = "large-call"
LONGEST = 20_000  # letters of one value of a response


def show_button(run_id: str, seq: int, *, place: str) -> None:
    """Draw the button that opens a call; `place` tells apart where it stands."""
    if st.button(
        t("Open large"),
        key=f"large-{place}",
        type="tertiary",
        icon=":material/open_in_full:",
        help=t("Prompt, replies and raw response in a large window; Escape closes it."),
        on_click=_open,
        args=(run_id, seq),
    ):
        st.rerun()  # the dialog stands outside of what is followed live


def _open(run_id: str, seq: int) -> None:
    st.session_state[_PENDING] = (run_id, seq)


def _forget() -> None:
    st.session_state.pop(_PENDING, None)


def show_pending(run_id: str) -> None:
    """Show the dialog if it was asked for in this run, until it is closed."""
    wanted_run, seq = st.session_state.get(_PENDING, ("", 0))
    if wanted_run == run_id:
        title = t("Entry {n}", n=seq + 1)
        st.dialog(title, width="large", on_dismiss=_forget)(_draw)(run_id, seq)
    else:
        _forget()


def _draw(run_id: str, seq: int) -> None:
    try:
        call = call_at(shared().watches.look(run_id).view, seq)
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 400))
        return
    if call is None:
        st.html(f'<p class="ts-muted">{t("Nothing came back.")}</p>')
        return
    st.html(
        f'<p class="ts-panel-title">{cell(told_here(call.text), 400)}</p>'
        f'<p class="ts-muted">{cell(about_line(call), 300)}</p>'
    )
    if call.problem:
        st.html(f'<p class="ts-verdict">{cell(told_here(call.problem), 2_000)}</p>')
    show_prompt(call)
    _show_replies(call)
    table = raw_table(call.result, call.options)
    if table is not None:
        show_raw(table, limit=LONGEST)


def _said(reply: ReplyLine) -> tuple[str, str]:
    return reply.text, read_as(reply)


def _show_replies(call: Call) -> None:
    """Draw each reply as it came, with what it was read as above it; replies that are alike once."""
    n, alike = len(call.replies), Counter(_said(reply) for reply in call.replies)
    for number, reply in enumerate(call.replies, 1):
        times = alike.pop(_said(reply), 0)
        if not times:
            continue
        told = t("Reply {number} of {n}", number=number, n=n) if n > 1 else t("Reply")
        if times > 1:
            told = t("{times} of {n} replies, word for word alike", times=times, n=n)
        if n > 1 and not reply.problem:
            told += " · " + tn("{n} vote", "{n} votes", reply.votes)
        told += " · " + t("read as {what}", what=read_as(reply))
        st.html(f'<p class="ts-muted">{cell(told, 1_000)}</p>')
        st.code(reply.text, language=None, wrap_lines=True)
