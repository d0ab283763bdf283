"""The proof of an answer as paths that can be walked, and the response each edge came from."""

from collections.abc import Sequence

import streamlit as st

from kgcore.corrections import Correction
from kgcore.model import Triple
from kgcore.runs import RunView, Via
from kgcore.steps import Answer
from kgcore.views.kg_network import edge_id, same_in
from kgcore.views.tables import triple_key
from kgcore.views.trace import Claim, Hop, Source, source_of, trace_of
from pages.components.diff import diff
from pages.components.language import mark, t, tn, told_here
from pages.components.selection import Selection, pick, selection
from pages.components.text import cell, plain, rows
from pages.components.theme import Palette, chip

__all__ = ["show_paths", "show_source", "when_of"]

EDGES = 40  # drawn as buttons
FROM: dict[Via, str] = {
    "memory": mark("from memory: an earlier run had asked, no call"),
    "run": mark("asked before in this run, no call"),
    "parent": mark("as in the run it was forked from"),
    "human": mark("decided by a person"),
}

RANKS = {"normal": "", "preferred": mark("preferred"), "deprecated": mark("deprecated")}


def show_paths(view: RunView, run_id: str, answer: Answer, palette: Palette) -> None:
    """Draw each part of an answer with its paths; a click on an edge shows where it is from."""
    trace = trace_of(view, answer)
    if not answer.proof:
        st.html(f'<p class="ts-muted">{t("No triple supports this answer.")}</p>')
        return
    disputed = {triple for conflict in answer.conflicts for triple in conflict.triples}
    number = 0
    with st.container(key="ts-compact-trace", gap="xxsmall"):
        for claim in trace.claims:
            st.html(_claim(claim, palette, is_alone=len(trace.claims) == 1))
            for path in claim.paths:
                for hop in path:
                    number += 1
                    _edge(view, run_id, hop, number, is_disputed=hop.triple in disputed)
        if trace.rest and any(claim.paths for claim in trace.claims):
            st.html(f'<p class="ts-muted ts-also">{t("Also cited")}</p>')
        for triple in trace.rest[: max(0, EDGES - number)]:
            number += 1
            _edge(view, run_id, Hop(triple, True), number, is_disputed=triple in disputed)
    if number < len(answer.proof) and number >= EDGES:
        st.caption(tn("and {n} more edge", "and {n} more edges", len(answer.proof) - number))


def _claim(claim: Claim, palette: Palette, *, is_alone: bool) -> str:
    if not claim.part.is_supported:
        name = cell(claim.part.value.name, 120)
        memory = chip(t("model memory"), color=palette.memory, mark="?")
        return f'<p class="ts-muted ts-claim">{memory} {t("{name}: no edge supports it", name=name)}</p>'
    if is_alone:
        told = t("Because – click an edge to see where it is from")
        return f'<p class="ts-muted ts-claim">{told}</p>'
    name = f"<b>{cell(claim.part.value.name, 120)}</b>"
    return f'<p class="ts-muted ts-claim">{t("{name} because", name=name)}</p>'


def _edge(view: RunView, run_id: str, hop: Hop, number: int, *, is_disputed: bool) -> None:
    triple = hop.triple
    name = edge_id(same_in(view.subgraph, [triple])[0])
    sign = " ≠" if is_disputed else ""
    is_picked = selection(run_id) == Selection("triple", name)
    words = f"**{plain(hop.text, 200)}**" if is_picked else plain(hop.text, 200)
    st.button(
        f"{words}{sign} :gray[{plain(_about(triple), 120)}]",
        key=f"trace-{number}",
        type="tertiary",
        icon=":material/edit_note:" if _is_corrected(triple) else ":material/arrow_right_alt:",
        on_click=pick,
        args=(run_id, "triple", name),
    )


def _is_corrected(triple: Triple) -> bool:
    return bool(triple.provenance and triple.provenance.correction)


def _about(triple: Triple) -> str:
    """Return graph, rank and time of an edge."""
    given = triple.provenance
    parts = [triple.kg, t("corrected") if _is_corrected(triple) else ""]
    if given is not None:
        parts += [t(RANKS.get(given.rank, given.rank)), when_of(given.when)[11:]]
    return " · ".join(part for part in parts if part)


def when_of(when: str) -> str:
    """Return a time for people, in UTC to the second."""
    return when[:19].replace("T", " ")


def show_source(view: RunView, triple: Triple, palette: Palette) -> None:
    """Draw where an edge is from: graph, time, rank, query, and the response as the graph gave it."""
    given, source = triple.provenance, source_of(view, triple)
    about = [triple.kg]
    if given is not None:
        about += [
            t("fetched {when} UTC", when=when_of(given.when)) if given.when else "",
            t("rank {rank}", rank=given.rank) if given.rank else "",
        ]
    about.append(t(FROM.get(source.via, "")) if source is not None and source.via else "")
    line = " · ".join(cell(text, 120) for text in about if text)
    st.html(f'<p class="ts-muted">{line}</p>')
    if source is not None and source.correction is not None:
        st.html(diff(source.correction) + _why(source.correction))
    query = _query(given.query if given else "", source)
    if query:
        st.code(query, language="sparql" if "{" in query else None, wrap_lines=True)
    if source is not None and source.triples:
        _show_response(view, triple, source, palette)
    elif source is None:
        st.html(f'<p class="ts-muted">{t("The journal holds no response with this edge.")}</p>')


def _query(own: str, source: Source | None) -> str:
    """Return the query that brought an edge; that of the response where the edge was put in by a correction."""
    if own or source is None:
        return own
    return next((one.provenance.query for one in source.triples if one.provenance is not None), "")


def _why(correction: Correction) -> str:
    told = t("corrected by {name}", name=correction.author)
    if correction.reason:
        told = f"{told}{t(': ')}{correction.reason}"
    return f'<p class="ts-muted">{cell(told, 400)}</p>'


def _show_response(view: RunView, triple: Triple, source: Source, palette: Palette) -> None:
    n = len(source.triples)
    title = tn(
        "Raw response: {n} triple, entry {number} of the journal",
        "Raw response: {n} triples, entry {number} of the journal",
        n,
        number=source.seq + 1,
    )
    with st.expander(plain(title), expanded=True):
        st.html(f'<p class="ts-muted">{cell(told_here(source.text), 300)}</p>')
        st.html(_response(view, triple, source.triples, palette))
        for note in source.notes:
            st.html(f'<p class="ts-muted">{cell(told_here(note), 300)}</p>')


def _response(view: RunView, triple: Triple, raw: Sequence[Triple], palette: Palette) -> str:
    wanted = triple_key(view, triple)
    items = [
        {
            "": f'<span style="color:{palette.answer}">★</span>'
            if triple_key(view, one) == wanted
            else "",
            t("subject"): _term(one.subject.name, one.subject.id),
            t("relation"): _term(one.relation.name, one.relation.id),
            t("object"): _term(one.object.name, getattr(one.object, "id", "")),
            t("rank"): cell(rank, 20)
            if (rank := one.provenance.rank if one.provenance else "")
            else "",
        }
        for one in raw
    ]
    ranked = (t("rank"),) if any(item[t("rank")] for item in items) else ()
    return rows(("", t("subject"), t("relation"), t("object"), *ranked), items)


def _term(name: str, identifier: str) -> str:
    known = f'<br><small class="ts-muted">{cell(identifier, 60)}</small>' if identifier else ""
    return cell(name, 80) + (known if identifier != name else "")
