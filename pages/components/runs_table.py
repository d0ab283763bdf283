"""The list of runs: families of forks and reruns, with what each asked, how it ended and how it was made."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.config import is_offline
from kgcore.runs import RunRecord
from kgcore.runs.listing import Row
from pages.components import changes_made, runs_cost, runs_edit
from pages.components.composer import model_name
from pages.components.language import address, mark, t
from pages.components.run_head import state_chip
from pages.components.runs_filter import method_name
from pages.components.text import cell, plain
from pages.components.theme import Palette, chip
from pages.components.trace import when_of

__all__ = ["checked", "show"]

LEAF = 15  # rows at once
FACT, CHANGED = 60, 180  # letters shown of a fact, and of what a fork changed
DEEPEST = 6  # steps of indentation
KINDS = {
    "fork": (mark("↳ fork"), mark("↳ fork of a run not shown")),
    "rerun": (mark("↻ rerun"), mark("↻ rerun of a run not shown")),
}


def checked(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the runs whose box is checked, in the order of the list."""
    return [run for run in runs if st.session_state.get(_box(run))]


def show(studio: Studio, rows: Sequence[Row], palette: Palette) -> None:
    """Draw the rows, some at once."""
    n_leaves = max(1, -(-len(rows) // LEAF))
    if int(st.session_state.get("runs-leaf") or 1) > n_leaves:
        st.session_state["runs-leaf"] = n_leaves  # a filter left fewer
    leaf = int(st.session_state.get("runs-leaf") or 1) - 1
    shown = rows[leaf * LEAF : (leaf + 1) * LEAF]
    changed = changes_made.of_runs(studio, [row.run for row in shown])
    with st.container(gap=None, key="ts-runs"):
        for row in shown:
            _show_row(studio, row, palette, changed.get(row.run.id, ""))
    if n_leaves > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.pagination(n_leaves, key="runs-leaf", persist_state="session")
            first, last = leaf * LEAF + 1, min((leaf + 1) * LEAF, len(rows))
            told = t("{first:,}–{last:,} of {n:,}", first=first, last=last, n=len(rows))
            st.html(f'<span class="ts-muted">{told}</span>')


def _box(run: RunRecord) -> str:
    return f"runs-box-{run.id}"


def _show_row(studio: Studio, row: Row, palette: Palette, changed: str) -> None:
    run = row.run
    is_open = st.session_state.get("runs-open") == run.id
    look = ("now" if is_open else "any", "lit" if run.is_starred else "dim")
    name = plain(run.name or run.question, 110)
    key = f"ts-run-d{min(row.depth, DEEPEST)}-{'-'.join(look)}-{run.id}"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key):
        st.checkbox(
            t("Choose {name}", name=name),
            key=_box(run),
            label_visibility="collapsed",
            persist_state="page",
        )
        st.button(
            _said("★" if run.is_starred else "☆", name),
            key=f"runs-star-{run.id}",
            type="tertiary",
            help=t("Take the star away") if run.is_starred else t("Give it a star"),
            on_click=runs_edit.annotate,
            args=(studio, run.id),
            kwargs={"is_starred": not run.is_starred},
        )
        with st.container(gap=None):
            if st.button(name, key=f"runs-go-{run.id}", type="tertiary"):
                st.switch_page("pages/ask.py", query_params=address(run=run.id))
            st.html(_line(row, palette, changed))
        st.button(
            _said(t("Details"), name),
            key=f"runs-open-{run.id}",
            on_click=_open,
            args=(run.id,),
        )


def _said(label: str, name: str) -> str:
    """Return a label with the run's name, which is heard and not seen."""
    return f"{label} :gray[{name}]"


def _open(run_id: str) -> None:
    st.session_state["runs-open"] = run_id


def _line(row: Row, palette: Palette, changed: str) -> str:
    run = row.run
    origin = t(KINDS[run.kind][row.is_orphan]) if run.kind in KINDS else ""
    model = model_name(run.model)
    facts = (
        f"{origin}: {changed}" if changed else origin,
        method_name(run.method).partition(" (")[0].partition("（")[0],
        t("offline matcher") if is_offline(run.model) else model,
        " + ".join(run.kgs),
        when_of(run.created)[:16],
        runs_cost.short_cost(run),
        run.id[:8],
    )
    told = " · ".join(
        cell(fact, CHANGED if n == 0 else FACT) for n, fact in enumerate(facts) if fact
    )
    chips = state_chip(run.status, palette)
    if run.answer:
        kind = "ts-said" if run.status == "answered" else "ts-said is-none"
        chips += f'<span class="{kind}">{cell(run.answer, 60)}</span>'
    chips += "".join(chip(tag) for tag in run.tags[:4])
    return f'<div class="ts-head ts-run">{chips}<span class="ts-muted">{told}</span></div>'
