"""One entity of a Wikidata JSON dump as N-Triples: labels, descriptions, aliases, and its truthy claims.

This module and triples_dump.py are the only places that know Wikidata's shape. Truthy means: the
preferred values of a property where there are any, else the normal ones; deprecated ones never. Qualifiers and
references are left out, and so are sitelinks. A date is kept as precise as it is: a year stays a year, and what is
vaguer than a year is words ("1990s"). A quantity keeps its unit.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import escape, iri, literal
from kgcore.kg.local.rdf_terms import unit_datatype

LABEL, ALIAS = f"<{v.RDFS}label>", f"<{v.SKOS}altLabel>"
DESCRIPTION, TYPE = f"<{v.SCHEMA}description>", f"<{v.RDF}type>"
SAME_AS = f"<{v.OWL}sameAs>"
INSTANCE_OF, INVERSE = "P31", "P1696"
_GENID = "http://www.wikidata.org/.well-known/genid/"
_WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
_EARTH = "Q2"
_ID = re.compile(r"[A-Z]\d+(?:-[A-Z]\d+)?\Z")
_TIME = re.compile(r"([+-])(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)Z\Z")
_AMOUNT = re.compile(r"[+-]?(\d+)(\.\d+)?\Z")
_TEXTS = (("labels", LABEL), ("descriptions", DESCRIPTION))


@dataclass(frozen=True, slots=True)
class Filters:
    """What is kept of a dump; an empty field keeps everything.

    `types` are classes of which a thing itself is said to be an instance (P31); things that are only mentioned are
    kept as ids. Properties as such are always kept, as they name the relations.
    """

    languages: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.languages or self.properties or self.types)

    def keeps_language(self, tag: str) -> bool:
        """True for texts in a language that is wanted, or in a variant of it."""
        return (
            not self.languages or tag in self.languages or tag.partition("-")[0] in self.languages
        )

    def keeps_type(self, classes: Collection[str]) -> bool:
        """True for things of these classes."""
        return not self.types or not set(self.types).isdisjoint(classes)


@dataclass(slots=True)
class EntityLines:
    """The lines of one entity: those with texts and values apart, as the label index needs them again."""

    plain: list[str]
    texts: list[str]


def entity_lines(entity: Mapping[str, Any], filters: Filters) -> EntityLines | None:
    """Convert one entity; None when the filters leave it out, ValueError when it is none."""
    found = EntityLines([], [])
    identifier = entity.get("id")
    if not isinstance(identifier, str) or not _ID.match(identifier):
        raise ValueError("it has no id of Wikidata")
    about = f"<{v.WD}{identifier}>"
    redirect = entity.get("redirects")
    if isinstance(redirect, dict) and _ID.match(str(redirect.get("from"))):
        found.plain.append(f"<{v.WD}{redirect['from']}> {SAME_AS} {about} .\n")
    claims = _listed(entity.get("claims"))
    is_property = entity.get("type") == "property"
    if is_property:
        found.plain.append(f"{about} {TYPE} <{v.WIKIBASE}Property> .\n")
        found.plain.append(f"{about} <{v.WIKIBASE}directClaim> <{v.WDT}{identifier}> .\n")
    elif not filters.keeps_type(_classes(claims)):
        return None
    found.texts += _texts(about, entity, filters)
    for name, statements in claims.items():
        if is_property and name != INVERSE:
            continue  # facts about a property are never shown
        if filters.properties and name not in filters.properties and not is_property:
            continue
        if not _ID.match(name):
            raise ValueError(f"{name[:40]!r} is no property")
        for line, is_value in _claim_lines(about, name, statements, filters):
            (found.texts if is_value else found.plain).append(line)
    return found


def _listed(part: Any) -> dict[str, Any]:
    """Empty maps are written as empty lists in old dumps."""
    if isinstance(part, dict):
        return part
    if part in (None, []):
        return {}
    raise ValueError("a part of it is no object")


def _texts(about: str, entity: Mapping[str, Any], filters: Filters) -> Iterator[str]:
    for part, along in _TEXTS:
        for tag, text in _listed(entity.get(part)).items():
            if filters.keeps_language(tag):
                yield f"{about} {along} {_text(text['value'], text['language'])} .\n"
    for tag, texts in _listed(entity.get("aliases")).items():
        if filters.keeps_language(tag):
            for text in texts:
                yield f"{about} {ALIAS} {_text(text['value'], text['language'])} .\n"


def _text(text: Any, tag: Any) -> str:
    if not isinstance(text, str):
        raise ValueError("a text of it is none")
    return literal(text, lang=str(tag))


def _classes(claims: Mapping[str, Any]) -> set[str]:
    return {
        str(value.get("id") or f"Q{value.get('numeric-id')}")
        for statement in truthy(claims.get(INSTANCE_OF, []))
        if isinstance(value := statement["mainsnak"].get("datavalue", {}).get("value"), dict)
    }


def truthy(statements: list[Any]) -> list[Any]:
    """The best statements of a property: the preferred ones, else the normal ones."""
    best = [s for s in statements if s.get("rank") == "preferred"]
    return best or [s for s in statements if s.get("rank", "normal") == "normal"]


def _claim_lines(
    about: str, name: str, statements: list[Any], filters: Filters
) -> Iterator[tuple[str, bool]]:
    """The lines of one property, and whether each is about a value that an index must see as it is written."""
    along = f"<{v.WDT}{name}>"
    for statement in truthy(statements):
        snak = statement["mainsnak"]
        kind = snak.get("snaktype")
        if kind == "novalue":
            yield f"{about} {TYPE} <{v.NO_VALUE_NAMESPACE}{name}> .\n", False
        elif kind == "somevalue":
            content = f"{about} {name} {statement.get('id', '')}"
            digest = hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()
            yield f"{about} {along} <{_GENID}{digest}> .\n", False
        else:
            data = snak["datavalue"]
            if data["type"] == "monolingualtext" and not filters.keeps_language(
                str(data["value"]["language"])
            ):
                continue
            term = value_term(snak.get("datatype", ""), data["type"], data["value"])
            if term:
                yield f"{about} {along} {term} .\n", f'"^^<{v.XSD}' in term


def value_term(datatype: str, kind: str, value: Any) -> str:
    """Return the term of a value; empty when it is of a kind that a graph has no use for."""
    if kind == "wikibase-entityid":
        return _entity(value)
    if kind == "time":
        return _time(value)
    if kind == "quantity":
        return _quantity(value)
    if kind == "globecoordinate":
        globe = str(value.get("globe") or "").rsplit("/", 1)[-1]
        if globe not in ("", _EARTH):
            return ""  # a place on another planet is no place on a map
        return literal(f"Point({value['longitude']} {value['latitude']})", _WKT)
    if kind == "monolingualtext":
        return _text(value["text"], value["language"])
    if kind == "string":
        return literal(str(value), v.XSD + "anyURI" if datatype == "url" else "")
    return ""


def _entity(value: Any) -> str:
    identifier = value.get("id")
    if identifier is None:  # old dumps
        letter = {"item": "Q", "property": "P"}.get(value.get("entity-type"), "")
        identifier = f"{letter}{value.get('numeric-id')}"
    if not _ID.match(str(identifier)):
        raise ValueError(f"{str(identifier)[:40]!r} is no id of Wikidata")
    return f"<{v.WD}{identifier}>"


def _time(value: Any) -> str:
    match = _TIME.match(str(value["time"]))
    if match is None:
        raise ValueError(f"{str(value['time'])[:40]!r} is no time of Wikidata")
    sign, digits, month, day, clock = match.groups()
    number = int(digits)
    year = f"{'-' if sign == '-' else ''}{number:04}"
    precision = value.get("precision", 11)
    if precision >= 12:
        return literal(f"{year}-{month}-{day}T{clock}Z", v.XSD + "dateTime")
    if precision == 11 and "00" not in (month, day):
        return literal(f"{year}-{month}-{day}", v.XSD + "date")
    if precision >= 10 and month != "00":
        return literal(f"{year}-{month}", v.XSD + "gYearMonth")
    if precision >= 9:
        return literal(year, v.XSD + "gYear")
    return f'"{escape(_vague(number, precision) + (" BCE" if sign == "-" else ""))}"'


def _vague(year: int, precision: int) -> str:
    """Words for a time that is known to the decade or less."""
    if precision == 8:
        return f"{year // 10 * 10}s"
    if precision in (6, 7):
        length, name = (100, "century") if precision == 7 else (1000, "millennium")
        return f"{_ordinal((year + length - 1) // length)} {name}"
    return f"about {year}"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def _quantity(value: Any) -> str:
    amount = str(value["amount"])
    match = _AMOUNT.match(amount)
    if match is None:
        raise ValueError(f"{amount[:40]!r} is no amount")
    amount = amount.removeprefix("+")
    unit = str(value.get("unit", "1"))
    if unit not in ("1", ""):
        unit = f"{v.WD}{unit.rsplit('/', 1)[-1]}"
        iri(unit)
        return literal(amount, unit_datatype(unit))
    return literal(amount, v.XSD + ("decimal" if match[2] else "integer"))
