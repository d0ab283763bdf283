"""One correction in full: diff, reason, evidence, what contradicts it, its history, and the runs it affects."""

import streamlit as st

from kgcore.corrections import Change, CorrectionStore, Proposal
from kgcore.corrections.proposal import TRANSITIONS
from pages.components import affected
from pages.components.correction_queue import MOVES, bulk, status_chip
from pages.components.correction_words import DONE
from pages.components.diff import diff
from pages.components.language import t
from pages.components.text import cell, rows, safe_link
from pages.components.theme import Palette
from pages.components.trace import when_of

__all__ = ["show"]


def show(store: CorrectionStore, proposal: Proposal, palette: Palette) -> None:
    """Draw a correction."""
    one = proposal.correction
    st.html(f'<div class="ts-head">{status_chip(proposal.status, palette)}</div>{diff(one)}')
    with st.container(horizontal=True, gap="xsmall", key="ts-tight-details"):
        for move, (label, icon) in MOVES.items():
            if (proposal.status, move) in TRANSITIONS:
                st.button(
                    t(label),
                    key=f"one-{move}-{proposal.id}",
                    icon=f":material/{icon}:",
                    type="primary" if move == "approve" else "secondary",
                    on_click=bulk,
                    args=(store, [proposal], move),
                )
    st.html(_facts(proposal))
    _show_conflicts(store, proposal, palette)
    st.html(f'<p class="ts-panel-title">{t("Runs")}</p>')
    affected.show(proposal.id)
    st.html(f'<p class="ts-panel-title">{t("History")}</p>')
    st.html(
        rows(
            (t("when"), t("what"), t("by"), t("note")),
            [_change(c) for c in reversed(proposal.history)],
        )
    )


def _facts(proposal: Proposal) -> str:
    one = proposal.correction
    ids = [
        one.subject.id,
        one.relation.id,
        *(getattr(e, "id", "") for e in (one.object, one.new_object)),
    ]
    pairs = [
        (t("Graph"), cell(one.kg, 80)),
        (t("Ids"), cell(" · ".join(i for i in ids if i), 300)),
        (t("By"), cell(f"{one.author}, {when_of(one.when)} UTC", 200)),
        (t("Reason"), cell(one.reason, 1000) if one.reason else ""),
        (t("Evidence"), safe_link(one.evidence, one.evidence) if one.evidence else ""),
        (
            t("New"),
            cell(", ".join(f"{e.name} ({e.id})" for e in one.minted), 300) if one.minted else "",
        ),
    ]
    lines = "".join(f"<b>{name}</b><span>{value}</span>" for name, value in pairs if value)
    return f'<div class="ts-pairs">{lines}</div>'


def _show_conflicts(store: CorrectionStore, proposal: Proposal, palette: Palette) -> None:
    if proposal.status not in ("proposed", "approved"):
        return
    found = store.conflicts(proposal.correction)
    if not found:
        return
    n = len({p.correction.author for p in (proposal, *found)})
    title = t("They disagree; only one can be in force")
    if n > 1:
        title = t("{n} people disagree; only one can be in force", n=n)
    st.html(f'<p class="ts-panel-title">≠ {title}</p>')
    for other in found[:10]:
        st.html(
            f'<div class="ts-head">{status_chip(other.status, palette)}'
            f'<span class="ts-muted">{cell(other.correction.author, 60)}</span></div>{diff(other.correction)}'
        )


def _change(change: Change) -> dict[str, str]:
    return {
        t("when"): cell(when_of(change.when)),
        t("what"): cell(t(DONE.get(change.what, change.what))),
        t("by"): cell(change.who, 80),
        t("note"): cell(change.note, 200) if change.note else "",
    }
