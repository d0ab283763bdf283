"""A table before it is imported: what each column means, to be changed, and the triples that makes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from kgcore.kg.files.tables import ColumnMapping, TableHead, preview, propose_mapping, read_head
from kgcore.views.tables import triple_rows
from pages.components.text import cell, plain, rows

__all__ = ["show"]

ROLES = {
    "subject": "subject",
    "relation": "relation",
    "object": "object",
    "subject_label": "name of the subject",
    "relation_label": "name of the relation",
    "object_label": "name of the object",
    "type": "type",
    "datatype": "datatype of the object",
    "lang": "language of the object",
    "id": "id of the entity",
    "label": "name of the entity",
    "description": "description",
    "entity": "a relation to things",
    "literal": "a relation to values",
    "property": "a relation, things or values",
    "ignore": "nothing",
}
SHOWN = 5  # rows of the table, and triples it makes


def show(file: Path) -> ColumnMapping:
    """Draw the columns of a table with their meaning and return what the person chose."""
    st.html(f'<p class="ts-panel-title">What the columns of {cell(file.name, 80)} mean</p>')
    key = f"kg-map-{file.parent.name}"
    guess = read_head(file)
    has_header = st.toggle("The first row names the columns", guess.has_header, key=f"{key}-head")
    head = read_head(file, is_header=has_header)
    proposed = propose_mapping(head)
    mapping = _chosen(proposed, key)
    if proposed.note:
        st.caption(plain(proposed.note, 300))
    made = preview(file, mapping.check(), SHOWN)
    left, right = st.columns(2, gap="medium")
    left.caption("Its first rows")
    left.html(_sample(head))
    right.caption(f"The first {len(made)} triples they make" if made else "They make no triples")
    right.html(
        rows(
            ("subject", "relation", "object"),
            [{k: cell(v, 80) for k, v in row.items()} for row in triple_rows(made)],
        )
    )
    return mapping


def _chosen(proposed: ColumnMapping, key: str) -> ColumnMapping:
    """Draw one choice a column and return the mapping they make."""
    names = [column.name for column in proposed.columns]
    usual = [_role(column.role, column.kind) for column in proposed.columns]
    width = min(5, len(names)) or 1
    columns = [box for start in range(0, len(names), width) for box in st.columns(width)]
    picked = [
        columns[i].selectbox(
            plain(name, 40),
            list(ROLES),
            index=list(ROLES).index(usual[i]),
            format_func=ROLES.__getitem__,
            key=f"{key}-{len(names)}-{i}-{name}",
        )
        for i, name in enumerate(names)
    ]
    if picked == usual:
        return proposed
    return _with_roles(proposed, picked)


def _role(role: str, kind: str) -> str:
    return kind if role == "property" and kind in ("entity", "literal") else role


def _with_roles(proposed: ColumnMapping, picked: Sequence[str]) -> ColumnMapping:
    """Give every column the role that was picked for it."""
    columns = tuple(
        replace(
            column,
            role="property" if role in ("entity", "literal") else role,
            kind=role if role in ("entity", "literal") else "auto",
        )
        for column, role in zip(proposed.columns, picked, strict=True)
    )
    return replace(proposed, columns=columns, note="").check()


def _sample(head: TableHead) -> str:
    """Return the first rows of the table as HTML."""
    items = [
        {name: cell(value, 60) for name, value in zip(head.columns, row, strict=False)}
        for row in head.rows[:SHOWN]
    ]
    return rows(head.columns, items)
