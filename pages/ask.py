"""The Ask page: put a question, watch the search, get the answer with its proof."""

import uuid

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.kg.overview import GraphInfo
from pages.components import (
    change,
    composer,
    frame,
    inspector_large,
    moment,
    recent,
    run_bar,
    run_head,
    run_panels,
    runs_edit,
    welcome,
)
from pages.components.language import t
from pages.components.studio import shared
from pages.components.styles import sheet
from pages.components.theme import current
from pages.components.wanted import wanted_run
from pages.components.watch import Seen

HELD_S = 1.0  # between looks at a run that waits for a person


def main() -> None:
    """Draw the page."""
    frame.need("pages/ask.py")
    st.html(sheet("run_bar", "room"))
    studio, found = shared().studio, graphs()
    start = composer.pending()
    if start is not None:
        begin(start)
    run_id = wanted_run()
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        with st.container():
            composer.show(studio, found, is_roomy=not run_id)
        if run_id:
            with st.popover(t("Recent runs"), icon=":material/history:"):
                recent.show(studio, run_id)
    frame.show_problem()
    if run_id:
        runs_edit.show_deleted(studio, run_id)
        show_run(run_id)
        change.show_pending(run_id)
        inspector_large.show_pending(run_id)
    else:
        welcome.show(studio)


def graphs() -> tuple[GraphInfo, ...]:
    """Return the graphs that can be asked; the demo graphs are imported on first use."""
    try:
        with st.spinner(t("Preparing the demo graphs, once…")):
            return tuple(graph for graph in shared().studio.graphs() if not graph.problem)
    except KGCoreError as error:
        frame.problem(error)
        return ()


def begin(start: composer.Start) -> None:
    """Start the run that was asked for and show it."""
    try:
        with st.spinner(t("Starting…")):
            st.query_params["run"] = shared().start(start.token, start.task)
    except KGCoreError as error:
        frame.problem(error)


def show_run(run_id: str) -> None:
    """Draw a run and follow it while it lives."""
    moment.forget_for_another(run_id)
    pace = pace_of(shared().watches.look(run_id, viewer=viewer()))
    fast = shared().watches.interval(run_id)
    every = {"live": fast, "held": HELD_S, "over": None}[pace]
    st.fragment(draw, run_every=every)(run_id, pace)


def pace_of(seen: Seen) -> str:
    """Return how closely a run is followed: it is live, held by a person, or over."""
    if not seen.is_live:
        return "over"
    return "held" if seen.status in ("paused", "waiting") else "live"


def draw(run_id: str, pace: str) -> None:
    """Draw the run as it is now; at the end, when its pace is another one, draw the page anew."""
    palette = current()
    try:
        now = shared().watches.look(run_id, viewer=viewer())
    except KGCoreError as error:  # deleted meanwhile, or the store cannot be read
        frame.show_problem(str(error))
        return
    seen = moment.seen_at(now, shared().watches)
    with st.container(key="ts-run"):
        run_head.show(now, seen, palette)
        run_bar.show(now, seen, run_id, palette)
    run_panels.show(now, seen, run_id, palette)
    if pace_of(now) != pace:
        st.rerun()
    frame.show_told()
    frame.toast_problem()


def viewer() -> str:
    """Return a name for this session among the viewers of a run."""
    return str(st.session_state.setdefault("viewer", uuid.uuid4().hex))


main()
