"""What is known of MusicBrainz itself, as data: its kinds of things (kinds.yaml), and its ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import yaml

from kgcore.kg.vocabulary import DEFAULT_PREFIXES
from kgcore.model import EntityId, RelationId

LIST_LENGTH = 25  # linked things that a lookup lists at most
PAGE_LENGTH = 100  # things that a browse request brings at most
_ENTITIES, _RELATIONS = "mb", "mbp"
_MBID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = re.compile(rf"([a-z-]+)/({_MBID})\Z")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of things: what a lookup of one brings and which relations its parts are."""

    name: str
    label: str
    includes: tuple[str, ...]
    values: Mapping[tuple[str, ...], str]
    ends: Mapping[str, tuple[str, str]]
    credit: str
    lists: Mapping[str, str]  # kind of the listed things → relation from them to this
    browse: Mapping[str, tuple[str, ...]]  # kind of the things → relations from them to this
    words: tuple[str, ...]


@cache
def kinds() -> Mapping[str, Kind]:
    """Return all kinds by the name that requests use."""
    return {name: _kind(name, data) for name, data in load_table("kinds.yaml").items()}


def _kind(name: str, data: Mapping[str, Any]) -> Kind:
    return Kind(
        name,
        data["label"],
        (*data["inc"], *(f"{other}-rels" for other in data["rels"])),
        {tuple(path.split("/")): relation for path, relation in data.get("values", {}).items()},
        {path: (relation, kind) for path, (relation, kind) in data.get("ends", {}).items()},
        data.get("credit", ""),
        data.get("lists", {}),
        {kind: tuple(relations) for kind, relations in data.get("browse", {}).items()},
        tuple(data.get("words", ())),
    )


def relation_id(name: str) -> RelationId:
    """Return the id of a relation by its name in relations.yaml."""
    return RelationId(f"{_RELATIONS}:{name}")


def entity_id(kind: str, mbid: str) -> EntityId:
    """Return the id of a thing here, as other graphs write it too."""
    return EntityId(f"{_ENTITIES}:{kind}/{mbid}")


def is_mbid(text: str) -> bool:
    """True for an id as MusicBrainz gives them."""
    return re.fullmatch(_MBID, text) is not None


class ThingId(NamedTuple):
    """What MusicBrainz knows a thing by: its kind, and its id among those of its kind."""

    kind: str
    mbid: str


def parse_thing_id(iri: str) -> ThingId | None:
    """Read the IRI of a thing; None when it is no thing of MusicBrainz."""
    namespace = DEFAULT_PREFIXES[_ENTITIES]
    match = _ID.match(iri.removeprefix(namespace)) if iri.startswith(namespace) else None
    return ThingId(match[1], match[2]) if match and match[1] in kinds() else None


def is_relation(iri: str) -> bool:
    """True for the IRI of what may be a relation of MusicBrainz."""
    return iri.startswith(DEFAULT_PREFIXES[_RELATIONS])


def load_table(name: str) -> dict[str, Any]:
    """Read a table of this package."""
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    return dict(yaml.safe_load(text))
