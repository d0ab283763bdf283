"""An embedded graph as a file to download."""

import io

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.errors import InputError
from kgcore.kg.files.export_formats import SUFFIXES, ExportFormat
from kgcore.kg.local.graph_names import slug
from kgcore.kg.overview import GraphInfo
from pages.components.language import t

__all__ = ["show"]

MOST = 500_000  # triples that are put together in memory


def show(studio: Studio, graph: GraphInfo) -> None:
    """Draw the choice of a format and the button; the file is made when it is pressed."""
    with st.popover(t("Export"), icon=":material/download:"):
        if (graph.n_triples or 0) > MOST:
            st.caption(
                t("Too large for the browser: python -m kgcore kg export NAME writes it to a file.")
            )
            return
        kind: ExportFormat = st.selectbox(t("Format"), list(SUFFIXES), key="kg-export")
        st.download_button(
            t("Download"),
            lambda: exported(studio, graph.name, kind),
            file_name=f"{slug(graph.name)}{SUFFIXES[kind]}",
            mime="application/octet-stream",
            key="kg-download",
            on_click="ignore",
            icon=":material/download:",
        )


def exported(studio: Studio, name: str, kind: ExportFormat) -> bytes:
    """Return the whole graph in a format."""
    from kgcore.kg.files.exports import export_graph
    from kgcore.kg.local.graph import LocalGraph

    graph, out = studio.graph((name,)), io.BytesIO()
    if not isinstance(graph, LocalGraph):
        raise InputError(f"{name} is a remote graph")
    export_graph(graph, out, kind)
    return out.getvalue()
