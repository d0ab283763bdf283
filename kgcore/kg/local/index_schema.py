"""The tables of a label index, which embedded graphs and endpoints share."""

from __future__ import annotations

from importlib.resources import files


def index_schema() -> tuple[str, str]:
    """Return the SQL that makes the tables, and the SQL that makes their indexes once they are filled."""
    text = files("kgcore.kg.local").joinpath("index_schema.sql").read_text("utf-8")
    tables, _, indexes = text.partition("-- Indexes\n")
    return tables, indexes
