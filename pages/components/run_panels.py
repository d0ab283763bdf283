"""Everything below a run's head: notes, the drawings, and the panels, one of which may ask a person."""

import streamlit as st

from pages.components import (
    again,
    answer_panel,
    challenge,
    changes_made,
    correction_dialog,
    gate,
    inspector,
    link_choice,
    room,
    run_graphs,
    run_log,
)
from pages.components.language import t
from pages.components.theme import Palette, heading
from pages.components.watch import Seen

__all__ = ["show"]

PANEL = 300  # pixels, where the page scrolls


def show(now: Seen, seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw all of it as `seen`, what waits for a person as it is `now`, and the dialog a person asked for."""
    with st.container():  # always there, so that what comes and goes in it moves nothing else
        _show_notes(now, seen, run_id, palette)
    run_graphs.show(seen, run_id, palette)
    with st.container(key="ts-panels"):
        if gate.is_open(now, run_id) or link_choice.is_open(now) or challenge.is_open(seen, run_id):
            _show_question(now, seen, run_id, palette)
        else:
            _show_panels(seen, run_id, palette)
    correction_dialog.show_pending()


def _show_notes(now: Seen, seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw a line on where a fork is from and whether a second run ended as the first."""
    started = now.view.started
    if started is None or started.kind not in ("fork", "rerun"):
        return
    with st.container(key="ts-notes", horizontal=True, vertical_alignment="center", gap="small"):
        changes_made.show_origin(now, palette)
        again.show_comparison(seen, run_id, palette)


def _show_question(now: Seen, seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw what a person is to say, in place of answer and log, with the inspector beside it."""
    wide, right = st.columns(room.WIDE, gap="small")
    st.html(heading(t("What waits for you")))
    with wide.container(height=PANEL, border=False, key="ts-panel-question"):
        gate.show(now, run_id, palette)
        link_choice.show(now, run_id, palette)
        challenge.show(seen, run_id, palette)
    with right.container(border=True, height=PANEL, key="ts-panel-beside"):
        st.html(heading(t("Details")))
        inspector.show(seen, run_id, palette)


def _show_panels(seen: Seen, run_id: str, palette: Palette) -> None:
    left, middle, right = st.columns(room.LEFT, gap="small")
    with left.container(border=True, height=PANEL, key="ts-panel-answer"):
        st.html(heading(t("Answer")))
        answer_panel.show(seen, run_id, palette)
    with middle.container(border=True, height=PANEL, key="ts-panel-inspector"):
        st.html(heading(t("Details")))
        inspector.show(seen, run_id, palette)
    with right.container(border=True, height=PANEL, key="ts-panel-log"):
        st.html(heading(t("Log")))
        run_log.show(seen, run_id, palette)
