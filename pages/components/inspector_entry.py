"""A closer look at one entry of the journal: a call with all that was sent and came back, a fact, a decision."""

import streamlit as st

from kgcore.runs import Decided, RunView
from kgcore.runs.entries import BreakpointsSet
from kgcore.views.details import call_at
from pages.components import breakpoints
from pages.components.inspector_calls import show_call
from pages.components.language import t, told_here
from pages.components.selection import pick
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.trace import when_of
from pages.components.triple_table import triple_table

__all__ = ["show_entry"]


def show_entry(view: RunView, run_id: str, seq: int, palette: Palette) -> None:
    """Draw an entry, and a way to the nodes it is about; people count entries from 1, like moments."""
    entry, line = view.entry(seq), view.log[seq]
    role = {"error": palette.rejected, "human": palette.corrected}.get(line.kind, palette.muted)
    sign = {"error": "✗", "human": "✎", "end": "■"}.get(line.kind, "")
    number = chip(t("entry {n}", n=seq + 1), color=role, mark=sign)
    when = f"{when_of(entry.when)} UTC"
    st.html(
        f'<div class="ts-head">{number}<span class="ts-panel-title">{cell(told_here(line.text), 400)}</span></div>'
        f'<p class="ts-muted">{cell(when, 60)}</p>'
    )
    nodes = [node for node in line.nodes if node in view.nodes][:6]
    if nodes:
        with st.container(horizontal=True, gap="xsmall"):
            for node in nodes:
                st.button(
                    t("Node #{node}", node=node),
                    key=f"entry-node-{node}",
                    type="tertiary",
                    icon=":material/account_tree:",
                    on_click=pick,
                    args=(run_id, "tree", str(node)),
                )
    call = call_at(view, seq)
    if call is not None:
        show_call(run_id, call, place="entry")
    if isinstance(entry.body, BreakpointsSet):
        breakpoints.show_list(entry.body.points)
    if isinstance(entry.body, Decided):
        st.html(triple_table(entry.body.shown))
    added = getattr(getattr(entry.body, "fact", None), "triples", ())
    if added:
        st.html(triple_table((), added=added))
