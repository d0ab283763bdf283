"""Finds the literals whose written form the store does not keep.

The store holds numbers and dates as values: "01.50" comes back as "1.5", "1e400" as "INF", an xsd:long as an
xsd:integer. What was written is what a person must see, so these literals are found while the files are read once
more, and the label index keeps them beside the form the store returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode, Quad, Store

from kgcore.kg.vocabulary import RDF, XSD

# Written like this a literal surely comes back the same; whatever else is tried out.
_STEADY = {
    XSD + "integer": re.compile(r"0|-?[1-9]\d{0,17}"),
    XSD + "decimal": re.compile(r"0|-?[1-9]\d{0,14}"),
    XSD + "boolean": re.compile(r"true|false"),
    XSD + "dateTime": re.compile(r"\d{4}-\d\d-\d\dT[01]\d:\d\d:\d\dZ"),
    XSD + "date": re.compile(r"\d{4}-\d\d-\d\d"),
    XSD + "gYear": re.compile(r"\d{4}"),
    XSD + "gYearMonth": re.compile(r"\d{4}-\d\d"),
}
_AS_WRITTEN = frozenset((XSD + "string", XSD + "anyURI", RDF + "langString"))


@dataclass(frozen=True, slots=True)
class ExactLiteral:
    """One literal of one subject and predicate: as the store returns it, and as it was written."""

    subject: str
    predicate: str
    stored: Literal
    written: Literal


def find_exact_literals(quads: Iterable[Quad]) -> Iterator[ExactLiteral]:
    """Go through what files say and yield the literals that the store would return in another form."""
    trial = Store()
    for quad in quads:
        written = quad.object
        if not isinstance(written, Literal) or not isinstance(quad.subject, NamedNode):
            continue
        datatype = written.datatype.value
        if datatype in _AS_WRITTEN or not datatype.startswith(XSD):
            continue
        steady = _STEADY.get(datatype)
        if steady is not None and steady.fullmatch(written.value):
            continue
        stored = _store_and_read(trial, written)
        if (stored.value, stored.datatype) != (written.value, written.datatype):
            yield ExactLiteral(quad.subject.value, quad.predicate.value, stored, written)


def _store_and_read(trial: Store, literal: Literal) -> Literal:
    probe = NamedNode("urn:kg:probe")
    trial.add(Quad(probe, probe, literal))
    (found,) = trial.quads_for_pattern(probe, probe, None, None)
    trial.remove(found)
    assert isinstance(found.object, Literal)
    return found.object
