"""Reasoning again with the corrections of now, and the old and the new run side by side."""

import hashlib
from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap.correcting import compare_runs
from kgcore.config import is_offline
from kgcore.corrections import Correction
from kgcore.errors import KGCoreError
from kgcore.model import Triple
from kgcore.runs import RunView
from kgcore.runs.comparison import Comparison, Side
from kgcore.runs.entries import Started
from pages.components.diff import MINUS, diff, triple_line
from pages.components.frame import problem
from pages.components.language import address, t
from pages.components.run_head import spent
from pages.components.set_up import name_of, value_of
from pages.components.studio import shared, studio
from pages.components.text import cell
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["answer_of", "show_button", "show_comparison", "sides"]

TOLD = 2  # differences of set-up that the line tells; what it opens tells all


def show_button(view: RunView, run_id: str, *, place: str, is_primary: bool = True) -> None:
    """Draw the button that runs a run again with the corrections in force now."""
    if st.button(
        t("Reason again"),
        key=f"again-{place}",
        type="primary" if is_primary else "secondary",
        icon=":material/replay:",
        on_click=_again,
        args=(view, run_id),
        help=t(
            "Only steps that corrections touch are asked again; all others come from memory, without a call."
        ),
    ):
        st.rerun()  # the whole page follows the new run


def _again(view: RunView, run_id: str) -> None:
    """Start the rerun; the same click twice, or another one without any new correction, is the same run."""
    assert view.started is not None
    try:
        in_force = studio().corrections.in_force([name for name, _ in view.started.kgs])
        said = "\n".join(f"{c.id} {c.text}" for c in in_force)
        token = f"again {run_id} {hashlib.blake2b(said.encode(), digest_size=8).hexdigest()}"
        st.query_params["run"] = shared().begin(token, lambda: studio().rerun(run_id))
    except KGCoreError as error:
        problem(error)


def show_comparison(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw a rerun or a fork beside the run it came from; nothing for other runs, or while it is under way."""
    started = seen.view.started
    if started is None or started.kind not in ("rerun", "fork") or seen.is_live:
        return
    try:
        compared = compare_runs(studio(), started.parent, run_id)
    except KGCoreError:  # the old run was deleted
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="ts-comparison"
    ):
        st.html(_verdict(compared), width="content")
        with st.popover(t("Before and now"), icon=":material/compare_arrows:"):
            st.html(_beside(compared, started))
        if st.button(t("Show the run before"), key="compare-open", icon=":material/history:"):
            st.switch_page("pages/ask.py", query_params=address(run=started.parent))


def _verdict(compared: Comparison) -> str:
    """Return in one line whether the answer is another one, and how much was asked for it."""
    sign, word = "=", t("The answer is the same")
    change = ""
    if not compared.old.has_ended:
        sign, word = "‖", t("The run before has not ended")
    elif not compared.new.has_ended:
        sign, word = "‖", t("This run has not ended")
    if compared.is_changed:
        sign, word = "≠", t("The answer changed")
        old, new = (cell(answer_of(side), 40) for side in (compared.old, compared.new))
        change = f"<span><del>{old}</del> → <ins>{new}</ins></span>"
    told = [one for one in compared.set_up if one[0] != "Edits"]  # the run bar tells of these
    return (
        f'<div class="ts-head"><span class="ts-panel-title">{sign} {word}</span>{change}'
        f"{''.join(_told(one) for one in told[:TOLD])}{_memory(compared.new)}</div>"
    )


def _told(difference: tuple[str, str, str]) -> str:
    """Return in words what the runs are not set up with alike: method, model, graphs, a setting."""
    name, old, new = difference
    return (
        f'<span class="ts-set-up"><span class="ts-muted">{cell(name_of(name), 60)}{t(": ")}</span>'
        f"<del>{cell(value_of(name, old), 80)}</del> → <ins>{cell(value_of(name, new), 80)}</ins></span>"
    )


def _beside(compared: Comparison, started: Started) -> str:
    """Return both runs side by side, below what parts them: the set-up and the corrections."""
    edited = [e.correction for e in started.edits if e.correction is not None]
    why = "".join(_why(t("with"), c) for c in (*compared.new_corrections, *edited)[:6])
    why += "".join(_why(t("without"), c) for c in compared.gone_corrections[:6])
    set_up = "".join(f'<div class="ts-head">{_told(one)}</div>' for one in compared.set_up)
    if not why and started.kind == "rerun":
        none = t("No correction was made in between.")
        if not set_up:
            none = t("Nothing was changed in between.")
        why = f'<p class="ts-muted">{none}</p>'
    model = dict(started.models).get("reason", "")
    before = next((old for name, old, _ in compared.set_up if name == "Model"), model)
    offline = (is_offline(before), is_offline(model))
    both = sides(compared, (t("Before"), t("Now")), is_offline=offline)
    why = set_up + why
    return f'{why}<div class="ts-sides">{both}</div>'


def sides(compared: Comparison, titles: tuple[str, str], *, is_offline: Sequence[bool]) -> str:
    """Return answer, cost and proof of both runs as HTML, what only one proof holds marked."""
    old = _side(titles[0], compared.old, compared, is_offline=is_offline[0])
    return old + _side(titles[1], compared.new, compared, is_offline=is_offline[1])


def answer_of(side: Side) -> str:
    """Return what a run answered, in words; of one that has not ended, that."""
    return side.text or (t("no answer") if side.has_ended else t("not ended"))


def _memory(side: Side) -> str:
    n = side.n_asked + side.n_remembered
    return chip(
        t(
            "{known} of {n} steps from memory, {asked} asked again",
            known=side.n_remembered,
            n=n,
            asked=side.n_asked,
        )
    )


def _why(word: str, correction: Correction) -> str:
    return f'<div class="ts-head"><span class="ts-muted">{word}</span>{diff(correction)}</div>'


def _side(title: str, side: Side, compared: Comparison, *, is_offline: bool) -> str:
    is_now = side is compared.new
    marked = compared.gained if is_now else compared.dropped
    proof = "".join(
        _line(triple, is_new=is_now, is_marked=triple in marked) for triple in side.proof[:30]
    )
    cost = " · ".join(cell(t) for t in spent(side.usage, side.seconds, is_offline=is_offline))
    return (
        f'<div class="{"is-now" if is_now else ""}"><h3>{title}</h3>'
        f'<div class="ts-answer">{cell(answer_of(side), 140)}</div>'
        f'<p class="ts-muted">{cost}</p>{proof}</div>'
    )


def _line(triple: Triple, *, is_new: bool, is_marked: bool) -> str:
    line = triple_line(triple)
    if is_marked:
        line = f"<ins>+ {line}</ins>" if is_new else f"{MINUS}<del>{line}</del>"
    return f'<div class="ts-diff">{line}</div>'
