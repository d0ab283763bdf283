"""Turns replies of MusicBrainz into things, their relations and their values. Pure functions.

A triple has no place for what MusicBrainz says of a relationship: the instrument, the years, the name on the cover.
So an edge says it in the label of its relation, "member of band (drums, 1990–1994)", while the relation keeps its id:
it is offered, counted and followed as one relation, and a person and a model see the whole fact in each triple.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgcore.kg.musicbrainz.client import Reply
from kgcore.kg.musicbrainz.kinds import LIST_LENGTH, Kind, kinds
from kgcore.kg.musicbrainz.phrases import (
    Naming,
    is_identity,
    phrase_language,
    relationship,
    remark,
)
from kgcore.kg.musicbrainz.phrases import field as field_relation
from kgcore.kg.musicbrainz.things import literal, note_of, thing, wikidata_ids
from kgcore.model import Direction, Entity, EntityId, Literal, Relation, RelationId

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
    hint: str = ""  # what was not read, for a person

    def add(self, end: Entity | Literal, note: str = "") -> None:
        """Add an edge; a second one to the same end adds only what is said of it."""
        notes = self.notes.setdefault(end, [])
        if note and note not in notes:
            notes.append(note)
        self.total = max(self.total, len(self.notes))

    def leads_to(self, identifier: EntityId) -> bool:
        """True when one of the ends is this thing."""
        return any(isinstance(end, Entity) and end.id == identifier for end in self.notes)

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
    note: str = ""  # what this reply leaves out, for a person


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


@dataclass(frozen=True, slots=True)
class _Reader:
    reply: Reply
    languages: Sequence[str]
    kg: str

    @property
    def _language(self) -> str:
        return phrase_language(self.languages)

    def _field(self, name: str) -> Naming:
        return field_relation(name, self._language)

    def entity(self, kind: str, data: Mapping[str, Any]) -> Entity:
        return thing(kind, data, self.languages, self.kg)

    def groups(
        self, kind: Kind, data: Mapping[str, Any]
    ) -> tuple[dict[Group, Edges], tuple[EntityId, ...]]:
        groups: dict[Group, Edges] = {}
        for path, relation in kind.values.items():
            for value in self._values(data, path):
                _group(groups, self._field(relation)).add(literal(relation, value))
        for part, (relation, other) in kind.ends.items():
            if (data.get(part) or {}).get("id"):
                end = self.entity(other, data[part])
                _group(groups, self._field(relation)).add(end)
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
            note = remark("credited", shown, self._language) if is_other else ""
            _group(groups, self._field(kind.credit)).add(artist, note)

    def _labels_and_tracks(
        self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]
    ) -> None:
        if kind.name != "release":
            return
        for info in data.get("label-info-list") or ():
            if (info.get("label") or {}).get("id"):
                label = self.entity("label", info["label"])
                number = info.get("catalog-number", "")
                note = remark("catalogue", number, self._language) if number else ""
                _group(groups, self._field("label")).add(label, note)
        for medium in data.get("medium-list") or ():
            for track in medium.get("track-list") or ():
                if (track.get("recording") or {}).get("id"):
                    recording = self.entity("recording", track["recording"])
                    _group(groups, self._field("recording")).add(recording)

    def _lists(self, groups: dict[Group, Edges], kind: Kind, data: Mapping[str, Any]) -> None:
        for other, relation in kind.lists.items():
            items = [item for item in data.get(f"{other}-list") or () if item.get("id")]
            if not items:
                continue
            edges = _group(groups, self._field(relation), "in")
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
                    same += wikidata_ids(end.url)
                    continue
                is_first = relation.get("direction") != "backward"
                ends = (kind.name, other) if is_first else (other, kind.name)
                naming = relationship(relation.get("type", ""), *ends, self._language)
                edges = _group(groups, naming, "out" if is_first != naming.is_turned else "in")
                edges.add(end, note_of(relation, self._language))
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
