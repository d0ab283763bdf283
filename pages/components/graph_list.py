"""The list of graphs: choose one, or go and add one."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap import DEMO_GRAPHS, Studio
from kgcore.kg.overview import GraphInfo
from pages.components import graph_jobs
from pages.components.graph_choice import add_one, choose, chosen
from pages.components.language import mark, t, tn
from pages.components.text import cell, plain
from pages.components.theme import Palette, current

__all__ = ["kind_of", "show", "size_of"]

KINDS = {"embedded": mark("on disk"), "sparql": "SPARQL", "musicbrainz": "MusicBrainz"}


def show(studio: Studio, found: Sequence[GraphInfo]) -> None:
    """Draw the graphs as buttons, with what matters of each below its name."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<h2 class="ts-section">{t("Knowledge graphs")}</h2>')
        is_adding = chosen(found) is None
        st.button(
            t("Add"),
            icon=":material/add:",
            key="kgs-add",
            type="primary" if is_adding else "secondary",
            on_click=add_one,
            help=t("Import files or connect to a graph on the network"),
        )
    graph_jobs.show()
    now, palette = chosen(found), current()
    for number, graph in enumerate(found):
        place = "now" if graph is now else str(number)
        with st.container(border=True, key=f"ts-graph-{place}", gap="xxsmall"):
            st.button(
                plain(graph.name, 60),
                key=f"kgs-open-{graph.name}",
                type="tertiary",
                icon=":material/lan:" if graph.is_remote else ":material/hub:",
                on_click=choose,
                args=(graph.name,),
            )
            st.html(f'<p class="ts-muted">{_line(graph, palette)}</p>')


def kind_of(graph: GraphInfo) -> str:
    """Return in a word or two where a graph lies."""
    if graph.name in DEMO_GRAPHS:
        return t("demo, on disk")
    return t(KINDS.get(graph.kind, graph.kind))


def size_of(graph: GraphInfo) -> str:
    """Return how many triples a graph has, as far as that is known."""
    if graph.n_triples is None:
        return t("size unknown")
    if graph.is_at_least:
        return tn("at least {n:,} triple", "at least {n:,} triples", graph.n_triples)
    return tn("{n:,} triple", "{n:,} triples", graph.n_triples)


def _line(graph: GraphInfo, palette: Palette) -> str:
    parts = [kind_of(graph)] if graph.problem else [kind_of(graph), size_of(graph)]
    return f"{_mark(graph, palette)} {cell(' · '.join(parts))}"


def _mark(graph: GraphInfo, palette: Palette) -> str:
    """Return what the last look at a graph said, as a mark with words."""
    if graph.problem:
        return f'<span style="color:{palette.rejected}">✗ {t("damaged")}</span> ·'
    if not graph.is_remote:
        return ""
    if graph.checked is None:
        return f"○ {t('not checked')} ·"
    if graph.checked.health.is_up:
        return f'<span style="color:{palette.answer}">✓ {t("answers")}</span> ·'
    return f'<span style="color:{palette.rejected}">✗ {t("does not answer")}</span> ·'
