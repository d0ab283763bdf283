"""From the rows of an answer in SPARQL's JSON to domain values. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgcore.errors import BadReplyError, TooHeavyError
from kgcore.kg import vocabulary as v
from kgcore.kg.external_ids import linked_iri, linking_properties
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.model import Entity, EntityId, Literal

Row = Mapping[str, Mapping[str, str]]
_PLAIN = v.XSD + "string"
_TYPES_KEPT = 3


class CutShortError(TooHeavyError):
    """The text of an answer ends before its end."""


def parse_rows(body: bytes) -> list[Row]:
    """Read the rows of an answer; BadReplyError for what is none, CutShortError for the start of one."""
    try:
        said = json.loads(body.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        start = body[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"{"):
            raise CutShortError("the answer ends before its end") from error
        raise BadReplyError(f"the answer is no table but {_what_it_is(start)}") from error
    rows = said.get("results", {}).get("bindings") if isinstance(said, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadReplyError("the answer is JSON but no table of SPARQL results")
    return rows


def _what_it_is(start: bytes) -> str:
    if start[:1] == b"<":
        return "a page of HTML or XML"
    return "some other text" if start else "empty"


def text_of(row: Row, name: str) -> str:
    """The text bound to a variable; empty where there is none."""
    bound = row.get(name)
    return str(bound.get("value", "")) if bound else ""


def number_of(row: Row, name: str) -> int:
    """The number bound to a variable; -1 where there is none."""
    try:
        return int(float(text_of(row, name)))
    except (ValueError, OverflowError):
        return -1


def to_end(bound: Mapping[str, str], prefixes: v.Prefixes) -> EntityId | Literal:
    """Turn a bound term into an id or a literal; what nobody knows, and what there is none of, into words for it."""
    kind, value = bound.get("type"), str(bound.get("value", ""))
    if kind == "bnode" or value == r.UNKNOWN or (kind == "uri" and v.is_skolem(value)):
        return v.UNKNOWN_VALUE
    if kind == "uri":
        return v.NO_VALUE if value == r.NOTHING else prefixes.shorten(value)
    lang, datatype = bound.get("xml:lang") or "", bound.get("datatype") or ""
    if lang:
        return Literal(value, lang=lang)
    return Literal(value, "" if datatype in ("", _PLAIN) else prefixes.shorten(datatype))


def is_iri(bound: Mapping[str, str] | None) -> bool:
    """True for a bound IRI that stands for a thing."""
    return bound is not None and bound.get("type") == "uri" and not v.is_skolem(bound["value"])


class Texts:
    """Gathers texts in several languages and gives the best one: by property first, then by language."""

    def __init__(self, properties: Sequence[str], languages: Sequence[str]) -> None:
        self._rank = {p: n for n, p in enumerate(properties)}
        self._languages = tuple(tag for tag in languages if tag)
        self._found: dict[
            str, list[tuple[str, str, str]]
        ] = {}  # thing → (language, property, text)

    def add(self, thing: str, row: Row, kind: str = "k", text: str = "v") -> None:
        """Take a row in, if it is a text under one of the properties."""
        of, bound = text_of(row, kind), row.get(text)
        if of in self._rank and bound and bound.get("type") != "uri" and bound.get("value"):
            found = (bound.get("xml:lang") or "", of, bound["value"])
            self._found.setdefault(thing, []).append(found)

    def best(self, thing: str) -> str:
        """The best text of a thing; empty where there is none."""
        found = self._found.get(thing)
        if not found:
            return ""
        if len(found) == 1:
            return found[0][2]
        order = v.pick_language((tag for tag, _, _ in found), self._languages)
        return min(found, key=lambda f: (order.index(f[0]), self._rank[f[1]], f[2]))[2]


@dataclass(slots=True)
class Known:
    """What the rows of an answer say of the things in it, by IRI."""

    labels: Texts
    descriptions: Texts
    inverse_labels: Texts
    classes: dict[str, dict[str, Texts]] = field(default_factory=dict)
    links: dict[str, set[str]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    present: set[str] = field(default_factory=set)  # those with facts of their own
    mentioned: set[str] = field(default_factory=set)

    def entity(self, iri: str, prefixes: v.Prefixes, kg: str) -> Entity:
        """Describe a thing."""
        found = self.classes.get(iri, {})
        types = sorted(filter(None, (texts.best(c) for c, texts in found.items())))
        return Entity(
            prefixes.shorten(iri),
            self.labels.best(iri),
            self.descriptions.best(iri),
            kg,
            tuple(dict.fromkeys(types))[:_TYPES_KEPT],
            iri if iri.startswith(("http://", "https://")) else "",
        )


def read_known(rows: Iterable[Row], profile: Profile, languages: Sequence[str]) -> Known:
    """Gather labels, descriptions, classes and links of all ?x."""
    known = Known(
        Texts(profile.labels, languages),
        Texts(profile.descriptions, languages),
        Texts(profile.inverse_labels, languages),
    )
    for row in rows:
        if number_of(row, "e") in range(r.STATEMENT, r.ASKED):
            continue
        thing, kind = text_of(row, "x"), text_of(row, "k")
        if not kind or not is_iri(row.get("x")):
            continue
        if kind in (r.HERE, r.THERE):
            (known.present if kind == r.HERE else known.mentioned).add(thing)
        elif kind in profile.types:
            known.present.add(thing)
            texts = known.classes.setdefault(thing, {})
            its_class = text_of(row, "y")
            text = texts.setdefault(its_class, Texts(("",), languages))
            text.add(its_class, {**row, "k": {"value": ""}})
        else:
            _read_link_or_text(known, profile, row, thing, kind)
    return known


def _read_link_or_text(known: Known, profile: Profile, row: Row, thing: str, kind: str) -> None:
    if is_iri(row.get("v")) and kind in profile.redirects:
        known.redirects[thing] = min(text_of(row, "v"), known.redirects.get(thing, "\U0010ffff"))
    end = "v" if "v" in row else "y"
    if kind in profile.same_as:
        if is_iri(row.get(end)) and text_of(row, end) != thing:
            known.links.setdefault(thing, set()).add(text_of(row, end))
        return
    if end == "v" and not is_iri(row.get("v")):
        known.present.add(thing)
    if profile.has_external_ids and kind in linking_properties():
        other = text_of(row, "y") or linked_iri(kind, text_of(row, "v"))
        if other:
            known.links.setdefault(thing, set()).add(other)
        return
    for texts in (known.labels, known.descriptions, known.inverse_labels):
        texts.add(thing, row)


def read_statements(
    rows: Iterable[Row], languages: Sequence[str]
) -> dict[tuple[int, str, str], dict[str, Any]]:
    """Rank, precision and unit by asked thing, value and kind of term."""
    units = Texts(("",), languages)
    found: dict[tuple[int, str, str], dict[str, Any]] = {}
    for row in rows:
        number = number_of(row, "e")
        if not r.STATEMENT <= number < r.ASKED or "x" not in row:
            continue
        key = (number - r.STATEMENT, row["x"].get("type", "")[:3], text_of(row, "x"))
        said = found.setdefault(key, {})
        rank = text_of(row, "v").removeprefix(v.WIKIBASE).removesuffix("Rank").lower()
        if rank == "preferred" or "rank" not in said:
            said["rank"] = rank
        kind = text_of(row, "k").removeprefix(v.WIKIBASE)
        if kind and text_of(row, "y"):
            said[kind] = text_of(row, "y")
            units.add(said[kind], {**row, "k": {"value": ""}}, text="u")
    for said in found.values():
        said["unit"] = units.best(said.get("quantityUnit", ""))
    return found


_NO_UNIT = v.WD + "Q199"  # the number one, which stands for none


def refine(literal: Literal, said: Mapping[str, Any], prefixes: v.Prefixes) -> Literal:
    """Give a value the precision and the unit its statement has: a year is a year."""
    unit = said.get("quantityUnit", _NO_UNIT)
    if unit != _NO_UNIT:
        label = said.get("unit") or prefixes.shorten(unit)
        return Literal(literal.value, literal.datatype, literal.lang, label)
    if literal.datatype not in ("xsd:dateTime", "xsd:date"):
        return literal
    sign, date = ("-", literal.value[1:]) if literal.value.startswith("-") else ("", literal.value)
    year, *rest = date.split("T")[0].split("-")
    match said.get("timePrecision"):
        case "9":
            return Literal(sign + year, "xsd:gYear")
        case "8":
            return Literal(sign + year, "xsd:gYear", unit="decade")
        case "10" if rest:
            return Literal(f"{sign}{year}-{rest[0]}", "xsd:gYearMonth")
    return literal
