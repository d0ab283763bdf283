"""Ways to the page that plays a run: from a run that is over, and the recorded runs that are shipped."""

import streamlit as st

from kgcore.bootstrap.demo_runs import demo_runs
from pages.components.language import current, mark, t

__all__ = ["open_stage", "show_button", "show_demo_runs"]

ABOUT = mark(
    "Recorded with the offline matcher, which is no language model. They play without a model and without a network."
)


TITLES = {
    "Tree-of-Traversals turns back": mark("Tree-of-Traversals turns back"),
    "Think-on-Graph after a person's correction": mark(
        "Think-on-Graph after a person's correction"
    ),
    "One answer from two graphs": mark("One answer from two graphs"),
}


def show_demo_runs(*, current_id: str = "", has_title: bool = True) -> None:
    """Draw one button for each."""
    if has_title:
        st.html(f'<h2 class="ts-section">{t("Watch a recorded run")}</h2>')
    with st.container(gap="xxsmall", key="ts-list-recorded"):
        for demo in demo_runs(current()):
            st.button(
                t(TITLES.get(demo.title, demo.title)),
                key=f"watch-{demo.name}",
                type="tertiary",
                icon=":material/slideshow:",
                disabled=current_id in (demo.id, demo.address),
                on_click=open_stage,
                args=(demo.address,),
            )
    st.caption(t(ABOUT))


def show_button(run_id: str) -> None:
    """Draw the button that plays a run; there it can be handed on as a file."""
    if st.button(
        t("Present"),
        key="present-run",
        icon=":material/slideshow:",
        on_click=open_stage,
        args=(run_id,),
        help=t(
            "Plays the run step by step in large type. It can be downloaded there: as one page that plays, or as a report."
        ),
    ):
        st.rerun()  # the way to another page stands outside of what is followed live


def open_stage(run_id: str) -> None:
    """Go to the page that plays a run."""
    st.session_state["wanted-page"] = ("pages/present.py", {"present": "1", "run": run_id})
