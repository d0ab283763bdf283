"""The Corrections page: what people say against the graphs, decided on, undone, exported and imported."""

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.corrections import Proposal
from kgcore.errors import KGCoreError
from pages.components import (
    correction_details,
    correction_files,
    correction_form,
    correction_queue,
    frame,
)
from pages.components.correction_dialog import show_author
from pages.components.language import mark, t
from pages.components.studio import studio
from pages.components.theme import current

ABOUT = mark(
    "They lie over the graphs; nothing is written to a source. Approved ones count in every run from then on."
)
FIRST = mark(
    "Press “This is wrong” under an answer to find the edge that makes it wrong, or New to propose one."
)


def main() -> None:
    """Draw the page."""
    frame.need("pages/corrections.py")
    frame.show_problem()
    made = studio()
    try:
        proposals = made.corrections.list()
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    show_bar(made)
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left.container(border=True):
        show_queue(made, proposals)
    with right.container(border=True):
        show_details(made, proposals)


def show_bar(made: Studio) -> None:
    """Draw the line with what can be done without a correction being chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.html(f'<h2 class="ts-section">{t("Corrections")}</h2><p class="ts-muted">{t(ABOUT)}</p>')
        with st.popover(t("New"), icon=":material/add:"):
            correction_form.show(made)
        with st.popover(t("Export"), icon=":material/download:"):
            correction_files.show_export(made)
        with st.popover(t("Import"), icon=":material/upload:"):
            correction_files.show_import(made)


def show_queue(made: Studio, proposals: tuple[Proposal, ...]) -> None:
    """Draw filters and queue."""
    if not proposals:
        st.html(
            f'<p class="ts-panel-title">{t("No corrections yet")}</p><p class="ts-muted">{t(FIRST)}</p>'
        )
        return
    found = correction_queue.matching(proposals, correction_queue.chosen_filter(proposals))
    if not found:
        st.html(f'<p class="ts-muted">{t("No correction fits these filters.")}</p>')
        return
    correction_queue.show(made.corrections, found, current(), open_one)


def open_one(name: str) -> None:
    """Show a correction in full."""
    st.session_state["fix-open"] = name


def show_details(made: Studio, proposals: tuple[Proposal, ...]) -> None:
    """Draw the correction that is open, else a hint, and who decides."""
    name = st.session_state.get("fix-open")
    chosen = next((p for p in proposals if p.id == name), None)
    if chosen is None:
        hint = t("Press Details to see reason, evidence, history and runs.")
        st.html(f'<p class="ts-muted">{hint}</p>')
    else:
        correction_details.show(made.corrections, chosen, current())
    show_author()


main()
