"""What a run may take, told beside the box in which it is asked for, before it runs."""

import contextlib
from collections.abc import Callable

import streamlit as st

from kgcore.bootstrap import Studio, Task
from kgcore.errors import KGCoreError
from kgcore.llm.prices import are_here
from kgcore.runs import Budget
from kgcore.runs.estimate import Estimate
from kgcore.steps import Usage
from kgcore.views.foretold import foretold, seen_before
from pages.components.language import current, mark, t
from pages.components.text import cell
from pages.components.theme import Palette

__all__ = ["meter", "show"]

KEPT_S = 20.0  # runs that end meanwhile show after so long
LOOK_S = 1.0  # between two looks whether the prices are here

LIMITS = {
    "calls": mark("calls"),
    "tokens": mark("tokens"),
    "usd": mark("money"),
    "seconds": mark("time"),
}
ALARM = 0.8  # of the budget, from where on the bar has another colour


def meter(budget: Budget, usage: Usage, seconds: float, palette: Palette) -> str:
    """Return a small bar that shows how much of the budget is spent, of that limit which is nearest; "" without limits."""
    taken = {
        "calls": usage.llm_requests,
        "tokens": usage.tokens,
        "usd": usage.cost_usd,
        "seconds": seconds,
    }
    limits = {name: getattr(budget, name) for name in LIMITS}
    shares = {name: taken[name] / limit for name, limit in limits.items() if limit}
    if not shares:
        return ""
    name = max(shares, key=lambda n: shares[n])
    percent = min(100, round(100 * shares[name]))
    color = palette.corrected if shares[name] >= ALARM else palette.selected
    told = t("{percent} % of the budget ({limit})", percent=percent, limit=t(LIMITS[name]))
    track = (
        f"display:inline-block;width:3.2rem;height:5px;border-radius:3px;background:{palette.line}"
    )
    fill = f"display:block;width:{percent}%;height:5px;border-radius:3px;background:{color}"
    bar = f'<span style="{track}"><span style="{fill}"></span></span>'
    return f'<span class="ts-facts ts-meter">{bar} {cell(told)}</span>'


def show(studio: Studio, task_of: Callable[[], Task]) -> None:
    """Draw the line for the task as it stands; nothing where its settings cannot be read, as Run then says why."""
    try:
        found = _found(studio, task_of())
    except KGCoreError:
        return
    if found is not None and found.is_loading:
        st.fragment(_follow, run_every=LOOK_S)(studio, task_of)
    else:
        _draw(found)


def _follow(studio: Studio, task_of: Callable[[], Task]) -> None:
    """Draw the line until the prices are here, and then the page."""
    with contextlib.suppress(KGCoreError):
        found = _found(studio, task_of())
        if found is None or not found.is_loading:
            st.rerun()
        _draw(found)


def _found(studio: Studio, task: Task) -> Estimate | None:
    return _estimate(studio, task, repr((studio.home, task, are_here())))


def _draw(found: Estimate | None) -> None:
    if found is None:
        lines = [t("This method does not tell beforehand what it takes.")]
    else:
        lines = [foretold(found, current()), seen_before(found, current())]
    told = " · ".join(cell(line, 400) for line in lines if line)
    st.html(f'<p class="ts-muted ts-estimate">{told}</p>')


@st.cache_data(ttl=KEPT_S, max_entries=200, show_spinner=False)
def _estimate(_studio: Studio, _task: Task, key: str) -> Estimate | None:
    """Return the estimate of a task, made once for a while; `key` tells tasks apart."""
    del key
    return _studio.estimate(_task, waits=False)
