"""The bar that drives a run and looks back: buttons, the timeline, and a line that says where one is."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.runs import Budget, Journal, Run, RunStatus
from kgcore.runs.coming import coming
from kgcore.runs.pauses import why
from kgcore.views.moments import Moments
from kgcore.views.timeline import KINDS, looks
from pages.components import breakpoints, moment
from pages.components.frame import problem
from pages.components.language import current, t, told_here
from pages.components.studio import shared, studio
from pages.components.text import cell
from pages.components.theme import Palette, legend
from pages.components.timeline import timeline
from pages.components.watch import Seen

__all__ = ["show"]

RESUMABLE: tuple[RunStatus, ...] = ("interrupted", "stopped", "budget", "failed")
SHAPES = {"star": "★", "diamond": "◆", "cross": "✕", "triangle": "◀", "square": "■"}


def show(now: Seen, seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the bar: `now` is the run as it is, `seen` as it is looked at."""
    moments = shared().watches.moments(run_id)
    at = None if seen.past is None else seen.past.n
    said = "" if at is None else moments.said(at, current())
    with st.container(key="ts-run-bar", horizontal=True, vertical_alignment="center", gap="xsmall"):
        _show_buttons(now, at, run_id, moments)
        with st.container(key="ts-timeline"):
            timeline(
                moments.kinds,
                palette,
                key=f"timeline-{run_id}",
                at=at,
                said=said,
                on_seek=moment.go,
            )
    with st.container(key="ts-moment", horizontal=True, vertical_alignment="center", gap="small"):
        _show_line(now, seen, said, palette)


def _show_buttons(now: Seen, at: int | None, run_id: str, moments: Moments) -> None:
    n = len(moments.kinds)
    _button(
        "back",
        t("Back"),
        "undo",
        moment.go,
        (n if at is None else at) - 1,
        shortcut="B",
        is_off=n < 2 or at == 1,
        about=t("Look at the moment before; the run itself stays as it is"),
    )
    run = now.run if now.is_live else None
    if run is not None:
        _show_drive(now, run)
    elif now.status in RESUMABLE:
        label = t("Resume with twice the budget") if now.status == "budget" else t("Resume")
        _button("resume", label, "play_arrow", _resume, run_id, shortcut="P", kind="primary")
    if run is not None or not now.is_live or at is not None:
        _show_steps(now, run, at, moments)
    if run is not None:
        is_off = now.status == "stopping"
        _button("stop", t("Stop"), "stop", run.stop, shortcut="X", is_off=is_off)
        breakpoints.show_live(run, now.view)
    else:
        breakpoints.show_kept(now.view)
    if run is None and now.is_live:
        st.html(f'<span class="ts-muted">{t("driven by another program")}</span>')


def _show_drive(now: Seen, run: Run) -> None:
    if now.status in ("paused", "pausing"):
        _button("continue", t("Continue"), "play_arrow", _go_on, run, shortcut="P", kind="primary")
    elif now.status != "waiting":  # then only a decision moves it
        is_off = now.status == "stopping"
        _button("pause", t("Pause"), "pause", run.pause, shortcut="P", is_off=is_off)


def _show_steps(now: Seen, run: Run | None, at: int | None, moments: Moments) -> None:
    """Draw the two steps: they move the run, and in the past what is looked at."""
    one, over = t("One step on"), t("On to the next expansion of the search")
    step = partial(_button, "step", t("Step"), "skip_next", shortcut="S", about=one)
    step_over = partial(_button, "over", t("Step over"), "step_over", shortcut="O", about=over)
    if at is not None:
        step(_go_before, at + 1, len(moments.kinds))
        step_over(_go_before, moments.expansion_after(at), len(moments.kinds))
        return
    is_off = run is None or now.status in ("stopping", "waiting")
    step(Run.step, run, is_off=is_off)
    step_over(Run.step_over, run, is_off=is_off)


def _go_before(n: int, end: int) -> None:
    """Look at a moment; the last one is now."""
    moment.go(n if n < end else None)


def _go_on(run: Run) -> None:
    """Let the run go on, and follow it again."""
    moment.go(None)
    run.go_on()


def _button(
    name: str,
    label: str,
    icon: str,
    action: Callable[..., None],
    *args: object,
    shortcut: str,
    kind: str = "secondary",
    is_off: bool = False,
    about: str | None = None,
) -> None:
    st.button(
        label,
        key=f"run-{name}",
        icon=f":material/{icon}:",
        on_click=action,
        args=args,
        shortcut=shortcut,
        type=kind,  # type: ignore[arg-type]
        disabled=is_off,
        help=about,
    )


def _show_line(now: Seen, seen: Seen, said: str, palette: Palette) -> None:
    if seen.past is not None:
        where = t("Moment {i} of {n}", i=seen.past.n, n=seen.past.whole.n_entries)
        st.html(f'<span class="ts-chip ts-badge">{cell(where)}</span>', width="content")
        st.button(
            t("Back to now"),
            key="moment-now",
            icon=":material/last_page:",
            type="tertiary",
            on_click=moment.go,
            args=(None,),
            shortcut="N",
        )
        st.html(f'<span class="ts-said">{cell(said, 220)}</span>')
    else:
        st.html(f'<span class="ts-said ts-muted">{cell(_state(now), 220)}</span>')
    st.html(_legend(palette), width="content")
    with (
        st.container(key="ts-kinds-more", width="content"),  # in its place where it has no room
        st.popover(t("Marks"), icon=":material/info:", type="tertiary"),
    ):
        st.html(_legend(palette), width="content")


def _state(now: Seen) -> str:
    """Return what the line says of a run that is looked at as it is now."""
    if now.status == "paused" and now.run is not None:
        return _paused(now, now.run)
    if now.status == "waiting":
        return t("The run waits for you: decide below.")
    waits = next((why for _, _, why in now.in_flight if why), "")
    if now.status == "stopping":
        word = t("Stopping: nothing more is started; what calls under way still bring is kept.")
        return f"{word} {_sentence(waits)}" if waits else word
    if waits:
        return _sentence(waits)
    if now.status == "pausing":
        return t("Pausing as soon as the calls in flight have come back.")
    if now.is_live:
        return t("Following the run. It goes on while you look back.")
    return t(
        "Drag the timeline, or move it with the arrow keys, to look back; with Shift they go from mark to mark."
    )


def _paused(now: Seen, run: Run) -> str:
    """Return why a run is held, and what it does next."""
    reason = why(run.control, current())
    said = t("Paused: {reason}.", reason=reason) if reason else t("Paused.")
    following = coming(run.pending, now.view.words, current())
    return f"{said} {t('Next: {step}', step=following)}" if following else said


def _sentence(reason: str) -> str:
    """Return what a call waits for as a sentence."""
    told = told_here(reason)
    return f"{told[:1].upper()}{told[1:]}…"


def _legend(palette: Palette) -> str:
    heights = {"g": "▇", "m": "▅", "q": "▄", "n": "▃", "f": "▁"}
    shown = looks(palette, current())
    items = [
        (heights.get(letter) or SHAPES[kind.shape], shown[letter]["color"], shown[letter]["name"])
        for letter, kind in KINDS.items()
        if letter != "e"
    ]
    return f'<div class="ts-kinds">{legend("", items)}</div>'


def _resume(run_id: str) -> None:
    """Take the run up again; a second click finds it running and changes nothing."""
    moment.go(None)
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
