"""One run of the list: its name and tags, what it was, and what can be done with it."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.config import is_offline
from kgcore.errors import KGCoreError
from kgcore.runs import ENDS, RunRecord, RunView
from kgcore.runs.listing import MAX_NAME
from pages.components import changes_made, runs_again, runs_cost, runs_edit, runs_files, stage
from pages.components.composer import model_name
from pages.components.diff import triple_line
from pages.components.language import address, mark, t, tn
from pages.components.run_head import spent, state_chip
from pages.components.runs_filter import method_name
from pages.components.runs_live import UNDER_WAY
from pages.components.text import cell, plain
from pages.components.theme import Palette
from pages.components.trace import when_of
from pages.components.watch import Seen

__all__ = ["show", "show_open"]

PROOF = 12  # triples listed

ORIGIN = {
    "fork": {
        "here": mark("A fork of"),
        "gone": mark("A fork of a run that is not here any more."),
        "deleted": mark("A fork of a run that was deleted."),
    },
    "rerun": {
        "here": mark("A rerun of"),
        "gone": mark("A rerun of a run that is not here any more."),
        "deleted": mark("A rerun of a run that was deleted."),
    },
}


def show_open(studio: Studio, runs: Sequence[RunRecord], palette: Palette) -> None:
    """Draw the run that is open, else a hint."""
    name = st.session_state.get("runs-open")
    chosen = next((run for run in runs if run.id == name), None)
    if chosen is None:
        st.html(
            f'<p class="ts-muted">{t("Press Details to name, tag, export or run a run again.")}</p>'
        )
    else:
        show(studio, chosen, palette)


def show(studio: Studio, run: RunRecord, palette: Palette) -> None:
    """Draw a run; a deleted one can only be brought back or deleted for good."""
    st.html(
        f'<div class="ts-head">{state_chip(run.status, palette)}'
        f'<span class="ts-question">{cell(run.question, 400)}</span></div>'
    )
    if run.answer:
        st.html(f'<div class="ts-answer">{cell(run.answer, 200)}</div>')
    if run.deleted_at is None:
        _show_labels(studio, run)
        _show_deeds(studio, run)
    else:
        _show_bin(studio, run)
    changed = changes_made.of_runs(studio, [run]).get(run.id, "") if run.parent else ""
    seen = runs_cost.seen_of(run)
    st.html(_facts(run, changed, seen))
    if run.parent:
        _show_parent(studio, run, changed)


def _show_labels(studio: Studio, run: RunRecord) -> None:
    name, tags = f"runs-name-{run.id}", f"runs-tagged-{run.id}"
    left, right = st.columns(2)
    left.text_input(
        t("Name"),
        run.name,
        MAX_NAME,
        key=name,
        placeholder=t("as the question"),
        on_change=runs_edit.set_name,
        args=(studio, run.id, name),
    )
    right.text_input(
        t("Tags"),
        ", ".join(run.tags),
        400,
        key=tags,
        placeholder=t("one, another"),
        help=t("With commas between. Filters find runs by their tags."),
        on_change=runs_edit.set_tags,
        args=(studio, run.id, tags),
    )


def _show_deeds(studio: Studio, run: RunRecord) -> None:
    with st.container(horizontal=True, gap="xsmall", key="ts-tight-run"):
        if st.button(t("Open"), key="runs-ask", icon=":material/open_in_new:", type="primary"):
            st.switch_page("pages/ask.py", query_params=address(run=run.id))
        if run.status in ENDS:
            stage.show_button(run.id)
        with st.popover(t("Run again"), icon=":material/replay:"):
            runs_again.show(studio, run)
        if run.parent and st.button(
            t("Compare"), key="runs-beside", icon=":material/compare_arrows:"
        ):
            st.query_params["compare"] = f"{run.parent},{run.id}"
            st.rerun()
        runs_files.show_export(studio, run.id)
        if run.status in UNDER_WAY:
            _show_stop(studio, run)
            return
        st.button(
            t("Delete"),
            key="runs-delete-one",
            icon=":material/delete:",
            on_click=runs_edit.delete,
            args=(studio, [run]),
        )


def _show_stop(studio: Studio, run: RunRecord) -> None:
    """Draw the button that stops a run, in place of that which deletes it."""
    live = studio.live(run.id)
    is_ours = live is not None and live.is_under_way
    st.button(
        t("Stop"),
        key="runs-stop",
        icon=":material/stop:",
        disabled=not is_ours or run.status == "stopping",
        on_click=runs_edit.stop,
        args=(studio, run.id),
        help=None if is_ours else t("driven by another program"),
    )


def _show_bin(studio: Studio, run: RunRecord) -> None:
    with st.container(horizontal=True, gap="xsmall", key="ts-tight-run"):
        st.button(
            t("Restore"),
            key="runs-restore",
            icon=":material/restore_from_trash:",
            type="primary",
            on_click=runs_edit.restore,
            args=(studio, [run.id]),
        )
        key = f"runs-ask-{run.id}"
        with st.popover(t("Delete for good"), icon=":material/delete_forever:", key=key):
            st.write(t("It cannot be brought back. Forks and reruns of it stay."))
            st.button(
                t("Delete it"),
                key="runs-for-good",
                type="primary",
                on_click=runs_edit.delete_for_good,
                args=(studio, run.id),
            )


def _facts(run: RunRecord, changed: str, seen: Seen | None) -> str:
    took, acts = "", ""
    if seen is not None:
        took = " · ".join(spent(seen.view.usage, seen.seconds, is_offline=is_offline(run.model)))
        acts = changes_made.sentences(seen.view.acts)
    pairs = (
        (t("Method"), method_name(run.method)),
        (t("Model"), model_name(run.model)),
        (t("Graphs"), " + ".join(run.kgs)),
        (t("Started"), f"{when_of(run.created)} UTC"),
        (t("Spent"), took),
        (t("By people"), acts if acts != changed else ""),  # told below
        (t("Deleted"), f"{when_of(run.deleted_at)} UTC" if run.deleted_at else ""),
        (t("Run id"), run.id),
    )
    lines = "".join(
        f"<b>{name}</b><span>{cell(value, 300)}</span>" for name, value in pairs if value
    )
    proof = _proof(seen.view) if seen is not None else ""
    if proof:
        lines += f"<b>{t('Proof')}</b><span>{proof}</span>"
    return f'<div class="ts-pairs">{lines}</div>'


def _proof(view: RunView) -> str:
    """Return the triples that the answer rests on; "" where there are none."""
    proof = view.answer.proof if view.answer is not None and view.answer.is_answer else ()
    more = len(proof) - PROOF
    rest = [tn("and {n} more", "and {n} more", more)] if more > 0 else []
    return "<br>".join((*(triple_line(triple) for triple in proof[:PROOF]), *rest))


def _show_parent(studio: Studio, run: RunRecord, changed: str) -> None:
    told = ORIGIN["fork" if run.kind == "fork" else "rerun"]
    if changed:
        st.html(f'<p class="ts-byhand">{changes_made.BY_HAND} {cell(changed, 400)}</p>')
    try:
        parent = studio.store.record(run.parent)
    except KGCoreError:
        st.html(f'<p class="ts-muted">{t(told["gone"])}</p>')
        return
    if parent.deleted_at is not None:
        st.html(f'<p class="ts-muted">{t(told["deleted"])}</p>')
        return
    with st.container(horizontal=True, vertical_alignment="center", key="ts-tight-parent"):
        st.html(f'<span class="ts-muted">{t(told["here"])}</span>', width="content")
        st.button(
            plain(parent.name or parent.question, 60),
            key="runs-parent",
            type="tertiary",
            on_click=_open,
            args=(parent.id,),
        )


def _open(run_id: str) -> None:
    st.session_state["runs-open"] = run_id
