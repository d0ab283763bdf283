"""How a run ended: the answer with its proof, or why there is none, and what to do next."""

import streamlit as st

from kgcore.bootstrap.correcting import recheck_run
from kgcore.errors import KGCoreError
from kgcore.model import Entity, Triple
from kgcore.runs import RunView
from kgcore.steps import Answer, AnswerPart
from kgcore.views.style import kg_colors
from pages.components import again, challenge, stage, trace
from pages.components.answer_words import PLACE
from pages.components.composer import follow_up
from pages.components.graph import short
from pages.components.language import mark, t, tn, told_here
from pages.components.selection import selection
from pages.components.studio import studio
from pages.components.text import cell, rows, safe_link
from pages.components.theme import Palette, chip
from pages.components.triple_table import NARROW, triple_cells, triple_heads
from pages.components.watch import Seen, SeenStatus

__all__ = ["show"]

HEADLINE, PART, LONG = 140, 120, 48
MANY = 4  # answers that are counted rather than written in a row
CONFLICTS, DISAGREES = 5, "≠"  # how many are shown, and the mark of one
NO_KEY = ("no key is set", "refused the key")  # what a person can mend on the page Settings

WAITING: dict[SeenStatus, str] = {
    "past": mark("None had been found at this moment of the run."),
    "running": mark(
        "The search is under way. The best answer so far appears here as soon as there is one."
    ),
    "paused": mark("Paused. Step does one thing at a time, Continue runs on."),
    "pausing": mark("Pausing as soon as the calls in flight have come back."),
    "stopping": mark("Stopping. Calls in flight may still arrive and are kept."),
    "interrupted": mark(
        "The program that drove this run has ended. All it had learned is kept; Resume goes on from there."
    ),
    "stopped": mark("Stopped before an answer was found. Resume goes on from here."),
    "budget": mark("The budget was used up before an answer was found."),
    "failed": mark(
        "The run failed before an answer was found. All it had learned is kept; Resume asks again."
    ),
    "no_answer": mark("The graphs hold no answer to this question, as far as the search went."),
}
INCOMPLETE = mark(
    "No answer was found, but not all that was asked for came back. There may be one: a rerun asks again for what "
    "was missing."
)


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the panel."""
    view, answer = seen.view, seen.view.answer
    if answer is not None and answer.is_answer:
        st.html(_answer(answer, seen, palette))
        if not seen.is_live:
            _show_recheck(seen, run_id)
        for conflict in answer.conflicts[:CONFLICTS]:
            st.html(
                f'<p class="ts-verdict">{DISAGREES} {cell(told_here(conflict.sentence), 400)}</p>'
            )
        if answer.rationales:
            was_asked = any(item.queries for item in view.rationales.items)
            st.html(_rationales(answer, was_asked=was_asked))
        if answer.proof or not answer.rationales:
            if seen.is_live:
                st.html(_proof(answer, view, palette))
            else:
                trace.show_paths(view, run_id, answer, palette)
    else:
        _show_without_answer(seen)
    ended = view.ended
    if ended is not None and ended.status in ("failed", "budget") and ended.reason:
        st.html(f'<p class="ts-verdict">{cell(told_here(ended.reason), 500)}</p>')
        if any(word in ended.reason for word in NO_KEY):
            st.page_link("pages/settings.py", label=t("Set a key"), icon=":material/key:")
    for message in list(dict.fromkeys(view.warnings))[:6]:
        st.html(f'<p class="ts-muted">{cell(told_here(message), 300)}</p>')
    if not seen.is_live:
        with st.container(horizontal=True, gap="xsmall", key="ts-answer-acts"):
            if answer is not None and answer.is_answer and answer.proof:
                challenge.show_button(run_id)
            _show_follow_up(view, run_id)
            stage.show_button(run_id)


def _show_recheck(seen: Seen, run_id: str) -> None:
    """Say so where corrections made since the run take away what the answer rests on."""
    answer = seen.view.answer
    if answer is None or not answer.is_answer or not answer.proof:
        return
    try:
        checked = recheck_run(studio(), run_id)
    except KGCoreError:  # a store that cannot be read now says so elsewhere
        return
    if checked.gone:
        names = ", ".join(cell(part.value.name, 60) for part in checked.unsupported[:4])
        lost = t("A part of the proof is gone")
        if names:
            lost = t("No edge supports {names} any more", names=names)
        gone = "; ".join(cell(triple.text, 120) for triple in checked.gone[:3])
        said = t("{lost}: since this run, a correction takes away {gone}", lost=lost, gone=gone)
        if checked.is_undone:
            said = t("{lost}: the correction behind {gone} is not in force", lost=lost, gone=gone)
        st.html(f'<p class="ts-verdict">✗ {said}</p>')
        again.show_button(seen.view, run_id, place="answer")


def _show_without_answer(seen: Seen) -> None:
    heads = {"failed": t("Failed"), "interrupted": t("Interrupted")}
    head = heads.get(seen.status, t("No answer"))
    if seen.is_live:
        head = t("No answer yet")
    st.html(f'<div class="ts-answer">{head}</div>')
    is_open = seen.status == "no_answer" and seen.view.is_incomplete
    told = t(INCOMPLETE if is_open else WAITING.get(seen.status, ""))
    ended = seen.view.ended
    if ended is not None and ended.status == "no_answer" and not is_open:
        told = _why(ended.reason, seen.view) or told
    st.html(f'<p class="ts-muted">{cell(told, 500)}</p>')


def _why(reason: str, view: RunView) -> str:
    """Return why a method gave no answer, in words; "" where the graphs did not hold one, be it up to a limit."""
    searched_graphs = reason.startswith("limit: ") and not view.rationales.items
    words = "" if searched_graphs else told_here(reason)
    return words[:1].upper() + words[1:]


def _answer(answer: Answer, seen: Seen, palette: Palette) -> str:
    is_final = seen.view.ended is not None
    note = t("value {value:.2f}", value=answer.value)
    if answer.is_fallback:
        note = t("from the model's memory")
    note = note if is_final else t("best so far, {note}", note=note)
    if seen.view.missing:
        names = ", ".join(cell(name, 40) for name in seen.view.missing[:4])
        note = t("{note}, without {names}", note=note, names=names)
    chips = "".join(_part(part, palette) for part in answer.parts[:30])
    size = " is-long" if len(answer.text) > LONG else ""
    head, n = cell(answer.text, HEADLINE), len(answer.parts)
    if n >= MANY and len(answer.text) > HEADLINE:  # they stand below, each by itself
        head, size = tn("{n} answer", "{n} answers", n), ""
    return (
        f'<div class="ts-answer is-open{size}" id="{PLACE}">{head}<small>{note}</small></div>'
        f'<div class="ts-head" style="margin-top:6px">{chips}</div>'
    )


def _part(part: AnswerPart, palette: Palette) -> str:
    """Return an answer's part as a chip, linked where its graph gives a web address."""
    if not part.is_supported:
        name = short(part.value.name, PART)
        return chip(f"{name} – {t('model memory')}", color=palette.memory, mark="?")
    if isinstance(part.value, Entity) and part.value.url:
        link = safe_link(part.value.name, part.value.url)
        return f'<span class="ts-chip ts-link" style="border-color:{palette.answer}">{link}</span>'
    return chip(short(part.value.name, PART), color=palette.answer, mark="★")


