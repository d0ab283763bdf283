"""The headers of Neo4j's CSV exports, as column roles.

The bulk format names columns `id:ID(Person)`, `:LABEL`, `:START_ID(Person)`, `:END_ID`, `:TYPE` and
`born:int`; the one-file export of the APOC library `_id`, `_labels`, `_start`, `_end`, `_type`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kgcore.kg.files.table_mapping import Column, Role
from kgcore.kg.vocabulary import XSD

NOTE = "This is an export of Neo4j. Properties of relationships are left out: a triple has none."
_FIELD = re.compile(
    r"(?P<name>[^:]*):(?P<type>[A-Za-z_]+)(?:\((?P<space>[^)]*)\))?(?P<list>\[\])?(?:\{.*\})?"
)
_ROLES: dict[str, Role] = {
    "ID": "id", "LABEL": "type", "START_ID": "subject", "END_ID": "object", "TYPE": "relation", "IGNORE": "ignore",
}  # fmt: skip
_APOC: dict[str, Role] = {
    "_id": "id", "_labels": "type", "_start": "subject", "_end": "object", "_type": "relation",
}  # fmt: skip
_DATATYPES = {
    **dict.fromkeys(("int", "long", "short", "byte"), XSD + "integer"),
    **dict.fromkeys(("float", "double"), XSD + "double"),
    "boolean": XSD + "boolean",
    "date": XSD + "date",
    **dict.fromkeys(("datetime", "localdatetime"), XSD + "dateTime"),
    **dict.fromkeys(("time", "localtime"), XSD + "time"),
    **dict.fromkeys(("string", "char", "point", "duration"), ""),
}
_LABELS = ("name", "label", "title")  # properties that name a node, the best first


def is_export(names: Sequence[str]) -> bool:
    """True for the header of one of Neo4j's exports."""
    roles = {column.role for column in map(_column, names)} if names else set()
    if "_id" in names or "_start" in names:
        return {"_id", "_labels"} <= set(names) or {"_start", "_end", "_type"} <= set(names)
    has_marks = any(re.search(r":(ID|START_ID)\b", name) for name in names)
    return has_marks and ("id" in roles or {"subject", "object"} <= roles)


def propose(names: Sequence[str], *, has_header: bool) -> tuple[Column, ...]:
    """Return the roles of the columns of an export; nothing when it is none."""
    if not has_header or not is_export(names):
        return ()
    columns = [_column(name) for name in names]
    is_nodes = any(column.role == "id" for column in columns)
    if not is_nodes:
        return tuple(replace(c, role="ignore") if c.role == "property" else c for c in columns)
    for wanted in _LABELS:
        for position, column in enumerate(columns):
            if column.role == "property" and column.relation.casefold() == wanted:
                columns[position] = replace(column, role="label")
                return tuple(columns)
    return tuple(columns)


def _column(name: str) -> Column:
    if name in _APOC:
        role = _APOC[name]
        return Column(name, role, separator=":;" if role == "type" else "")
    match = _FIELD.fullmatch(name.strip())
    if match is None:
        return Column(name, "property", relation=name)
    space, kind = match["space"] or "", match["type"]
    if kind in _ROLES:
        return Column(name, _ROLES[kind], separator=":;" if kind == "LABEL" else "", space=space)
    if kind.casefold() not in _DATATYPES:
        return Column(name, "property", relation=name)
    datatype = _DATATYPES[kind.casefold()]
    separator = ";" if match["list"] else ""
    return Column(
        name, "property", "literal", datatype=datatype, relation=match["name"], separator=separator
    )
