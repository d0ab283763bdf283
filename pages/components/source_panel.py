"""A closer look at a knowledge source: where it lies, how it does, its shape, and a query by hand."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.bootstrap.source_specs import SourceInfo
from kgcore.errors import KGCoreError
from kgcore.sources.spec import SourceHealth
from kgcore.steps import BadQuery, Evidence, Passages
from pages.components import frame
from pages.components.domain_words import domain_names
from pages.components.language import mark, t, tn, told_here
from pages.components.source_add import uploads
from pages.components.source_list import KINDS, LANGUAGES
from pages.components.text import cell, plain, rows
from pages.components.theme import Palette, chip, current

__all__ = ["show"]

HINTS = {
    "sql": mark("SELECT … FROM … WHERE … – one query that only reads"),
    "sparql": mark(
        "one query that only reads; things and relations stand as ids in angle brackets"
    ),
    "sentence": mark("words to look for"),
}
MOST_PLACES = 6
SCHEMA_HEIGHT = 220


def show(studio: Studio, info: SourceInfo) -> None:
    """Draw the facts, the query by hand and the shape of a source."""
    with st.container(border=True):
        _show_facts(studio, info)
    if info.problem:
        return
    with st.container(border=True):
        _show_query(studio, info)
    with st.container(border=True):
        _show_schema(studio, info)


# facts


def _show_facts(studio: Studio, info: SourceInfo) -> None:
    palette = current()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        health: SourceHealth | None = _checks().get(info.name)
        st.html(f'<div class="ts-head">{_title(info)}{_state(info, health, palette)}</div>')
        if not info.problem:
            st.button(
                t("Check"),
                key="source-check",
                icon=":material/monitor_heart:",
                on_click=_check,
                args=(studio, info.name),
                help=t("Look whether it can be asked, and how much it holds"),
            )
        if not info.is_built_in:
            _show_remove(studio, info)
    if info.problem:
        st.error(plain(told_here(info.problem), 400), icon=":material/error:")
    st.html(_pairs(info, health))


def _title(info: SourceInfo) -> str:
    return f'<span class="ts-question">{cell(info.name, 100)}</span>'


def _state(info: SourceInfo, health: SourceHealth | None, palette: Palette) -> str:
    if info.problem:
        return chip(t("cannot be used"), color=palette.rejected, mark="✗")
    if health is None:
        return ""
    if not health.is_up:
        return chip(t("cannot be asked"), color=palette.rejected, mark="✗")
    return chip(t("answers"), color=palette.answer, mark="✓")


def _pairs(info: SourceInfo, health: SourceHealth | None) -> str:
    pairs = []
    if info.description:
        pairs.append((t("About"), cell(told_here(info.description), 300)))
    if info.kind:
        kind = f"{t(KINDS.get(info.kind, info.kind))} · {t(LANGUAGES.get(info.language, ''))}"
        pairs.append((t("Kind"), cell(kind)))
        pairs.append((t("Domains"), cell(domain_names(info.domains) or t("all domains"))))
    if info.where:
        pairs.append((t("Where"), _places(info)))
    if health is not None:
        pairs.append((t("Last look"), cell(_size(health), 300)))
        pairs += [("", cell(told_here(note), 300)) for note in health.notes[:5]]
    lines = "".join(f"<b>{name}</b><span>{value}</span>" for name, value in pairs)
    return f'<div class="ts-pairs">{lines}</div>'


def _places(info: SourceInfo) -> str:
    """Return where it lies: of files their names are enough."""
    is_file = info.kind in ("table", "text")
    names = [
        place.replace("\\", "/").rpartition("/")[2] if is_file else place for place in info.where
    ]
    more = len(names) - MOST_PLACES
    told = ", ".join(names[:MOST_PLACES])
    return cell(f"{told} … +{more}" if more > 0 else told, 400)


def _size(health: SourceHealth) -> str:
    if not health.is_up:
        return told_here(health.problem)
    if health.n_items is None:
        return t("size unknown")
    units = {
        "rows": tn("{n:,} row", "{n:,} rows", health.n_items),
        "passages": tn("{n:,} passage", "{n:,} passages", health.n_items),
        "triples": tn("{n:,} triple", "{n:,} triples", health.n_items),
    }
    return units.get(health.unit, f"{health.n_items:,} {health.unit}")


def _checks() -> dict[str, SourceHealth]:
    kept: dict[str, SourceHealth] = st.session_state.setdefault("source-checks", {})
    return kept


def _check(studio: Studio, name: str) -> None:
    try:
        _checks()[name] = studio.check_source(name)
    except KGCoreError as error:
        frame.problem(error)


def _show_remove(studio: Studio, info: SourceInfo) -> None:
    key = f"source-ask-{info.name}"  # one of its own: it is not open for the next when this one is gone
    with st.popover(t("Remove"), icon=":material/delete:", key=key):
        st.write(t("The source is forgotten, with the copies of files added here."))
        # The graphs of a source are listed one by one; an entry that cannot be read is its whole name.
        name = info.name.partition("/")[0] if info.kind else info.name
        st.button(
            t("Remove {name}", name=plain(name, 60)),
            key="source-remove",
            type="primary",
            on_click=_remove,
            args=(studio, name, info.where),
        )


def _remove(studio: Studio, name: str, where: Sequence[str]) -> None:
    try:
        studio.remove_source(name)
        for folder in {Path(place).parent for place in where}:
            if folder.parent == uploads(studio).resolve():  # files that were kept for it alone
                shutil.rmtree(folder, ignore_errors=True)
        st.query_params.pop("source", None)
    except KGCoreError as error:
        frame.problem(error)


# a query by hand


def _show_query(studio: Studio, info: SourceInfo) -> None:
    st.html(f'<p class="ts-panel-title">{t("Ask it by hand")}</p>')
    with st.form(f"source-form-{info.name}", border=False):
        left, right = st.columns([0.86, 0.14], vertical_alignment="bottom")
        left.text_area(
            t("Query"),
            key=f"source-query-{info.name}",
            placeholder=t(HINTS.get(info.language, "")),
            height=68 if info.language == "sentence" else 100,
            max_chars=20_000,
            label_visibility="collapsed",
        )
        is_sent = right.form_submit_button(t("Ask"), type="primary", width="stretch")
    if is_sent:
        _ask(studio, info)
    _show_found(info)


def _ask(studio: Studio, info: SourceInfo) -> None:
    query = str(st.session_state.get(f"source-query-{info.name}") or "").strip()
    if not query:
        frame.show_problem("the query is empty")
        return
    try:
        with st.spinner(t("Asking…")):
            found = studio.source(info.name).run(query)
    except KGCoreError as error:
        st.session_state.pop("source-found", None)
        frame.show_problem(str(error))
        return
    st.session_state["source-found"] = (info.name, found)


def _show_found(info: SourceInfo) -> None:
    name, found = st.session_state.get("source-found", ("", None))
    if name != info.name or found is None:
        return
    if isinstance(found, BadQuery):
        frame.show_problem(found.message)
        return
    _show_passages(found)


def _show_passages(found: Passages) -> None:
    if not found.items:
        st.html(f'<p class="ts-muted">{t("Nothing was found.")}</p>')
    else:
        with st.container(height=330 if len(found.items) > 4 else "content", border=False):
            st.html(rows((t("found"), t("where")), [_row(item) for item in found.items]))
    more = found.n_more
    told = [tn("at least {n:,} more", "at least {n:,} more", more)] if more else []
    told += [told_here(note) for note in found.notes]
    for note in told:
        st.html(f'<p class="ts-muted">{cell(note, 300)}</p>')
    with st.expander(t("The query as it was run, and what came back")):
        st.code(found.query, language=None, wrap_lines=True)
        st.code(
            "\n".join(item.raw for item in found.items)[:50_000], language=None, wrap_lines=True
        )


def _row(item: Evidence) -> dict[str, str]:
    score = f" · {item.score:.2f}" if item.score else ""
    return {t("found"): cell(item.text, 700), t("where"): cell(f"{item.origin}{score}", 200)}


# its shape


def _show_schema(studio: Studio, info: SourceInfo) -> None:
    st.html(f'<p class="ts-panel-title">{t("What a query writer is told of it")}</p>')
    try:
        with st.spinner(t("Reading it, once…")):
            schema = studio.source(info.name).card().schema
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    with st.container(height=SCHEMA_HEIGHT, border=False):
        st.code(schema or t("no shape is known"), language=None, wrap_lines=True)
