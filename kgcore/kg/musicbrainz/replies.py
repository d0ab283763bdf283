"""Turns replies of MusicBrainz into things, their relations and their values. Pure functions.

A triple has no place for what MusicBrainz says of a relationship: the instrument, the years, the name on the sleeve.
So an edge says it in the label of its relation, "member of band (drums, 1990–1994)", while the relation keeps its id:
it is offered, counted and followed as one relation, and a person and a model see the whole fact in each triple.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgcore.kg import vocabulary as v
from kgcore.kg.musicbrainz.client import Reply
from kgcore.kg.musicbrainz.kinds import (
    LIST_LENGTH,
    Kind,
    Naming,
    entity_id,
    is_date,
    is_identity,
    kinds,
    relationship,
    unit_of,
)
from kgcore.kg.musicbrainz.kinds import field as field_relation
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Direction, Entity, EntityId, Literal, Relation, RelationId

_PREFIXES = Prefixes()
_WIKIDATA = ("https://www.wikidata.org/", "http://www.wikidata.org/")
_DATE_TYPES = {4: "xsd:gYear", 7: "xsd:gYearMonth", 10: "xsd:date"}
Group = tuple[RelationId, Direction]


@dataclass(slots=True)
class Edges:
    """The edges of a thing along one relation in one direction, as far as a reply brought them.

    `total` is their true number; `rest` names the kind of things to browse for those that are missing.
    """

    naming: Naming
    notes: dict[Entity | Literal, list[str]] = field(default_factory=dict)
    total: int = 0
    is_at_least: bool = False
    rest: str = ""

    def add(self, end: Entity | Literal, note: str = "") -> None:
        """Add an edge; a second one to the same end adds only what is said of it."""
        notes = self.notes.setdefault(end, [])
        if note and note not in notes:
            notes.append(note)
        self.total = max(self.total, len(self.notes))

    def relation(self, end: Entity | Literal, kg: str) -> Relation:
        """The relation as the edge to this end reads."""
        notes = "; ".join(self.notes[end])
        more = f" ({notes})" if notes else ""
        inverse = f"{self.naming.inverse}{more}" if self.naming.inverse else ""
        return Relation(self.naming.id, f"{self.naming.label}{more}", inverse, kg)


@dataclass(frozen=True, slots=True)
class Page:
    """All that a lookup says of a thing."""

    entity: Entity
    groups: Mapping[Group, Edges]
    same_as: tuple[EntityId, ...]
    query: str = ""
    when: str = ""


def page(kind: str, reply: Reply, languages: Sequence[str], kg: str) -> Page | None:
    """Read a lookup of one thing; None when it holds none."""
    data = reply.data.get(kind)
    if not data or "id" not in data:
        return None
    reader = _Reader(reply, languages, kg)
    groups, same = reader.groups(kinds()[kind], data)
    return Page(reader.entity(kind, data), groups, same, reply.query, reply.when)


def linked(
    kind: str, reply: Reply, languages: Sequence[str], kg: str
) -> Iterator[tuple[Entity, Mapping[Group, Edges]]]:
    """Read the things of a browse or search reply, each with what it says of itself."""
    reader = _Reader(reply, languages, kg)
    for data in reply.items(kind):
        if "id" in data:
            yield reader.entity(kind, data), reader.groups(kinds()[kind], data)[0]


def names(data: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the name of a thing and its further names."""
    name = data.get("name") or data.get("title") or data.get("resource") or ""
    others = [alias["alias"] for alias in data.get("alias-list") or () if alias.get("alias")]
    others += [data["sort-name"]] if data.get("sort-name") else []
    return name, [other for other in dict.fromkeys(others) if other != name]


