"""The dialog in which a person corrects a triple: replace its object, or retract it; propose, or approve at once."""

from dataclasses import dataclass

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.corrections import CorrectionStore, Proposal, mint
from kgcore.corrections.proposing import correction_of, new_end
from kgcore.errors import KGCoreError
from kgcore.model import Entity, Literal, Triple
from pages.components.diff import triple_line
from pages.components.studio import studio
from pages.components.text import cell, plain

__all__ = ["author", "candidates", "open_for", "show_author", "show_pending", "told"]

LIMIT = 8  # candidates offered
NOW, LATER = "Approve at once", "Only propose"
ACTIONS = {"replace": "Replace", "retract": "Retract"}


@dataclass(frozen=True, slots=True)
class Pending:
    """A triple that is to be corrected, and how it was meant to be."""

    triple: Triple
    action: str


def open_for(triple: Triple, action: str = "replace") -> None:
    """Open the dialog on the next run of the page, with nothing in it from the last time."""
    for name in ("fix-text", "fix-choice", "fix-reason", "fix-evidence"):
        st.session_state.pop(name, None)
    st.session_state["fix-action"] = action
    st.session_state["fix-pending"] = Pending(triple, action)


def author() -> str:
    """Return the name under which this person corrects."""
    return str(st.session_state.get("author") or "local").strip() or "local"


def show_author() -> None:
    """Draw the field for the person's name; it is kept for the session."""
    st.text_input(
        "Your name",
        key="author",
        placeholder="local",
        max_chars=200,
        persist_state="session",
        help="It is kept with what you propose and decide.",
    )


def show_pending() -> None:
    """Show the dialog if it was asked for."""
    pending: Pending | None = st.session_state.pop("fix-pending", None)
    if pending is not None:
        _dialog(pending.triple)


@st.dialog("Correct a triple", width="medium")
def _dialog(triple: Triple) -> None:
    st.html(
        f'<div class="ts-diff">{triple_line(triple)}</div>'
        f'<p class="ts-muted">in {cell(triple.kg, 60)} – nothing is written to the graph itself</p>'
    )
    action = st.segmented_control(
        "What to do",
        list(ACTIONS),
        format_func=ACTIONS.__getitem__,
        key="fix-action",
        label_visibility="collapsed",
        required=True,
    )
    new = _show_replacement(triple) if action == "replace" else None
    st.text_input("Reason", key="fix-reason", max_chars=4000)
    left, right = st.columns(2)
    left.text_input(
        "Evidence",
        key="fix-evidence",
        placeholder="https://…",
        help="A link to a page that shows it",
    )
    with right:
        show_author()
    st.radio(
        "When it counts",
        [NOW, LATER],
        captions=["for all runs from now on", "until somebody approves it on Corrections"],
        key="fix-when",
        horizontal=True,
        label_visibility="collapsed",
    )
    is_ready = action == "retract" or new is not None
    if st.button("Save the correction", type="primary", disabled=not is_ready, key="fix-save"):
        _save(triple, str(action), new)


def _show_replacement(triple: Triple) -> Entity | Literal | None:
    """Draw the search for what stands instead of the object; return what was chosen."""
    st.text_input(
        "What it should be",
        key="fix-text",
        placeholder=f"Find something in {triple.kg}"
        if isinstance(triple.object, Entity)
        else "The right value",
    )
    text = (st.session_state.get("fix-text") or "").strip()
    if not text:
        return None
    try:
        choices = candidates(studio(), triple, text)
    except KGCoreError as error:
        st.error(plain(str(error), 300))
        return None
    names = [told(choice) for choice in choices]
    if len(choices) > 1 or isinstance(choices[0], Entity):
        index = st.radio(
            "Which one",
            range(len(choices)),
            format_func=lambda i: names[i],
            key=f"fix-choice-{text[:100]}",
        )
        return choices[index or 0]
    return choices[0]


def candidates(made: Studio, triple: Triple, text: str) -> list[Entity | Literal]:
    """Return what a text may mean as the object of a triple; the last is always a new thing of that name."""
    graph = made.corrected((triple.kg,))
    if isinstance(triple.object, Literal):
        return [new_end(text, graph, [triple.object])]
    found = [c.entity for c in graph.link(text, limit=LIMIT).items]
    known = [e for e in dict.fromkeys(found) if e.id != triple.object.id]
    return [*known, mint(text)]


def told(value: Entity | Literal) -> str:
    """Return a candidate in one line of markdown."""
    if isinstance(value, Literal):
        return plain(value.name, 100)
    if value.kg == "local":
        return f"“{plain(value.name, 80)}” :gray[as a new thing that no graph knows]"
    about = " – ".join(t for t in (value.description, value.id) if t)
    return f"{plain(value.name, 80)} :gray[{plain(about, 90)}]"


def _save(triple: Triple, action: str, new: Entity | Literal | None) -> None:
    state, store = st.session_state, studio().corrections
    try:
        correction = correction_of(
            triple,
            "replace" if action == "replace" else "retract",
            new_object=new,
            author=author(),
            reason=(state.get("fix-reason") or "").strip(),
            evidence=(state.get("fix-evidence") or "").strip(),
        )
        kept = store.propose(correction)
        if state.get("fix-when") == NOW and kept.status == "proposed":
            kept = _approve(store, kept)
    except KGCoreError as error:
        st.error(plain(str(error), 400))
        return
    word = "approved and in force" if kept.is_in_force else "proposed; see Corrections"
    st.toast(f"The correction is {word}", icon=":material/check:")
    st.rerun()


def _approve(store: CorrectionStore, kept: Proposal) -> Proposal:
    """Approve what was just proposed; when another is in force the proposal stays, and that is said."""
    try:
        return store.approve(kept.id, who=author(), revision=kept.revision)
    except KGCoreError as error:
        raise type(error)(f"it was proposed, but is not in force: {error}") from error
