"""Rationales as cards, of any method that writes some: the vote of the gate, the domains, and each rationale before and after knowledge."""

from html import escape

import streamlit as st

from kgcore.runs.rationales_view import RationaleView
from kgcore.steps import DomainsChosen, RationalesSampled
from kgcore.views.word_diff import word_diff
from pages.components import rationale_query
from pages.components.domain_words import domain_name
from pages.components.language import mark, t, tn
from pages.components.selection import pick
from pages.components.styles import sheet
from pages.components.text import cell
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
    "sure": ("?", "memory", mark("the model is sure, nothing was looked up")),
}


def show(seen: Seen, run_id: str, palette: Palette) -> None:
    """Draw the gate, the domains and the cards."""
    st.html(sheet("rationales"))
    found = seen.view.rationales
    if found.sampled is None and not found.items:
        words = (
            t("The model is asked whether it is sure.")
            if seen.is_live
            else t("The run did not begin.")
        )
        st.html(f'<p class="ts-muted">{words}</p>')
        return
    if found.sampled is not None:  # FLARe has no vote: each sentence is looked at by itself
        st.html(_gate(found.sampled, palette) + _domains(found.domains, palette))
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


def _domains(chosen: DomainsChosen | None, palette: Palette) -> str:
    if chosen is None:
        return ""
    names = "".join(
        chip(domain_name(name), color=palette.selected, mark="✓")
        if name in chosen.domains
        else f'<span class="ts-muted">{cell(domain_name(name), 40)}</span>'
        for name in chosen.offered
    )
    sources = ", ".join(chosen.sources)
    reason = f" – {cell(chosen.reason, 200)}" if chosen.reason else ""
    return (
        f'<div class="ts-head"><span class="ts-muted">{t("Domains")}</span>{names}</div>'
        f'<p class="ts-muted">{t("Sources")}: {cell(sources, 300)}{reason}</p>'
    )


# a card


def _show_card(seen: Seen, run_id: str, item: RationaleView, palette: Palette) -> None:
    is_sure = item.status == "draft" and item.origin == "ahead" and not seen.is_live
    sign, role, words = STATES["sure" if is_sure else item.status]
    state = chip(t(words), color=getattr(palette, role), mark=sign)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(
            f'<div class="ts-head"><b>{item.number}</b>{state}<span class="ts-muted">{_origin(item)}</span></div>'
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
            for number in range(len(item.queries)):
                rationale_query.show(seen, run_id, item, number, palette)


def _origin(item: RationaleView) -> str:
    """Return where a draft is from."""
    if item.origin == "sample":
        return t("from the sample")
    if item.origin == "ahead":
        return t("written ahead, from memory")
    if item.number == 1:
        return t("drafted anew: no sample has one")
    return t("drafted from what was corrected")


def _text(item: RationaleView) -> str:
    """Return a rationale with what knowledge changed in it marked."""
    if item.status != "changed":
        return f'<div class="ts-diff">{cell(item.text, 900)}</div>'
    tags = {"gone": "del", "new": "ins"}
    pieces = word_diff(item.draft[:2000], item.text[:2000])
    parts = [
        f"<{tags[p.kind]}>{escape(p.text)}</{tags[p.kind]}>" if p.kind in tags else escape(p.text)
        for p in pieces
    ]
    gap = "<br>" if [p.kind for p in pieces] == ["gone", "new"] else ""
    reason = item.corrected.reason if item.corrected else ""
    why = f'<p class="ts-muted">{cell(reason, 300)}</p>' if reason else ""
    return f'<div class="ts-diff"><bdi>{gap.join(parts)}</bdi></div>{why}'


def _asked_words(item: RationaleView) -> str:
    n = len({query.source for query in item.queries})
    found = sum(len(query.evidence) for query in item.queries)
    asked = tn("{n} source asked", "{n} sources asked", n)
    return f"{asked} · {tn('{n} piece of knowledge', '{n} pieces of knowledge', found)}"
