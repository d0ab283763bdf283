"""Adding a knowledge source: tables, texts, a graph that is there already, or a wiki on the network."""

import shutil
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import InputError, KGCoreError
from kgcore.sources.spec import Kind, SourceSpec, check_name
from pages.components import frame
from pages.components.domain_words import domain_name
from pages.components.graph import short
from pages.components.language import current, mark, t
from pages.components.source_choice import choose
from pages.components.text import plain
from pages.components.uploaded import file_name

__all__ = ["show", "uploads"]

TYPES: dict[Kind, tuple[str, ...]] = {
    "table": ("csv", "tsv", "parquet", "json", "jsonl", "sqlite", "db"),
    "text": ("txt", "md", "jsonl", "pdf"),
}
ABOUT: dict[Kind, str] = {
    "table": mark("CSV, Parquet, JSON or SQLite files. They are asked in SQL, read-only."),
    "text": mark("Text, Markdown, JSON lines or PDF files. They are searched by words (BM25)."),
    "graph": mark("A knowledge graph you have already. It is asked in SPARQL, read-only."),
    "wiki": mark("A wiki with MediaWiki's search. It is asked over the network as needed."),
}


def show(studio: Studio) -> None:
    """Draw the four ways to add a source."""
    with st.container(border=True):
        st.html(f'<h2 class="ts-section">{t("Add a knowledge source")}</h2>')
        domains = _domains(studio)
        tabs = st.tabs([t("Tables"), t("Texts"), t("Knowledge graph"), t("Wiki")])
        for tab, kind in zip(tabs, ABOUT, strict=True):
            with tab:
                _show_form(studio, kind, domains)


def _show_form(studio: Studio, kind: Kind, domains: Mapping[str, str]) -> None:
    st.caption(t(ABOUT[kind]))
    with st.form(f"source-add-{kind}", border=False):
        name, about = st.columns([0.35, 0.65])
        name.text_input(
            t("Name"), key=f"source-{kind}-name", max_chars=80, placeholder=t("what you call it")
        )
        about.text_input(
            t("What it knows"),
            key=f"source-{kind}-about",
            max_chars=1000,
            placeholder=t("one sentence; the model reads it when it chooses"),
        )
        _show_place(studio, kind)
        st.multiselect(
            t("Domains"),
            list(domains),
            key=f"source-{kind}-domains",
            format_func=domains.__getitem__,
            placeholder=t("none: it is asked whatever the domain"),
        )
        if kind == "text":
            st.toggle(t("Order what is found once more by meaning"), key="source-text-rerank")
        if st.form_submit_button(t("Add"), type="primary", icon=":material/add:"):
            _add(studio, kind)


def _show_place(studio: Studio, kind: Kind) -> None:
    if kind in TYPES:
        st.file_uploader(
            t("Files"), list(TYPES[kind]), accept_multiple_files=True, key=f"source-{kind}-files"
        )
    elif kind == "graph":
        names = [graph.name for graph in studio.graphs()]
        st.multiselect(
            t("Graphs"), names, key="source-graph-kgs", format_func=lambda n: short(n, 60)
        )
    else:
        st.text_input(
            t("Address"), key="source-wiki-url", placeholder="https://example.org/w/api.php"
        )


def _domains(studio: Studio) -> Mapping[str, str]:
    """Return each domain's name with the words it is offered with."""
    try:
        found = studio.domains()
    except KGCoreError as error:  # a domains.yaml that cannot be read
        frame.show_problem(str(error))
        return {}
    return {d.name: short(f"{domain_name(d.name)} – {d.description(current())}", 90) for d in found}


def _add(studio: Studio, kind: Kind) -> None:
    """Add what the form says; what cannot be used is told, and nothing of it stays."""
    state = st.session_state
    name = str(state.get(f"source-{kind}-name") or "").strip()
    kept: Path | None = None
    try:
        check_name(name)
        if kind in TYPES:
            kept = uploads(studio) / f"{name}-{uuid.uuid4().hex[:8]}"
            where = _keep(state.get(f"source-{kind}-files") or (), kept)
        elif kind == "graph":
            where = tuple(state.get("source-graph-kgs") or ())
        else:
            where = (str(state.get("source-wiki-url") or "").strip(),)
        spec = SourceSpec(
            name,
            kind,
            where,
            domains=tuple(state.get(f"source-{kind}-domains") or ()),
            description=str(state.get(f"source-{kind}-about") or "").strip(),
            rerank=kind == "text" and bool(state.get("source-text-rerank")),
        )
        with st.spinner(t("Reading it…")):
            health = studio.add_source(spec)
    except (KGCoreError, OSError) as error:
        _drop(kept)
        frame.show_problem(
            str(error) if isinstance(error, KGCoreError) else "the files cannot be kept"
        )
        return
    if not health.is_up:
        _drop(kept)
        frame.show_problem(f"{name} cannot be asked: {health.problem}")
        return
    st.toast(t("{name} was added", name=plain(name, 60)), icon=":material/check:")
    choose(name)
    st.rerun()


def _keep(files: Sequence[Any], folder: Path) -> tuple[str, ...]:
    """Write uploaded files into the data folder, each under its own name; return where they lie."""
    folder.mkdir(parents=True)
    for file in files:
        path = folder / file_name(str(file.name))
        if path.exists():
            raise InputError(f"two files are called {path.name}")
        with path.open("wb") as out:
            shutil.copyfileobj(file, out)
    return tuple(str(path) for path in sorted(folder.iterdir()))


def _drop(folder: Path | None) -> None:
    """Remove what was written for a source that was not added."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def uploads(studio: Studio) -> Path:
    """Return the folder that keeps the files of sources added here."""
    return studio.home / "uploads" / "sources"
