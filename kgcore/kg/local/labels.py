"""Labels and counts of an embedded graph, read from its label index.

Labels come in the first language of the wanted ones that a thing has, then without language, then in any.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgcore.kg.local.edge_counts import IN, OUT
from kgcore.kg.local.index_reader import IndexReader
from kgcore.kg.vocabulary import Prefixes, local_name, pick_language
from kgcore.model import Direction, Entity, EntityId, Literal, Relation, RelationId

DIRECTIONS: tuple[Direction, Direction] = ("out", "in")


@dataclass(frozen=True, slots=True)
class Node:
    """A thing as the index numbers it."""

    number: int
    id: EntityId
    degree: int
    is_hidden: bool


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
        self, reader: IndexReader, kg: str, prefixes: Prefixes, *, languages: Sequence[str]
    ) -> None:
        self.reader, self.prefixes = reader, prefixes
        self._kg, self._wanted = kg, tuple(languages)

    # --- things

    def nodes(self, ids: Iterable[str]) -> dict[EntityId, Node]:
        """Find things by id; those the graph does not hold are left out."""
        rows = self.reader.select(
            "SELECT key, id, degree, is_hidden FROM node WHERE key IN (?*)", ids
        )
        return {EntityId(key): Node(n, EntityId(key), d, bool(p)) for key, n, d, p in rows}

    def nodes_by_number(self, numbers: Iterable[int]) -> dict[int, Node]:
        """Find things by number."""
        rows = self.reader.select(
            "SELECT key, id, degree, is_hidden FROM node WHERE id IN (?*)", numbers
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
        """Labels of the classes of things, the commonest class first.

        A class without a label is called by the end of its IRI, unless that is a number of a catalogue.
        """
        rows = self.reader.select(
            "SELECT node, class FROM class WHERE node IN (?*) ORDER BY node, position", numbers
        )
        classes = {its_class for _, its_class in rows}
        labels = self.labels(classes)
        for number, node in self.nodes_by_number(classes - labels.keys()).items():
            name = local_name(self.prefixes.expand(node.id))
            if not any(character.isdigit() for character in name):
                labels[number] = name
        found: dict[int, list[str]] = {}
        for node, its_class in rows:
            if its_class in labels:
                found.setdefault(node, []).append(labels[its_class])
        return {node: tuple(dict.fromkeys(texts)) for node, texts in found.items()}

    def same_as(self, numbers: Iterable[int]) -> list[tuple[EntityId, EntityId]]:
        """Explicit identity links of things, from either direction, as (thing, other)."""
        return [
            (EntityId(one), EntityId(other))
            for one, other in self.reader.select(
                "SELECT a.key, b.key FROM same_as JOIN node a ON a.id = same_as.node "
                "JOIN node b ON b.id = same_as.other WHERE same_as.node IN (?*) "
                "ORDER BY same_as.node, b.key",
                numbers,
            )
        ]

    def _url(self, identifier: EntityId) -> str:
        iri = self.prefixes.expand(identifier)
        return iri if iri.startswith(("http://", "https://")) else ""

    def _in_language(self, query: str, numbers: Iterable[int]) -> dict[int, str]:
        best: dict[int, tuple[int, str]] = {}
        for node, lang, text in self.reader.select(query, numbers):
            rank = self._language_rank.get(lang, len(self._language_rank))
            if node not in best or rank < best[node][0]:
                best[node] = (rank, text)
        return {node: text for node, (_, text) in best.items()}

    @cached_property
    def _language_rank(self) -> dict[str, int]:
        tags = [
            tag
            for table in ("name", "description", "relation_name")
            for (tag,) in self.reader.select(f"SELECT DISTINCT lang FROM {table}")
        ]
        return {tag: rank for rank, tag in enumerate(pick_language(tags, self._wanted))}

    # --- relations and counts

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """All relations of the graph by number."""
        names: dict[tuple[int, str], tuple[int, str]] = {}
        for number, text, lang, kind in self.reader.select(
            "SELECT relation, text, lang, kind FROM relation_name ORDER BY rowid"
        ):
            rank = self._language_rank[lang]
            if (number, kind) not in names or rank < names[number, kind][0]:
                names[number, kind] = (rank, text)
        found: dict[int, Relation] = {}
        for number, key in self.reader.select("SELECT id, key FROM relation ORDER BY id"):
            _, label = names.get((number, "label"), (0, ""))
            _, inverse = names.get((number, "inverse"), (0, ""))
            label = label or local_name(self.prefixes.expand(key))
            found[number] = Relation(RelationId(key), label, inverse, self._kg)
        return found

    @cached_property
    def relation_numbers(self) -> dict[RelationId, int]:
        """Numbers of relations by id."""
        return {relation.id: number for number, relation in self.relations.items()}

    def relation_aliases(self, relation: RelationId) -> tuple[str, ...]:
        """Further names of a relation, in all languages."""
        number = self.relation_numbers.get(relation)
        rows = self.reader.select(
            "SELECT text FROM relation_name WHERE relation = ? AND kind = 'alias' ORDER BY rowid",
            exactly=(number,),
        )
        return tuple(dict.fromkeys(text for (text,) in rows))

    def counts(self, numbers: Iterable[int]) -> list[Count]:
        """Count the edges of things by relation and direction."""
        rows = self.reader.select(
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
        rows = self.reader.select(
            "SELECT n FROM edge_count WHERE node = ? AND direction = ? AND relation = ?",
            exactly=(number, OUT if direction == "out" else IN, relation),
        )
        return int(rows[0][0]) if rows else 0

    @cached_property
    def has_exact(self) -> bool:
        """True when some literals come back from the store in another form than they were written in."""
        return bool(self.reader.select("SELECT 1 FROM exact_literal LIMIT 1"))

    def exact_literals(self, number: int, relation: int) -> dict[Literal, Literal]:
        """Map literals of a thing along a relation, as the store returns them, to how they were written."""
        if not self.has_exact:
            return {}
        rows = self.reader.select(
            "SELECT stored, stored_type, written, written_type FROM exact_literal "
            "WHERE node = ? AND relation = ?",
            exactly=(number, relation),
        )
        return {Literal(s, s_type): Literal(w, w_type) for s, s_type, w, w_type in rows}

    def hub_edges(self, number: int, relation: int, direction: Direction, limit: int) -> list[int]:
        """The first other ends of a large group, in their order; none when it is not stored."""
        rows = self.reader.select(
            "SELECT other FROM hub_edge WHERE node = ? AND direction = ? AND relation = ? "
            "ORDER BY position LIMIT ?",
            exactly=(number, OUT if direction == "out" else IN, relation, limit),
        )
        return [other for (other,) in rows]
