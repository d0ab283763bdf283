"""Looking for the thing a name stands for, where none of those on offer is meant: by another name, or by an id."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from kgcore.errors import InputError, KGCoreError
from kgcore.model import Entity
from kgcore.runs.link_choice import MAX_NAME, graphs_of, look_up
from kgcore.steps import Candidate
from pages.components.graph import short
from pages.components.language import t, told_here
from pages.components.studio import studio
from pages.components.text import distinct, plain

__all__ = ["MOST", "about", "chosen", "show", "titles"]

MOST = 12  # candidates that are offered at once


@dataclass(slots=True)
class Search:
    """What was looked for and found at one place of a page; `n` counts the look-ups."""

    text: str = ""
    found: tuple[Candidate, ...] = ()
    problem: str = ""
    n: int = 0
    is_shown: bool = False


def titles(candidates: Sequence[Candidate]) -> list[str]:
    """Return the candidates' names with their kinds, as markdown, no two alike."""
    return distinct(map(_title, candidates))


def _title(candidate: Candidate) -> str:
    kinds = ", ".join(candidate.entity.types[:3])
    name = plain(candidate.entity.name, 90)
    return f"{name} ({plain(kinds, 60)})" if kinds else name


def about(candidate: Candidate, *, is_scored: bool = True) -> str:
    """Return what tells a candidate from others of its name, as markdown; its score where a graph gave it one."""
    entity = candidate.entity
    parts = (plain(entity.description, 140), plain(entity.id, 90))
    score = t("score {score}", score=f"{candidate.score:.2f}") if is_scored else ""
    return " · ".join(part for part in (*parts, score) if part)


def show(among: Sequence[Candidate], key: str, *, question: str, language: str) -> None:
    """Draw the search for something in the graphs of these candidates, and what it found.

    Labels are in a language, the run's: what is chosen stands in it as it was found.
    """
    search = _search(key)
    st.session_state.setdefault(f"{key}-text", search.text)  # it may come back after another choice
    graphs = " + ".join(graphs_of(among))
    st.text_input(
        t("Another name, or an id"),
        key=f"{key}-text",
        placeholder=t("another name in {graph}, or an id", graph=short(graphs, 40)),
        max_chars=MAX_NAME,
        label_visibility="collapsed",  # the choice it belongs to says what it is for
        on_change=_look_up,
        args=(tuple(among), key, question, language),
    )
    if search.problem:
        st.error(plain(told_here(search.problem), 300), icon=":material/error:")
    if search.found:
        st.radio(
            t("Which one"),
            range(len(search.found)),
            format_func=titles(search.found).__getitem__,
            captions=[about(candidate) for candidate in search.found],
            key=_radio(key, search),
            label_visibility="collapsed",
        )
    search.is_shown = True


def chosen(mention: str, key: str) -> Entity | None:
    """Return what was chosen of what was found; None where nothing was looked for.

    InputError where something was typed, and nothing that a person has seen was found for it.
    """
    search = _search(key)
    typed = str(st.session_state.get(f"{key}-text") or "").strip()
    if not typed:
        return None
    if not (search.found and search.is_shown and search.text == typed):
        told = "choose from what is found, or clear the text"
        raise InputError(f"nothing is chosen for “{short(mention, 80)}” yet: {told}")
    return search.found[int(st.session_state.get(_radio(key, search)) or 0)].entity


def _radio(key: str, search: Search) -> str:
    return f"{key}-found-{search.n}"


def _search(key: str) -> Search:
    search: Search = st.session_state.setdefault(f"{key}-search", Search())
    return search


def _look_up(among: Sequence[Candidate], key: str, question: str, language: str) -> None:
    """Look for what was typed in each of the graphs; one that has nothing is told only where none has."""
    before, text = _search(key), str(st.session_state.get(f"{key}-text") or "").strip()
    search = Search(text, n=before.n + 1)
    found: list[Candidate] = []
    for name in graphs_of(among) if text else ():
        try:
            graph = studio().corrected((name,), language=language)
            found += look_up(graph, text, context=question, limit=MOST)
        except KGCoreError as error:
            search.problem = search.problem or str(error) or type(error).__name__
    search.found = tuple(sorted(found, key=lambda c: -c.score))[:MOST]
    if found:
        search.problem = ""
    st.session_state[f"{key}-search"] = search
