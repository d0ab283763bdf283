"""Everything below a run's head: what waits for a person, the drawings, a challenge, and the three panels."""

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
    run_graphs,
    run_log,
)
from pages.components.theme import Palette
from pages.components.watch import Seen

__all__ = ["show"]

PANEL = 248


def show(now: Seen, seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw all of it as `seen`, what waits for a person as it is `now`, and the dialog a person asked for."""
    with st.container():  # always there, so that what comes and goes in it moves nothing else
        changes_made.show_origin(now, palette)
        gate.show(now, run_id, palette)
        link_choice.show(now, run_id, palette)
        again.show_comparison(seen, run_id, palette)
    run_graphs.show(seen, run_id, palette)
    with st.container():
        challenge.show(seen, run_id, palette)
    left, middle, right = st.columns([0.33, 0.39, 0.28], gap="small")
    with left.container(border=True, height=PANEL):
        answer_panel.show(seen, run_id, palette)
    with middle.container(border=True, height=PANEL):
        inspector.show(seen, run_id, palette)
    with right.container(border=True, height=PANEL):
        run_log.show(seen, run_id, palette)
    correction_dialog.show_pending()
