"""The recorded runs that are shipped, to watch without a model."""

import streamlit as st

from kgcore.bootstrap.demo_runs import DEMO_RUNS

__all__ = ["open_stage", "show_demo_runs"]

ABOUT = "Recorded with the offline matcher, which is no language model. They play without a model and without a network."


def show_demo_runs(*, current_id: str = "", has_title: bool = True) -> None:
    """Draw one button for each."""
    if has_title:
        st.html('<h2 class="ts-section">Watch a recorded run</h2>')
    with st.container(gap="xxsmall"):
        for demo in DEMO_RUNS:
            st.button(
                demo.title,
                key=f"watch-{demo.name}",
                type="tertiary",
                icon=":material/slideshow:",
                disabled=demo.id == current_id,
                on_click=open_stage,
                args=(demo.id,),
            )
    st.caption(ABOUT)


def open_stage(run_id: str) -> None:
    """Go to the page that plays a run."""
    st.session_state["wanted-page"] = ("pages/present.py", {"present": "1", "run": run_id})
