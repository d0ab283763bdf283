"""The batch that waits at a run's approval gate, as the drawing and its menus show it.

A menu only changes what is chosen in the gate's panel; the panel's button decides.
"""

from collections.abc import Collection
from functools import cache
from typing import Any

import streamlit as st

from kgcore.model import Triple
from kgcore.runs.gate import batch_key
from kgcore.views.waiting import MARKS, WORDS, Waiting, WaitingLine, waiting_lines
from pages.components.gate_choices import APPROVE, EDIT, REJECT, Choices
from pages.components.graph import Entries
from pages.components.language import t
from pages.components.text import cell
from pages.components.triple_table import triple_table
from pages.components.watch import Seen

__all__ = [
    "ROWS",
    "act",
    "barred",
    "drawn",
    "entries",
    "is_waiting",
    "marked",
    "show_focus",
    "show_picked",
    "waiting",
]

ROWS = 25  # triples on one leaf of a batch
_ACTIONS = {"gate-approve": APPROVE, "gate-reject": REJECT, "gate-edit": EDIT}
_ALL = {"gate-approve-all": APPROVE, "gate-reject-all": REJECT}
_FOCUS, _LAST = "gate-focus", "gate-last"
# The field may come a moment after this piece of the page.
SCRIPT = """let done = 0;
export default function ({ data }) {
  if (data.n === done) return;
  done = data.n;
  let tries = 100;
  const look = () => {
    const field = document.querySelector(`.st-key-${CSS.escape(data.field)} input`);
    if (!field) return tries-- > 0 && setTimeout(look, 50);
    field.closest(".stHorizontalBlock, .stElementContainer")?.scrollIntoView({ block: "center" });
    field.focus();
  };
  look();
}"""


def waiting(seen: Seen, run_id: str) -> tuple[str, Choices | None]:
    """Return the batch that waits, with what was chosen for it so far, and its key."""
    batch = seen.run.waiting if seen.run is not None else ()
    if not batch:
        return "", None
    last: tuple[tuple[Triple, ...], str] = st.session_state.get(_LAST, ((), ""))
    if last[0] is not batch:  # to hash a long one takes a while
        last = (batch, f"{run_id[:8]}-{batch_key(batch)[:8]}")
        st.session_state[_LAST] = last
    key = last[1]
    kept: Choices = st.session_state.setdefault(f"gate-{key}", Choices(batch))
    return key, kept


def _open(seen: Seen, run_id: str) -> Choices | None:
    """Return the choices of a batch that waits at the moment that is looked at."""
    choices = waiting(seen, run_id)[1] if seen.past is None else None
    return choices if choices is not None and not choices.is_sent else None


def drawn(seen: Seen, run_id: str) -> Waiting | None:
    """Return what waits as it is drawn; nothing in the past."""
    choices = _open(seen, run_id)
    if choices is None:
        return None
    batch, new = choices.batch, choices.replaced
    edited = [t for i, t in enumerate(batch) if choices.of(i) == EDIT and t not in new]
    return Waiting(batch, frozenset(choices.rejected), frozenset(edited), new)


def _lines(seen: Seen, run_id: str) -> list[WaitingLine]:
    found = drawn(seen, run_id)
    return [] if found is None else waiting_lines(found, seen.view.subgraph)


def is_waiting(seen: Seen, run_id: str, name: str) -> bool:
    """Whether a line, or a node that is not part of the run yet, waits."""
    return name not in seen.view.subgraph and any(x.is_of(name) for x in _lines(seen, run_id))


# menus


def entries(seen: Seen, run_id: str) -> dict[str, Entries]:
    """Return what the menus offer for what waits, by kind of item; those of an entity stand at others too."""
    if _open(seen, run_id) is None:
        return {}
    every = (
        ("gate-approve-all", t("Approve all of it")),
        ("gate-reject-all", t("Reject all of it")),
    )
    line = (
        ("gate-approve", t("Approve")),
        ("gate-reject", t("Reject")),
        ("gate-edit", t("Edit below")),
    )
    return {"waiting": every, "waiting edge": line, "node": every}


def barred(seen: Seen, run_id: str) -> dict[str, list[str]]:
    """Return the entities that nothing touches which waits."""
    if _open(seen, run_id) is None:
        return {}
    touched = {end for line in _lines(seen, run_id) for end in line.ends}
    others = [e.id for e in seen.view.subgraph.entities if e.id not in touched]
    return dict.fromkeys(_ALL, others)


def act(seen: Seen, run_id: str, action: str, name: str) -> bool:
    """Choose in the panel what a menu says, for a line or all lines of an entity; tell whether it was of the gate."""
    wanted = (_ACTIONS | _ALL).get(action)
    if wanted is None:
        return False
    key, choices = waiting(seen, run_id)
    places = sorted({x.place for x in _lines(seen, run_id) if x.is_of(name)})
    if choices is None or not places:
        return True
    choices.made |= dict.fromkeys(places, wanted)
    place = places[0]
    st.session_state[f"gate-{key}-leaf"] = place - place % ROWS
    if wanted == EDIT:
        n = st.session_state.get(_FOCUS, (0, ""))[0] + 1
        st.session_state[_FOCUS] = (n, f"gate-{key}-{place}-text")
    return True


def show_focus() -> None:
    """Bring the field that a menu asked for into view, with the cursor in it."""
    n, field = st.session_state.get(_FOCUS, (0, ""))
    if field:
        with st.container(key="ts-gate-focus"):
            _component()(key="gate-focus-script", data={"n": n, "field": field})


@cache
def _component() -> Any:
    return st.components.v2.component("kg_gate_focus", js=SCRIPT)


# words beside the drawing


def marked(seen: Seen, run_id: str) -> list[tuple[WaitingLine, str]]:
    """Return the triples that wait, each with its mark and what that means."""
    lines = _lines(seen, run_id)
    return [(line, f"{MARKS[line.state]} {t(WORDS[line.state])}") for line in lines]


def show_picked(seen: Seen, run_id: str, name: str) -> bool:
    """Draw what waits and was picked in the drawing; tell whether there was any."""
    if not name or not is_waiting(seen, run_id, name):
        return False
    found = [(x.triple, told) for x, told in marked(seen, run_id) if x.is_of(name)]
    titles: Collection[str] = {x.text for x, _ in found}
    if not name.startswith("-\t"):
        ends = [end for x, _ in found for end in (x.subject, x.object)]
        titles = [end.name for end in ends if getattr(end, "id", "") == name][:1] or titles
    st.html(f'<p class="ts-panel-title">{cell(min(titles, default=""), 300)}</p>')
    st.html(triple_table((), waiting=found))
    return True
