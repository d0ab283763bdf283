"""The list of runs keeps up with the runs that are under way."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import KGCoreError
from kgcore.runs import RunRecord, RunStatus

__all__ = ["UNDER_WAY", "as_they_are", "follow", "has_moved"]

UNDER_WAY: tuple[RunStatus, ...] = ("running", "paused", "waiting", "stopping")
EVERY_S = 2.0


def as_they_are(studio: Studio, runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the runs with their present status: the store does not know which of them are held by a person."""
    return [replace(run, status=_status(studio, run)) for run in runs]


def _status(studio: Studio, run: RunRecord) -> RunStatus:
    live = studio.live(run.id)
    return live.status if live is not None and live.is_under_way else run.status


def follow(studio: Studio, runs: Sequence[RunRecord]) -> None:
    """Look again every now and then while a run of the list is under way; draw the page anew when one moved on."""
    known = {run.id: run.status for run in runs if run.status in UNDER_WAY}
    if known:
        st.fragment(_look, run_every=EVERY_S)(studio, known)


def _look(studio: Studio, known: Mapping[str, RunStatus]) -> None:
    if has_moved(studio, known):
        st.rerun()


def has_moved(studio: Studio, known: Mapping[str, RunStatus]) -> bool:
    """Tell whether one of the runs has another status than was known of it, or is gone."""
    try:
        return any(
            _status(studio, studio.store.record(run)) != status for run, status in known.items()
        )
    except KGCoreError:  # it was deleted
        return True
