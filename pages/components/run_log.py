"""What a run does, in words: the calls under way with their waits, then every step, the newest first."""

from datetime import datetime

import streamlit as st

from kgcore.runs import LogLine, RunView
from kgcore.runs.words import ASKED, Words
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell
from pages.components.watch import Seen

__all__ = ["show"]

LINES, LENGTH = 150, 240
DOING = {
    "Link": mark("Looking for names"),
    "Relations": mark("Listing relations of {names}"),
    "Edges": mark("Fetching edges of {names}"),
    "Describe": mark("Looking up {names}"),
    "Rank": mark("Ranking options"),
}
MARKS = {"error": "✗ ", "human": "✎ ", "end": "■ "}


def show(seen: Seen) -> None:
    """Draw calls in flight and log."""
    view = seen.view
    flying = "".join(_flying(view, *item) for item in seen.in_flight)
    lines = "".join(_line(view, line) for line in reversed(view.log[-LINES:]))
    more = len(view.log) - LINES
    told = tn("{n:,} earlier entry", "{n:,} earlier entries", more)
    note = f'<p class="ts-muted">{told}</p>' if more > 0 else ""
    st.html(f'{flying}<div class="ts-log" role="list">{lines}</div>{note}')


def _flying(view: RunView, about: object, seconds: float, wait: str) -> str:
    """Return a call under way: what it asks, for how long, and what it waits for."""
    text = f"{doing(view.words, dict(about))} … {t('{seconds:.1f} s', seconds=seconds)}"  # type: ignore[call-overload]
    if wait:
        text += f" – {told_here(wait)}"
    return f'<div class="ts-flying"><b></b>{cell(text, 300)}</div>'


def doing(words: Words, step: dict[str, object]) -> str:
    """Return what a step under way does."""
    kind = str(step.get("kind"))
    if kind == "Ask":
        template = str(step.get("template"))
        what = ASKED.get(template, template.replace("_", " "))
        return t("Asking the model ({what})", what=told_here(what))
    if kind == "Lookup":
        return t("Querying {name}", name=str(step.get("source")))
    entities = step.get("entities")
    names = words.names(entities) if isinstance(entities, tuple | list) else ""
    return t(DOING.get(kind, kind), names=names)


def _line(view: RunView, line: LogLine) -> str:
    first = view.log[0].when
    sign = MARKS.get(line.kind, "")
    return (
        f'<div role="listitem" class="is-{line.kind}"><i>{_since(first, line.when)}</i>'
        f"<span>{sign}{cell(told_here(line.text), LENGTH)}</span></div>"
    )


def _since(first: str, when: str) -> str:
    seconds = (datetime.fromisoformat(when) - datetime.fromisoformat(first)).total_seconds()
    if seconds < 100:
        return f"{seconds:.1f}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02}"
