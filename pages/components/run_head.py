"""The line above a run: question, state, what it spent, and the answer."""

from html import escape

import streamlit as st

from kgcore.config import is_offline
from kgcore.reasoners import LABELS
from kgcore.steps import Usage
from pages.components import estimate, status
from pages.components.answer_words import PLACE, brief
from pages.components.changes_made import acts_chip
from pages.components.composer import model_name
from pages.components.graph import short
from pages.components.language import mark, t, tn
from pages.components.room import is_long
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.watch import Seen, SeenStatus

__all__ = ["STATES", "show", "spent", "state_chip"]

# status → mark, role of its colour, name
STATES: dict[SeenStatus, tuple[str, str, str]] = {
    "answered": ("★", "answer", mark("answered")),
    "no_answer": ("○", "muted", mark("no answer")),
    "running": ("", "selected", mark("running")),
    "pausing": ("‖", "corrected", mark("pausing")),
    "paused": ("‖", "corrected", mark("paused")),
    "waiting": ("?", "corrected", mark("waiting for you")),
    "stopping": ("■", "corrected", mark("stopping")),
    "stopped": ("■", "muted", mark("stopped")),
    "budget": ("◔", "corrected", mark("budget used up")),
    "failed": ("✗", "rejected", mark("failed")),
    "interrupted": ("┄", "corrected", mark("interrupted")),
}


def state_chip(status: SeenStatus, palette: Palette) -> str:
    """Return the chip that says how a run stands."""
    sign, role, name = STATES.get(status, ("", "muted", status))
    return chip(t(name), color=getattr(palette, role), mark=sign)


def spent(usage: Usage, seconds: float, *, is_offline: bool) -> list[str]:
    """Return what a run spent, in words; a matcher's calls are not called those of a model."""
    n = usage.llm_requests
    if is_offline:
        parts = [tn("{n:,} matcher call", "{n:,} matcher calls", n)]
    else:
        parts = [tn("{n:,} model call", "{n:,} model calls", n)]
    if usage.tokens:
        told = t("{n:,} tokens", n=usage.tokens)
        parts.append(f"≈ {told}" if usage.is_estimated else told)
    if usage.cost_usd or not is_offline:
        parts.append(f"${usage.cost_usd:.4f}")
    parts.append(tn("{n:,} graph call", "{n:,} graph calls", usage.kg_requests))
    parts.append(t("{seconds:.1f} s", seconds=seconds))
    return parts


def show(now: Seen, seen: Seen, palette: Palette) -> None:
    """Draw the line: the run stands as it is `now`; what it had spent and found by then is that of `seen`."""
    st.html(_line(now, seen, palette))
    status.say(_told(now))


def _told(now: Seen) -> str:
    """Return how a run stands in words: its state, and the answer when it has ended with one."""
    name = t(STATES.get(now.status, ("", "", now.status))[2])
    answer = now.view.answer
    if now.view.ended is None or answer is None or not answer.is_answer:
        return name
    return f"{name}{t(': ')}{brief(answer, 200)}"


def _line(now: Seen, seen: Seen, palette: Palette) -> str:
    view, started = seen.view, seen.view.started
    if started is None:
        return ""
    name = dict(started.models).get("reason", "")
    n_triples, n_expansions = len(view.subgraph), len(view.expansions)
    parts = [tn("{n:,} expansion", "{n:,} expansions", n_expansions)]
    parts += spent(view.usage, seen.seconds, is_offline=is_offline(name))
    parts.append(tn("{n:,} triple", "{n:,} triples", n_triples))
    told = [*parts, model_name(name)]
    method = t(LABELS.get(started.method, started.method))
    facts = " · ".join(cell(part, 80) for part in told)
    title = escape(" · ".join(short(part, 80) for part in told))
    chips = [state_chip(now.status, palette)]
    brief_name = cell(method.partition(" (")[0].partition("（")[0], 40)
    facts += f' · <span title="{escape(t("Method"))}{t(": ")}{escape(short(method, 100))}">{brief_name}</span>'
    chips.append(f'<span class="ts-facts" title="{title}">{facts}</span>')
    if now.is_live:
        budget = started.budget if now.run is None else now.run.meter.budget
        chips.append(estimate.meter(budget, view.usage, seen.seconds, palette))
    answer = view.answer
    if answer is not None and answer.is_answer:
        found = chip(brief(answer, 32), color=palette.answer, mark="★")
        chips.append(f'<a class="ts-to" href="#{PLACE}" target="_self">{found}</a>')
    chips.append(acts_chip(view.acts, palette))
    return f'<div class="ts-head">{_question(started.question)}{"".join(chips)}</div>'


def _question(text: str) -> str:
    """Return the question on one line; a long one unfolds where it is pointed at or focused."""
    fold = ' ts-fold" tabindex="0' if is_long(text) else ""
    return f'<h2 class="ts-question{fold}">{cell(text, 1000)}</h2>'
