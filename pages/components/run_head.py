"""The line above a run: question, state, what it spent, and the answer."""

import streamlit as st

from kgcore.steps import Usage
from pages.components.changes_made import acts_chip
from pages.components.composer import OFFLINE_NAME, model_name
from pages.components.graph import short
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["STATES", "show", "spent", "state_chip"]

# status → mark, role of its colour, name
STATES = {
    "answered": ("★", "answer", "answered"),
    "no_answer": ("○", "muted", "no answer"),
    "running": ("", "selected", "running"),
    "pausing": ("‖", "corrected", "pausing"),
    "paused": ("‖", "corrected", "paused"),
    "waiting": ("?", "corrected", "waiting for you"),
    "stopping": ("■", "corrected", "stopping"),
    "stopped": ("■", "muted", "stopped"),
    "budget": ("◔", "corrected", "budget used up"),
    "failed": ("✗", "rejected", "failed"),
    "interrupted": ("┄", "corrected", "interrupted"),
}


def state_chip(status: str, palette: Palette) -> str:
    """Return the chip that says how a run stands."""
    mark, role, name = STATES.get(status, ("", "muted", status))
    return chip(name, color=getattr(palette, role), mark=mark)


def spent(usage: Usage, seconds: float, *, is_offline: bool) -> list[str]:
    """Return what a run spent, in words; a matcher's calls are not called those of a model."""
    n = usage.llm_requests
    calls = f"{n:,} {'matcher' if is_offline else 'model'} call{'' if n == 1 else 's'}"
    parts = [calls]
    if usage.tokens:
        parts.append(f"{'≈ ' if usage.is_estimated else ''}{usage.tokens:,} tokens")
    if usage.cost_usd or not is_offline:
        parts.append(f"${usage.cost_usd:.4f}")
    parts.append(f"{usage.kg_requests:,} graph call{'' if usage.kg_requests == 1 else 's'}")
    parts.append(f"{seconds:.1f} s")
    return parts


def show(now: Seen, seen: Seen, palette: Palette) -> None:
    """Draw the line: the run stands as it is `now`; what it had spent and found by then is that of `seen`."""
    st.html(_line(now, seen, palette))


def _line(now: Seen, seen: Seen, palette: Palette) -> str:
    view, started = seen.view, seen.view.started
    if started is None:
        return ""
    model = model_name(dict(started.models).get("reason", ""))
    n_triples, n_expansions = len(view.subgraph), len(view.expansions)
    parts = [f"{n_expansions} expansion{'' if n_expansions == 1 else 's'}"]
    parts += spent(view.usage, seen.seconds, is_offline=model == OFFLINE_NAME)
    parts.append(f"{n_triples:,} triple{'' if n_triples == 1 else 's'}")
    facts = " · ".join(cell(part, 80) for part in (*parts, model))
    chips = [state_chip(now.status, palette), f'<span class="ts-facts">{facts}</span>']
    answer = view.answer
    if answer is not None and answer.is_answer:
        chips.append(chip(short(answer.text, 120), color=palette.answer, mark="★"))
    chips.append(acts_chip(view.acts, palette))
    question = f'<span class="ts-question">{cell(started.question, 400)}</span>'
    return f'<div class="ts-head">{question}{"".join(chips)}</div>'
