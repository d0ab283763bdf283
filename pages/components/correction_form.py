"""A form to propose a correction from scratch, of a triple that is no run's: replace, retract, or add one."""

from typing import Any, cast

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.corrections.correction import Action
from kgcore.corrections.proposing import Wish, understand
from kgcore.errors import KGCoreError
from pages.components.correction_dialog import author
from pages.components.graph import short
from pages.components.language import current as language
from pages.components.language import mark, t, told_here
from pages.components.text import plain

__all__ = ["show"]

ACTIONS = {
    "add": mark("Add a triple"),
    "replace": mark("Replace an object"),
    "retract": mark("Retract a triple"),
}


def show(studio: Studio) -> None:
    """Draw the form; names are looked up in the graph when it is sent."""
    action = st.segmented_control(
        t("What to do"),
        list(ACTIONS),
        format_func=lambda name: t(ACTIONS[name]),
        default="add",
        key="new-action",
        required=True,
        label_visibility="collapsed",
    )
    names = [graph.name for graph in studio.graphs() if not graph.problem]
    with st.form("new-fix", border=False):
        kg = st.selectbox(t("Graph"), names, format_func=lambda n: short(n, 60))
        subject, relation, end = st.columns(3)
        values: dict[str, Any] = {
            "subject": subject.text_input(t("Subject"), placeholder=t("id or exact name")),
            "relation": relation.text_input(t("Relation"), placeholder=t("id or exact name")),
            "object": end.text_input(t("Object"), placeholder=t("id, exact name, or value")),
        }
        if action == "replace":
            values["new_object"] = st.text_input(
                t("New object"), placeholder=t("id, name, or value")
            )
        reason, evidence = st.columns(2)
        values["reason"] = reason.text_input(t("Reason"), max_chars=4000)
        values["evidence"] = evidence.text_input(t("Evidence"), placeholder="https://…")
        is_sent = st.form_submit_button(t("Propose"), type="primary")
    if is_sent:
        _send(
            studio,
            Wish(kg=str(kg), action=cast(Action, action or "add"), author=author(), **values),
        )


def _send(studio: Studio, wish: Wish) -> None:
    try:
        with st.spinner(t("Looking the names up…")):
            kept = studio.corrections.propose(
                understand(wish, studio.corrected((wish.kg,), language=language()))
            )
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 500))
        return
    st.toast(t("Proposed: {text}", text=plain(kept.correction.text, 200)), icon=":material/check:")
    st.session_state["fix-open"] = kept.id
    st.rerun()
