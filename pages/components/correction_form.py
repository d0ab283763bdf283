"""A form to propose a correction from scratch, of a triple that is no run's: replace, retract, or add one."""

from typing import Any, cast

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.corrections.correction import Action
from kgcore.corrections.proposing import Wish, understand
from kgcore.errors import KGCoreError
from pages.components.correction_dialog import author
from pages.components.text import plain

__all__ = ["show"]

ACTIONS = {"add": "Add a triple", "replace": "Replace an object", "retract": "Retract a triple"}


def show(studio: Studio) -> None:
    """Draw the form; names are looked up in the graph when it is sent."""
    action = st.segmented_control(
        "What to do",
        list(ACTIONS),
        format_func=ACTIONS.__getitem__,
        default="add",
        key="new-action",
        required=True,
        label_visibility="collapsed",
    )
    names = [graph.name for graph in studio.graphs() if not graph.problem]
    with st.form("new-fix", border=False):
        kg = st.selectbox("Graph", names, format_func=lambda n: plain(n, 60))
        subject, relation, end = st.columns(3)
        values: dict[str, Any] = {
            "subject": subject.text_input("Subject", placeholder="id or exact name"),
            "relation": relation.text_input("Relation", placeholder="id or exact name"),
            "object": end.text_input("Object", placeholder="id, exact name, or value"),
        }
        if action == "replace":
            values["new_object"] = st.text_input("New object", placeholder="id, name, or value")
        reason, evidence = st.columns(2)
        values["reason"] = reason.text_input("Reason", max_chars=4000)
        values["evidence"] = evidence.text_input("Evidence", placeholder="https://…")
        is_sent = st.form_submit_button("Propose", type="primary")
    if is_sent:
        _send(
            studio,
            Wish(kg=str(kg), action=cast(Action, action or "add"), author=author(), **values),
        )


def _send(studio: Studio, wish: Wish) -> None:
    try:
        with st.spinner("Looking the names up…"):
            kept = studio.corrections.propose(understand(wish, studio.corrected((wish.kg,))))
    except KGCoreError as error:
        st.error(plain(str(error), 500))
        return
    st.toast(f"Proposed: {plain(kept.correction.text, 200)}", icon=":material/check:")
    st.session_state["fix-open"] = kept.id
    st.rerun()
