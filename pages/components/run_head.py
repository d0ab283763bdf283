"""The line above a run: question, state, what it spent, and the buttons that drive it."""

from collections.abc import Callable

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.runs import Budget, Journal, Run
from kgcore.steps import Usage
from pages.components.composer import OFFLINE_NAME, model_name
from pages.components.frame import problem
from pages.components.graph import short
from pages.components.studio import studio
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
RESUMABLE = ("interrupted", "stopped", "budget", "failed")


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


def show(seen: Seen, palette: Palette) -> None:
    """Draw the line; the buttons stand at its right end."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        st.html(_line(seen, palette))
        _show_buttons(seen)


def _line(seen: Seen, palette: Palette) -> str:
    view, started = seen.view, seen.view.started
    if started is None:
        return ""
    model = model_name(dict(started.models).get("reason", ""))
    n_triples, n_expansions = len(view.subgraph), len(view.expansions)
    parts = [f"{n_expansions} expansion{'' if n_expansions == 1 else 's'}"]
    parts += spent(view.usage, seen.seconds, is_offline=model == OFFLINE_NAME)
    parts.append(f"{n_triples:,} triple{'' if n_triples == 1 else 's'}")
    facts = " · ".join(cell(part, 80) for part in (*parts, model))
    chips = [state_chip(seen.status, palette), f'<span class="ts-facts">{facts}</span>']
    answer = view.answer
    if answer is not None and answer.is_answer:
        chips.append(chip(short(answer.text, 120), color=palette.answer, mark="★"))
    question = f'<span class="ts-question">{cell(started.question, 400)}</span>'
    return f'<div class="ts-head">{question}{"".join(chips)}</div>'


def _show_buttons(seen: Seen) -> None:
    run = seen.run
    if not seen.is_live:
        if seen.status in RESUMABLE:
            label = "Resume with twice the budget" if seen.status == "budget" else "Resume"
            _button(label, "play_arrow", _resume, seen, shortcut="P", kind="primary")
        return
    if run is None:
        st.html('<span class="ts-muted">driven by another program</span>')
        return
    is_held = seen.status in ("paused", "pausing")
    if is_held:
        _button("Continue", "play_arrow", run.go_on, seen, shortcut="P", kind="primary")
    else:
        _button("Pause", "pause", run.pause, seen, shortcut="P", is_off=seen.status == "stopping")
    _button("Step", "skip_next", run.step, seen, shortcut="S", is_off=seen.status == "stopping")
    _button("Stop", "stop", run.stop, seen, shortcut="X", is_off=seen.status == "stopping")


def _button(
    label: str,
    icon: str,
    action: Callable[..., None],
    seen: Seen,
    *,
    shortcut: str,
    kind: str = "secondary",
    is_off: bool = False,
) -> None:
    args = (seen.view.started.run_id,) if action is _resume and seen.view.started else ()
    st.button(
        label,
        key=f"run-{label.lower().partition(' ')[0]}",
        icon=f":material/{icon}:",
        on_click=action,
        args=args,
        shortcut=shortcut,
        type=kind,
        disabled=is_off,
    )


def _resume(run_id: str) -> None:
    """Take the run up again; a second click finds it running and changes nothing."""
    try:
        known: Run | None = studio().live(run_id)
        if known is None or known.join(0):
            budget = _larger(studio().journal(run_id))
            studio().resume(run_id, budget=budget).start()
    except KGCoreError as error:
        problem(error)


def _larger(journal: Journal) -> Budget:
    """Return the budget to go on with: twice the old one where that is used up."""
    old = journal.budget
    if journal.ended is None or journal.ended.status != "budget":
        return old
    return Budget(
        old.calls and 2 * old.calls,
        old.tokens and 2 * old.tokens,
        old.usd and 2 * old.usd,
        old.seconds and 2 * old.seconds,
    )
