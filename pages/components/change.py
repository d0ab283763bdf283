"""Changing something in a run: a dialog that makes a fork. The run itself is never overwritten."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.reasoners import reasoner
from kgcore.runs import Edit, RunView
from kgcore.runs.asked import Asked, asked_in
from kgcore.runs.changes import Change, changes_of_entry, changes_of_node
from kgcore.runs.entries import Address
from kgcore.views.tables import node_line
from pages.components import change_forms, correction_dialog
from pages.components.forking import fork_with
from pages.components.language import mark, t, told_here
from pages.components.studio import shared, studio
from pages.components.text import cell, plain

__all__ = ["KINDS", "Target", "open_for", "show_button", "show_pending"]

KINDS = {
    "next": mark("Next step from here"),
    "instead": mark("Instead of this step"),
    "thought": mark("Add a thought"),
    "value": mark("Set its value"),
    "prune": mark("Prune it"),
    "link": mark("Settle a name"),
    "ban": mark("Ban a relation"),
    "triple": mark("Correct a triple"),
    "reply": mark("Edit a reply"),
    "prompt": mark("Edit the prompt"),
}
ABOUT = {
    "next": mark("This node stays; you say what the search does at it next."),
    "instead": mark(
        "This node is not made; you say what the search does in its place, at the node above."
    ),
    "thought": mark("The thought stands beside what the model wants to do."),
    "value": mark(
        "The search goes on with the most promising node, so another value may lead elsewhere."
    ),
    "prune": mark("This node, and all that grew below it, is left out of the search."),
    "link": mark("The search starts from what you choose."),
    "ban": mark("From here on this relation is not offered any more."),
    "triple": mark("A correction can count in a fork only, or in all runs from now on."),
    "reply": mark("The text is read as the model's own reply would be."),
    "prompt": mark("The text is sent as it stands; the reply is read as before."),
}
_PENDING, _ASKED = "change-target", "change-asked"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be changed: a node of the search tree, or an entry of the journal.

    `kind` and `relation` are what the dialog begins with, where that is offered.
    """

    run_id: str
    node: int | None = None
    seq: int | None = None
    kind: str = ""
    relation: str = ""


def show_button(
    run_id: str, *, place: str, node: int | None = None, seq: int | None = None
) -> None:
    """Draw what opens the dialog for a node or an entry."""
    if st.button(
        t("Change…"),
        key=f"change-{place}",
        type="tertiary",
        icon=":material/edit_note:",
        help=t("Makes a fork: this run stays as it is."),
        on_click=open_for,
        args=(Target(run_id, node, seq),),
    ):
        st.rerun()  # the dialog stands outside of what is followed live


def open_for(target: Target) -> None:
    """Open the dialog on the next run of the page, with nothing in it from the last time."""
    for name in [str(key) for key in st.session_state if str(key).startswith("change-form")]:
        del st.session_state[name]
    st.session_state[_PENDING] = target


def _forget() -> None:
    st.session_state.pop(_PENDING, None)


def show_pending(run_id: str) -> None:
    """Show the dialog if it was asked for in this run, until it is closed."""
    target: Target | None = st.session_state.get(_PENDING)
    if target is None:
        return
    if target.run_id != run_id:
        _forget()
        return
    dialog = st.dialog(
        t("Change something and go on from there"), width="medium", on_dismiss=_forget
    )
    dialog(_draw)(target)


def _draw(target: Target) -> None:
    view = shared().watches.look(target.run_id).view
    try:
        asked = _asked(target.run_id, view)
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 400))
        return
    possible = _possible(target, view, asked)
    st.html(f'<p class="ts-panel-title">{cell(_title(target, view), 300)}</p>')
    kinds = [kind for kind in KINDS if any(change.kind == kind for change in possible)]
    if not kinds:
        st.html(f'<p class="ts-muted">{t("Nothing here can be changed.")}</p>')
        return
    if "reply" in kinds and "prompt" not in kinds:
        st.caption(t("There is no prompt to edit: the offline matcher reads none."))
    kind = st.pills(
        t("What to change"),
        kinds,
        default=target.kind if target.kind in kinds else kinds[0],
        required=True,
        format_func=lambda name: t(KINDS[name]),
        key="change-form-kind",
        label_visibility="collapsed",
    )
    st.html(f'<p class="ts-muted">{t(ABOUT[str(kind)])}</p>')
    with st.container(key=f"change-fields-{kind}"):
        chosen = [c for c in possible if c.kind == kind]
        make = change_forms.show(str(kind), chosen, view, asked, relation=target.relation)
    with st.container():  # at the same place for every kind
        if kind != "triple":
            _show_end(target, make)


def _show_end(target: Target, make: Callable[[str], Edit]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        correction_dialog.show_author()
        is_wanted = st.button(
            t("Start the fork"), key="change-start", type="primary", icon=":material/fork_right:"
        )
    if not is_wanted:
        return
    try:
        st.query_params["run"] = fork_with(target.run_id, make(correction_dialog.author()))
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 400))
        return
    _forget()
    st.rerun()


def _asked(run_id: str, view: RunView) -> Mapping[Address, Asked]:
    """Return what the model was asked; found once for as long as nothing new happens."""
    kept = st.session_state.get(_ASKED)
    if kept is not None and kept[0] == (run_id, view.n_entries):
        found: Mapping[Address, Asked] = kept[1]
        return found
    journal = studio().journal(run_id)
    found = asked_in(reasoner(journal.started.method), journal)
    st.session_state[_ASKED] = ((run_id, view.n_entries), found)
    return found


def _possible(target: Target, view: RunView, asked: Mapping[Address, Asked]) -> tuple[Change, ...]:
    if target.seq is not None:
        return changes_of_entry(view, asked, target.seq) if target.seq < view.n_entries else ()
    node = view.nodes.get(target.node if target.node is not None else -1)
    if node is None:
        return ()
    triples = (Change("triple", (-1, 0), node.id),) if node.added else ()
    return (*changes_of_node(view, asked, node), *triples)


def _title(target: Target, view: RunView) -> str:
    if target.seq is not None and target.seq < view.n_entries:
        return told_here(view.log[target.seq].text)
    node = view.nodes.get(target.node if target.node is not None else -1)
    return node_line(node) if node is not None else ""
