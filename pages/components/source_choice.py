"""Which knowledge source is looked at; the address of the page tells, so that a refresh and a link lead back to it."""

from collections.abc import Sequence

import streamlit as st

from kgcore.bootstrap.source_specs import SourceInfo

__all__ = ["add_one", "choose", "chosen"]


def chosen(found: Sequence[SourceInfo]) -> SourceInfo | None:
    """Return the source that is looked at; None where one is being added."""
    if "add" in st.query_params or not found:
        return None
    name = st.query_params.get("source", "")
    return next((info for info in found if info.name == name), found[0])


def choose(name: str) -> None:
    """Look at a source."""
    st.query_params.pop("add", None)
    st.query_params["source"] = name


def add_one() -> None:
    """Go to the form that adds a source."""
    st.query_params.pop("source", None)
    st.query_params["add"] = "1"
