"""A recorded run on a stage: `?present=1&run=…` plays it step by step, in large type, and hands it on as a file."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from kgcore.bootstrap.demo_runs import PREFIX, demo_entries, keep_demo_run
from kgcore.bootstrap.exporting import page_of
from kgcore.errors import KGCoreError
from kgcore.runs import Entry
from kgcore.views.deck import deck_of
from pages.components import frame, player
from pages.components.language import current as spoken
from pages.components.language import mark, show_switch, t
from pages.components.stage import show_demo_runs
from pages.components.studio import shared
from pages.components.theme import current

FILES = (
    ("html", mark("The run as one page that plays it"), "play.html", "text/html"),
    ("report-html", mark("Report, ready to print"), "report.html", "text/html"),
    ("report-md", mark("Report as Markdown"), "report.md", "text/markdown"),
)
CSS = """<style>
.stMainBlockContainer { padding: 6px 0 0 !important; }
.stMainBlockContainer [data-testid="stVerticalBlock"] { gap: 0 !important; }
.st-key-ts-stage { padding: 0 clamp(12px, 1.8vw, 28px); }
.st-key-ts-stage-problem { padding: 8px clamp(12px, 1.8vw, 28px) 18px; }
</style>"""


def main() -> None:
    """Draw the page."""
    frame.need("pages/present.py")
    st.html(CSS)
    try:
        run_id, entries = recorded(st.query_params.get("run", ""))
    except KGCoreError as error:
        with st.container(key="ts-stage-problem"):
            frame.show_problem(str(error))
        run_id, entries = "", ()
    if not entries:
        with st.container(key="ts-stage"):
            show_demo_runs()
        return
    language = spoken()  # the captions' and the files': the switch above them says which
    show_bar(run_id, entries, language)
    player.show(deck(run_id, len(entries), language), current(), key=f"{run_id}-{language}")


def recorded(run_id: str) -> tuple[str, Sequence[Entry]]:
    """Return the run's full id and its entries; none where no run is named."""
    if not run_id:
        return "", ()
    if run_id.startswith(PREFIX):
        return run_id, demo_entries(run_id)
    store = shared().studio.store
    run_id = store.find(run_id)
    return run_id, store.load(run_id)


@st.cache_data(max_entries=20, show_spinner="Preparing the slides…")
def deck(run_id: str, n_entries: int, language: str) -> dict[str, Any]:
    """Return the slides of a run; `n_entries` renews them when the run has grown."""
    return deck_of(recorded(run_id)[1][:n_entries], language)


def show_bar(run_id: str, entries: Sequence[Entry], language: str) -> None:
    """Draw what stands above the stage: the way back, other runs, and the files."""
    with st.container(key="ts-stage", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            t("Workbench"),
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=leave,
            args=(run_id,),
        )
        with st.popover(t("Download"), icon=":material/download:", type="tertiary"):
            name = run_id.removeprefix(PREFIX)[:40] if run_id.startswith(PREFIX) else run_id[:8]
            for form, label, ending, mime in FILES:
                st.download_button(
                    t(label),
                    partial(written, entries, form, language),
                    f"run-{name}-{ending}",
                    mime,
                    key=f"present-{form}",
                    on_click="ignore",
                    type="tertiary",
                )
        with st.popover(t("Recorded runs"), icon=":material/slideshow:", type="tertiary"):
            show_demo_runs(current_id=run_id, has_title=False)
        st.space("stretch")
        show_switch()


def written(entries: Sequence[Entry], form: str, language: str) -> bytes:
    """Return the file of a run."""
    return page_of(entries, form, language=language).encode("utf-8")


def leave(run_id: str) -> None:
    """Open the run in the workbench; a demo run is put among the person's runs for that."""
    try:
        run_id = keep_demo_run(shared().studio, run_id) if run_id.startswith(PREFIX) else run_id
    except KGCoreError as error:
        frame.problem(error)
        return
    st.session_state["wanted-page"] = ("pages/ask.py", {"run": run_id})


main()
