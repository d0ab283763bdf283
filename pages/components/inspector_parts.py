"""Parts of a call as the inspector and the large view show it: what it cost, the prompt as sent, the raw response."""

import streamlit as st

from kgcore.runs import Via
from kgcore.steps import Usage
from kgcore.views.details import Call, ReplyLine
from kgcore.views.raw import RawTable
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, rows

__all__ = ["about_line", "read_as", "show_prompt", "show_raw", "spent_line"]

VIA: dict[Via, str] = {
    "memory": mark("from memory, no call"),
    "run": mark("asked before, no call"),
    "parent": mark("as in the parent run"),
    "human": mark("decided by a person"),
}


def about_line(call: Call) -> str:
    """Return which entry a call is, where its result is from and what it cost."""
    via = t(VIA[call.via]) if call.via in VIA else ""
    number = t("entry {n} of the journal", n=call.seq + 1)
    parts = (number, via, spent_line(call.usage, call.seconds))
    return " · ".join(part for part in parts if part)


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


def read_as(reply: ReplyLine) -> str:
    """Return what a reply was read as, or why it could not be read."""
    if reply.problem:
        return f"✗ {told_here(reply.problem)}"
    return f"{reply.read_as} ({t('repaired')})" if reply.is_repaired else reply.read_as


def show_prompt(call: Call) -> None:
    """Draw the prompt as it was sent, and what was left out of it."""
    for text in call.left_out:
        st.html(f'<p class="ts-muted">{t("left out of the prompt")}: {cell(text, 200)}</p>')
    if call.prompt:
        n, is_estimated = call.prompt_tokens
        near = "≈ " if is_estimated else ""
        st.caption(t("Prompt as sent – {near}{n} tokens", near=near, n=f"{n:,}"))
        st.code(call.prompt, language=None, wrap_lines=True)
    elif call.replies:
        st.caption(t("No prompt was sent: a person wrote this reply."))


def show_raw(table: RawTable, *, limit: int = 140) -> None:
    """Draw a response as it came, each value up to a number of letters."""
    if table.query:
        language = "sparql" if "{" in table.query else None
        st.code(table.query, language=language, wrap_lines=True)
    heads = [t(head) for head in table.heads]
    items = [
        {head: cell(text, limit) for head, text in zip(heads, row, strict=True)}
        for row in table.rows
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
