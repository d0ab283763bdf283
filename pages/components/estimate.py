"""What a run may take, told beside the box in which it is asked for, before it runs."""

from collections.abc import Callable

import streamlit as st

from kgcore.bootstrap import Studio, Task
from kgcore.errors import KGCoreError
from kgcore.runs.estimate import Estimate
from kgcore.views.foretold import foretold, seen_before
from pages.components.language import current, t
from pages.components.text import cell

__all__ = ["show"]

KEPT_S = 20.0  # a price that is still being looked up, and runs that end meanwhile, show after so long


def show(studio: Studio, task_of: Callable[[], Task]) -> None:
    """Draw the line for the task as it stands; nothing where its settings cannot be read, as Run then says why."""
    try:
        task = task_of()
        found = _estimate(studio, task, repr((studio.home, task)))
    except KGCoreError:
        return
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
