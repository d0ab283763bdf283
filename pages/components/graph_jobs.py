"""Long work under way, with its progress; it goes on when the page is refreshed or closed."""

import streamlit as st

from pages.components.graph_choice import choose
from pages.components.imports import Job
from pages.components.language import mark, t, tn, told_here
from pages.components.studio import shared
from pages.components.text import plain

__all__ = ["show"]

EVERY_S = 0.5
ENDS = {
    ("import", True): mark("{name} was imported: {outcome}"),
    ("import", False): mark("{name} was not imported: {outcome}"),
    ("names", True): mark("{name} was indexed: {outcome}"),
    ("names", False): mark("{name} was not indexed: {outcome}"),
}


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
    line = f"{plain(job.name, 40)}{t(': ')}{plain(told_here(job.stage))}"
    if job.share is None:
        st.markdown(f":material/hourglass_top: {line}…")
    else:
        st.progress(job.share, f"{line}, {job.share:.0%}")
    is_stopping = job.stop.is_set()
    st.button(
        t("Stopping…") if is_stopping else t("Stop"),
        key=f"job-stop-{job.id}",
        type="tertiary",
        icon=":material/stop:",
        disabled=is_stopping,
        on_click=job.stop.set,
    )


def _draw_finished(job: Job) -> None:
    name, outcome = plain(job.name, 40), plain(told_here(job.outcome), 300)
    is_done = job.state == "done"
    told = t(ENDS[job.kind, is_done], name=f"**{name}**", outcome=outcome)
    st.markdown(f":material/{'check_circle' if is_done else 'error'}: {told}")
    if job.n_skipped:
        st.caption(
            tn(
                "{n:,} statement could not be read and was skipped:",
                "{n:,} statements could not be read and were skipped, the first:",
                job.n_skipped,
            )
        )
        for skipped in job.skipped:
            reason = told_here(skipped.reason)
            if skipped.line:
                reason = t("line {line}: {reason}", line=skipped.line, reason=reason)
            st.caption(plain(reason, 200))
    with st.container(horizontal=True):
        # Only a whole new run of the page, not of this fragment, draws another graph.
        if job.state == "done" and st.button(
            t("Open"), key=f"job-open-{job.id}", icon=":material/arrow_right:", type="tertiary"
        ):
            shared().imports.dismiss(job)
            choose(job.name)
            st.rerun()
        st.button(
            t("Dismiss"),
            key=f"job-dismiss-{job.id}",
            type="tertiary",
            on_click=shared().imports.dismiss,
            args=(job,),
        )
