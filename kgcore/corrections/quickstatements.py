"""Corrections as QuickStatements, the commands by which Wikidata is edited in bulk.

Only corrections whose ids are Wikidata's can be written. A text that holds a separator of the format (tab, line
break, bar, quote) is left out rather than altered.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from kgcore.corrections.correction import Correction, added, removed
from kgcore.errors import InputError
from kgcore.kg.rdf_writing import Expand
from kgcore.kg.vocabulary import WD, WDT
from kgcore.model import Entity, Literal, Triple

REFERENCE_URL, RETRIEVED = "S854", "S813"
_DATE = re.compile(r"([+-]?)(\d{4,})(?:-(\d\d))?(?:-(\d\d))?(?:T00:00:00Z)?Z?")
_SEPARATORS = re.compile(r'[\t\r\n|"\x00-\x1f]')
_TEXTS = ("", "xsd:string", "rdf:langString", "xsd:anyURI")


def commands(correction: Correction, expand: Expand) -> list[str]:
    """Return the lines for a correction; InputError says why there are none."""
    lines = []
    gone, new = removed(correction), added(correction)
    if gone is not None:
        lines.append("-" + "\t".join(_claim(gone, expand)))
    if new is not None:
        lines.append("\t".join([*_claim(new, expand), *_source(correction)]))
    return lines


def _claim(triple: Triple, expand: Expand) -> list[str]:
    return [
        _local(triple.subject.id, WD, expand),
        _local(triple.relation.id, WDT, expand),
        _value(triple.object, expand),
    ]


def _source(correction: Correction) -> list[str]:
    if not correction.evidence:
        return []
    day = correction.when[:10]
    retrieved = [RETRIEVED, f"+{day}T00:00:00Z/11"] if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else []
    return [REFERENCE_URL, _quoted(correction.evidence), *retrieved]


def _local(name: str, namespace: str, expand: Expand) -> str:
    iri = expand(name)
    local = iri.removeprefix(namespace)
    if local == iri or not local.isalnum():
        raise InputError(f"{name} is no id of Wikidata")
    return local


def _value(end: Entity | Literal, expand: Expand) -> str:
    if isinstance(end, Entity):
        return _local(end.id, WD, expand)
    if end.datatype == "kg:unknown":
        return "somevalue"
    if end.datatype == "kg:none":
        return "novalue"
    if end.lang:
        return f"{end.lang}:{_quoted(end.value)}"
    if end.datatype in _TEXTS:
        return _quoted(end.value)
    return _date(end) or _number(end)


def _quoted(text: str) -> str:
    if _SEPARATORS.search(text):
        raise InputError("a text with a tab, a line break, a bar or a quote cannot be written")
    return f'"{text}"'


def _date(literal: Literal) -> str:
    """Return a date with its precision; empty when the value is none."""
    match = _DATE.fullmatch(literal.value)
    if match is None or not literal.datatype.startswith(("xsd:date", "xsd:gYear")):
        return ""
    sign, year, month, day = match[1] or "+", match[2], match[3] or "00", match[4] or "00"
    if literal.datatype == "xsd:dateTime" and day == "01":
        raise InputError(f"how precise {literal.value} is cannot be told")
    precision = 9 if month == "00" else 10 if day == "00" else 11
    return f"{sign}{year}-{month}-{day}T00:00:00Z/{precision}"


def _number(literal: Literal) -> str:
    try:
        number = Decimal(literal.value)
    except InvalidOperation:
        number = Decimal("NaN")
    if literal.unit or not number.is_finite():
        raise InputError(f"{literal.name} cannot be written")
    return f"{number:f}"
