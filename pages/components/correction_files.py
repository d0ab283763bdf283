"""Corrections as files: export of the approved ones in several forms, import of a table with a preview."""

from functools import partial

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.bootstrap.correcting import import_corrections, iri_in
from kgcore.corrections import Correction
from kgcore.corrections.exchange import export_corrections, read_csv
from kgcore.errors import KGCoreError
from pages.components.diff import diff
from pages.components.frame import problem, tell
from pages.components.graph import short
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, plain

__all__ = ["show_export", "show_import"]

FORMS = {  # form → name on screen, end of the file's name, MIME type
    "csv": (mark("CSV (can be imported again)"), "csv", "text/csv"),
    "quickstatements": (mark("QuickStatements (Wikidata)"), "txt", "text/plain"),
    "sparql": (mark("SPARQL Update"), "ru", "application/sparql-update"),
    "turtle": (mark("Turtle patch (additions and removals)"), "ttl", "text/turtle"),
}
SHOWN = 50


def show_export(studio: Studio) -> None:
    """Draw the export: which graphs, which form, what cannot be said in it, and the file."""
    approved = [p.correction for p in reversed(studio.corrections.list(status="approved"))]
    if not approved:
        st.caption(t("Nothing is approved yet. Only approved corrections are exported."))
        return
    kgs = st.multiselect(
        t("Graphs"),
        sorted({c.kg for c in approved}),
        key="fix-export-kgs",
        placeholder=t("all"),
        format_func=lambda name: short(name, 60),
    )
    form = st.radio(
        t("Form"), list(FORMS), format_func=lambda f: t(FORMS[f][0]), key="fix-export-form"
    )
    chosen = [c for c in approved if not kgs or c.kg in kgs]
    try:
        exported = export_corrections(chosen, str(form), partial(iri_in, studio))
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 300))
        return
    for text in exported.left_out[:8]:
        st.html(f'<p class="ts-muted">{t("left out: {text}", text=cell(told_here(text), 300))}</p>')
    _, end, mime = FORMS[str(form)]
    n = exported.n
    st.download_button(
        tn("Download {n} correction", "Download {n} corrections", n),
        exported.text,
        f"corrections.{end}",
        mime,
        key="fix-download",
        icon=":material/download:",
        type="primary",
        disabled=not n,
        on_click="ignore",
    )
    if n:
        with st.expander(t("Preview")):
            st.code(exported.text[:4000], language=None, wrap_lines=True)


def show_import(studio: Studio) -> None:
    """Draw the import: a file, what it holds, and the button that proposes it."""
    file = st.file_uploader(t("A CSV file that an export wrote"), type=["csv"], key="fix-file")
    if file is None:
        st.caption(
            t("Each row becomes a proposal that somebody decides on. What is known is not doubled.")
        )
        return
    try:
        found = read_csv(file.getvalue(), file.name)
    except KGCoreError as error:
        st.error(plain(told_here(str(error)), 400))
        return
    n = len(found)
    name = plain(file.name, 80)
    st.caption(tn("{n} correction in {file}", "{n} corrections in {file}", n, file=name))
    with st.container(height=220, gap="xxsmall"):
        st.html("".join(_line(one) for one in found[:SHOWN]) or f"<p>{t('none')}</p>")
        if n > SHOWN:
            st.caption(tn("and {n} more", "and {n} more", n - SHOWN))
    st.button(
        tn("Propose {n}", "Propose all {n}", n),
        key="fix-import",
        type="primary",
        disabled=not n,
        on_click=_propose,
        args=(studio, found),
    )


def _line(one: Correction) -> str:
    return f'<div class="ts-muted">{cell(one.kg, 40)} · {cell(one.author, 40)}</div>{diff(one)}'


def _propose(studio: Studio, found: tuple[Correction, ...]) -> None:
    try:
        kept = import_corrections(studio, found)
    except KGCoreError as error:
        problem(error)
        return
    new = sum(is_new for _, is_new in kept)
    told = t("{new} proposed, {n} known before", new=new, n=len(kept) - new)
    tell(told, icon=":material/upload:")
