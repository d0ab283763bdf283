"""Between the terms of the embedded store and domain values; pure but for looking at the store."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, unquote

from pyoxigraph import BlankNode, NamedNode, QuerySolutions, Store
from pyoxigraph import Literal as OxLiteral

from kgcore.errors import InputError
from kgcore.kg import vocabulary as v
from kgcore.model import Literal

STORE_ERRORS = (OSError, RuntimeError)  # what the store raises when the disk fails it
UNIT = v.KG + "unit:"  # of datatypes: the store keeps a quantity as it is written
_PLAIN = v.XSD + "string"
_LANG = v.RDF + "langString"


def to_node(iri: str, identifier: str) -> NamedNode:
    """Return the store's term for an IRI; InputError when the store would not take it."""
    try:
        return NamedNode(iri)
    except ValueError as error:
        raise InputError(f"{identifier[:80]!r} is no id: {error}") from error


def to_literal(term: OxLiteral, prefixes: v.Prefixes) -> Literal:
    """Keep a literal's exact lexical form, language and datatype; plain text has no datatype."""
    datatype = term.datatype.value
    if term.language is not None:
        return Literal(term.value, lang=term.language)
    if datatype.startswith(UNIT):
        return Literal(term.value, "xsd:decimal", unit=unquote(datatype.removeprefix(UNIT)))
    return Literal(term.value, "" if datatype == _PLAIN else prefixes.shorten(datatype))


def unit_datatype(unit: str) -> str:
    """Return the datatype of quantities of a unit; the unit is an IRI or, where nothing else is known, its name."""
    return UNIT + quote(unit, safe=":/")


def is_unknown(store: Store, term: object) -> bool:
    """True for a value that exists and is not known: a skolem IRI, or a blank node without facts of its own."""
    if isinstance(term, NamedNode):
        return v.is_skolem(term.value)
    if isinstance(term, BlankNode):
        return next(iter(store.quads_for_pattern(term, None, None, None)), None) is None
    return False


def no_value_class(predicate: str) -> NamedNode | None:
    """The class whose members are said to have no value for a predicate; None where there is no such thing."""
    if not predicate.startswith(v.WDT):
        return None
    return NamedNode(v.NO_VALUE_NAMESPACE + predicate.removeprefix(v.WDT))


def lacking(store: Store, predicate: str) -> Iterator[str]:
    """IRIs of the things that are said to have no value for a predicate."""
    marker = no_value_class(predicate)
    if marker is not None:
        for quad in store.quads_for_pattern(None, NamedNode(v.RDF + "type"), marker, None):
            if isinstance(quad.subject, NamedNode):
                yield quad.subject.value


def links(store: Store, predicate: str, target: str | None = None) -> Iterator[tuple[str, str]]:
    """IRIs joined by a predicate; those to one target only, where it is given."""
    end = NamedNode(target) if target is not None else None
    for quad in store.quads_for_pattern(None, NamedNode(predicate), end, None):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            yield quad.subject.value, quad.object.value


def values(store: Store, predicate: str) -> Iterator[tuple[str, str]]:
    """Things and the values they have along a predicate."""
    for quad in store.quads_for_pattern(None, NamedNode(predicate), None, None):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, OxLiteral):
            yield quad.subject.value, quad.object.value


def texts_of(store: Store, iri: str, predicate: str) -> Iterator[tuple[str, str]]:
    """Text and language tag of every text that one thing has along a predicate."""
    for quad in store.quads_for_pattern(NamedNode(iri), NamedNode(predicate), None, None):
        text = quad.object
        if isinstance(text, OxLiteral) and text.value:
            yield text.value, text.language or ""


def predicates(store: Store) -> list[str]:
    """IRIs of all predicates, and of those that are only said to have no value; sorted."""
    found = set(_select(store, "SELECT DISTINCT ?x { ?s ?x ?o }"))
    for iri in _select(store, f"SELECT DISTINCT ?x {{ ?s <{v.RDF}type> ?x }}"):
        if iri.startswith(v.NO_VALUE_NAMESPACE):
            found.add(v.WDT + iri.removeprefix(v.NO_VALUE_NAMESPACE))
    return sorted(found)


def _select(store: Store, query: str) -> Iterator[str]:
    """IRIs bound to ?x by one of the fixed queries above."""
    rows = store.query(query)
    assert isinstance(rows, QuerySolutions)
    for row in rows:
        term = row["x"]
        if isinstance(term, NamedNode):
            yield term.value
