"""A SPARQL query as a model writes it: with names in angle brackets where a graph has ids.

`render_named_query` writes a query with `<…>` for its names, be they names still or the ids they were linked to;
kgcore.prompts.sparql_reader reads one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.model import wired

MAX_LIMIT = 100


@wired
@dataclass(frozen=True, slots=True)
class Term:
    """A part of a pattern: a name that stands for an entity or a relation, a variable, or a value."""

    kind: OneOf["name", "variable", "value"]
    text: str

    def __str__(self) -> str:
        if self.kind == "variable":
            return f"?{self.text}"
        if self.kind == "name":
            return f"<{self.text}>"
        return quoted(self.text)


@wired
@dataclass(frozen=True, slots=True)
class Pattern:
    """One triple pattern."""

    subject: Term
    relation: Term
    object: Term

    @property
    def terms(self) -> tuple[Term, Term, Term]:
        """Its three parts."""
        return (self.subject, self.relation, self.object)


@wired
@dataclass(frozen=True, slots=True)
class Comparison:
    """FILTER(?variable operator value)."""

    variable: str
    operator: str
    value: Term


@wired
@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query with names. `counted` is the variable of a COUNT; `order` the one of ORDER BY."""

    form: OneOf["select", "ask"]
    patterns: tuple[Pattern, ...]
    variables: tuple[str, ...] = ()
    filters: tuple[Comparison, ...] = ()
    counted: str = ""
    order: str = ""
    is_descending: bool = False
    limit: int = 0

    @property
    def text(self) -> str:
        """The query as text."""
        return render_named_query(self)


def quoted(text: str) -> str:
    """Write a value as a SPARQL string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\r", "\\r") + '"'


def render_named_query(query: NamedQuery, *, limit: int = 0) -> str:
    """Write the query on one line; a LIMIT is written where the query or the caller has one, the smaller of them."""
    body = [" ".join(str(term) for term in pattern.terms) for pattern in query.patterns]
    parts = " . ".join(body)
    for item in query.filters:
        parts += f" FILTER({_comparison(item)})"
    where = "{ " + parts + " }"
    if query.form == "ask":
        return f"ASK {where}"
    shown = " ".join(f"?{v}" for v in query.variables) or "*"
    if query.counted:
        shown = f"(COUNT(DISTINCT ?{query.counted}) AS ?count)"
    else:
        shown = f"DISTINCT {shown}"
    text = f"SELECT {shown} WHERE {where}"
    if query.order and not query.counted:
        way = "DESC" if query.is_descending else "ASC"
        text += f" ORDER BY {way}(?{query.order})"
    rows = min(n for n in (query.limit, limit, MAX_LIMIT) if n)
    return f"{text} LIMIT {rows}" if (query.limit or limit) else text


def _comparison(item: Comparison) -> str:
    """Compare as the graph's own type where it can, else as text, as a year with a date is."""
    variable, operator, value = f"?{item.variable}", item.operator, item.value
    if value.kind == "variable":
        return f"{variable} {operator} {value}"
    if operator == "contains":
        return f"CONTAINS(LCASE(STR({variable})), LCASE({value}))"
    as_text = f"STR({variable}) {operator} {value}"
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", value.text):
        return f"COALESCE({variable} {operator} {value.text}, {as_text})"
    return as_text
