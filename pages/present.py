"""A recorded run on a stage: `?present=1&run=…` plays it step by step, in large type, and hands it on as a file."""

from typing import Any

import streamlit as st

from kgcore.bootstrap.demo_runs import PREFIX, keep_demo_run
from kgcore.bootstrap.recordings import Recording, recording
from kgcore.errors import KGCoreError
from kgcore.views.retold import retold
from pages.components import frame, player
from pages.components.language import current as spoken
from pages.components.language import show_switch, t
from pages.components.run_downloads import show_files
from pages.components.stage import show_demo_runs
from pages.components.studio import shared
from pages.components.styles import sheet
from pages.components.theme import current, heading


def main() -> None:
    """Draw the page."""
    frame.need("pages/present.py")
    st.html(sheet("present"))
    language = spoken()  # the captions' and the files': the switch above them says which
    found = Recording("", ())
    try:
        if run_id := st.query_params.get("run", ""):
            found = recording(shared().studio, run_id, language)
    except KGCoreError as error:
        with st.container(key="ts-stage-problem"):
            frame.show_problem(str(error))
    if not found.entries:
        with st.container(key="ts-stage"):
            st.html(heading(t("Present"), level=1))
            show_ways()
            show_demo_runs()
        return
    show_bar(found)
    with st.spinner(t("Preparing the slides…")):
        slides = deck(found.id, len(found.entries), len(found.before), language)
    player.show(slides, current(), key=f"{found.id}-{language}")


def show_ways() -> None:
    """Draw the ways to what can be played, where the address names no run."""
    with st.container(key="ts-ways", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link("pages/ask.py", label=t("Workbench"), icon=":material/arrow_back:")
        st.page_link("pages/runs.py", label=t("All runs"), icon=":material/history:")
        st.space("stretch")
        show_switch()


@st.cache_data(max_entries=20, show_spinner=False)
def deck(run_id: str, n_entries: int, n_before: int, language: str) -> dict[str, Any]:
    """Return the slides of a run; the numbers of entries renew them when the run has grown."""
    found = recording(shared().studio, run_id, language)
    return retold(found.before[:n_before], found.entries[:n_entries], language)


def show_bar(found: Recording) -> None:
    """Draw what stands above the stage: the way back, other runs, and the files."""
    with st.container(key="ts-stage", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            t("Workbench"),
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=leave,
            args=(found.id,),
        )
        with st.popover(t("Download"), icon=":material/download:", type="tertiary"):
            show_files(found.id, lambda: found, key="present")
        with st.popover(t("Recorded runs"), icon=":material/slideshow:", type="tertiary"):
            show_demo_runs(current_id=found.id, has_title=False)
        st.space("stretch")
        show_switch()


def leave(run_id: str) -> None:
    """Open the run in the workbench; a demo run is put among the person's runs for that."""
    try:
        run_id = keep_demo_run(shared().studio, run_id) if run_id.startswith(PREFIX) else run_id
    except KGCoreError as error:
        frame.problem(error)
        return
    st.session_state["wanted-page"] = ("pages/ask.py", {"run": run_id})


main()
