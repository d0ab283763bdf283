"""A recorded run on a stage: `?present=1&run=…` plays it step by step, in large type, and hands it on as a file."""

from functools import partial
from typing import Any

import streamlit as st

from kgcore.bootstrap.demo_runs import PREFIX, keep_demo_run
from kgcore.bootstrap.exporting import files_of, zipped
from kgcore.bootstrap.recordings import Recording, recording
from kgcore.errors import KGCoreError
from kgcore.views.retold import retold
from pages.components import frame, player
from pages.components.language import current as spoken
from pages.components.language import mark, show_switch, t
from pages.components.stage import show_demo_runs
from pages.components.studio import shared
from pages.components.theme import current

FILES = (
    ("html", mark("The run as one page that plays it"), "play.html", "text/html"),
    ("report-html", mark("Report, ready to print"), "report.html", "text/html"),
    ("report-md", mark("Report as Markdown, with its picture"), "report.zip", "application/zip"),
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
            show_demo_runs()
        return
    show_bar(found, language)
    slides = deck(found.id, len(found.entries), len(found.before), language)
    player.show(slides, current(), key=f"{found.id}-{language}")


@st.cache_data(max_entries=20, show_spinner="Preparing the slides…")
def deck(run_id: str, n_entries: int, n_before: int, language: str) -> dict[str, Any]:
    """Return the slides of a run; the numbers of entries renew them when the run has grown."""
    found = recording(shared().studio, run_id, language)
    return retold(found.before[:n_before], found.entries[:n_entries], language)


def show_bar(found: Recording, language: str) -> None:
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
            is_demo = found.id.startswith(PREFIX)
            name = found.id.removeprefix(PREFIX)[:40] if is_demo else found.id[:8]
            for form, label, ending, mime in FILES:
                st.download_button(
                    t(label),
                    partial(written, found, form, f"run-{name}-{ending}", language),
                    f"run-{name}-{ending}",
                    mime,
                    key=f"present-{form}",
                    on_click="ignore",
                    type="tertiary",
                )
        with st.popover(t("Recorded runs"), icon=":material/slideshow:", type="tertiary"):
            show_demo_runs(current_id=found.id, has_title=False)
        st.space("stretch")
        show_switch()


def written(found: Recording, form: str, name: str, language: str) -> bytes:
    """Return the file of a run; what is more than one file as one archive."""
    inner = name.replace(".zip", ".md")
    files = files_of(found, form, name=inner, language=language)
    return files[name].encode("utf-8", "replace") if name in files else zipped(files)


def leave(run_id: str) -> None:
    """Open the run in the workbench; a demo run is put among the person's runs for that."""
    try:
        run_id = keep_demo_run(shared().studio, run_id) if run_id.startswith(PREFIX) else run_id
    except KGCoreError as error:
        frame.problem(error)
        return
    st.session_state["wanted-page"] = ("pages/ask.py", {"run": run_id})


main()