@dataclass(frozen=True, slots=True)
class _Reader:
    reply: Reply
    languages: Sequence[str]
    kg: str

    def entity(self, kind: str, data: Mapping[str, Any]) -> Entity:
        identifier = entity_id(kind, data["id"])
        url = data.get("resource") or _PREFIXES.expand(identifier)
        label = self._label(data)
        return Entity(identifier, label, _description(data), self.kg, _types(kind, data), url)

    def _label(self, data: Mapping[str, Any]) -> str:
        """The main name in the first wanted language that has one; else the name."""
        name, _ = names(data)
        main = {
            (alias.get("locale") or "").replace("_", "-"): alias["alias"]
            for alias in data.get("alias-list") or ()
            if alias.get("primary") and alias.get("locale") and alias.get("alias")
        }
        for language in self.languages:
            tags = v.pick_language(main, [language])
            if tags and tags[0].split("-")[0].casefold() == language.split("-")[0].casefold():
                return str(main[tags[0]])
        return name

    def groups(
        self, kind: Kind, data: Mapping[str, Any]
    ) -> tuple[dict[Group, Edges], tuple[EntityId, ...]]:
        groups: dict[Group, Edges] = {}
        for path, relation in kind.values.items():
            for value in self._values(data, path):
                _group(groups, field_relation(relation)).add(_literal(relation, value))
        for part, (relation, other) in kind.ends.items():
            if (data.get(part) or {}).get("id"):
                end = self.entity(other, data[part])
                _group(groups, field_relation(relation)).add(end)
        self._credits(groups, kind, data)
        self._labels_and_tracks(groups, kind, data)
        self._lists(groups, kind, data)
        same = self._relationships(groups, kind, data)
        return groups, same

    def _values(self, data: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
        value: Any = data
        for part in path:
            value = value.get(part) if isinstance(value, Mapping) else None
        if value is None and path == ("first-release-date",):
            value = self.reply.first_dates.get(data["id"])
        texts = value if isinstance(value, list) else [value]
        return [text for text in texts if isinstance(text, str) and text.strip()]

    def _credits(self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]) -> None:
        for part in data.get("artist-credit") or () if kind.credit else ():
            if not isinstance(part, Mapping) or not (part.get("artist") or {}).get("id"):
                continue
            artist = self.entity("artist", part["artist"])
            shown = part.get("name", "")
            is_other = shown and shown != part["artist"].get("name")
            note = f"credited as {shown}" if is_other else ""
            _group(groups, field_relation(kind.credit)).add(artist, note)

    def _labels_and_tracks(
        self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]
    ) -> None:
        if kind.name != "release":
            return
        for info in data.get("label-info-list") or ():
            if (info.get("label") or {}).get("id"):
                label = self.entity("label", info["label"])
                number = info.get("catalog-number", "")
                note = f"catalogue number {number}" if number else ""
                _group(groups, field_relation("label")).add(label, note)
        for medium in data.get("medium-list") or ():
            for track in medium.get("track-list") or ():
                if (track.get("recording") or {}).get("id"):
                    recording = self.entity("recording", track["recording"])
                    _group(groups, field_relation("recording")).add(recording)

    def _lists(self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]) -> None:
        for other, relation in kind.lists.items():
            items = [item for item in data.get(f"{other}-list") or () if item.get("id")]
            if not items:
                continue
            edges = _group(groups, field_relation(relation), "in")
            for item in items[:LIST_LENGTH]:
                edges.add(self.entity(other, item))
            edges.total = max(edges.total, data.get(f"{other}-count", 0))
            edges.rest = other if edges.total > len(edges.notes) else ""

    def _relationships(
        self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]
    ) -> tuple[EntityId, ...]:
        same: list[EntityId] = []
        for key, relations in data.items():
            if not key.endswith("-relation-list"):
                continue
            other = key.removesuffix("-relation-list").replace("_", "-")
            for relation in relations if other in kinds() else ():
                end = self._end(other, relation)
                if end is None:
                    continue
                if is_identity(relation.get("type", "")):
                    same += _identity(end)
                    continue
                is_first = relation.get("direction") != "backward"
                ends = (kind.name, other) if is_first else (other, kind.name)
                naming = relationship(relation.get("type", ""), *ends)
                edges = _group(groups, naming, "out" if is_first else "in")
                edges.add(end, _note(relation))
        return tuple(dict.fromkeys(same))

    def _end(self, kind: str, relation: Mapping[str, Any]) -> Entity | None:
        if kind == "url":
            address = relation.get("target") or ""
            identifier = self.reply.url_ids.get(address)
            found = {"id": identifier, "resource": address} if identifier else {}
        else:
            found = relation.get(kind) or {}
        return self.entity(kind, found) if found.get("id") else None


def _group(groups: dict[Group, Edges], naming: Naming, direction: Direction = "out") -> Edges:
    return groups.setdefault((naming.id, direction), Edges(naming))


def _literal(relation: str, value: str) -> Literal:
    """Give a value its type: a date keeps its precision, one that MusicBrainz knows in part is a text."""
    unit = unit_of(relation)
    if unit is not None and value.isascii() and value.isdigit():
        return Literal(value, "xsd:integer", unit=unit)
    digits = value.replace("-", "")
    if is_date(relation) and digits.isascii() and digits.isdigit() and value[:1] != "-":
        return Literal(value, _DATE_TYPES.get(len(value), ""))
    return Literal(value)


def _note(relation: Mapping[str, Any]) -> str:
    """Say in words what a relationship says of itself."""
    parts = [_attribute(attribute) for attribute in relation.get("attributes") or ()]
    begin, end = relation.get("begin", ""), relation.get("end", "")
    if begin and end:
        parts.append(begin if begin == end else f"{begin}–{end}")
    elif begin:
        parts.append(f"since {begin}" if relation.get("ended") != "true" else f"from {begin}")
    elif end:
        parts.append(f"until {end}")
    if relation.get("target-credit"):
        parts.append(f"credited as {relation['target-credit']}")
    return ", ".join(part for part in parts if part)


def _attribute(attribute: Mapping[str, Any]) -> str:
    name, value = attribute.get("attribute") or "", attribute.get("value") or ""
    return f"{name} {value}".strip()


def _identity(end: Entity) -> list[EntityId]:
    """The id of the Wikidata item a web address stands for, however the address is written."""
    for start in _WIKIDATA:
        for folder in ("wiki/", "entity/"):
            prefix = start + folder
            if end.url.startswith(prefix):
                item = end.url.removeprefix(prefix).partition("#")[0].partition("?")[0]
                return [_PREFIXES.shorten(v.WD + item)] if item else []
    return []


def _types(kind: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    more = data.get("primary-type") or data.get("type") or ""
    found = [kinds()[kind].label, more.casefold() if isinstance(more, str) else ""]
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
