"""The list of knowledge sources: choose one, or go and add one."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap.source_specs import SourceInfo
from pages.components.domain_words import domain_names
from pages.components.language import mark, t
from pages.components.source_choice import add_one, choose, chosen
from pages.components.text import cell, plain
from pages.components.theme import current

__all__ = ["ICONS", "KINDS", "LANGUAGES", "show"]

KINDS = {
    "table": mark("tables"),
    "text": mark("texts"),
    "graph": mark("knowledge graph"),
    "wiki": mark("wiki"),
}
LANGUAGES = {"sql": "SQL", "sparql": "SPARQL", "sentence": mark("search words")}
ICONS = {"table": "table_chart", "text": "article", "graph": "hub", "wiki": "travel_explore"}


def show(found: Sequence[SourceInfo]) -> None:
    """Draw the sources as buttons, with what matters of each below its name."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<h2 class="ts-section">{t("Knowledge sources")}</h2>')
        st.button(
            t("Add"),
            icon=":material/add:",
            key="sources-add",
            type="primary" if chosen(found) is None else "secondary",
            on_click=add_one,
            help=t("Tables, texts, a knowledge graph or a wiki"),
        )
    now = chosen(found)
    for number, info in enumerate(found):
        place = "now" if info is now else str(number)
        with st.container(border=True, key=f"ts-graph-{place}", gap="xxsmall"):
            st.button(
                plain(info.name, 60),
                key=f"sources-open-{info.name}",
                type="tertiary",
                icon=f":material/{ICONS.get(info.kind, 'help')}:",
                on_click=choose,
                args=(info.name,),
            )
            st.html(f'<p class="ts-muted">{_line(info)}</p>')


def _line(info: SourceInfo) -> str:
    if info.problem:
        palette = current()
        return f'<span style="color:{palette.rejected}">✗ {t("cannot be used")}</span>'
    parts = [t(KINDS.get(info.kind, info.kind)), t(LANGUAGES.get(info.language, info.language))]
    parts += [domain_names(info.domains)] if info.domains else [t("all domains")]
    if info.is_built_in:
        parts.insert(0, t("demo"))
    return cell(" · ".join(parts), 120)
