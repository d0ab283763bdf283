"""The relations of MusicBrainz and how they read (relations.yaml), in several languages (relations.LANGUAGE.yaml)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kgcore.kg.musicbrainz.kinds import kinds, load_table, relation_id
from kgcore.model import RelationId

ENGLISH = "en"
_OTHERS = ("zh",)
_LOCATIONS, _LOCATED = ("area", "place", "event"), (" at", " in")


@dataclass(frozen=True, slots=True)
class Naming:
    """The id of a relation, and how it reads in both directions.

    `is_turned` says that it goes from the second end of MusicBrainz's relationship to the first.
    """

    id: RelationId
    label: str
    inverse: str = ""
    is_turned: bool = False


def phrase_language(languages: Sequence[str]) -> str:
    """Return the first of the wanted languages that phrases are written in; English where none is."""
    bases = [language.split("-")[0].casefold() for language in languages]
    return next((base for base in bases if base in (ENGLISH, *_OTHERS)), ENGLISH)


def field(name: str, language: str = ENGLISH) -> Naming:
    """Return the relation that a part of a thing is."""
    label, *inverse = _own(language, "fields", name) or _relations()["fields"][name]
    return Naming(relation_id(name), label, "".join(inverse))


def relationship(name: str, first: str, second: str, language: str = ENGLISH) -> Naming:
    """Return the relation of a relationship between two kinds, given in MusicBrainz's order of its ends.

    One that is not in the tables keeps its name; read backwards it is "is … of".
    """
    data, ends = _relations(), f"{first} {second}"
    slug = re.sub(r"[^0-9a-z]+", "_", name.casefold()).strip("_") or "related"
    role = data["roles_of"].get(name, {}).get(ends) or data["roles"].get(name)
    if role is not None:
        label, inverse, *identifier = role
        own = (_own(language, "roles_of", name) or {}).get(ends) or _own(language, "roles", name)
        label, inverse = own or (label, inverse)
        return Naming(relation_id("".join(identifier) or f"has_{slug}"), label, inverse, True)
    if slug in data["fields"]:
        slug += "_relationship"
    is_listed = name in data["relationships"]
    if not is_listed and first in _LOCATIONS and name.endswith(_LOCATED):
        return Naming(relation_id(slug), name, f"{name.rpartition(' ')[0]} there", True)
    label, inverse = _own(language, "relationships", name) or data["relationships"].get(
        name, (name, "")
    )
    return Naming(relation_id(slug), label, inverse)


def kind_label(kind: str, language: str = ENGLISH) -> str:
    """Return what a thing of a kind is called."""
    return str(_own(language, "kinds", kind) or kinds()[kind].label)


def remark(name: str, value: str, language: str = ENGLISH) -> str:
    """Say what a relationship says of itself."""
    form = _own(language, "remarks", name) or _relations()["remarks"][name]
    return str(form).replace("{}", value)


@cache
def relation_words() -> frozenset[str]:
    """Return all phrases of relations, in all languages: words that are rarely names in a question."""
    tables = [
        table[part]
        for table in (_relations(), *map(_other, _OTHERS))
        for part in ("fields", "relationships", "roles")
    ]
    return frozenset(p for table in tables for phrases in table.values() for p in phrases[:2])


def is_identity(name: str) -> bool:
    """True for a relationship that says that two things are one."""
    return name in _relations()["identity"]


def is_date(name: str) -> bool:
    """True for a field that holds a date."""
    return name in _relations()["dates"]


def unit_of(name: str) -> str | None:
    """Return the unit of a field that holds a number; None for one that holds none."""
    unit: str | None = _relations()["numbers"].get(name)
    return unit


def _own(language: str, part: str, name: str) -> Any:
    """What a language other than English has for a name; None where it has nothing."""
    return _other(language).get(part, {}).get(name) if language in _OTHERS else None


@cache
def _relations() -> Mapping[str, Any]:
    return load_table("relations.yaml")


@cache
def _other(language: str) -> Mapping[str, Any]:
    return load_table(f"relations.{language}.yaml")
