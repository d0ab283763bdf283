"""What is done to runs in the list: name, tags, star; deleting, which can be undone, and deleting for good."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import InputError, KGCoreError
from kgcore.runs import RunRecord
from kgcore.runs.listing import MAX_NAME, tags_of
from kgcore.transport.sql import now
from pages.components.frame import problem
from pages.components.language import t, tn
from pages.components.runs_live import UNDER_WAY, as_they_are

__all__ = [
    "annotate",
    "delete",
    "delete_for_good",
    "restore",
    "set_name",
    "set_tags",
    "show_deleted",
    "show_restore",
    "show_undo",
    "stop",
]

_UNDO = "runs-undo"


def annotate(studio: Studio, run_id: str, **values: object) -> None:
    """Write on a run; what goes wrong is told in one line."""
    try:
        studio.store.annotate(run_id, **values)
    except KGCoreError as error:
        problem(error)


def set_name(studio: Studio, run_id: str, key: str) -> None:
    """Take a run's name from its field."""
    name = " ".join(str(st.session_state.get(key) or "").split())[:MAX_NAME]
    annotate(studio, run_id, name=name)


def set_tags(studio: Studio, run_id: str, key: str) -> None:
    """Take a run's tags from their field."""
    annotate(studio, run_id, tags=tags_of(str(st.session_state.get(key) or "")))


def delete(studio: Studio, runs: Sequence[RunRecord]) -> None:
    """Put runs aside; they can be brought back until they are deleted for good."""
    done = []
    for run in as_they_are(studio, runs):
        if run.status in UNDER_WAY:
            problem(InputError(f"“{run.name or run.question}” is under way; stop it first"))
            continue
        annotate(studio, run.id, deleted_at=now())
        done.append(run.id)
        st.session_state[f"runs-box-{run.id}"] = False
    if done:
        st.session_state[_UNDO] = done
    if st.session_state.get("runs-open") in done:
        del st.session_state["runs-open"]


def stop(studio: Studio, run_id: str) -> None:
    """Stop a run that this program drives; of two clicks the second finds it stopped."""
    live = studio.live(run_id)
    if live is not None and live.is_under_way:
        live.stop()


def restore(studio: Studio, run_ids: Sequence[str]) -> None:
    """Bring deleted runs back."""
    for run_id in run_ids:
        annotate(studio, run_id, deleted_at=None)
        st.session_state[f"runs-box-{run_id}"] = False
    st.session_state.pop(_UNDO, None)


def delete_for_good(studio: Studio, run_id: str) -> None:
    """Remove a run from the store."""
    try:
        studio.store.delete(run_id)
    except KGCoreError as error:
        problem(error)
    gone = st.session_state.get(_UNDO, [])
    st.session_state[_UNDO] = [name for name in gone if name != run_id]
    st.session_state.pop("runs-open", None)


def show_undo(studio: Studio) -> None:
    """Draw the line that undoes the last deletion, while there is one."""
    gone: list[str] = st.session_state.get(_UNDO, [])
    if not gone:
        return
    n = len(gone)
    with st.container(horizontal=True, vertical_alignment="center", key="ts-tight-undo"):
        st.html(
            f'<span class="ts-muted" role="status">{tn("{n} run deleted.", "{n} runs deleted.", n)}</span>',
            width="content",
        )
        st.button(
            t("Undo"),
            key="runs-undelete",
            icon=":material/undo:",
            on_click=restore,
            args=(studio, gone),
        )
        st.button(t("Dismiss"), key="runs-dismiss", type="tertiary", on_click=_forget)


def show_deleted(studio: Studio, run_id: str) -> None:
    """Draw the line that says that the run which is shown was deleted, and brings it back."""
    try:
        if studio.store.record(run_id).deleted_at is None:
            return
    except KGCoreError:  # what is drawn next tells of it
        return
    with st.container(horizontal=True, vertical_alignment="center", key="ts-tight-deleted"):
        told = t("This run is among the deleted ones.")
        st.html(f'<span class="ts-muted" role="status">{told}</span>', width="content")
        st.button(
            t("Restore"),
            key="run-restore",
            icon=":material/restore_from_trash:",
            on_click=restore,
            args=(studio, [run_id]),
        )


def show_restore(studio: Studio, chosen: Sequence[RunRecord]) -> None:
    """Draw the button that brings the checked runs back, where some of them were deleted."""
    gone = [run.id for run in chosen if run.deleted_at is not None]
    if gone:
        st.button(
            t("Restore {n}", n=len(gone)),
            key="runs-restore-checked",
            icon=":material/restore_from_trash:",
            on_click=restore,
            args=(studio, gone),
        )


def _forget() -> None:
    st.session_state.pop(_UNDO, None)
