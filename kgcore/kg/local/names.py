"""The names of an embedded graph, in all languages, as linking looks them up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kgcore.errors import InputError
from kgcore.kg.linking import Name, Thing
from kgcore.kg.local.labels import LabelIndex, Node
from kgcore.kg.mentions import loosen
from kgcore.model import EntityId

_MOST_TYPO_NAMES = (
    3_000_000  # beyond that typos are not looked for: the names would fill the memory
)
_NAME = "SELECT name.node, name.text, name.key, name.is_alias FROM name "


class NameIndex:
    """Implements the table of names that linking works on; see linking.NameTable."""

    def __init__(self, labels: LabelIndex) -> None:
        self._labels, self._reader = labels, labels.reader

    @cached_property
    def max_degree(self) -> int:
        """The most edges any thing has."""
        return int(self._reader.select("SELECT coalesce(max(degree), 0) FROM node")[0][0])

    @cached_property
    def relation_keys(self) -> frozenset[str]:
        """Keys of all names of relations."""
        rows = self._reader.select(
            "SELECT DISTINCT text FROM relation_name WHERE kind <> 'inverse'"
        )
        return frozenset(loosen(text) for (text,) in rows) | {
            loosen(relation.label) for relation in self._labels.relations.values()
        }

    def by_id(self, text: str) -> int | None:
        """Return the thing whose id this text is, as CURIE or IRI."""
        try:
            key = self._labels.prefixes.shorten(self._labels.prefixes.expand(text))
        except InputError:
            return None
        node = self._labels.nodes([key]).get(key)
        return node.number if node else None

    def exact(self, keys: Iterable[str]) -> list[Name]:
        """Names with one of these keys."""
        return _names(self._reader.select(_NAME + "WHERE key IN (?*) ORDER BY name.id", keys))

    def words(self, key: str, limit: int) -> list[Name]:
        """Names that hold all the words of a key, the last one perhaps unfinished."""
        words = [f'"{word}"' for word in key.replace('"', " ").replace("\0", " ").split()]
        if not words:
            return []
        rows = self._reader.select(
            _NAME + "JOIN name_words ON name_words.rowid = name.id "
            "WHERE name_words MATCH ? ORDER BY rank, name.id LIMIT ?",
            exactly=(" ".join(words) + "*", limit),
        )
        return _names(rows)

    def similar(self, key: str, max_distance: int, limit: int) -> list[Name]:
        """Names that differ from a key by a few typing errors, the nearest first."""
        if max_distance < 1:
            return []
        found: list[tuple[int, str]] = []
        for length in range(len(key) - max_distance, len(key) + max_distance + 1):
            found += [
                (int(distance), other)
                for other, distance, _ in process.extract(
                    key,
                    self._keys_by_length.get(length, ()),
                    scorer=OSA.distance,
                    processor=None,
                    score_cutoff=max_distance,
                    limit=limit,
                )
            ]
        distance_of = {other: distance for distance, other in sorted(found)[:limit]}
        return [
            Name(name.node, name.text, name.key, name.is_alias, distance_of[name.key])
            for name in self.exact(distance_of)
        ]

    @cached_property
    def _keys_by_length(self) -> Mapping[int, Sequence[str]]:
        ((n_names,),) = self._reader.select("SELECT count(*) FROM name")
        by_length: dict[int, list[str]] = {}
        if n_names <= _MOST_TYPO_NAMES:
            for (key,) in self._reader.select("SELECT DISTINCT key FROM name ORDER BY key"):
                by_length.setdefault(len(key), []).append(key)
        return by_length

    def things(self, nodes: Iterable[Hashable]) -> dict[Hashable, Thing]:
        """Describe things for linking; properties are left out."""
        rows = self._reader.select(
            "SELECT id, key, degree, n_instances FROM node WHERE NOT is_hidden AND id IN (?*)",
            nodes,
        )
        entities = self._labels.entities(Node(n, EntityId(key), d, False) for n, key, d, _ in rows)
        return {n: Thing(entities[EntityId(key)], d, bool(i)) for n, key, d, i in rows}


def _names(rows: Iterable[tuple[Any, ...]]) -> list[Name]:
    return [Name(node, text, key, bool(is_alias)) for node, text, key, is_alias in rows]
