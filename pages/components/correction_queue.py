"""The queue of corrections: filters, the list with check boxes, and what is done to the checked ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from kgcore.bootstrap.correcting import approve_correction
from kgcore.corrections import CorrectionStore, Proposal
from kgcore.corrections.proposal import STATUSES, TRANSITIONS
from kgcore.errors import KGCoreError
from pages.components.correction_dialog import author
from pages.components.correction_words import DONE, STATUS
from pages.components.diff import diff
from pages.components.frame import problem, tell
from pages.components.graph import short
from pages.components.language import mark, t, told_here
from pages.components.studio import studio
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.trace import when_of

__all__ = ["Filter", "bulk", "chosen_filter", "matching", "show", "status_chip"]

LEAF = 25  # corrections on one leaf
MARKS = {
    "proposed": ("?", "corrected"),
    "approved": ("✓", "answer"),
    "rejected": ("✗", "rejected"),
    "withdrawn": ("–", "muted"),
}
MOVES = {
    "approve": (mark("Approve"), "check"),
    "reject": (mark("Reject"), "close"),
    "undo": (mark("Undo"), "undo"),
    "withdraw": (mark("Withdraw"), "remove"),
}
ALL = "all"


@dataclass(frozen=True, slots=True)
class Filter:
    """What the queue shows; empty is all."""

    status: str = ""
    kgs: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    text: str = ""

    def takes(self, proposal: Proposal) -> bool:
        """Whether a correction is shown."""
        one = proposal.correction
        words = f"{one.text} {one.reason} {one.evidence} {one.id}".casefold()
        return (
            self.status in ("", proposal.status)
            and (not self.kgs or one.kg in self.kgs)
            and (not self.authors or one.author in self.authors)
            and all(word in words for word in self.text.casefold().split())
        )


def matching(proposals: Sequence[Proposal], chosen: Filter) -> list[Proposal]:
    """Return the corrections that a filter takes, in their order."""
    return [proposal for proposal in proposals if chosen.takes(proposal)]


def status_chip(status: str, palette: Palette) -> str:
    """Return a status as a chip."""
    sign, role = MARKS.get(status, ("", "muted"))
    return chip(t(STATUS.get(status, status)), color=getattr(palette, role), mark=sign)


def chosen_filter(proposals: Sequence[Proposal]) -> Filter:
    """Draw the filters and return what they say."""
    counts = {status: sum(p.status == status for p in proposals) for status in STATUSES}
    status = st.segmented_control(
        t("Status"),
        [*STATUSES, ALL],
        format_func=lambda s: (
            f"{t(STATUS[s])} {counts[s]}" if s in counts else f"{t('all')} {len(proposals)}"
        ),
        default="proposed" if counts["proposed"] or not proposals else ALL,
        key="fix-status",
        label_visibility="collapsed",
        required=True,
    )
    text, kgs, authors = st.columns([0.4, 0.3, 0.3])
    text.text_input(
        t("Search"),
        key="fix-search",
        icon=":material/search:",
        placeholder=t("Search"),
        label_visibility="collapsed",
    )
    for place, label, name, values in (
        (kgs, t("Graphs"), "fix-kgs", {p.correction.kg for p in proposals}),
        (authors, t("Authors"), "fix-authors", {p.correction.author for p in proposals}),
    ):
        place.multiselect(
            label,
            sorted(values),
            key=name,
            format_func=lambda v: short(v, 40),
            placeholder=label,
            label_visibility="collapsed",
        )
    state = st.session_state
    return Filter(
        "" if status == ALL else str(status),
        tuple(state.get("fix-kgs") or ()),
        tuple(state.get("fix-authors") or ()),
        state.get("fix-search") or "",
    )


def show(
    store: CorrectionStore,
    found: Sequence[Proposal],
    palette: Palette,
    open_one: Callable[[str], None],
) -> None:
    """Draw the corrections that were found, those that may be decided on with a check box."""
    leaf = _show_leaves(len(found))
    shown = found[leaf : leaf + LEAF]
    _show_bulk(store, found, shown)
    for proposal in shown:
        _show_row(store, proposal, palette, open_one)


def _show_leaves(n: int) -> int:
    if n <= LEAF:
        return 0
    leaf = st.segmented_control(
        t("Leaf"),
        list(range(0, n, LEAF)),
        format_func=lambda s: f"{s + 1}–{min(s + LEAF, n)}",
        default=0,
        key="fix-leaf",
        label_visibility="collapsed",
        required=True,
    )
    return int(leaf or 0)


def _box(proposal: Proposal) -> str:
    return f"fix-box-{proposal.id}"


def _show_bulk(
    store: CorrectionStore, found: Sequence[Proposal], shown: Sequence[Proposal]
) -> None:
    checked = [p for p in found if st.session_state.get(_box(p))]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button(
            t("Check all"), key="fix-all", on_click=_check, args=(shown, True), type="tertiary"
        )
        st.button(t("None"), key="fix-none", on_click=_check, args=(found, False), type="tertiary")
        st.space("stretch")
        for move, (label, icon) in MOVES.items():
            able = [p for p in checked if (p.status, move) in TRANSITIONS]
            if able or move in ("approve", "reject", "undo"):
                st.button(
                    f"{t(label)} {len(able)}" if able else t(label),
                    key=f"fix-{move}",
                    icon=f":material/{icon}:",
                    disabled=not able,
                    type="primary" if move == "approve" else "secondary",
                    on_click=bulk,
                    args=(store, able, move),
                )


def _check(proposals: Sequence[Proposal], is_on: bool) -> None:
    for proposal in proposals:
        st.session_state[_box(proposal)] = is_on


def bulk(store: CorrectionStore, proposals: Sequence[Proposal], move: str) -> None:
    """Do one thing to several corrections; what is not possible is told, the rest is done."""
    done, refused = 0, []
    for proposal in proposals:
        try:
            done_by = (
                partial(approve_correction, studio()) if move == "approve" else getattr(store, move)
            )
            done_by(proposal.id, who=author(), revision=proposal.revision)
            done += 1
            st.session_state[_box(proposal)] = False
        except KGCoreError as error:
            refused.append(f"{proposal.correction.text}: {told_here(str(error))}")
    if done:
        tell(f"{done} {t(DONE[move])}", icon=":material/check:")
    if refused:
        problem(KGCoreError(f"{len(refused)} not changed: {'; '.join(refused[:3])}"))


def _show_row(
    store: CorrectionStore,
    proposal: Proposal,
    palette: Palette,
    open_one: Callable[[str], None],
) -> None:
    one = proposal.correction
    n_conflicts = len(store.conflicts(one)) if proposal.status in ("proposed", "approved") else 0
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"ts-row-{proposal.id[:8]}"
    ):
        st.checkbox(
            t("Choose"), key=_box(proposal), label_visibility="collapsed", persist_state="session"
        )
        conflict = (
            chip(t("disagrees with {n}", n=n_conflicts), color=palette.rejected, mark="≠")
            if n_conflicts
            else ""
        )
        last = proposal.history[-1] if proposal.history else None
        who = f"{one.author}, {when_of(one.when)[:16]}"
        if last is not None and last.what not in ("propose", "import"):
            done = t(DONE.get(last.what, last.what))
            who += f" · {t('{done} by {name}', done=done, name=last.who)}"
        st.html(
            f'<div class="ts-head">{status_chip(proposal.status, palette)}{conflict}'
            f'<span class="ts-muted">{cell(one.kg, 60)} · {cell(who, 160)}</span></div>{diff(one)}'
        )
        st.button(
            t("Details"), key=f"fix-open-{proposal.id}", on_click=open_one, args=(proposal.id,)
        )
