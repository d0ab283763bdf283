"""Forms for texts a person writes instead of the model's or the prompt's, with how they will be read."""

from collections.abc import Callable

import streamlit as st

from kgcore.model.text import estimate_tokens
from kgcore.runs import Edit, RunView
from kgcore.runs import changes as made
from kgcore.runs.asked import Asked
from kgcore.runs.changes import MAX_TEXT, Change
from kgcore.runs.perform import clean, read_reply
from kgcore.views.details import value_words
from pages.components.language import t, told_here
from pages.components.text import cell

__all__ = ["prompt", "reply", "thought"]

Make = Callable[[str], Edit]


def _key(asked: Asked, name: str) -> str:
    return f"change-form-{name}-{asked.address[0]}-{asked.address[1]}"


def thought(asked: Asked, change: Change) -> Make:
    """Draw the form for a thought."""
    text = st.text_area(
        t("The thought"),
        key=_key(asked, "thought"),
        max_chars=2_000,
        placeholder=t("What the search should keep in mind from here on"),
    )
    return lambda author: made.thinking(asked, text or "", author=author, node=change.node)


def reply(asked: Asked, change: Change, view: RunView) -> Make:
    """Draw the replies for editing, one at a time, and how the text will be read."""
    texts, number, is_alone = list(asked.texts), 0, False
    if len(texts) > 1:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            number = st.selectbox(
                t("Sample"),
                range(len(texts)),
                format_func=lambda n: t("sample {n} of {all}", n=n + 1, all=len(texts)),
                key=_key(asked, "sample"),
            )
            is_alone = st.checkbox(t("Only this one counts"), key=_key(asked, "alone"))
    text = st.text_area(
        t("The reply"),
        texts[number] if texts else "",
        key=_key(asked, f"reply-{number}"),
        max_chars=MAX_TEXT,
        height=150,
    )
    _show_reading(asked, text or "", view)

    def make(author: str) -> Edit:
        new = [text or ""] if is_alone else [*texts[:number], text or "", *texts[number + 1 :]]
        return made.replying(asked, new, author=author, node=change.node)

    return make


def _show_reading(asked: Asked, text: str, view: RunView) -> None:
    """Say how a text will be read, before anything is started."""
    read = read_reply(asked.request, clean(text).strip())
    if read.problem:
        words = t("It cannot be read: {problem}", problem=told_here(read.problem))
        st.html(f'<p class="ts-verdict" role="status">✗ {cell(words, 300)}</p>')
        return
    words = t("It will be read as: {words}", words=value_words(read.value, view))
    st.html(f'<p class="ts-verdict is-ok" role="status">{cell(words, 400)}</p>')


def prompt(asked: Asked, change: Change) -> Make:
    """Draw the prompt for editing."""
    text = st.text_area(
        t("The prompt"),
        asked.replies.prompt,
        key=_key(asked, "prompt"),
        max_chars=MAX_TEXT,
        height=260,
    )
    st.caption(t("≈ {n} tokens", n=f"{estimate_tokens(text or ''):,}"))
    return lambda author: made.prompting(asked, text or "", author=author, node=change.node)
