"""A person says that an answer is wrong: which edge of its proof is it, and what becomes of that edge?"""

from collections.abc import Collection, Sequence
from functools import partial

import streamlit as st

from kgcore.bootstrap.correcting import approve_correction, challenge_run
from kgcore.corrections import Proposal, removed
from kgcore.errors import KGCoreError
from kgcore.model import Triple
from kgcore.runs.challenge import Challenge, Suspect
from kgcore.views.kg_network import edge_id, same_in
from pages.components import affected, again, correction_dialog
from pages.components.correction_words import STATUS
from pages.components.diff import diff, triple_line
from pages.components.frame import problem
from pages.components.language import t, tn, told_here
from pages.components.selection import pick
from pages.components.studio import studio
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["is_open", "marks", "show", "show_button"]

SHOWN = 20


def _kept() -> dict[str, Challenge]:
    kept: dict[str, Challenge] = st.session_state.setdefault("challenges", {})
    return kept


def marks(seen: Seen, run_id: str) -> dict[str, str]:
    """Return the lines of the drawing that stand out as suspect, with what to say of each."""
    found = _kept().get(run_id)
    if found is None:
        return {}
    suspects = found.standing_out
    known = same_in(seen.view.subgraph, [s.triple for s in suspects])
    return {
        edge_id(triple): t(
            "suspect, {score:.2f}: {reason}", score=s.score, reason=told_here(s.reason)
        )
        for triple, s in zip(known, suspects, strict=True)
    }


def show_button(run_id: str) -> None:
    """Draw what opens a challenge."""
    st.button(
        t("This is wrong"),
        key="challenge-open",
        icon=":material/thumb_down:",
        on_click=_open,
        args=(run_id,),
    )


def _open(run_id: str) -> None:
    st.session_state["challenge-form"] = run_id


def _show_form(run_id: str, kgs: Collection[str]) -> None:
    """Draw what may be said: the right answer, and graphs to ask beside the run's own `kgs`."""
    st.html(
        f'<span class="ts-panel-title">{t("What is wrong with this answer?")}</span> <span class="ts-muted">'
        f"{t('The edges of its proof are ranked by how suspect they are. Nothing is changed by that.')}</span>"
    )
    right, further = st.columns(2)
    right.text_input(
        t("The right answer, if you know it"), key=f"challenge-right-{run_id}", max_chars=1000
    )
    others = [g.name for g in studio().graphs() if g.name not in kgs and not g.problem]
    if others:
        further.multiselect(
            t("Also ask"),
            others,
            key=f"challenge-kgs-{run_id}",
            placeholder=t("further graphs that may know better"),
        )
    with st.container(horizontal=True):
        is_asked = st.button(t("Find the suspect"), key="challenge-find", type="primary")
        st.button(t("Cancel"), key="challenge-cancel", on_click=_open, args=("",))
    if is_asked:
        with st.spinner(t("Looking for the suspect edge…")):
            _find(run_id)
        _open("")
        st.rerun()


def _find(run_id: str) -> None:
    state = st.session_state
    right, further = (state.get(f"challenge-{name}-{run_id}") for name in ("right", "kgs"))
    try:
        state[f"challenge-said-{run_id}"] = right or ""
        _kept()[run_id] = challenge_run(studio(), run_id, right=right or "", kgs=further or ())
    except KGCoreError as error:
        problem(error)


