"""The label index of an embedded graph, as it is read.

Any number of threads may read it; each takes a connection from a small pool. Labels come in the first language
of the wanted ones that a thing has, then without language, then in any. Names of all languages can be found.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kgcore.errors import InputError, ServiceError
from kgcore.kg.edge_counts import IN, OUT
from kgcore.kg.linking import Name, Thing
from kgcore.kg.mentions import loosen
from kgcore.kg.vocabulary import Prefixes, local_name, pick_language
from kgcore.model import Direction, Entity, EntityId, Relation, RelationId

_CHUNK = 500  # values in one query
_MOST_TYPO_NAMES = (
    3_000_000  # beyond that typos are not looked for: the names would fill the memory
)
_NAME = "SELECT name.node, name.text, name.key, name.is_alias FROM name "
DIRECTIONS: tuple[Direction, Direction] = ("out", "in")


@dataclass(frozen=True, slots=True)
class Node:
    """A thing as the index numbers it."""

    number: int
    id: EntityId
    degree: int
    is_property: bool


@dataclass(frozen=True, slots=True)
class Count:
    """How many edges a node has along a relation, with examples of the other ends."""

    node: int
    direction: Direction
    relation: int
    n: int
    examples: tuple[int | str, ...]
    kinds: tuple[str, ...]


class LabelIndex:
    """Reads `labels.sqlite`; `kg` is the name that entities and relations carry."""

    def __init__(
        self, path: Path, kg: str, prefixes: Prefixes, *, languages: Sequence[str]
    ) -> None:
        self._uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._kg, self._prefixes, self._wanted = kg, prefixes, tuple(languages)
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the connections that are not in use."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    # --- things

    def nodes(self, ids: Iterable[str]) -> dict[EntityId, Node]:
        """Find things by id; those the graph does not hold are left out."""
        rows = self._select("SELECT key, id, degree, is_property FROM node WHERE key IN (?*)", ids)
        return {EntityId(key): Node(n, EntityId(key), d, bool(p)) for key, n, d, p in rows}

    def nodes_by_number(self, numbers: Iterable[int]) -> dict[int, Node]:
        """Find things by number."""
        rows = self._select(
            "SELECT key, id, degree, is_property FROM node WHERE id IN (?*)", numbers
        )
        return {n: Node(n, EntityId(key), d, bool(p)) for key, n, d, p in rows}

    def entities(self, nodes: Iterable[Node]) -> dict[EntityId, Entity]:
        """Describe things: label, description, types."""
        by_number = {node.number: node for node in nodes}
        labels = self.labels(by_number)
        descriptions = self._in_language(
            "SELECT node, lang, text FROM description WHERE node IN (?*) ORDER BY rowid", by_number
        )
        types = self.types(by_number)
        return {
            node.id: Entity(
                node.id,
                labels.get(number, ""),
                descriptions.get(number, ""),
                self._kg,
                types.get(number, ()),
                self._url(node.id),
            )
            for number, node in by_number.items()
        }

    def labels(self, numbers: Iterable[int]) -> dict[int, str]:
        """Labels of things in the best language each one has."""
        return self._in_language(
            "SELECT node, lang, text FROM name WHERE node IN (?*) AND NOT is_alias ORDER BY id",
            numbers,
        )

    def types(self, numbers: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Labels of the classes of things, the commonest class first."""
        rows = self._select(
            "SELECT node, class FROM class WHERE node IN (?*) ORDER BY node, position", numbers
        )
        labels = self.labels(its_class for _, its_class in rows)
        found: dict[int, list[str]] = {}
        for node, its_class in rows:
            if its_class in labels:
                found.setdefault(node, []).append(labels[its_class])
        return {node: tuple(dict.fromkeys(texts)) for node, texts in found.items()}

    def same_as(self, numbers: Iterable[int]) -> list[tuple[EntityId, EntityId]]:
        """Explicit identity links of things, from either direction, as (thing, other)."""
        return [
            (EntityId(one), EntityId(other))
            for one, other in self._select(
                "SELECT a.key, b.key FROM same_as JOIN node a ON a.id = same_as.node "
                "JOIN node b ON b.id = same_as.other WHERE same_as.node IN (?*) "
                "ORDER BY same_as.node, b.key",
                numbers,
            )
        ]

    def _url(self, identifier: EntityId) -> str:
        iri = self._prefixes.expand(identifier)
        return iri if iri.startswith(("http://", "https://")) else ""

    def _in_language(self, query: str, numbers: Iterable[int]) -> dict[int, str]:
        best: dict[int, tuple[int, str]] = {}
        for node, lang, text in self._select(query, numbers):
            rank = self._language_rank.get(lang, len(self._language_rank))
            if node not in best or rank < best[node][0]:
                best[node] = (rank, text)
        return {node: text for node, (_, text) in best.items()}

    @cached_property
    def _language_rank(self) -> dict[str, int]:
        tags = [
            tag
            for table in ("name", "description", "relation_name")
            for (tag,) in self._select(f"SELECT DISTINCT lang FROM {table}")
        ]
        return {tag: rank for rank, tag in enumerate(pick_language(tags, self._wanted))}

    # --- relations and counts

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """All relations of the graph by number."""
        names: dict[tuple[int, str], tuple[int, str]] = {}
        for number, text, lang, kind in self._select(
            "SELECT relation, text, lang, kind FROM relation_name ORDER BY rowid"
        ):
            rank = self._language_rank[lang]
            if (number, kind) not in names or rank < names[number, kind][0]:
                names[number, kind] = (rank, text)
        found: dict[int, Relation] = {}
        for number, key in self._select("SELECT id, key FROM relation ORDER BY id"):
            _, label = names.get((number, "label"), (0, ""))
            _, inverse = names.get((number, "inverse"), (0, ""))
            label = label or local_name(self._prefixes.expand(key))
            found[number] = Relation(RelationId(key), label, inverse, self._kg)
        return found

    @cached_property
    def relation_numbers(self) -> dict[RelationId, int]:
        """Numbers of relations by id."""
        return {relation.id: number for number, relation in self.relations.items()}

    def relation_aliases(self, relation: RelationId) -> tuple[str, ...]:
        """Further names of a relation, in all languages."""
        number = self.relation_numbers.get(relation)
        rows = self._select(
            "SELECT text FROM relation_name WHERE relation = ? AND kind = 'alias' ORDER BY rowid",
            exactly=(number,),
        )
        return tuple(dict.fromkeys(text for (text,) in rows))

    def counts(self, numbers: Iterable[int]) -> list[Count]:
        """Count the edges of things by relation and direction."""
        rows = self._select(
            "SELECT node, direction, relation, n, examples, kinds FROM edge_count "
            "WHERE node IN (?*) ORDER BY node, direction, relation",
            numbers,
        )
        return [
            Count(
                node,
                DIRECTIONS[direction],
                relation,
                n,
                tuple(json.loads(examples)),
                tuple(kinds.split(",")) if kinds else (),
            )
            for node, direction, relation, n, examples, kinds in rows
        ]

    def count(self, number: int, relation: int, direction: Direction) -> int:
        """How many edges a thing has along a relation in a direction."""
        rows = self._select(
            "SELECT n FROM edge_count WHERE node = ? AND direction = ? AND relation = ?",
            exactly=(number, OUT if direction == "out" else IN, relation),
        )
        return int(rows[0][0]) if rows else 0

    def hub_edges(self, number: int, relation: int, direction: Direction, limit: int) -> list[int]:
        """The first other ends of a large group, in their order; none when it is not stored."""
        rows = self._select(
            "SELECT other FROM hub_edge WHERE node = ? AND direction = ? AND relation = ? "
            "ORDER BY position LIMIT ?",
            exactly=(number, OUT if direction == "out" else IN, relation, limit),
        )
        return [other for (other,) in rows]

    # --- names, for linking

    @cached_property
    def max_degree(self) -> int:
        """The most edges any thing has."""
        return int(self._select("SELECT coalesce(max(degree), 0) FROM node")[0][0])

    @cached_property
    def relation_keys(self) -> frozenset[str]:
        """Keys of all names of relations."""
        rows = self._select("SELECT DISTINCT text FROM relation_name WHERE kind <> 'inverse'")
        return frozenset(loosen(text) for (text,) in rows) | {
            loosen(relation.label) for relation in self.relations.values()
        }

    def by_id(self, text: str) -> int | None:
        """Return the thing whose id this text is, as CURIE or IRI."""
        try:
            key = self._prefixes.shorten(self._prefixes.expand(text))
        except InputError:
            return None
        node = self.nodes([key]).get(key)
        return node.number if node else None

    def exact(self, keys: Iterable[str]) -> list[Name]:
        """Names with one of these keys."""
        return _names(self._select(_NAME + "WHERE key IN (?*) ORDER BY name.id", keys))

    def words(self, key: str, limit: int) -> list[Name]:
        """Names that hold all the words of a key, the last one perhaps unfinished."""
        words = [f'"{word}"' for word in key.replace('"', " ").replace("\0", " ").split()]
        if not words:
            return []
        rows = self._select(
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
        ((n_names,),) = self._select("SELECT count(*) FROM name")
        by_length: dict[int, list[str]] = {}
        if n_names <= _MOST_TYPO_NAMES:
            for (key,) in self._select("SELECT DISTINCT key FROM name ORDER BY key"):
                by_length.setdefault(len(key), []).append(key)
        return by_length

    def things(self, nodes: Iterable[Hashable]) -> dict[Hashable, Thing]:
        """Describe things for linking; properties are left out."""
        rows = self._select(
            "SELECT id, key, degree, n_instances FROM node WHERE NOT is_property AND id IN (?*)",
            nodes,
        )
        entities = self.entities(Node(n, EntityId(key), d, False) for n, key, d, _ in rows)
        return {n: Thing(entities[EntityId(key)], d, bool(i)) for n, key, d, i in rows}

    # --- the database

    def _select(
        self,
        query: str,
        values: Iterable[object] | None = None,
        *,
        exactly: tuple[object, ...] = (),
    ) -> list[tuple[Any, ...]]:
        """Run a query; `?*` in it stands for the values, which go in pieces."""
        with self._connection() as db:
            if values is None:
                return db.execute(query, exactly).fetchall()
            rows: list[tuple[Any, ...]] = []
            distinct = list(dict.fromkeys(values))
            for start in range(0, len(distinct), _CHUNK):
                part = distinct[start : start + _CHUNK]
                rows += db.execute(query.replace("?*", ",".join("?" * len(part))), part).fetchall()
            return rows

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            db = self._idle.pop() if self._idle else None
        try:
            if db is None:
                db = sqlite3.connect(self._uri, uri=True, check_same_thread=False)
            yield db
        except sqlite3.Error as error:
            raise ServiceError(
                f"the label index of {self._kg!r} cannot be read: {error}"
            ) from error
        finally:
            if db is not None:
                with self._lock:
                    self._idle.append(db)


def _names(rows: Iterable[tuple[Any, ...]]) -> list[Name]:
    return [Name(node, text, key, bool(is_alias)) for node, text, key, is_alias in rows]
