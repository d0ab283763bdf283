"""Linking that asks: what a name of the question stands for, where two things are close, is a person's choice."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.prompts.linking import Pick
from kgcore.reasoners.linking import are_close
from kgcore.runs import Run
from kgcore.runs.link_choice import LinkQuestion
from kgcore.steps import Candidate
from pages.components import entity_search
from pages.components.frame import problem
from pages.components.language import t, tn
from pages.components.text import cell, plain
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["is_open", "show"]

NONE = -1


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
        _show_names(asked, key, _language(seen))


def _language(seen: Seen) -> str:
    started = seen.view.started
    return str(getattr(started.config, "language", "en")) if started is not None else "en"


def _show_names(asked: LinkQuestion, key: str, language: str) -> None:
    """Draw the names, two beside each other; a name stands once for each graph that knows it."""
    names = list(zip(asked.mentions, asked.candidates, strict=True))
    ask = partial(entity_search.show, question=asked.question, language=language)
    for first in range(0, len(names), 2):
        for place, column in enumerate(st.columns(min(2, len(names))), first):
            if place < len(names):
                with column:
                    _show_name(*names[place], f"{key}-{place}", ask)


def _show_name(
    mention: str, candidates: Sequence[Candidate], key: str, search: Callable[..., None]
) -> None:
    """Draw the candidates of one name, the best first chosen; under none of these a search for another one."""
    offered = _in_order(candidates)[: entity_search.MOST]
    titles = entity_search.titles([candidates[place] for place in offered])
    words = t(
        "“{name}” in {graph} stands for",
        name=plain(mention, 80),
        graph=plain(candidates[0].entity.kg, 40),
    )
    if not are_close(candidates):
        words += " – " + t("little doubt, the first is well ahead")
    chosen = st.radio(
        words,
        [*offered, NONE],
        format_func=lambda place: (
            t("none of these") if place == NONE else titles[offered.index(place)]
        ),
        captions=[
            *(entity_search.about(candidates[place]) for place in offered),
            t("look for it by another name, or go on without it"),
        ],
        key=key,
    )
    if chosen == NONE:
        search(candidates, f"{key}-other")


def _in_order(candidates: Sequence[Candidate]) -> list[int]:
    return sorted(range(len(candidates)), key=lambda place: (-candidates[place].score, place))


def _settle(run: Run, asked: LinkQuestion, key: str, is_chosen: bool) -> None:
    """Tell the run; of two clicks, or two tabs, the second comes too late and says so."""
    try:
        names = enumerate(asked.mentions)
        picks = [_pick(name, f"{key}-{place}") for place, name in names] if is_chosen else None
        run.settle(asked, picks)
    except KGCoreError as error:
        problem(error)


def _pick(mention: str, key: str) -> Pick:
    place = st.session_state.get(key, NONE)
    return int(place) if place != NONE else entity_search.chosen(mention, f"{key}-other")