def _rationales(answer: Answer, *, was_asked: bool) -> str:
    """Return the rationales an answer follows from, each with what it rests on; memory where no source was asked."""
    nothing = t("nothing was found for it") if was_asked else t("from the model's memory")
    lines = []
    for item in answer.rationales:
        found = "; ".join(
            f"{cell(k.source, 60)}: {cell(k.evidence.origin or k.text, 140)}"
            for k in item.knowledge
        )
        rests = found or nothing
        lines.append(
            f'<div class="ts-diff"><b>{item.number}</b> {cell(item.after, 400)}</div>'
            f'<p class="ts-muted">{rests}</p>'
        )
    head = f'<p class="ts-muted ts-claim">{t("It follows from")}</p>'
    return head + "".join(lines) if lines else ""


def _proof(answer: Answer, view: RunView, palette: Palette) -> str:
    if not answer.proof:
        return f'<p class="ts-muted">{t("No triple supports this answer.")}</p>'
    names = [name for name, _ in view.started.kgs] if view.started else []
    colors = kg_colors(names, palette)
    disputed = {triple for conflict in answer.conflicts for triple in conflict.triples}
    marks = [f"{i} {DISAGREES}" if t in disputed else str(i) for i, t in enumerate(answer.proof, 1)]
    return rows(
        ("", *triple_heads()),
        [_proof_row(m, t, colors, palette) for m, t in zip(marks, answer.proof, strict=True)],
    )


def _proof_row(
    mark: str, triple: Triple, colors: dict[str, str], palette: Palette
) -> dict[str, str]:
    kg = triple.kg
    return {
        "": mark,
        **triple_cells(triple, NARROW),
        t("graph"): chip(kg, color=colors.get(kg, palette.muted)) if kg else "",
    }


def _show_follow_up(view: RunView, run_id: str) -> None:
    entities = _starting_points(view, run_id)
    if not entities:
        return
    if st.button(
        t("Ask a follow-up"),
        key="ask-follow-up",
        icon=":material/subdirectory_arrow_right:",
        on_click=follow_up,
        args=(entities,),
        help=t("Starts the next question from the picked or the answer's entities."),
    ):
        st.rerun()  # the question box stands outside of what is followed live


def _starting_points(view: RunView, run_id: str) -> list[Entity]:
    """Return the picked entity, else those of the answer, else those of the question."""
    picked = selection(run_id)
    if picked.kind == "entity" and picked.id in view.subgraph:
        return [view.subgraph.entity(picked.id)]  # type: ignore[arg-type]
    answer = view.answer
    parts = [p.value for p in answer.parts] if answer is not None and answer.is_answer else []
    found = [v for v in parts if isinstance(v, Entity) and v.id in view.subgraph]
    return found or [s.entity for s in view.seeds if s.entity is not None]
