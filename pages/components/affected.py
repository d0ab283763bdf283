"""The past runs that rest on what a correction changes, and running them all again."""

import streamlit as st

from kgcore.bootstrap.correcting import affected_runs, rerun_affected
from kgcore.errors import KGCoreError
from kgcore.runs.affected import Affected
from pages.components.frame import problem
from pages.components.studio import studio
from pages.components.text import plain

__all__ = ["show"]

SHOWN = 12


def show(correction_id: str, *, but: str = "") -> None:
    """List the runs a correction affects, `but` one; a button runs all that are out of date again."""
    try:
        found = [a for a in affected_runs(studio(), correction_id) if a.record.id != but]
    except KGCoreError as error:
        st.caption(plain(str(error), 300))
        return
    if not found:
        st.caption("No other run rests on this triple." if but else "No run rests on this triple.")
        return
    stale = [a for a in found if not a.rerun]
    st.caption(
        f"{len(found)} {'other ' if but else ''}run{'' if len(found) == 1 else 's'} with this triple in the proof"
    )
    with st.container(key=f"ts-compact-affected-{correction_id[:8]}", gap="xxsmall"):
        for one in found[:SHOWN]:
            _show_run(one, correction_id)
    if len(found) > SHOWN:
        st.caption(f"and {len(found) - SHOWN} more")
    if stale and st.button(
        f"Reason again in {'all ' if len(stale) > 1 else ''}{len(stale)} out-of-date run{'' if len(stale) == 1 else 's'}",
        key=f"affected-{correction_id}",
        icon=":material/replay:",
    ):
        _run_again(correction_id, len(stale))


def _show_run(one: Affected, correction_id: str) -> None:
    answer = f" – {plain(one.record.answer, 60)}" if one.record.answer else ""
    if st.button(
        f"{plain(one.record.question, 90)}:gray[{answer}{' · run again since' if one.rerun else ''}]",
        key=f"affected-{correction_id[:8]}-{one.record.id}",
        type="tertiary",
        icon=":material/check_circle:" if one.rerun else ":material/update:",
    ):
        st.switch_page("pages/ask.py", query_params={"run": one.rerun or one.record.id})


def _run_again(correction_id: str, n: int) -> None:
    changed = done = 0
    try:
        with st.status(f"Reasoning again, run 1 of {n}…") as status:
            for compared in rerun_affected(studio(), correction_id):
                done += 1
                changed += compared.is_changed
                old, new = compared.old.text or "no answer", compared.new.text or "no answer"
                arrow = (
                    f"{plain(old, 60)} → {plain(new, 60)}"
                    if compared.is_changed
                    else plain(new, 60)
                )
                st.write(f"{plain(compared.question, 80)}: {arrow}")
                if done < n:
                    status.update(label=f"Reasoning again, run {done + 1} of {n}…")
    except KGCoreError as error:
        problem(error)
    st.toast(f"{done} run again, {changed} with another answer", icon=":material/replay:")
    st.rerun()
