"""The past runs that rest on what a correction changes, and running them all again."""

import streamlit as st

from kgcore.bootstrap.correcting import affected_runs, rerun_affected
from kgcore.errors import KGCoreError
from kgcore.runs.affected import Affected
from pages.components.frame import problem
from pages.components.language import t, tn, told_here
from pages.components.studio import studio
from pages.components.text import plain

__all__ = ["show"]

SHOWN = 12


def show(correction_id: str, *, but: str = "") -> None:
    """List the runs a correction affects, `but` one; a button runs all that are out of date again."""
    try:
        found = [a for a in affected_runs(studio(), correction_id) if a.record.id != but]
    except KGCoreError as error:
        st.caption(plain(told_here(str(error)), 300))
        return
    if not found:
        st.caption(
            t("No other run rests on this triple.") if but else t("No run rests on this triple.")
        )
        return
    stale = [a for a in found if not a.rerun]
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
        _run_again(correction_id, len(stale))


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
        st.switch_page("pages/ask.py", query_params={"run": one.rerun or one.record.id})


def _run_again(correction_id: str, n: int) -> None:
    changed = done = 0
    try:
        with st.status(t("Reasoning again, run {number} of {n}…", number=1, n=n)) as status:
            for compared in rerun_affected(studio(), correction_id):
                done += 1
                changed += compared.is_changed
                old, new = (side.text or t("no answer") for side in (compared.old, compared.new))
                arrow = (
                    f"{plain(old, 60)} → {plain(new, 60)}"
                    if compared.is_changed
                    else plain(new, 60)
                )
                st.write(f"{plain(compared.question, 80)}: {arrow}")
                if done < n:
                    status.update(
                        label=t("Reasoning again, run {number} of {n}…", number=done + 1, n=n)
                    )
    except KGCoreError as error:
        problem(error)
    st.toast(
        t("{done} run again, {changed} with another answer", done=done, changed=changed),
        icon=":material/replay:",
    )
    st.rerun()
