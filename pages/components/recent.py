"""The last runs, to open again."""

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.runs import RunRecord, RunStatus
from pages.components.language import t
from pages.components.run_head import STATES
from pages.components.text import plain

__all__ = ["show"]

SHOWN = 12
ICONS: dict[RunStatus, str] = {
    "answered": "check_circle",
    "no_answer": "circle",
    "running": "play_circle",
    "paused": "pause_circle",
    "stopped": "stop_circle",
    "failed": "error",
    "budget": "hourglass_disabled",
    "interrupted": "motion_photos_paused",
}


def show(studio: Studio, current: str, *, most: int = SHOWN) -> None:
    """Draw the last runs as buttons."""
    records = studio.store.list(limit=most)
    if not records:
        st.caption(t("Runs appear here; each keeps everything it saw."))
    with st.container(gap="xxsmall", key="ts-list-recent"):
        _show_buttons(records, current)


def _show_buttons(records: list[RunRecord], current: str) -> None:
    for record in records:
        sign, _, name = STATES.get(record.status, ("", "", record.status))
        name = t(name)
        answer = f" – {plain(record.answer, 60)}" if record.answer else f" – {name}"
        st.button(
            f"{plain(record.question, 80)}:gray[{answer}]",
            key=f"open-{record.id}",
            type="tertiary",
            icon=f":material/{ICONS.get(record.status, 'history')}:",
            disabled=record.id == current,
            on_click=_open,
            args=(record,),
            help=f"{sign} {name}{t(', ')}{record.created[:16].replace('T', ' ')} UTC",
        )


def _open(record: RunRecord) -> None:
    st.query_params["run"] = record.id
