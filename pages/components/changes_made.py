"""What people changed: a line on a fork that says what and by whom, and the marks for it."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError
from kgcore.runs import RunRecord
from kgcore.runs.acts import act_words, acts_of
from kgcore.runs.entries import Act
from kgcore.runs.origins import first_entries
from pages.components.language import current, t, tn
from pages.components.studio import studio
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["BY_HAND", "acts_chip", "of_runs", "sentences", "show_origin"]

BY_HAND = "✎"


def acts_chip(acts: Sequence[Act], palette: Palette) -> str:
    """Return the chip that counts what people did; "" where they did nothing."""
    if not acts:
        return ""
    words = tn("{n} change by a person", "{n} changes by people", len(acts))
    return chip(words, color=palette.corrected, mark=BY_HAND)


def sentences(acts: Sequence[Act]) -> str:
    """Return what people did as one line of text."""
    told = [act_words(act, current()) for act in acts[:4]]
    more = len(acts) - len(told)
    return "; ".join(told) + (f" +{more}" if more > 0 else "")


def show_origin(seen: Seen, palette: Palette) -> None:
    """Say of a fork from which run it came and what was changed by whom; nothing of other runs."""
    started = seen.view.started
    if started is None or started.kind != "fork":
        return
    try:
        found = first_entries(studio().store, [started.parent])
    except KGCoreError:  # the store says so elsewhere
        found = {}
    acts = acts_of(started, found.get(started.parent))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="ts-origin"):
        mark = chip(t("Fork"), color=palette.corrected, mark="↳")
        told = f'<span class="ts-fold" tabindex="0">{cell(sentences(acts), 500)}</span>'
        st.html(f'<div class="ts-head">{mark}{told}</div>')
        if not seen.is_live:
            return  # the comparison below leads there
        if started.parent in found and st.button(
            t("The run it came from"), key="fork-parent", type="tertiary", icon=":material/history:"
        ):
            st.query_params["run"] = started.parent
            st.rerun()


def of_runs(store_of: Studio, runs: Sequence[RunRecord]) -> dict[str, str]:
    """Return for each fork among some runs what was changed, in words."""
    forks = [run for run in runs if run.kind == "fork"]
    try:
        found = first_entries(store_of.store, [i for run in forks for i in (run.id, run.parent)])
    except KGCoreError:
        return {}
    return {
        run.id: sentences(acts_of(found[run.id], found.get(run.parent)))
        for run in forks
        if run.id in found
    }
