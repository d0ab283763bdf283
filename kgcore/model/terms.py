"""Entities, literals, relations and triples: the words of every knowledge graph."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal as OneOf
from typing import NewType

from kgcore.model.wire import wired

EntityId = NewType("EntityId", str)
RelationId = NewType("RelationId", str)
Direction = OneOf["out", "in"]
_HAN = re.compile("[\u4e00-\u9fff]")


@wired
@dataclass(frozen=True, slots=True)
class Entity:
    """A thing in a graph; two entities are equal when their ids are.

    Ids are CURIEs (`wd:Q25188`) and opaque: nothing parses them.
    """

    id: EntityId
    label: str = field(default="", compare=False)
    description: str = field(default="", compare=False)
    kg: str = field(default="", compare=False)
    types: tuple[str, ...] = field(default=(), compare=False)  # labels of its classes
    url: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """Label for people; the id where there is no label."""
        return self.label or self.id


@wired
@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is no entity: exact lexical form, datatype CURIE (`xsd:date`), language tag, unit label."""

    value: str
    datatype: str = ""
    lang: str = ""
    unit: str = ""

    @property
    def name(self) -> str:
        """Text for people: a date as written without an empty time, a quantity with its unit."""
        text = self.value
        if self.datatype == "xsd:dateTime" and text.endswith("T00:00:00Z"):
            text = text.removesuffix("T00:00:00Z")
        return f"{text} {self.unit}" if self.unit else text


@wired
@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of edge; `inverse_label` reads it from object to subject, where the graph has such a label."""

    id: RelationId
    label: str = field(default="", compare=False)
    inverse_label: str = field(default="", compare=False)
    kg: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """Label for people; the id where there is no label."""
        return self.label or self.id

    def phrase(self, direction: Direction = "out") -> str:
        """Return the relation as read from the subject ("out") or from the object ("in").

        Without an inverse label the words around the label are in the label's own language.
        """
        if direction == "out":
            return self.name
        if self.inverse_label:
            return self.inverse_label
        return f"以其为 {self.name}" if _HAN.search(self.name) else f"is {self.name} of"


@wired
@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a triple came from. Never part of a key or of equality."""

    kg: str
    query: str = ""
    when: str = ""  # ISO 8601, UTC
    rank: str = ""  # preferred, normal, deprecated; empty where the graph has no ranks
    correction: str = ""  # id of the correction that touched it


@wired
@dataclass(frozen=True, slots=True)
class Triple:
    """A fact: subject, relation, object (an entity or a literal)."""

    subject: Entity
    relation: Relation
    object: Entity | Literal
    provenance: Provenance | None = field(default=None, compare=False)

    @property
    def text(self) -> str:
        """The triple in words, for logs and lists."""
        return f"{self.subject.name} – {self.relation.name} – {self.object.name}"

    @property
    def kg(self) -> str:
        """Name of the graph it came from; empty when nothing says so."""
        if self.provenance is not None and self.provenance.kg:
            return self.provenance.kg
        return self.relation.kg or self.subject.kg
