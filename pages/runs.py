"""The page Runs: find runs, name and tag them, compare two, run them again, hand them on as files."""

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError
from kgcore.runs import RunRecord
from kgcore.runs.listing import arrange, matching
from pages.components import (
    frame,
    runs_compare,
    runs_details,
    runs_edit,
    runs_files,
    runs_filter,
    runs_live,
    runs_table,
)
from pages.components.language import t
from pages.components.studio import studio
from pages.components.styles import sheet
from pages.components.theme import current

MOST = 5_000  # runs that are looked through


def main() -> None:
    """Draw the page."""
    frame.need("pages/runs.py")
    frame.show_problem()
    st.html(sheet("runs"))
    try:
        if pair := wanted_pair(studio()):
            runs_compare.show(*pair, current())
            return
        show_list(studio())
    except KGCoreError as error:
        frame.show_problem(str(error))


def wanted_pair(made: Studio) -> tuple[str, str] | None:
    """Return the two runs that the address wants compared."""
    given = str(st.query_params.get("compare", ""))
    if not given:
        return None
    first, _, second = given.partition(",")
    try:
        return made.store.find(first.strip()), made.store.find(second.strip())
    except KGCoreError as error:
        frame.show_problem(str(error))
        return None


def show_list(made: Studio) -> None:
    """Draw the list and, beside it, the run that is open."""
    runs = runs_live.as_they_are(made, made.store.list(limit=MOST))
    gone = made.store.list(limit=MOST, is_deleted=True)
    show_bar(made, len(runs))
    left, right = st.columns([0.66, 0.34], gap="medium")
    with left.container(border=True):
        shelf = runs_filter.chosen_shelf(len(runs), sum(r.is_starred for r in runs), len(gone))
        show_found(made, gone if shelf == runs_filter.BIN else runs)
    with right.container(border=True, key="ts-details"):
        runs_details.show_open(made, (*runs, *gone), current())
    runs_live.follow(made, runs)


def show_bar(made: Studio, n: int) -> None:
    """Draw the line above the list."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        told = t(
            "Each keeps everything it saw; forks and reruns stand below the run they came from."
        )
        if n == MOST:
            told += " " + t("Only the newest {n:,} are listed.", n=MOST)
        st.html(f'<h2 class="ts-section">{t("Runs")}</h2><p class="ts-muted">{told}</p>')
        with st.popover(t("Import"), icon=":material/upload:"):
            runs_files.show_import(made)


def show_found(made: Studio, runs: list[RunRecord]) -> None:
    """Draw the filters, what is done to the checked runs, and the runs that were found."""
    found = arrange(matching(runs, runs_filter.chosen_filter(runs)))
    show_checked(made, runs_table.checked([row.run for row in found]))
    runs_edit.show_undo(made)
    if found:
        runs_table.show(made, found, current())
    elif runs:
        st.html(f'<p class="ts-muted">{t("No run fits these filters.")}</p>')
    else:
        st.html(f'<p class="ts-panel-title">{t("No runs here")}</p>')
        st.page_link("pages/ask.py", label=t("Ask a question"), icon=":material/forum:")


def show_checked(made: Studio, chosen: list[RunRecord]) -> None:
    """Draw what is done to the checked runs."""
    kept = [run for run in chosen if run.deleted_at is None]
    with st.container(horizontal=True, gap="xsmall", key="ts-tight-checked"):
        if st.button(
            t("Compare"),
            key="runs-compare",
            icon=":material/compare_arrows:",
            disabled=len(chosen) != 2,
            help=t("Check two runs to compare them."),
        ):
            older, newer = sorted(chosen, key=lambda run: run.created)
            st.query_params["compare"] = f"{older.id},{newer.id}"
            st.rerun()
        st.button(
            t("Delete {n}", n=len(kept)) if kept else t("Delete"),
            key="runs-delete",
            icon=":material/delete:",
            disabled=not kept,
            on_click=runs_edit.delete,
            args=(made, kept),
        )
        runs_edit.show_restore(made, chosen)


main()
