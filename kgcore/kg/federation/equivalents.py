"""Relations of different graphs that mean the same, as data.

Whether two of them are one is decided for each entity: `begin_date` is a date of birth for whoever has a date of birth
elsewhere, and the founding of whatever was founded. So a relation joins another one only where that one touches all
that it touches itself, and its edges are taken only for entities that have an edge of the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from kgcore.kg.federation.merging import merge_options
from kgcore.model import Direction, RelationId
from kgcore.steps import RelationOption

DIRECTIONS: tuple[Direction, Direction] = ("out", "in")
Options = dict[tuple[RelationId, Direction], RelationOption]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Relations that mean the same, the one to be shown first."""

    relations: tuple[RelationId, ...]
    is_one_way: bool = False

    def holds(self, direction: Direction) -> bool:
        """Tell whether it holds when read in this direction."""
        return direction == "out" or not self.is_one_way


@dataclass(frozen=True, slots=True)
class Equivalents:
    """A table of relations that mean the same; empty, it changes nothing."""

    items: tuple[Equivalence, ...] = ()

    @property
    def version(self) -> str:
        """Hash of the table."""
        return hashlib.blake2b(repr(self.items).encode(), digest_size=8).hexdigest()

    def of(self, relation: RelationId, direction: Direction) -> tuple[RelationId, ...]:
        """Return the other relations that may mean the same as this one."""
        found = [
            other
            for item in self.items
            if item.holds(direction) and relation in item.relations
            for other in item.relations
            if other != relation
        ]
        return tuple(dict.fromkeys(found))

    def joined(self, options: Mapping[tuple[RelationId, Direction], RelationOption]) -> Options:
        """Offer once what means the same for all entities it touches."""
        left = dict(options)
        for item in self.items:
            for direction in DIRECTIONS:
                if item.holds(direction):
                    _join(left, [(relation, direction) for relation in item.relations])
        return left


def _join(options: Options, keys: Iterable[tuple[RelationId, Direction]]) -> None:
    present = [key for key in keys if key in options]
    for key in present[1:]:
        first = present[0]
        if set(options[key].touches) <= set(options[first].touches):
            options[first] = merge_options(options[first], options.pop(key))


@cache
def known_equivalents() -> Equivalents:
    """Return the table that comes with this package."""
    text = files("kgcore.kg.federation").joinpath("equivalents.yaml").read_text("utf-8")
    return Equivalents(tuple(_read(row) for row in yaml.safe_load(text)))


def _read(row: Mapping[str, Any]) -> Equivalence:
    relations = tuple(RelationId(relation) for relation in row["relations"])
    return Equivalence(relations, bool(row.get("one_way", False)))
