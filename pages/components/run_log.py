"""What a run does, in words: the calls under way with their waits, then every step, the newest first.

Each step is a button (``assets/components/log.js``): it takes the timeline to the moment after the step, and picks it
for the inspector and both drawings. What came after the moment that is looked at stays in the list, in italics.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from kgcore.runs import LogLine, RunView
from kgcore.runs.elapsed import times_of
from kgcore.runs.words import ASKED, Words
from pages.components import moment
from pages.components.graph import short
from pages.components.language import mark, t, tn, told_here
from pages.components.selection import pick, selection
from pages.components.theme import Palette
from pages.components.watch import Seen

__all__ = ["LINES", "doing", "pick_entry", "show"]

ASSETS = Path(__file__).parents[2] / "assets" / "components"
LINES, LENGTH = 150, 240
DOING = {
    "Link": mark("Looking for names"),
    "Relations": mark("Listing relations of {names}"),
    "Edges": mark("Fetching edges of {names}"),
    "Describe": mark("Looking up {names}"),
    "Rank": mark("Ranking options"),
}
MARKS = {"error": "✗ ", "human": "✎ ", "end": "■ "}


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw calls in flight and log."""
    log, at = seen.whole.log, _entry_at(seen, run_id)
    end = len(log)
    if at is not None and at < end - LINES:
        end = min(end, at + LINES // 2)
    shown = log[max(0, end - LINES) : end]
    seconds = times_of(seen.whole.entries)
    earlier, later = max(0, end - LINES), len(log) - end
    data = {
        "lines": [_line(line, seconds[line.seq]) for line in reversed(shown)],
        "at": at,
        "flying": [_flying(seen.view, *item) for item in seen.in_flight],
        "earlier": tn("{n:,} earlier entry", "{n:,} earlier entries", earlier) if earlier else "",
        "later": tn("{n:,} later entry", "{n:,} later entries", later) if later else "",
        "label": t("Log of the run: the newest entry first"),
        "colors": {
            "muted": palette.muted,
            "error": palette.rejected,
            "human": palette.corrected,
            "live": palette.selected,
        },
    }
    key = f"log-{run_id}"
    _component()(key=key, data=data, on_pick_change=_picking(key, seen, run_id))


def _entry_at(seen: Seen, run_id: str) -> int | None:
    """Return the entry that is looked at, if it is not just the last there is."""
    picked = selection(run_id)
    if picked.kind == "entry" and picked.id.isdecimal():
        return int(picked.id)
    return seen.past.n - 1 if seen.past is not None else None


def _picking(key: str, seen: Seen, run_id: str) -> Callable[[], None]:
    def on_pick() -> None:
        state = st.session_state.get(key)
        event = state.get("pick") if state is not None else None
        seq = event.get("seq") if isinstance(event, dict) else None
        if isinstance(seq, int):
            pick_entry(seen, run_id, seq)

    return on_pick


def pick_entry(seen: Seen, run_id: str, seq: int) -> None:
    """Look at the run as it was after an entry, and pick that entry."""
    n = seen.whole.n_entries
    if not 0 <= seq < n:
        return
    is_last = seq == n - 1
    moment.go(None if is_last and not seen.is_live else seq + 1)
    pick(run_id, "entry", str(seq))


def _flying(view: RunView, about: object, seconds: float, wait: str) -> str:
    """Return a call under way: what it asks, for how long, and what it waits for."""
    text = f"{doing(view.words, dict(about))} … {t('{seconds:.1f} s', seconds=seconds)}"  # type: ignore[call-overload]
    return short(f"{text} – {wait}" if wait else text, 300)


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


def _line(line: LogLine, seconds: float) -> list[Any]:
    """Return an entry as the browser gets it: number, seconds of the run, kind and text."""
    text = f"{MARKS.get(line.kind, '')}{short(told_here(line.text), LENGTH)}"
    return [line.seq, _told(seconds), line.kind, text]


def _told(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f}"
    return f"{int(seconds // 60)}:{int(seconds % 60):02}"


@cache
def _component() -> Any:
    html, css, js = ((ASSETS / f"log.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("kg_log", html=html, css=css, js=js)
