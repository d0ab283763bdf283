"""Chain-of-Knowledge as cards: the vote of the gate, the domains, and each rationale before and after knowledge."""

from html import escape

import streamlit as st

from kgcore.errors import InputError, KGCoreError
from kgcore.reasoners import reasoner
from kgcore.runs.asked import asked_in
from kgcore.runs.changes import replying
from kgcore.runs.rationales_view import QueryView, RationaleView
from kgcore.steps import DomainsChosen, RationalesSampled
from kgcore.views.word_diff import word_diff
from pages.components import correction_dialog
from pages.components.change import fork_with
from pages.components.frame import problem
from pages.components.language import mark, t, tn
from pages.components.selection import pick
from pages.components.studio import studio
from pages.components.text import cell, rows
from pages.components.theme import Palette, chip
from pages.components.watch import Seen

__all__ = ["show"]

VOTES = 5  # answers told one by one
# status of a rationale → mark, role of its colour, words
STATES = {
    "draft": ("…", "muted", mark("draft")),
    "changed": ("≠", "corrected", mark("changed by knowledge")),
    "supported": ("✓", "answer", mark("supported")),
    "unchanged": ("○", "muted", mark("nothing found, unchanged")),
}
# status of a query → what is said of it
OUTCOMES = {
    "none": mark("cannot help here"),
    "unread": mark("not run"),
    "asked": mark("asking…"),
    "bad": mark("refused"),
    "empty": mark("found nothing"),
}


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the gate, the domains and the cards."""
    st.html(_css(palette))
    found = seen.view.rationales
    if found.sampled is None:
        words = (
            t("The model is asked whether it is sure.")
            if seen.is_live
            else t("The run did not begin.")
        )
        st.html(f'<p class="ts-muted">{words}</p>')
        return
    st.html(_gate(found.sampled, palette) + _domains(found.domains))
    for item in found.items:
        with st.container(
            border=True, key=f"ts-rationale-{item.number}-{item.node}", gap="xxsmall"
        ):
            _show_card(seen, run_id, item, palette)


# the gate


def _gate(sampled: RationalesSampled, palette: Palette) -> str:
    """Return the votes as a bar with words, and whether they were enough."""
    n, most = len(sampled.samples), sampled.counts[0][1] if sampled.counts else 0
    told = tn("{most} of {n} sample agrees", "{most} of {n} samples agree", n, most=most)
    needed = t("{percent} % are needed", percent=round(100 * sampled.threshold))
    end = (
        chip(t("agreed: no source was asked"), color=palette.memory, mark="?")
        if sampled.is_agreed
        else chip(t("not sure: sources are asked"), color=palette.selected, mark="→")
    )
    bars = "".join(
        f'<span style="flex:{count}"><bdi>{escape(_vote_words(vote))}</bdi> {count}</span>'
        for vote, count in sampled.counts[:VOTES]
    )
    silent = n - sum(count for _, count in sampled.counts)
    if silent > 0:
        bars += f'<span class="is-silent" style="flex:{silent}">{escape(t("cannot tell"))} {silent}</span>'
    head = f'<div class="ts-head"><span class="ts-muted">{told} · {needed}</span>{end}</div>'
    return f'{head}<div class="ts-votes">{bars}</div>'


def _vote_words(vote: str) -> str:
    """Return a vote as it is shown; an empty one says so."""
    return vote[:60] or t("cannot tell")


def _domains(chosen: DomainsChosen | None) -> str:
    if chosen is None:
        return ""
    names = "".join(
        chip(name, mark="✓")
        if name in chosen.domains
        else f'<span class="ts-muted">{cell(name, 40)}</span>'
        for name in chosen.offered
    )
    sources = ", ".join(chosen.sources)
    reason = f" – {cell(chosen.reason, 200)}" if chosen.reason else ""
    return (
        f'<div class="ts-head"><span class="ts-muted">{t("Domains")}</span>{names}'
        f'<span class="ts-muted">{t("Sources")}: {cell(sources, 160)}{reason}</span></div>'
    )


# a card


def _show_card(seen: Seen, run_id: str, item: RationaleView, palette: Palette) -> None:
    sign, role, words = STATES[item.status]
    state = chip(t(words), color=getattr(palette, role), mark=sign)
    origin = (
        t("from the sample") if item.origin == "sample" else t("drafted from what was corrected")
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<div class="ts-head"><b>{item.number}</b>{state}<span class="ts-muted">{origin}</span></div>'
        )
        st.button(
            t("Look into it"),
            key=f"rationale-pick-{item.node}",
            type="tertiary",
            on_click=pick,
            args=(run_id, "tree", str(item.corrected_node or item.node)),
        )
    st.html(_text(item))
    for dispute in item.disputes:
        st.html(
            f'<p class="ts-muted">{chip(t("sources disagree"), color=palette.rejected, mark="≠")} '
            f"{cell(dispute.text, 300)}</p>"
        )
    if item.queries:
        with st.expander(_asked_words(item), key=f"rationale-queries-{item.node}"):
            for number, query in enumerate(item.queries):
                _show_query(seen, run_id, item, query, number, palette)


def _text(item: RationaleView) -> str:
    if item.status != "changed":
        return f'<div class="ts-diff">{cell(item.text, 900)}</div>'
    tags = {"gone": "del", "new": "ins"}
    parts = [
        f"<{tags[p.kind]}>{escape(p.text)}</{tags[p.kind]}>" if p.kind in tags else escape(p.text)
        for p in word_diff(item.draft[:2000], item.text[:2000])
    ]
    reason = item.corrected.reason if item.corrected else ""
    why = f'<p class="ts-muted">{cell(reason, 300)}</p>' if reason else ""
    return f'<div class="ts-diff"><bdi>{"".join(parts)}</bdi></div>{why}'


def _asked_words(item: RationaleView) -> str:
    n = len({query.source for query in item.queries})
    found = sum(len(query.evidence) for query in item.queries)
    asked = tn("{n} source asked", "{n} sources asked", n)
    return f"{asked} · {tn('{n} piece of knowledge', '{n} pieces of knowledge', found)}"


# a query


def _show_query(
    seen: Seen, run_id: str, item: RationaleView, query: QueryView, number: int, palette: Palette
) -> None:
    outcome = t(OUTCOMES[query.status]) if query.status in OUTCOMES else _found_words(query)
    again = chip(t("second try"), mark="↻") if query.is_repaired else ""
    st.html(
        f'<div class="ts-head"><b>{cell(query.source, 80)}</b>{chip(query.language)}{again}'
        f'<span class="ts-muted">{escape(outcome)}</span></div>'
    )
    for text in (query.problem, query.failure):
        if text:
            st.html(
                f'<p class="ts-muted">{chip(t("problem"), color=palette.rejected, mark="✗")} {cell(text, 300)}</p>'
            )
    if query.written:
        st.code(query.written, language=None, wrap_lines=True)
    if query.query and query.query != query.written:
        st.caption(t("as it was run, with the ids of the names"))
        st.code(query.query, language=None, wrap_lines=True)
    if query.evidence:
        found, origin, raw = t("found"), t("where"), t("as it came back")
        st.html(
            rows(
                (found, origin, raw),
                [
                    {found: cell(e.text, 500), origin: cell(e.origin, 120), raw: cell(e.raw, 300)}
                    for e in query.evidence
                ],
            )
        )
    if query.address is not None and not seen.is_live:
        _show_edit(run_id, item, query, number)


def _found_words(query: QueryView) -> str:
    told = tn("{n} found", "{n} found", len(query.evidence))
    return f"{told}, {t('{n} more', n=query.n_more)}" if query.n_more else told


def _show_edit(run_id: str, item: RationaleView, query: QueryView, number: int) -> None:
    """Draw the box in which a query can be written otherwise; that makes a fork."""
    key = f"rationale-edit-{item.node}-{number}"
    with st.popover(t("Write this query otherwise"), icon=":material/edit_note:"):
        st.text_area(
            t("Query"), query.written, key=key, max_chars=20_000, label_visibility="collapsed"
        )
        st.caption(t("Makes a fork: this run stays as it is."))
        st.button(
            t("Start the fork"),
            key=f"{key}-go",
            type="primary",
            icon=":material/fork_right:",
            on_click=_fork,
            args=(run_id, item.node, query, key),
        )


def _fork(run_id: str, node: int, query: QueryView, key: str) -> None:
    text = str(st.session_state.get(key) or "")
    try:
        journal = studio().journal(run_id)
        asked = asked_in(reasoner(journal.started.method), journal)
        if query.address is None or query.address not in asked:
            raise InputError("this query cannot be written otherwise any more")
        edit = replying(asked[query.address], (text,), author=correction_dialog.author(), node=node)
        st.query_params["run"] = fork_with(run_id, edit)
    except KGCoreError as error:
        problem(error)


def _css(palette: Palette) -> str:
    """Return the style sheet of the vote bar."""
    return f"""<style>
.ts-votes {{ display: flex; gap: 2px; margin: 4px 0 6px; font-size: 12.5px; }}
.ts-votes span {{ background: {palette.surface}; border: 1px solid {palette.line}; padding: 2px 8px; min-width: 0;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border-radius: 4px; }}
.ts-votes span:first-child {{ border-color: {palette.selected}; font-weight: 600; }}
.ts-votes span.is-silent {{ border-style: dashed; font-weight: 400; color: {palette.muted}; }}
</style>"""
