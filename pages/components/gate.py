"""The approval gate of a run: fetched triples wait here until a person has approved, edited or rejected them.

A batch is decided as a whole and once. What is rejected or edited counts in this run from here on; "for all runs"
also proposes it as a correction.
"""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from kgcore.corrections.proposing import correction_of
from kgcore.errors import KGCoreError
from kgcore.model import Entity, Literal, Triple
from kgcore.model.conflicts import find_conflicts
from kgcore.runs import Run
from pages.components.correction_dialog import author, candidates, told
from pages.components.diff import triple_line
from pages.components.frame import problem, tell
from pages.components.gate_choices import APPROVE, EDIT, NAMES, REJECT, THESE, Choices
from pages.components.gate_waiting import ROWS, show_focus, waiting
from pages.components.graph import short
from pages.components.language import current as language
from pages.components.language import mark, t, tn, told_here
from pages.components.studio import studio
from pages.components.text import cell, distinct
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["is_open", "show"]

HERE, EVERYWHERE = mark("In this run"), mark("For all runs")


def is_open(seen: Seen, run_id: str) -> bool:
    """Whether a batch waits."""
    choices = waiting(seen, run_id)[1]
    return choices is not None and not choices.is_sent


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the batch that waits, if one does."""
    key, choices = waiting(seen, run_id)
    if seen.run is None or choices is None or choices.is_sent:
        return
    with st.container(border=True, key="ts-gate", gap="small"):
        _show_head(seen.run, choices, key, palette)
        first = _show_leaves(choices, key)
        disputed = _disputed(seen, choices.batch)
        places = range(first, min(first + ROWS, len(choices.batch)))
        with st.container(key="ts-gate-rows", gap="xxsmall"):
            for place in places:
                _show_row(choices, place, key, disputed.get(choices.batch[place], ""))
        show_focus()


def _show_head(run: Run, choices: Choices, key: str, palette: Palette) -> None:
    """Draw what waits, and the buttons that decide on all of it."""
    n = len(choices.batch)
    kgs = ", ".join(dict.fromkeys(t.kg for t in choices.batch))
    words = tn("{n} triple waits for you", "{n} triples wait for you", n)
    about = tn(
        "just fetched from {kgs}; the model has not seen it",
        "just fetched from {kgs}; the model has not seen them",
        n,
        kgs=cell(kgs, 120),
    )
    is_changed = any(choices.of(i) != APPROVE for i in range(n))
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.html(
            f'<div class="ts-head">{chip(words, color=palette.corrected, mark="?")}'
            f'<span class="ts-muted">{about}</span></div>'
        )
        _show_rule(choices, key)
        st.button(t("Reject all"), key=f"gate-{key}-none", on_click=choices.choose, args=(REJECT,))
        if is_changed:
            st.button(
                t("Start over"), key=f"gate-{key}-all", on_click=choices.choose, args=(APPROVE,)
            )
        st.button(
            choices.summary(language()),
            key=f"gate-{key}-send",
            type="primary",
            icon=":material/done_all:",
            disabled=choices.unfinished > 0,
            on_click=_send,
            args=(run, choices, key),
            help=t("Say what the edited triple should be.") if choices.unfinished else None,
        )
    if is_changed:
        _show_scope(key)


def _show_rule(choices: Choices, key: str) -> None:
    """Draw the choice of one decision for all triples of a relation."""
    relations = {t.relation.id: t.relation.name for t in choices.batch}
    if len(relations) < 2:
        return
    counts = Counter(t.relation.id for t in choices.batch)
    told_as = distinct(f"{short(name, 60)} ({counts[r]})" for r, name in relations.items())
    names = dict(zip(relations, told_as, strict=True))
    with st.popover(t("All of a relation")):
        relation = st.selectbox(
            t("Relation"),
            list(relations),
            format_func=names.__getitem__,
            key=f"gate-{key}-relation",
        )
        with st.container(horizontal=True):
            for action in (APPROVE, REJECT):
                st.button(
                    t(THESE[action]),
                    key=f"gate-{key}-rule-{action}",
                    on_click=choices.choose,
                    args=(action, relation),
                )


def _show_scope(key: str) -> None:
    """Draw the reason, and whether what is rejected or edited counts here or everywhere."""
    reason, scope = st.columns([0.55, 0.45], vertical_alignment="bottom")
    reason.text_input(
        t("Reason"), key=f"gate-{key}-reason", max_chars=4000, placeholder=t("why it is wrong")
    )
    scope.radio(
        t("What is rejected or edited counts"),
        [HERE, EVERYWHERE],
        format_func=t,
        key=f"gate-{key}-scope",
        horizontal=True,
        help=t("For all runs it is also proposed as a correction."),
    )


def _show_leaves(choices: Choices, key: str) -> int:
    """Draw the choice of a leaf where a batch is long; return the place of its first triple."""
    n = len(choices.batch)
    if n <= ROWS:
        return 0
    starts = list(range(0, n, ROWS))
    st.session_state.setdefault(f"gate-{key}-leaf", 0)
    chosen = st.segmented_control(
        t("Triples"),
        starts,
        format_func=lambda s: f"{s + 1}–{min(s + ROWS, n)}",
        key=f"gate-{key}-leaf",
        label_visibility="collapsed",
        required=True,
    )
    return int(chosen or 0)


def _disputed(seen: Seen, batch: Sequence[Triple]) -> dict[Triple, str]:
    found = find_conflicts([*seen.view.subgraph.triples, *batch])
    return {
        triple: told_here(conflict.sentence) for conflict in found for triple in conflict.triples
    }


def _show_row(choices: Choices, place: int, key: str, disputed: str) -> None:
    triple, name = choices.batch[place], f"gate-{key}-{place}"
    left, right = st.columns([0.7, 0.3], vertical_alignment="center")
    dispute = f'<p class="ts-muted">≠ {cell(disputed, 300)}</p>' if disputed else ""
    mark = {REJECT: "is-rejected", EDIT: "is-edited"}.get(choices.of(place), "")
    new = choices.new.get(place) if choices.of(place) == EDIT else None
    arrow = f" <ins>→ {cell(new.name, 90)}</ins>" if new is not None else ""
    left.html(
        f'<div class="ts-diff {mark}"><span class="ts-number">{place + 1}</span>{triple_line(triple)}{arrow} '
        f'<span class="ts-muted">{cell(triple.kg, 40)}</span>{dispute}</div>'
    )
    st.session_state[name] = choices.of(place)
    with right.container(key=f"ts-tight-{name}", horizontal=True, horizontal_alignment="right"):
        st.segmented_control(
            t("Decision on triple {number}", number=place + 1),
            list(NAMES),
            format_func=lambda name: t(NAMES[name]),
            key=name,
            label_visibility="collapsed",
            required=True,
            on_change=_take,
            args=(choices, place, name),
        )
    if choices.of(place) == EDIT:
        _show_edit(choices, place, name)


def _take(choices: Choices, place: int, name: str) -> None:
    choices.made[place] = st.session_state.get(name) or APPROVE


def _show_edit(choices: Choices, place: int, name: str) -> None:
    """Draw the search for the object a triple should have."""
    triple = choices.batch[place]
    hint = t("What it should be: a value")
    if isinstance(triple.object, Entity):
        hint = t("What it should be: find something in {kg}", kg=triple.kg)
    st.text_input(
        t("What triple {number} should end in", number=place + 1),
        key=f"{name}-text",
        placeholder=hint,
        label_visibility="collapsed",
        on_change=_look_up,
        args=(choices, place, f"{name}-text"),
    )
    found = choices.found.get(place, [])
    if found:
        radio = f"{name}-{choices.looked[place]}"
        st.radio(
            t("Which one"),
            range(len(found)),
            format_func=distinct(map(told, found)).__getitem__,
            key=radio,
            label_visibility="collapsed",
            on_change=_take_found,
            args=(choices, place, radio),
        )


def _look_up(choices: Choices, place: int, name: str) -> None:
    """Find what a typed text may mean; the first is taken until another is chosen."""
    text = (st.session_state.get(name) or "").strip()
    found: list[Entity | Literal] = []
    try:
        found = candidates(studio(), choices.batch[place], text) if text else []
    except KGCoreError as error:
        problem(error)
    choices.take_found(place, found)


def _take_found(choices: Choices, place: int, name: str) -> None:
    choices.new[place] = choices.found[place][st.session_state.get(name) or 0]


def _send(run: Run, choices: Choices, key: str) -> None:
    """Decide, once: of two clicks the second finds the batch sent."""
    if choices.is_sent:
        return
    state = st.session_state
    reason = (state.get(f"gate-{key}-reason") or "").strip()
    try:
        run.decide(
            choices.batch,
            rejected=choices.rejected,
            replaced=choices.replaced,
            author=author(),
            reason=reason,
        )
        choices.is_sent = True
        if state.get(f"gate-{key}-scope") == EVERYWHERE:
            n = _propose(choices, reason)
            tell(
                tn(
                    "{n} correction proposed; see Corrections",
                    "{n} corrections proposed; see Corrections",
                    n,
                )
            )
    except KGCoreError as error:  # decided in another tab, say
        problem(error)


def _propose(choices: Choices, reason: str) -> int:
    """Propose what was rejected or edited as corrections; return how many."""
    store, n = studio().corrections, 0
    wishes: list[tuple[Triple, Entity | Literal | None]] = [(t, None) for t in choices.rejected]
    wishes += choices.replaced.items()
    for triple, new in wishes:
        action = "retract" if new is None else "replace"
        store.propose(
            correction_of(triple, action, new_object=new, author=author(), reason=reason)  # type: ignore[arg-type]
        )
        n += 1
    return n