def is_open(seen: Seen, run_id: str) -> bool:
    """Whether a person says that the answer is wrong: the form is open, or what was found."""
    if seen.is_live or seen.view.started is None:
        return False
    return st.session_state.get("challenge-form") == run_id or run_id in _kept()


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the challenge of a run, if one is open: its form, then what was found."""
    if not is_open(seen, run_id) or seen.view.started is None:
        return
    if st.session_state.get("challenge-form") == run_id:
        with st.container(border=True, key="ts-challenge-form", gap="small"):
            _show_form(run_id, [name for name, _ in seen.view.started.kgs])
        return
    found = _kept().get(run_id)
    if found is not None:
        with st.container(border=True, key="ts-challenge", gap="small"):
            _show_found(seen, run_id, found, palette)


def _show_found(seen: Seen, run_id: str, found: Challenge, palette: Palette) -> None:
    n = len(found.suspects)
    decided = _decided(found.suspects)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(
            f'<span class="ts-panel-title">{t("Which edge makes “{answer}” wrong?", answer=cell(found.answer, 80))}'
            f'</span> <span class="ts-muted">{_count(n)}</span>'
        )
        if any(p.is_in_force for ps in decided.values() for p in ps):
            again.show_button(seen.view, run_id, place="challenge")
        st.button(t("Close"), key="challenge-close", on_click=_close, args=(run_id,))
    for note in (found.problem, *found.notes):
        if note:
            st.html(f'<p class="ts-muted">{cell(told_here(note), 300)}</p>')
    if not found.standing_out:
        st.html(
            f'<p><b>{t("No edge stands out.")}</b> <span class="ts-muted">'
            f"{t('What is known speaks against none of them in particular. If you know better, choose one.')}</span></p>"
        )
    for number, suspect in enumerate(found.suspects[:SHOWN], 1):
        _show_suspect(seen, run_id, number, suspect, palette, decided[suspect.triple])
    if found.others:
        with st.expander(
            t("What else the graphs say of these things: {n} triples", n=len(found.others))
        ):
            lines = "".join(
                f'<div class="ts-diff">{triple_line(t)} {chip(t.kg)}</div>'
                for t in found.others[:60]
            )
            st.html(lines)


def _count(n: int) -> str:
    return tn(
        "{n} edge of the proof, the most suspect first",
        "{n} edges of the proof, the most suspect first",
        n,
    )


def _close(run_id: str) -> None:
    _kept().pop(run_id, None)


def _decided(suspects: Sequence[Suspect]) -> dict[Triple, list[Proposal]]:
    """Return what was said against each suspect edge, and stands or is open."""
    kgs = {s.triple.kg for s in suspects}
    known = [p for p in studio().corrections.list(kgs=kgs) if p.status in ("proposed", "approved")]
    return {s.triple: [p for p in known if removed(p.correction) == s.triple] for s in suspects}


def _show_suspect(
    seen: Seen,
    run_id: str,
    number: int,
    suspect: Suspect,
    palette: Palette,
    proposals: Sequence[Proposal],
) -> None:
    triple = suspect.triple
    left, right = st.columns([0.66, 0.34], vertical_alignment="center")
    is_first = number == 1 and _stands_out(run_id, suspect)
    first = " is-first" if is_first else ""
    is_left = number in _left(run_id)
    reason = told_here(suspect.reason) or t("nothing speaks against it")
    reason = t("left as it is") if is_left else reason
    left.html(
        f'<div class="ts-suspect{" is-left" if is_left else first}"><b>{suspect.score:.2f}</b>'
        f'<div>{triple_line(triple)}<p class="ts-muted">{cell(triple.kg, 60)} · {cell(reason, 300)}</p></div></div>'
    )
    with right.container(
        horizontal=True, horizontal_alignment="right", gap="xsmall", key=f"ts-tight-{number}"
    ):
        if is_left:
            st.button(
                t("Look at it again"),
                key=f"suspect-back-{number}",
                on_click=_leave,
                args=(run_id, number),
            )
        else:
            is_decided = any(proposal.is_in_force for proposal in proposals)
            _show_buttons(seen, run_id, number, suspect, is_primary=is_first and not is_decided)
    for proposal in proposals:
        _show_proposal(proposal, run_id, palette)


def _stands_out(run_id: str, suspect: Suspect) -> bool:
    found = _kept().get(run_id)
    return found is not None and suspect in found.standing_out


def _show_buttons(
    seen: Seen, run_id: str, number: int, suspect: Suspect, *, is_primary: bool
) -> None:
    triple = suspect.triple
    right = _right(seen, run_id, triple)
    name = edge_id(same_in(seen.view.subgraph, [triple])[0])
    st.button(
        t("Look"),
        key=f"suspect-look-{number}",
        type="tertiary",
        on_click=pick,
        args=(run_id, "triple", name),
        help=t("Mark it in the drawing and show the response it came from"),
    )
    for action, label in (("replace", t("Replace")), ("retract", t("Retract"))):
        st.button(
            label,
            key=f"suspect-{action}-{number}",
            type="primary" if is_primary and action == "replace" else "secondary",
            on_click=correction_dialog.open_for,
            args=(triple, action, seen.view, right),
        )
    st.button(t("Leave"), key=f"suspect-leave-{number}", on_click=_leave, args=(run_id, number))


def _right(seen: Seen, run_id: str, triple: Triple) -> str:
    """Return the right answer as the person gave it, for an edge that ends in the wrong one; else nothing."""
    answer = seen.view.answer
    ends = {part.value for part in answer.parts} if answer is not None else set()
    said: str = st.session_state.get(f"challenge-said-{run_id}", "")
    return said if triple.object in ends else ""


def _left(run_id: str) -> set[int]:
    kept: dict[str, set[int]] = st.session_state.setdefault("challenge-left", {})
    return kept.setdefault(run_id, set())


def _leave(run_id: str, number: int) -> None:
    _left(run_id).symmetric_difference_update({number})


def _show_proposal(proposal: Proposal, run_id: str, palette: Palette) -> None:
    """Draw a correction of the suspect: in force or waiting, who said so, undo, and the runs it affects."""
    color = palette.answer if proposal.is_in_force else palette.corrected
    mark = "✓" if proposal.is_in_force else "?"
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"ts-tight-{proposal.id[:8]}"
    ):
        st.html(
            f'<div class="ts-head">{chip(t(STATUS.get(proposal.status, proposal.status)), color=color, mark=mark)}{diff(proposal.correction)}'
            f'<span class="ts-muted">{t("by {name}", name=cell(proposal.correction.author, 60))}</span></div>'
        )
        if proposal.is_in_force:
            st.button(
                t("Undo"),
                key=f"suspect-undo-{proposal.id}",
                on_click=_move,
                args=(proposal, "undo"),
            )
        else:
            st.button(
                t("Approve"),
                key=f"suspect-approve-{proposal.id}",
                on_click=_move,
                args=(proposal, "approve"),
            )
    if proposal.is_in_force:
        affected.show(proposal.id, but=run_id)


def _move(proposal: Proposal, move: str) -> None:
    change = studio().corrections.undo if move == "undo" else partial(approve_correction, studio())
    try:
        change(proposal.id, who=correction_dialog.author(), revision=proposal.revision)
    except KGCoreError as error:
        problem(error)
