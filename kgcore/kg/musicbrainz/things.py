"""Reads single things, values and remarks out of what musicbrainzngs made of a reply. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgcore.kg import vocabulary as v
from kgcore.kg.musicbrainz.kinds import entity_id
from kgcore.kg.musicbrainz.phrases import is_date, kind_label, phrase_language, remark, unit_of
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId, Literal

_PREFIXES = Prefixes()
_WIKIDATA = ("https://www.wikidata.org/", "http://www.wikidata.org/")
_DATE_TYPES = {4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date"}


def thing(kind: str, data: Mapping[str, Any], languages: Sequence[str], kg: str) -> Entity:
    """Return a thing with what the reply says of it."""
    identifier = entity_id(kind, data["id"])
    address = data.get("resource") or ""
    url = address if address.startswith(("http://", "https://")) else _PREFIXES.expand(identifier)
    label = _label(data, languages)
    return Entity(identifier, label, _description(data), kg, _types(kind, data, languages), url)


def _label(data: Mapping[str, Any], languages: Sequence[str]) -> str:
    """The main name in the first wanted language that has one; else the name."""
    main = {
        (alias.get("locale") or "").replace("_", "-"): alias["alias"]
        for alias in data.get("alias-list") or ()
        if alias.get("primary") and alias.get("locale") and alias.get("alias")
    }
    for language in languages:
        base = language.split("-")[0].casefold()
        for tag in v.pick_language(main, [language]):
            if tag.split("-")[0].casefold() == base:
                return str(main[tag])
    return names(data)[0]


def names(data: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the name of a thing and its further names."""
    name = data.get("name") or data.get("title") or data.get("resource") or ""
    others = [alias["alias"] for alias in data.get("alias-list") or () if alias.get("alias")]
    others += [data["sort-name"]] if data.get("sort-name") else []
    return name, [other for other in dict.fromkeys(others) if other != name]


def _types(kind: str, data: Mapping[str, Any], languages: Sequence[str]) -> tuple[str, ...]:
    more = data.get("primary-type") or data.get("type") or ""
    found = [
        kind_label(kind, phrase_language(languages)),
        more.casefold() if isinstance(more, str) else "",
    ]
    return tuple(dict.fromkeys(text for text in found if text))


def _description(data: Mapping[str, Any]) -> str:
    """What tells a thing from others of its name: MusicBrainz's own words; else what kind of thing, of whom."""
    if data.get("disambiguation"):
        return str(data["disambiguation"])
    kind = data.get("primary-type") or data.get("type") or ""
    by = data.get("artist-credit-phrase") or ""
    area = (data.get("area") or {}).get("name") or ""
    begin = (data.get("life-span") or {}).get("begin") or data.get("first-release-date") or ""
    begin = begin or data.get("date") or ""
    parts = [kind, f"by {by}" if by else "", f"from {area}" if area else ""]
    text = " ".join(part for part in parts if part)
    return ", ".join(part for part in (text, begin[:4]) if part)


def literal(relation: str, value: str) -> Literal:
    """Give a value its type: a date keeps its precision, one that MusicBrainz knows in part is a text."""
    unit = unit_of(relation)
    if unit is not None and value.isascii() and value.isdigit():
        return Literal(value, "xsd:integer", unit=unit)
    digits = value.replace("-", "")
    if is_date(relation) and digits.isascii() and digits.isdigit() and value[:1] != "-":
        return Literal(value, _DATE_TYPES.get(len(value), ""))
    return Literal(value)


def note_of(relation: Mapping[str, Any], language: str) -> str:
    """Say in words what a relationship says of itself."""
    parts = [_attribute(attribute) for attribute in relation.get("attributes") or ()]
    begin, end = relation.get("begin", ""), relation.get("end", "")
    if begin and end:
        parts.append(begin if begin == end else f"{begin}–{end}")
    elif begin:
        parts.append(
            remark("from" if relation.get("ended") == "true" else "since", begin, language)
        )
    elif end:
        parts.append(remark("until", end, language))
    if relation.get("target-credit"):
        parts.append(remark("credited", relation["target-credit"], language))
    return ", ".join(part for part in parts if part)


def _attribute(attribute: Mapping[str, Any]) -> str:
    name, value = attribute.get("attribute") or "", attribute.get("value") or ""
    return f"{name} {value}".strip()


def wikidata_ids(address: str) -> list[EntityId]:
    """The id of the Wikidata item a web address stands for, however the address is written."""
    for start in _WIKIDATA:
        for folder in ("wiki/", "entity/"):
            prefix = start + folder
            if address.startswith(prefix):
                item = address.removeprefix(prefix).partition("#")[0].partition("?")[0]
                return [_PREFIXES.shorten(v.WD + item)] if item else []
    return []
