"""The calls made for a node or an entry: prompts as sent, replies as read, and responses as they came."""

from collections.abc import Sequence

import streamlit as st

from kgcore.runs import RunView
from kgcore.steps import Usage
from kgcore.views.details import Call, spent_on
from kgcore.views.raw import RawTable, raw_table
from pages.components import change
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, plain, rows

__all__ = ["show_call", "show_calls", "spent_line"]

PARTS = {
    "choice": mark("The choice that led here"),
    "fetch": mark("What brought its triples"),
    "rating": mark("Its rating"),
    "next": mark("What to do next"),
    "link": mark("What the question is about"),
}
VIA = {
    "memory": mark("from memory, no call"),
    "run": mark("asked before, no call"),
    "parent": mark("as in the parent run"),
    "human": mark("decided by a person"),
}


def show_calls(view: RunView, run_id: str, calls: Sequence[Call], *, place: str) -> None:
    """Draw each call closed, in the order they were made, and what all of them cost."""
    for call in calls:
        words = f"{t(PARTS[call.part])} – " if call.prompt or call.replies else ""
        title = plain(f"{words}{told_here(call.text) if not words else _size(call)}", 200)
        with st.expander(title, key=f"call-{place}-{call.seq}"):
            show_call(view, run_id, call, place=place)
    if len(calls) > 1:
        st.html(f'<p class="ts-muted">{t("Together")}: {spent_line(*spent_on(calls))}</p>')


def show_call(view: RunView, run_id: str, call: Call, *, place: str) -> None:
    """Draw one call: what it cost, what came back, and what was sent."""
    del view
    cost = spent_line(call.usage, call.seconds)
    via = t(VIA[call.via]) if call.via in VIA else ""
    number = t("entry {n} of the journal", n=call.seq + 1)
    about = " · ".join(part for part in (number, via, cost) if part)
    st.html(f'<p class="ts-muted">{cell(about, 200)}</p>')
    if call.problem:
        st.html(f'<p class="ts-verdict">{cell(told_here(call.problem), 400)}</p>')
    if call.replies:
        st.html(_replies(call))
    table = raw_table(call.result, call.options)
    if table is not None:
        _show_raw(table)
    _show_prompt(call)
    if call.result is not None:
        change.show_button(run_id, place=f"{place}-{call.seq}", seq=call.seq)


def spent_line(usage: Usage, seconds: float) -> str:
    """Return tokens, money, calls and seconds in words; what was not spent is not named."""
    near = "≈ " if usage.is_estimated else ""
    parts = []
    if usage.tokens:
        parts.append(
            t(
                "{near}{sent} tokens sent, {received} received",
                near=near,
                sent=f"{usage.prompt_tokens:,}",
                received=f"{usage.completion_tokens:,}",
            )
        )
    if usage.cost_usd:
        parts.append(f"{near}${usage.cost_usd:.4f}")
    if usage.llm_requests:
        parts.append(tn("{n} request", "{n} requests", usage.llm_requests))
    if usage.kg_requests:
        parts.append(tn("{n} graph call", "{n} graph calls", usage.kg_requests))
    return " · ".join((*parts, t("{seconds:.2f} s", seconds=seconds)))


def _size(call: Call) -> str:
    samples = tn("{n} sample", "{n} samples", len(call.replies))
    return t("{samples}, {seconds:.2f} s", samples=samples, seconds=call.seconds)


def _replies(call: Call) -> str:
    several = len(call.replies) > 1
    items = [
        {
            t("reply"): cell(reply.text, 1_500),
            t("read as"): f"✗ {cell(told_here(reply.problem), 200)}"
            if reply.problem
            else cell(reply.read_as, 300) + (f" ({t('repaired')})" if reply.is_repaired else ""),
            t("votes"): f"{reply.votes} / {len(call.replies)}" if not reply.problem else "–",
        }
        for reply in call.replies
    ]
    return rows((t("reply"), t("read as"), *((t("votes"),) if several else ())), items)


def _show_prompt(call: Call) -> None:
    for text in call.left_out:
        st.html(f'<p class="ts-muted">{t("left out of the prompt")}: {cell(text, 200)}</p>')
    if call.prompt:
        n, is_estimated = call.prompt_tokens
        near = "≈ " if is_estimated else ""
        st.caption(t("Prompt as sent – {near}{n} tokens", near=near, n=f"{n:,}"))
        st.code(call.prompt, language=None, wrap_lines=True)
    elif call.replies:
        st.caption(t("No prompt was sent: a person wrote this reply."))


def _show_raw(table: RawTable) -> None:
    if table.query:
        language = "sparql" if "{" in table.query else None
        st.code(table.query, language=language, wrap_lines=True)
    heads = [t(head) for head in table.heads]
    items = [
        {head: cell(text, 140) for head, text in zip(heads, row, strict=True)} for row in table.rows
    ]
    st.html(rows(heads, items, empty=t("Nothing came back.")))
    if table.n_more:
        st.caption(
            tn(
                "and {n} more that were not fetched",
                "and {n} more that were not fetched",
                table.n_more,
            )
        )
    for note in table.notes:
        st.html(f'<p class="ts-muted">{cell(told_here(note), 300)}</p>')
