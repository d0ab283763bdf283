"""The dialog in which a person corrects a triple: replace its object, or retract it; propose, or approve at once."""

import uuid
from dataclasses import dataclass, replace

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.bootstrap.correcting import approve_correction
from kgcore.corrections import Correction, Proposal, mint
from kgcore.corrections.proposing import correction_of, new_end
from kgcore.errors import KGCoreError
from kgcore.model import Entity, Literal, Triple
from kgcore.runs import Edit, RunView
from kgcore.views.trace import source_of
from pages.components.diff import triple_line
from pages.components.forking import fork_with
from pages.components.language import current as language
from pages.components.language import mark, t, told_here
from pages.components.studio import studio
from pages.components.text import cell, distinct, plain

__all__ = ["author", "candidates", "open_for", "show_author", "show_pending", "told"]

LIMIT = 8  # candidates offered
NOW, LATER, HERE = mark("Approve at once"), mark("Only propose"), mark("Only here")
WHEN = {
    NOW: mark("for all runs from now on"),
    LATER: mark("until somebody approves it"),
    HERE: mark("a fork of this run"),
}
ACTIONS = {"replace": mark("Replace"), "retract": mark("Retract")}


@dataclass(frozen=True, slots=True)
class Pending:
    """A triple that is to be corrected, and the run it is corrected in, if any."""

    triple: Triple
    view: RunView | None = None


def open_for(
    triple: Triple, action: str = "replace", view: RunView | None = None, text: str = ""
) -> None:
    """Open the dialog on the next run of the page, with nothing in it from the last time.

    `text` is what is known already of what it should be. With the view of a run the correction may also count in a fork of that run only.
    """
    for name in ("fix-text", "fix-choice", "fix-reason", "fix-evidence"):
        st.session_state.pop(name, None)
    if text:
        st.session_state["fix-text"] = text
    st.session_state["fix-action"] = action
    st.session_state["fix-pending"] = Pending(triple, view)


def author() -> str:
    """Return the name under which this person corrects."""
    return str(st.session_state.get("author") or "local").strip() or "local"


def show_author() -> None:
    """Draw the field for the person's name; it is kept for the session."""
    st.text_input(
        t("Your name"),
        key="author",
        placeholder="local",
        max_chars=200,
        persist_state="session",
        help=t("It is kept with what you propose and decide."),
    )


def show_pending() -> None:
    """Show the dialog if it was asked for."""
    pending: Pending | None = st.session_state.pop("fix-pending", None)
    if pending is not None:
        st.dialog(t("Correct a triple"), width="medium")(_dialog)(pending)


def _dialog(pending: Pending) -> None:
    triple = pending.triple
    st.html(
        f'<div class="ts-diff">{triple_line(triple)}</div>'
        f'<p class="ts-muted">{t("in {kg} – nothing is written to the graph itself", kg=cell(triple.kg, 60))}</p>'
    )
    action = st.segmented_control(
        t("What to do"),
        list(ACTIONS),
        format_func=lambda name: t(ACTIONS[name]),
        key="fix-action",
        label_visibility="collapsed",
        required=True,
    )
    new = _show_replacement(triple) if action == "replace" else None
    st.text_input(t("Reason"), key="fix-reason", max_chars=4000)
    left, right = st.columns(2)
    left.text_input(
        t("Evidence"),
        key="fix-evidence",
        placeholder="https://…",
        help=t("A link to a page that shows it"),
    )
    with right:
        show_author()
    source = source_of(pending.view, triple) if pending.view is not None else None
    scopes = [s for s in WHEN if s != HERE or (source is not None and source.seq >= 0)]
    st.radio(
        t("When it counts"),
        scopes,
        format_func=t,
        captions=[t(WHEN[scope]) for scope in scopes],
        key="fix-when",
        horizontal=True,
        label_visibility="collapsed",
    )
    is_ready = action == "retract" or new is not None
    if st.button(t("Save the correction"), type="primary", disabled=not is_ready, key="fix-save"):
        _save(pending, str(action), new)


def _show_replacement(triple: Triple) -> Entity | Literal | None:
    """Draw the search for what stands instead of the object; return what was chosen."""
    st.text_input(
        t("What it should be"),
        key="fix-text",
        placeholder=t("Find something in {kg}", kg=triple.kg)
        if isinstance(triple.object, Entity)
        else t("The right value"),
    )
    text = (st.session_state.get("fix-text") or "").strip()
    if not text:
        return None
    try:
        choices = candidates(studio(), triple, text)
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 300))
        return None
    names = distinct(map(told, choices))
    if len(choices) > 1 or isinstance(choices[0], Entity):
        index = st.radio(
            t("Which one"),
            range(len(choices)),
            format_func=lambda i: names[i],
            key=f"fix-choice-{text[:100]}",
        )
        return choices[index or 0]
    return choices[0]


def candidates(made: Studio, triple: Triple, text: str) -> list[Entity | Literal]:
    """Return what a text may mean as the object of a triple; the last is always a new thing of that name."""
    graph = made.corrected((triple.kg,), language=language())
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
        return f"“{plain(value.name, 80)}” :gray[{t('as a new thing that no graph knows')}]"
    about = " – ".join(t for t in (value.description, value.id) if t)
    return f"{plain(value.name, 80)} :gray[{plain(about, 90)}]"


def _save(pending: Pending, action: str, new: Entity | Literal | None) -> None:
    state = st.session_state
    try:
        correction = correction_of(
            pending.triple,
            "replace" if action == "replace" else "retract",
            new_object=new,
            author=author(),
            reason=(state.get("fix-reason") or "").strip(),
            evidence=(state.get("fix-evidence") or "").strip(),
        )
        if state.get("fix-when") == HERE and pending.view is not None:
            st.query_params["run"] = _fork(pending.view, pending.triple, correction)
        else:
            _keep(correction, is_now=state.get("fix-when") == NOW)
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 400))
        return
    st.rerun()


def _fork(view: RunView, triple: Triple, correction: Correction) -> str:
    """Go on from where the triple was fetched with the correction in force; a second click is the same fork."""
    source = source_of(view, triple)
    assert source is not None
    assert view.started is not None
    run_id, position = view.started.run_id, view.entry(source.seq).position
    named = replace(correction, id=uuid.uuid4().hex)
    return fork_with(
        run_id, Edit(position, correction=named), token=f"{position} {correction.text}"
    )


def _keep(correction: Correction, *, is_now: bool) -> None:
    store = studio().corrections
    kept = store.propose(correction)
    if is_now and kept.status == "proposed":
        kept = _approve(kept)
    word = t("The correction is proposed; see Corrections")
    if kept.is_in_force:
        word = t("The correction is approved and in force")
    st.toast(word, icon=":material/check:")


def _approve(kept: Proposal) -> Proposal:
    """Approve what was just proposed; when another is in force the proposal stays, and that is said."""
    try:
        return approve_correction(studio(), kept.id, who=author(), revision=kept.revision)
    except KGCoreError as error:
        raise type(error)(f"it was proposed, but is not in force: {error}") from error
