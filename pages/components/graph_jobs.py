"""Long work under way, with its progress; it goes on when the page is refreshed or closed."""

import streamlit as st

from pages.components.graph_choice import choose
from pages.components.imports import Job
from pages.components.studio import shared
from pages.components.text import plain

__all__ = ["show"]

EVERY_S = 0.5


def show() -> None:
    """Draw what is under way, and follow it; and what is over, until it is dismissed."""
    jobs = shared().imports.all()
    if jobs:
        is_live = any(job.is_running for job in jobs)
        st.fragment(_draw, run_every=EVERY_S if is_live else None)(is_live)


def _draw(was_live: bool) -> None:
    jobs = shared().imports.all()
    for job in jobs:
        with st.container(border=True, gap="xxsmall"):
            _draw_running(job) if job.is_running else _draw_finished(job)
    if was_live and not any(job.is_running for job in jobs):
        st.rerun()


def _draw_running(job: Job) -> None:
    line = f"{plain(job.name, 40)}: {plain(job.stage)}"
    if job.share is None:
        st.markdown(f":material/hourglass_top: {line}…")
    else:
        st.progress(job.share, f"{line}, {job.share:.0%}")
    is_stopping = job.stop.is_set()
    st.button(
        "Stopping…" if is_stopping else "Stop",
        key=f"job-stop-{job.id}",
        type="tertiary",
        icon=":material/stop:",
        disabled=is_stopping,
        on_click=job.stop.set,
    )


def _draw_finished(job: Job) -> None:
    name, outcome = plain(job.name, 40), plain(job.outcome, 300)
    icon, was = ("check_circle", "was") if job.state == "done" else ("error", "was not")
    done = "imported" if job.kind == "import" else "indexed"
    st.markdown(f":material/{icon}: **{name}** {was} {done}: {outcome}")
    if job.n_skipped:
        st.caption(f"{job.n_skipped:,} statements could not be read and were skipped, the first:")
        for skipped in job.skipped:
            line = f"line {skipped.line}: " if skipped.line else ""
            st.caption(plain(line + skipped.reason, 200))
    with st.container(horizontal=True):
        # Only a whole new run of the page, not of this fragment, draws another graph.
        if job.state == "done" and st.button(
            "Open", key=f"job-open-{job.id}", icon=":material/arrow_right:", type="tertiary"
        ):
            shared().imports.dismiss(job)
            choose(job.name)
            st.rerun()
        st.button(
            "Dismiss",
            key=f"job-dismiss-{job.id}",
            type="tertiary",
            on_click=shared().imports.dismiss,
            args=(job,),
        )
