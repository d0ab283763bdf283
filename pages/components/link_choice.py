"""Linking that asks: what a name of the question stands for, where two things are close, is a person's choice."""

from collections.abc import Sequence

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.reasoners.linking import are_close
from kgcore.runs import Run
from kgcore.runs.link_choice import LinkQuestion
from kgcore.steps import Candidate
from pages.components.frame import problem
from pages.components.language import t, tn
from pages.components.text import cell, plain
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["is_open", "show"]

NONE = -1
MOST = 12  # candidates offered for one name


def is_open(seen: Seen) -> bool:
    """Whether a name waits for a choice."""
    return seen.run is not None and seen.run.waiting_link is not None


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the names that wait for a choice, if any do."""
    asked = seen.run.waiting_link if seen.run is not None else None
    if seen.run is None or asked is None:
        return
    key = f"link-{run_id[:8]}-{id(asked)}"
    n = len(
        {m for m, found in zip(asked.mentions, asked.candidates, strict=True) if are_close(found)}
    )
    words = tn("A name may mean several things", "{n} names wait for you", n)
    with st.container(border=True, key="ts-link-choice", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            why = t("which one does the question mean? The model has not been asked yet")
            mark = chip(words, color=palette.corrected, mark="?")
            st.html(
                f'<div class="ts-head">{mark}<span class="ts-muted">{cell(why, 200)}</span></div>'
            )
            st.button(
                t("Let the model choose"),
                key=f"{key}-leave",
                on_click=_settle,
                args=(seen.run, asked, key, False),
            )
            st.button(
                t("Go on with this choice"),
                key=f"{key}-take",
                type="primary",
                icon=":material/done_all:",
                on_click=_settle,
                args=(seen.run, asked, key, True),
            )
        _show_names(asked, key)


def _show_names(asked: LinkQuestion, key: str) -> None:
    """Draw the names, two beside each other; a name stands once for each graph that knows it."""
    names = list(zip(asked.mentions, asked.candidates, strict=True))
    for first in range(0, len(names), 2):
        for place, column in enumerate(st.columns(min(2, len(names))), first):
            if place < len(names):
                with column:
                    _show_name(*names[place], f"{key}-{place}")


def _show_name(mention: str, candidates: Sequence[Candidate], key: str) -> None:
    """Draw the candidates of one name, the best first chosen."""
    offered = _in_order(candidates)[:MOST]
    words = t(
        "“{name}” in {graph} stands for",
        name=plain(mention, 80),
        graph=plain(candidates[0].entity.kg, 40),
    )
    if not are_close(candidates):
        words += " – " + t("little doubt, the first is well ahead")
    st.radio(
        words,
        [*offered, NONE],
        format_func=lambda place: (
            t("none of these") if place == NONE else _title(candidates[place])
        ),
        captions=[*(_about(candidates[place]) for place in offered), ""],
        key=key,
    )


def _in_order(candidates: Sequence[Candidate]) -> list[int]:
    return sorted(range(len(candidates)), key=lambda place: (-candidates[place].score, place))


def _title(candidate: Candidate) -> str:
    kinds = ", ".join(candidate.entity.types[:3])
    name = plain(candidate.entity.name, 90)
    return f"{name} ({plain(kinds, 60)})" if kinds else name


def _about(candidate: Candidate) -> str:
    entity = candidate.entity
    parts = (plain(entity.description, 140), plain(entity.id, 90))
    score = t("score {score}", score=f"{candidate.score:.2f}")
    return " · ".join(part for part in (*parts, score) if part)


def _settle(run: Run, asked: LinkQuestion, key: str, is_chosen: bool) -> None:
    """Tell the run; of two clicks, or two tabs, the second comes too late and says so."""
    picks: list[int | None] = []
    for place in range(len(asked.mentions)):
        chosen = st.session_state.get(f"{key}-{place}", NONE)
        picks.append(None if chosen == NONE else int(chosen))
    try:
        run.settle(asked, picks if is_chosen else None)
    except KGCoreError as error:
        problem(error)
