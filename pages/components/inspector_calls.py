"""The calls made for a node or an entry: prompts as sent, replies as read, and responses as they came."""

from collections.abc import Sequence

import streamlit as st

from kgcore.views.details import Call, spent_on
from kgcore.views.raw import raw_table
from pages.components import change, inspector_large
from pages.components.inspector_parts import (
    about_line,
    read_as,
    show_prompt,
    show_raw,
    spent_line,
)
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, plain, rows

__all__ = ["show_call", "show_calls"]

PARTS = {
    "choice": mark("The choice that led here"),
    "fetch": mark("What brought its triples"),
    "rating": mark("Its rating"),
    "next": mark("What to do next"),
    "link": mark("What the question is about"),
}


def show_calls(run_id: str, calls: Sequence[Call], *, place: str) -> None:
    """Draw each call closed, in the order they were made, and what all of them cost."""
    for call in calls:
        words = f"{t(PARTS[call.part])} – " if call.prompt or call.replies else ""
        title = plain(f"{words}{told_here(call.text) if not words else _size(call)}", 200)
        with st.expander(title, key=f"call-{place}-{call.seq}"):
            show_call(run_id, call, place=place)
    if len(calls) > 1:
        st.html(f'<p class="ts-muted">{t("Together")}: {spent_line(*spent_on(calls))}</p>')


def show_call(run_id: str, call: Call, *, place: str) -> None:
    """Draw one call: what it cost, what came back, and what was sent."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.html(f'<p class="ts-muted">{cell(about_line(call), 200)}</p>')
        inspector_large.show_button(run_id, call.seq, place=f"{place}-{call.seq}")
    if call.problem:
        st.html(f'<p class="ts-verdict">{cell(told_here(call.problem), 400)}</p>')
    if call.replies:
        st.html(_replies(call))
    table = raw_table(call.result, call.options)
    if table is not None:
        show_raw(table)
    show_prompt(call)
    if call.result is not None:
        change.show_button(run_id, place=f"{place}-{call.seq}", seq=call.seq)


def _size(call: Call) -> str:
    samples = tn("{n} sample", "{n} samples", len(call.replies))
    return t("{samples}, {seconds:.2f} s", samples=samples, seconds=call.seconds)


def _replies(call: Call) -> str:
    several = len(call.replies) > 1
    items = [
        {
            t("reply"): cell(reply.text, 1_500),
            t("read as"): cell(read_as(reply), 300),
            t("votes"): f"{reply.votes} / {len(call.replies)}" if not reply.problem else "–",
        }
        for reply in call.replies
    ]
    return rows((t("reply"), t("read as"), *((t("votes"),) if several else ())), items)
