"""The past runs that rest on what a correction changes, and running them all again."""

import streamlit as st

from kgcore.bootstrap.correcting import affected_runs
from kgcore.errors import KGCoreError
from kgcore.runs.affected import Affected
from pages.components.again import answer_of
from pages.components.language import address, t, tn, told_here
from pages.components.rerunning import Job, rerunning
from pages.components.studio import studio
from pages.components.text import plain

__all__ = ["show"]

SHOWN = 12


def show(correction_id: str, *, but: str = "") -> None:
    """List the runs a correction affects, `but` one; a button runs all that are out of date again."""
    try:
        status = studio().corrections.get(correction_id).status
        found = [a for a in affected_runs(studio(), correction_id) if a.record.id != but]
    except KGCoreError as error:
        st.caption(plain(told_here(str(error)), 300))
        return
    if not found and status in ("rejected", "withdrawn"):
        st.caption(t("The correction is not in force: all triples count as the graph has them."))
        return
    if not found:
        st.caption(
            t("No other run rests on this triple.") if but else t("No run rests on this triple.")
        )
        return
    job = rerunning().of(correction_id)
    is_running = job is not None and job.is_running
    stale = [] if is_running else [a for a in found if not a.rerun]
    st.caption(_count(len(found), is_other=bool(but)))
    with st.container(key=f"ts-compact-affected-{correction_id[:8]}", gap="xxsmall"):
        for one in found[:SHOWN]:
            _show_run(one, correction_id)
    if len(found) > SHOWN:
        st.caption(tn("and {n} more", "and {n} more", len(found) - SHOWN))
    if stale and st.button(
        tn(
            "Reason again in {n} out-of-date run",
            "Reason again in all {n} out-of-date runs",
            len(stale),
        ),
        key=f"affected-{correction_id}",
        icon=":material/replay:",
    ):
        rerunning().begin(studio(), correction_id, len(stale))
        st.rerun()
    if job is not None:
        st.fragment(_show_job, run_every=1.0 if is_running else None)(job)


def _count(n: int, *, is_other: bool) -> str:
    if is_other:
        return tn(
            "{n} other run with this triple in the proof",
            "{n} other runs with this triple in the proof",
            n,
        )
    return tn("{n} run with this triple in the proof", "{n} runs with this triple in the proof", n)


def _show_run(one: Affected, correction_id: str) -> None:
    answer = f" – {plain(one.record.answer, 60)}" if one.record.answer else ""
    since = f" · {t('run again since')}" if one.rerun else ""
    if st.button(
        f"{plain(one.record.question, 90)}:gray[{answer}{since}]",
        key=f"affected-{correction_id[:8]}-{one.record.id}",
        type="tertiary",
        icon=":material/check_circle:" if one.rerun else ":material/update:",
    ):
        st.switch_page("pages/ask.py", query_params=address(run=one.rerun or one.record.id))


def _show_job(job: Job) -> None:
    """Draw how far a job is, while it goes on; once it is over, what came of it."""
    if not job.is_running and not job.is_told:
        job.is_told = True
        st.rerun()  # the list says by now which runs are out of date
    n = len(job.done)
    if job.is_running:
        said = t("Reasoning again, run {number} of {n}…", number=min(n + 1, job.n), n=job.n)
        st.progress(n / job.n if job.n else 0.0, said)
        if job.now is not None and job.now.status == "waiting":
            st.page_link(
                "pages/ask.py",
                label=t("It waits for you: open the run"),
                icon=":material/front_hand:",
                query_params=address(run=job.now.id),
            )
    for compared in job.done[-SHOWN:]:
        old, new = (answer_of(side) for side in (compared.old, compared.new))
        arrow = f"{plain(old, 60)} → {plain(new, 60)}" if compared.is_changed else plain(new, 60)
        st.caption(f"{plain(compared.question, 80)}: {arrow}")
    if job.problem:
        st.caption(plain(told_here(job.problem), 300))
    if not job.is_running:
        changed = t(
            "{done} run again, {changed} with another answer", done=n, changed=job.n_changed
        )
        st.caption(changed)
