"""Counts the edges of a large graph into tables on disk, in the store's own two orders; see large_index.py."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

from pyoxigraph import Literal, NamedNode, Quad, Store

from kgcore.kg import vocabulary as v
from kgcore.kg.local.edge_counts import EXAMPLE_LENGTH, IN, OUT, SAY_NOTHING, Group
from kgcore.kg.local.rdf_terms import is_unknown

_TYPE = v.RDF + "type"
SCRATCH = """
CREATE TABLE scratch.iri (node INTEGER, iri TEXT);
CREATE TABLE scratch.text (node INTEGER, rank INTEGER, is_article INTEGER, text TEXT, lang TEXT);
CREATE TABLE scratch.exact (node INTEGER, relation INTEGER, stored TEXT, stored_type TEXT, written TEXT,
    written_type TEXT);
CREATE TABLE scratch.labelled (node INTEGER PRIMARY KEY);
CREATE TABLE scratch.count (node INTEGER, direction INTEGER, relation INTEGER, n INTEGER, examples TEXT, kinds TEXT);
CREATE TABLE scratch.pair (node INTEGER, class INTEGER);
CREATE TABLE scratch.same (node INTEGER, other INTEGER);
CREATE TABLE scratch.degree (node INTEGER PRIMARY KEY, n INTEGER);
CREATE TABLE scratch.instances (node INTEGER PRIMARY KEY, n INTEGER);
"""


def number_of(iri: str) -> int:
    """Return the number of a node: 63 bits of a hash."""
    return int.from_bytes(hashlib.blake2b(iri.encode(), digest_size=8).digest(), "big") >> 1


def insert(
    db: sqlite3.Connection, table: str, n_columns: int, rows: Iterable[tuple[object, ...]]
) -> None:
    """Add rows to a table."""
    marks = ", ".join("?" * n_columns)
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def is_labelled(db: sqlite3.Connection, node: int) -> bool:
    """True when a node has a label."""
    found = db.execute("SELECT 1 FROM scratch.labelled WHERE node = ?", (node,))
    return found.fetchone() is not None


class LargeEdges:
    """Counts edges. `totals` are the edges by relation, `n_blank` those with a blank node at an end."""

    def __init__(
        self,
        store: Store,
        db: sqlite3.Connection,
        relations: Mapping[str, int],
        hidden: Collection[str],
    ) -> None:
        self._store, self._db, self._relations, self._hidden = store, db, relations, hidden
        self.totals: Counter[int] = Counter()
        self.n_blank = 0

    def count_leaving(self) -> None:
        """Go through the store subject by subject."""
        for subject, quads in groupby(self._store, key=lambda quad: quad.subject):
            if not isinstance(subject, NamedNode):
                self.n_blank += sum(q.predicate.value in self._relations for q in quads)
            elif subject.value not in self._hidden:
                self._count_subject(subject.value, quads)

    def _count_subject(self, iri: str, quads: Iterable[Quad]) -> None:
        node = number_of(iri)
        groups: dict[int, Group] = {}
        last: dict[int, list[str]] = {}  # values that are unknown, or said to be missing
        for quad in quads:
            predicate, target = quad.predicate.value, quad.object
            if predicate == _TYPE and isinstance(target, NamedNode):
                if target.value.startswith(v.NO_VALUE_NAMESPACE):
                    missing = v.WDT + target.value.removeprefix(v.NO_VALUE_NAMESPACE)
                    last.setdefault(self._relations[missing], []).append("none")
            relation = self._relations.get(predicate)
            if relation is None:
                continue
            if isinstance(target, Literal):
                kind = v.literal_kind(target.datatype.value)
                groups.setdefault(relation, Group()).add(target.value[:EXAMPLE_LENGTH], kind)
            elif is_unknown(self._store, target):
                if "unknown" not in last.setdefault(relation, []):
                    last[relation].append("unknown")
            elif not isinstance(target, NamedNode):
                self.n_blank += 1
            else:
                self._add_end(groups, node, relation, predicate, target.value)
        self._flush_subject(iri, node, groups, last)

    def _add_end(
        self, groups: dict[int, Group], node: int, relation: int, predicate: str, target: str
    ) -> None:
        other = number_of(target)
        tells_class = predicate in v.TYPE_PROPERTIES
        has_label = tells_class and is_labelled(self._db, other)
        if has_label or predicate != _TYPE:
            groups.setdefault(relation, Group()).add(other)
        if tells_class and (has_label or not target.startswith(SAY_NOTHING)):
            insert(self._db, "scratch.pair", 2, [(node, other)])
            insert(self._db, "scratch.iri", 2, [(other, target)])

    def _flush_subject(
        self, iri: str, node: int, groups: dict[int, Group], last: dict[int, list[str]]
    ) -> None:
        values_of = {"unknown": v.UNKNOWN_VALUE.value, "none": v.NO_VALUE.value}
        for relation, kinds in last.items():
            for kind in sorted(kinds, reverse=True):  # unknown before none
                groups.setdefault(relation, Group()).add(values_of[kind], kind)
        if groups:
            insert(self._db, "scratch.iri", 2, [(node, iri)])
        for relation, group in groups.items():
            self.totals[relation] += group.n
            insert(self._db, "scratch.count", 6, [(node, OUT, relation, *group.packed)])

    def count_entering(self) -> None:
        """Go through each relation object by object."""
        for predicate, relation in self._relations.items():
            quads = self._store.quads_for_pattern(None, NamedNode(predicate), None, None)
            rows = self._entering(predicate, relation, quads)
            insert(self._db, "scratch.count", 6, rows)

    def _entering(
        self, predicate: str, relation: int, quads: Iterable[Quad]
    ) -> Iterator[tuple[object, ...]]:
        for target, entering in groupby(quads, key=lambda quad: quad.object):
            if not isinstance(target, NamedNode) or v.is_skolem(target.value):
                continue
            node = number_of(target.value)
            if predicate == _TYPE and not is_labelled(self._db, node):
                continue
            group = Group()
            for quad in entering:
                source = quad.subject
                if isinstance(source, NamedNode) and source.value not in self._hidden:
                    group.add(number_of(source.value))
            if group.n:
                insert(self._db, "scratch.iri", 2, [(node, target.value)])
                yield (node, IN, relation, *group.packed)
