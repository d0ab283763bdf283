"""Runs prepared queries on an embedded store, and says what patterns a query has; in a process of its own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, QuerySolutions, Store
from rdflib import BNode, URIRef, Variable
from rdflib import Literal as RdfLiteral
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery

from kgcore.errors import InputError, ServiceError
from kgcore.model.text import one_line

_THROUGH = ("Project", "Distinct", "Reduced", "Slice", "OrderBy", "Extend", "Filter", "Join")
_STRING = "http://www.w3.org/2001/XMLSchema#string"


class GraphEngine:
    """Answers {"query", "most"} with the query's patterns and, where it has a store, the rows."""

    def __init__(self, store: str = "") -> None:
        try:
            self._store = Store.read_only(store) if store else None
        except (OSError, RuntimeError) as error:
            raise ServiceError(f"the graph cannot be opened: {one_line(str(error))}") from error

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run a query, or only look at it; InputError for one that is no SPARQL."""
        query, most = str(request["query"]), int(request["most"])
        store = self._store if self._store is not None else Store()
        try:
            found = store.query(query)
        except SyntaxError as error:
            raise InputError(
                f"the query is no SPARQL: {one_line(str(error), limit=300)}"
            ) from error
        except ValueError as error:
            raise InputError(one_line(str(error), limit=300)) from error
        except (OSError, RuntimeError) as error:
            raise ServiceError(f"the graph cannot be read: {one_line(str(error))}") from error
        assert isinstance(found, QuerySolutions)
        names = [variable.value for variable in found.variables]
        rows = list[dict[str, dict[str, str]]]()
        try:
            for solution in found:
                if len(rows) == most:
                    break
                terms = ((name, solution[name]) for name in names)
                rows.append({name: bound(term) for name, term in terms if term is not None})
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"the query fails: {one_line(str(error), limit=300)}") from error
        return {"variables": names, "rows": rows, "patterns": patterns(query)}


def bound(term: object) -> dict[str, str]:
    """Write a term as the JSON of SPARQL results does."""
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, Literal):
        return _literal(term.value, term.language, term.datatype.value)
    return {"type": "literal", "value": str(term)}


def patterns(query: str) -> list[list[dict[str, str]]]:
    """Triple patterns that hold in every row or may hold: not those under MINUS, FILTER or in a nested SELECT.

    Empty where the parser does not take the query, which the engine may still do.
    """
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)  # it warns of odd literals
    try:
        algebra = translateQuery(parseQuery(query)).algebra
    except Exception:  # noqa: BLE001  its grammar raises anything; without patterns rows have no triples, that is all
        return []
    found: dict[tuple[Any, Any, Any], None] = dict.fromkeys(_triples(algebra.get("p"), True))
    return [
        [_term(part) for part in triple]
        for triple in found
        if all(isinstance(part, URIRef | Variable | RdfLiteral) for part in triple)
        and not any(isinstance(part, BNode) for part in triple)
    ]


def _triples(part: Any, is_top: bool) -> Iterator[tuple[Any, Any, Any]]:
    name = getattr(part, "name", "")
    if name == "BGP":
        yield from map(tuple, part.triples)
    elif name in ("LeftJoin", "Union", "Join"):
        yield from _triples(part.p1, False)
        yield from _triples(part.p2, False)
    elif name == "Minus":
        yield from _triples(part.p1, False)
    elif name in _THROUGH and (name != "Project" or is_top):
        yield from _triples(part.p, is_top)
    elif name in ("Group", "AggregateJoin", "Graph"):
        yield from _triples(part.p, False)


def _term(term: Any) -> dict[str, str]:
    if isinstance(term, Variable):
        return {"type": "variable", "value": str(term)}
    if isinstance(term, URIRef):
        return {"type": "uri", "value": str(term)}
    return _literal(str(term), term.language, str(term.datatype or ""))


def _literal(value: str, language: str | None, datatype: str) -> dict[str, str]:
    written = {"type": "literal", "value": value}
    if language:
        return {**written, "xml:lang": language}
    return written if datatype in ("", _STRING) else {**written, "datatype": datatype}
