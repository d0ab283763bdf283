"""Goes through the files of an import once more, for what the store is slow to give or does not keep.

Texts (labels, other names, descriptions) are many, and reading them from files is several times faster. The exact
form of numbers and dates the store does not keep, as it holds them as values: "01.50" comes back as "1.5", "1e400"
as "INF", an xsd:long as an xsd:integer. What was written is what a person must see, so the label index keeps such
literals beside the form the store returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pyoxigraph import Literal, NamedNode, Quad, Store

from kgcore.kg import vocabulary as v

TEXT_PROPERTIES = (*v.LABEL_PROPERTIES, *v.ALIAS_PROPERTIES, *v.DESCRIPTION_PROPERTIES)
# Written like this a literal surely comes back the same; whatever else is tried out.
_STEADY = {
    v.XSD + "integer": re.compile(r"0|-?[1-9]\d{0,17}"),
    v.XSD + "decimal": re.compile(r"0|-?[1-9]\d{0,14}"),
    v.XSD + "boolean": re.compile(r"true|false"),
    v.XSD + "dateTime": re.compile(r"\d{4}-\d\d-\d\dT[01]\d:\d\d:\d\dZ"),
    v.XSD + "date": re.compile(r"\d{4}-\d\d-\d\d"),
    v.XSD + "gYear": re.compile(r"\d{4}"),
    v.XSD + "gYearMonth": re.compile(r"\d{4}-\d\d"),
}
_AS_WRITTEN = frozenset((v.XSD + "string", v.XSD + "anyURI", v.RDF + "langString"))

Text = tuple[str, str, str]  # IRI, text, language tag


@dataclass(frozen=True, slots=True)
class ExactLiteral:
    """One literal of one subject and predicate: as the store returns it, and as it was written."""

    subject: str
    predicate: str
    stored: Literal
    written: Literal


@dataclass(slots=True)
class FileScan:
    """What was found in the files."""

    texts: dict[str, set[Text]] = field(default_factory=lambda: {p: set() for p in TEXT_PROPERTIES})
    exact: list[ExactLiteral] = field(default_factory=list)

    def sorted_texts(self, predicate: str) -> list[Text]:
        """IRI, text and language tag of every text along a predicate; empty texts are left out."""
        return sorted(self.texts[predicate])


def scan(quads: Iterable[Quad]) -> FileScan:
    """Read all quads."""
    found = FileScan()
    trial = Store()
    for quad in quads:
        literal = quad.object
        if not isinstance(literal, Literal) or not isinstance(quad.subject, NamedNode):
            continue
        predicate = quad.predicate.value
        texts = found.texts.get(predicate)
        if texts is not None:
            if literal.value:
                texts.add((quad.subject.value, literal.value, literal.language or ""))
            continue
        datatype = literal.datatype.value
        if datatype in _AS_WRITTEN or not datatype.startswith(v.XSD):
            continue
        steady = _STEADY.get(datatype)
        if steady is not None and steady.fullmatch(literal.value):
            continue
        stored = _store_and_read(trial, literal)
        if (stored.value, stored.datatype) != (literal.value, literal.datatype):
            found.exact.append(ExactLiteral(quad.subject.value, predicate, stored, literal))
    return found


def _store_and_read(trial: Store, literal: Literal) -> Literal:
    probe = NamedNode("urn:kg:probe")
    trial.add(Quad(probe, probe, literal))
    (found,) = trial.quads_for_pattern(probe, probe, None, None)
    trial.remove(found)
    assert isinstance(found.object, Literal)
    return found.object
