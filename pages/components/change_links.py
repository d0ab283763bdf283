"""The form that settles what a name of the question stands for: a candidate, another thing of its graph, or nothing."""

from collections.abc import Callable

import streamlit as st

from kgcore.errors import InputError
from kgcore.model import Entity
from kgcore.prompts.linking import Pick
from kgcore.runs import Edit, RunView
from kgcore.runs import changes as made
from kgcore.runs.asked import Asked
from kgcore.runs.offers import Mention, mentions_of
from kgcore.steps import Candidate
from pages.components import entity_search
from pages.components.language import t
from pages.components.text import distinct, plain

__all__ = ["link"]

Make = Callable[[str], Edit]
NONE = -1


def link(asked: Asked, view: RunView) -> Make:
    """Draw what a name may stand for, and return what makes the edit for an author."""
    mentions = mentions_of(asked.request, asked.replies.value)
    number = 0
    if len(mentions) > 1:
        names = distinct(f"{m.name} – {m.candidates[0].entity.kg}" for m in mentions)
        number = st.selectbox(
            t("Which name"),
            range(len(mentions)),
            format_func=names.__getitem__,
            key=f"change-form-name-{asked.address}",
        )
    mention = mentions[number]
    options, now = _offered(mention)
    titles = entity_search.titles(options)

    def name(place: int) -> str:
        words = titles[place] if place != NONE else t("none of these")
        return f"{words} :gray[({t('now')})]" if place == now else words

    key = f"change-form-link-{asked.address}-{number}"
    picked = st.radio(
        t("“{name}” stands for", name=plain(mention.name, 80)),
        [*range(len(options)), NONE],
        index=now if now != NONE else len(options),
        format_func=name,
        captions=[
            *(entity_search.about(c, is_scored=c in mention.candidates) for c in options),
            t("look for it by another name"),
        ],
        key=key,
    )
    if picked == NONE:
        started = view.started
        language = str(getattr(started.config, "language", "en")) if started is not None else "en"
        entity_search.show(
            mention.candidates, f"{key}-other", question=asked.request.question, language=language
        )

    def make(author: str) -> Edit:
        pick: Pick = picked
        if picked == NONE:
            pick = entity_search.chosen(mention.name, f"{key}-other")
        if pick == mention.chosen or picked == now != NONE:
            raise InputError("this is what the name stands for now")
        return made.settling(asked, number, pick, author=author)

    return make


def _offered(mention: Mention) -> tuple[list[Candidate], int]:
    """Return the candidates of a name, last what a person looked up for it, and the place of what it stands for now."""
    found, chosen = list(mention.candidates), mention.chosen
    if isinstance(chosen, Entity):
        return [*found, Candidate(chosen, 1.0)], len(found)
    return found, chosen if chosen is not None else NONE
