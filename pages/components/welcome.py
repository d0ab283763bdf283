"""What stands on the Ask page while no run is open: what this is, some questions, the last runs."""

import streamlit as st

from kgcore.bootstrap import Studio
from pages.components import composer, graph, recent, stage
from pages.components.language import mark, t

__all__ = ["show"]

RECENT = 8  # so many stand in the window with all the rest
TITLE = mark("Ask, watch the search, see the proof.")
ABOUT = mark(
    "A question is answered step by step from knowledge graphs. You see each step as it is taken, and every answer "
    "comes with the triples it rests on. Click a step to read its prompt and replies, a node of the graph to see "
    "where it came from."
)


def show(studio: Studio) -> None:
    """Draw it."""
    left, right = st.columns([0.52, 0.48], gap="large")
    with left:
        st.html(f'<div class="ts-welcome"><h2>{t(TITLE)}</h2><p>{t(ABOUT)}</p></div>')
        composer.show_samples(is_short=True)
        with st.popover(t("All sample questions"), icon=":material/lightbulb:"):
            composer.show_samples()
    with right:
        with st.container(key="ts-recorded"):
            stage.show_demo_runs()
        st.html(f'<h2 class="ts-section ts-first">{t("Recent runs")}</h2>')
        recent.show(studio, "", most=RECENT)
    graph.warm_up()
