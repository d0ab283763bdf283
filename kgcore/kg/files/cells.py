"""Turns the cells of tables, and other plain values, into terms of N-Triples.

A cell is an entity as it stands when it is an IRI (`https://…`, `urn:…`, `<…>`) or a CURIE with a known prefix.
Any other name is an entity of the graph: its IRI is minted from the name (`urn:kg:<graph>:The%20Matrix`), which
becomes its label. Where things and values stand mixed, a cell is a value when it looks like a number, a date, true
or false, or is longer than a name is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode

from kgcore.kg import vocabulary as v
from kgcore.kg.local.graph_names import slug

MAX_NAME = 100  # a longer cell is a text
_IRI = re.compile(r"(?:https?://|urn:)\S+\Z", re.IGNORECASE)
_CURIE = re.compile(r"([A-Za-z][\w.-]*):([^\s<>\"{}|^`\\]+)\Z")
_BRACKETS = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*>\Z")
_BLANK = re.compile(r"_:[A-Za-z0-9][A-Za-z0-9_-]*\Z")
_VALUES = (
    (v.XSD + "integer", re.compile(r"[+-]?(?:0|[1-9]\d*)\Z", re.ASCII)),
    (v.XSD + "decimal", re.compile(r"[+-]?(?:0|[1-9]\d*)\.\d+\Z", re.ASCII)),
    (v.XSD + "double", re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d+\Z", re.ASCII)),
    (v.XSD + "date", re.compile(r"-?\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\Z", re.ASCII)),
    (
        v.XSD + "dateTime",
        re.compile(
            r"-?\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
            r"(?:Z|[+-]\d\d:\d\d)?\Z",
            re.ASCII,
        ),
    ),
    (v.XSD + "gYearMonth", re.compile(r"\d{4}-(?:0[1-9]|1[0-2])\Z", re.ASCII)),
    (v.XSD + "boolean", re.compile(r"(?:true|false)\Z")),
)
_STARTS = frozenset("0123456789+-tf")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_NEEDS_ESCAPE = re.compile(r'["\\\n\r]')
_EASY = re.compile(r"[A-Za-z0-9_.~ -]*\Z")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Spreadsheets run cells that start like this; an export writes a quote before them.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r\n]")


def value_type(cell: str) -> str:
    """Return the datatype a cell looks like; empty when it looks like a name or a text."""
    if cell[:1] not in _STARTS:  # most cells are names
        return ""
    for datatype, pattern in _VALUES:
        if pattern.match(cell):
            return datatype
    return ""


def is_value(cell: str) -> bool:
    """True for what looks like a number, a date, true or false."""
    return bool(value_type(cell.strip()))


def looks_like_id(cell: str) -> bool:
    """True for an IRI and for a CURIE whose prefix every graph knows."""
    cell = cell.strip()
    match = _CURIE.match(cell)
    is_curie = match is not None and match[1] in v.DEFAULT_PREFIXES
    return is_curie or bool(_IRI.match(cell)) or bool(_BRACKETS.match(cell))


def neutralise(cell: str) -> str:
    """Make a cell harmless to a spreadsheet; `restore` takes it back."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def restore(cell: str) -> str:
    """Return the cell that was neutralised."""
    return cell[1:] if cell[:1] == "'" and _NEUTRALISED.match(cell) else cell


def escape(text: str) -> str:
    """Write a text as it stands between the quotes of N-Triples; ValueError for half characters."""
    if not text.isascii() and _SURROGATE.search(text):
        raise ValueError("it holds half a character (a lone surrogate)")
    if _NEEDS_ESCAPE.search(text):
        return _NEEDS_ESCAPE.sub(lambda m: _ESCAPES[m.group()], text)
    return text


def encode(name: str) -> str:
    """Write a name as a part of an IRI, percent-encoded; ValueError for half characters."""
    if _EASY.match(name):  # most names; quote() goes through each byte
        return name.replace(" ", "%20")
    escape(name)
    return quote(name, safe="")


def literal(text: str, datatype: str = "", lang: str = "") -> str:
    """Return a literal; ValueError when the language tag or the datatype is none."""
    written = f'"{escape(text)}"'
    if lang:
        _check_language(lang)
        return f"{written}@{lang}"
    if datatype and datatype != v.XSD + "string":
        return f"{written}^^{iri(datatype)}"
    return written


@lru_cache(maxsize=1000)
def _check_language(tag: str) -> None:
    """Raise ValueError when this is no language tag."""
    try:
        Literal("", language=tag)
    except ValueError:
        raise ValueError(f"{tag[:40]!r} is no language tag") from None


def iri(text: str) -> str:
    """Return an IRI; ValueError when it is none."""
    return str(NamedNode(text))


class Namer:
    """Makes the terms of one graph: what is an id already stays, names are minted into its namespace."""

    def __init__(self, graph: str) -> None:
        name = slug(graph)
        namespace = f"urn:kg:{name}:"
        if name in v.DEFAULT_PREFIXES or any(
            known.startswith(namespace) for known in v.DEFAULT_PREFIXES.values()
        ):
            name, namespace = f"{name}-graph", f"urn:kg:{name}-graph:"
        self.prefix, self.namespace = name, namespace
        self._prefixes = v.Prefixes({name: namespace}).table

    def given(self, cell: str) -> str:
        """Return the term of a cell that is an id as it stands; empty when it is a name."""
        if ":" not in cell:
            return ""
        cell = cell.strip()
        if _BRACKETS.match(cell):
            return iri(cell[1:-1])
        if _BLANK.match(cell):
            return cell
        match = _CURIE.match(cell)
        if match is None:
            return ""
        namespace = self._prefixes.get(match[1])
        if namespace is not None:
            return iri(namespace + match[2])
        return iri(cell) if _IRI.match(cell) else ""

    def entity(self, name: str, space: str = "") -> str:
        """Return the entity minted for a name; `space` keeps ids of different kinds apart."""
        kind = f"{encode(space)}/" if space else ""
        return f"<{self.namespace}{kind}{encode(name)}>"

    def relation(self, name: str) -> str:
        """Return the relation minted for a name; it is never an entity's."""
        return f"<{self.namespace}p:{encode(name)}>"
