"""Running a run again, with another model or another method if one likes; the new run is its child."""

import time
import uuid

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.config import OFFLINE
from kgcore.errors import KGCoreError
from kgcore.reasoners import LABELS
from kgcore.runs import RunRecord
from pages.components.composer import model_name
from pages.components.frame import problem
from pages.components.language import address, t
from pages.components.studio import shared, studio

__all__ = ["show"]

DOUBLE_CLICK_S = 2.0


def show(made: Studio, run: RunRecord) -> None:
    """Draw what it is run again with, and the button."""
    methods = list(LABELS)
    method = st.selectbox(
        t("Method"),
        methods,
        index=methods.index(run.method) if run.method in methods else 0,
        format_func=lambda name: t(LABELS[name]),
        key=f"runs-method-{run.id}",
    )
    models = list(dict.fromkeys([run.model, made.settings.model, OFFLINE]))
    model = st.selectbox(
        t("Model"),
        [name for name in models if name],
        format_func=model_name,
        accept_new_options=True,
        key=f"runs-model-{run.id}",
    )
    st.caption(t("What the graphs answered is taken from memory where the same is asked again."))
    if st.button(
        t("Run again"), key=f"runs-again-{run.id}", type="primary", icon=":material/replay:"
    ):
        new = _begin(run, str(method), "" if model == run.model else str(model or ""))
        if new:
            st.switch_page("pages/ask.py", query_params=address(run=new))
        st.rerun()


def _begin(run: RunRecord, method: str, model: str) -> str:
    """Start the rerun and return its id; a second click within moments is the same run."""
    wish, now = (run.id, method, model), time.monotonic()
    before, token, at = st.session_state.get("runs-again-last", (None, "", 0.0))
    if before != wish or now - at >= DOUBLE_CLICK_S:
        token = uuid.uuid4().hex
    st.session_state["runs-again-last"] = (wish, token, now)
    try:
        return shared().begin(token, lambda: studio().rerun(run.id, method=method, model=model))
    except KGCoreError as error:
        problem(error)
        return ""
