"""A table before it is imported: what each column means, to be changed, and the triples that makes."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from kgcore.kg.files.tables import ColumnMapping, TableHead, preview, propose_mapping, read_head
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, plain, rows
from pages.components.triple_table import triple_table

__all__ = ["show"]

ROLES = {
    "subject": mark("subject"),
    "relation": mark("relation"),
    "object": mark("object"),
    "subject_label": mark("name of the subject"),
    "relation_label": mark("name of the relation"),
    "object_label": mark("name of the object"),
    "type": mark("type"),
    "datatype": mark("datatype of the object"),
    "lang": mark("language of the object"),
    "id": mark("id of the entity"),
    "label": mark("name of the entity"),
    "description": mark("description"),
    "entity": mark("a relation to things"),
    "literal": mark("a relation to values"),
    "property": mark("a relation, things or values"),
    "ignore": mark("nothing"),
}
SHOWN = 5  # rows of the table, and triples it makes


def show(file: Path) -> ColumnMapping:
    """Draw the columns of a table with their meaning and return what the person chose."""
    st.html(
        f'<p class="ts-panel-title">{t("What the columns of {file} mean", file=cell(file.name, 80))}</p>'
    )
    key = f"kg-map-{file.parent.name}"
    guess = read_head(file)
    has_header = st.toggle(
        t("The first row names the columns"), guess.has_header, key=f"{key}-head"
    )
    head = read_head(file, is_header=has_header)
    proposed = propose_mapping(head)
    mapping = _chosen(proposed, key)
    if proposed.note:
        st.caption(plain(told_here(proposed.note), 300))
    made = preview(file, mapping.check(), SHOWN)
    left, right = st.columns(2, gap="medium")
    left.caption(t("Its first rows"))
    left.html(_sample(head))
    right.caption(
        tn("The first triple they make", "The first {n} triples they make", len(made))
        if made
        else t("They make no triples")
    )
    right.html(triple_table(made, lengths=(80, 80, 80), has_graph=False))
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
            format_func=lambda name: t(ROLES[name]),
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
