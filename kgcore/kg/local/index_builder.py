"""Builds the label index of a graph from its store: names, counts, and the order of the edges of hubs.

Groups of more than HUB_EDGES edges get their first HUB_KEPT ones stored in the order in which edges are shown
(by degree of the other end, then by id), so that asking a hub costs no sorting. Groups with literals in them
stay out of that table.
"""

from __future__ import annotations

import heapq
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import NamedNode, Store

from kgcore.kg import vocabulary as v
from kgcore.kg.external_ids import linked_iri, linking_properties
from kgcore.kg.files.file_scan import FileScan
from kgcore.kg.local.edge_counts import IN, OUT, EdgeCounter
from kgcore.kg.local.index_names import NameWriter, find_articles, find_properties
from kgcore.kg.local.index_schema import index_schema
from kgcore.kg.local.rdf_terms import links, predicates, values

HUB_EDGES = 64
HUB_KEPT = 1000
CLASSES_KEPT = 3
NOT_RELATIONS = frozenset(
    (
        *v.LABEL_PROPERTIES,
        *v.ALIAS_PROPERTIES,
        *v.INVERSE_LABEL_PROPERTIES,
        *v.DESCRIPTION_PROPERTIES,
        *v.SAME_AS_PROPERTIES,
        *v.INVERSE_PROPERTIES,
    )
)


@dataclass(frozen=True, slots=True)
class IndexSummary:
    """What the index says about the graph, for the manifest."""

    n_entities: int
    n_relations: int
    n_edges: int
    n_blank: int
    languages: tuple[str, ...]


def build_index(
    store: Store,
    path: Path,
    prefixes: v.Prefixes,
    scanned: FileScan,
    *,
    on_part: Callable[[int, int], None] = lambda done, total: None,
) -> IndexSummary:
    """Write the label index of a store; it is complete and closed when this returns."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        tables, indexes = index_schema()
        db.executescript(tables)
        db.execute("BEGIN")
        summary = _IndexBuilder(store, db, prefixes, scanned).build(on_part)
        db.execute("COMMIT")
        db.executescript(indexes)
        return summary
    finally:
        db.close()


class _IndexBuilder:
    def __init__(
        self, store: Store, db: sqlite3.Connection, prefixes: v.Prefixes, scanned: FileScan
    ) -> None:
        self._store, self._db, self._prefixes, self._scanned = store, db, prefixes, scanned
        self._nodes: dict[str, int] = {}
        self._degree: Counter[int] = Counter()
        self._instances: Counter[int] = Counter()
        self._classes: dict[int, set[int]] = {}
        self._relations: dict[str, int] = {}
        self._hubs: list[tuple[int, int, str]] = []
        self._properties: dict[str, str] = {}
        self._hidden: set[str] = set()  # subjects whose facts are about the data
        self._labelled: set[str] = set()
        self._n_edges = self._n_blank = 0

    def build(self, on_part: Callable[[int, int], None]) -> IndexSummary:
        """Fill all tables."""
        articles = find_articles(self._store)
        self._properties = find_properties(self._store)
        names = NameWriter(self._store, self._db, self._scanned, self._number)
        names.write_names(articles)
        names.write_descriptions()
        self._hidden, self._labelled = {*self._properties, *articles}, names.labelled
        wanted = [p for p in predicates(self._store) if p not in NOT_RELATIONS]
        wanted = [p for p in wanted if not v.is_metadata(p)]
        for done, predicate in enumerate(wanted):
            on_part(done, len(wanted))
            counter = EdgeCounter(
                self._store, self._number, hidden=self._hidden, labelled=self._labelled
            )
            counter.count(predicate)
            self._write_edges(predicate, counter)
        self._write_exact()
        self._write_same_as()
        self._write_classes()
        self._write_hubs()
        self._write_nodes()
        names.write_relation_names(self._relations, self._properties)
        tags = sorted(names.languages.items(), key=lambda item: (-item[1], item[0]))
        return IndexSummary(
            sum(self._is_entity(iri, number) for iri, number in self._nodes.items()),
            len(self._relations),
            self._n_edges,
            self._n_blank,
            tuple(tag for tag, _ in tags if tag),
        )

    def _is_entity(self, iri: str, number: int) -> bool:
        """False for properties, and for ids that only a link to another graph mentions."""
        is_present = self._degree[number] > 0 or iri in self._labelled
        return is_present and iri not in self._properties

    def _number(self, iri: str) -> int:
        number = self._nodes.get(iri)
        if number is None:
            number = self._nodes[iri] = len(self._nodes) + 1
        return number

    def _write_edges(self, predicate: str, counter: EdgeCounter) -> None:
        self._n_blank += counter.n_blank
        for node, its_class in counter.pairs:
            self._instances[its_class] += 1
            self._classes.setdefault(node, set()).add(its_class)
        if not counter.leaving:
            return
        relation = self._relations[predicate] = len(self._relations) + 1
        rows = []
        for direction, groups in ((OUT, counter.leaving), (IN, counter.entering)):
            for node, group in groups.items():
                rows.append((node, direction, relation, *group.packed))
                self._degree[node] += group.n
                if group.n > HUB_EDGES and not group.kinds:
                    self._hubs.append((node, direction, predicate))
        self._db.executemany("INSERT INTO edge_count VALUES (?, ?, ?, ?, ?, ?)", rows)
        total = sum(group.n for group in counter.leaving.values())
        self._n_edges += total
        row = (relation, self._prefixes.shorten(predicate), total)
        self._db.execute("INSERT INTO relation VALUES (?, ?, ?)", row)

    def _write_exact(self) -> None:
        self._db.executemany(
            "INSERT OR IGNORE INTO exact_literal VALUES (?, ?, ?, ?, ?, ?)",
            (
                (
                    self._nodes[found.subject],
                    self._relations[found.predicate],
                    found.stored.value,
                    self._prefixes.shorten(found.stored.datatype.value),
                    found.written.value,
                    self._prefixes.shorten(found.written.datatype.value),
                )
                for found in self._scanned.exact
                if found.predicate in self._relations and found.subject in self._nodes
            ),
        )

    def _write_same_as(self) -> None:
        """Write links between things, and those that Wikidata writes as the value of a property."""
        pairs = [p for predicate in v.SAME_AS_PROPERTIES for p in links(self._store, predicate)]
        for predicate in linking_properties():
            for one, value in values(self._store, predicate):
                other = linked_iri(predicate, value)
                pairs += [(one, other)] if other is not None else []
        rows: set[tuple[int, int]] = set()
        for one, other in sorted(pairs):
            if one != other:
                a, b = self._number(one), self._number(other)
                rows |= {(a, b), (b, a)}
        self._db.executemany("INSERT INTO same_as VALUES (?, ?)", sorted(rows))

    def _write_classes(self) -> None:
        """Write the classes of each thing, the commonest first; those without a label come last."""
        rows: list[tuple[int, int, int]] = []
        named = {number for iri, number in self._nodes.items() if iri in self._labelled}
        for node, found in self._classes.items():
            best = sorted(found, key=lambda c: (c not in named, -self._instances[c], c))
            best = best[:CLASSES_KEPT]
            rows.extend((node, position, its_class) for position, its_class in enumerate(best))
        self._db.executemany("INSERT INTO class VALUES (?, ?, ?)", rows)

    def _write_hubs(self) -> None:
        iris = {number: iri for iri, number in self._nodes.items()} if self._hubs else {}
        for node, direction, predicate in self._hubs:
            hub, along = NamedNode(iris[node]), NamedNode(predicate)
            if direction == OUT:
                found = self._store.quads_for_pattern(hub, along, None, None)
                ends: Iterable[object] = (quad.object for quad in found)
            else:
                found = self._store.quads_for_pattern(None, along, hub, None)
                ends = (quad.subject for quad in found)
            shown = {e.value for e in ends if isinstance(e, NamedNode)}
            if direction == IN:
                shown -= self._hidden
            elif predicate == v.RDF + "type":
                shown &= self._labelled
            numbers = [self._nodes[iri] for iri in shown]
            best = heapq.nsmallest(
                HUB_KEPT,
                numbers,
                key=lambda n: (-self._degree[n], self._prefixes.shorten(iris[n])),
            )
            self._db.executemany(
                "INSERT INTO hub_edge VALUES (?, ?, ?, ?, ?)",
                (
                    (node, direction, self._relations[predicate], position, other)
                    for position, other in enumerate(best)
                ),
            )

    def _write_nodes(self) -> None:
        self._db.executemany(
            "INSERT INTO node VALUES (?, ?, ?, ?, ?)",
            (
                (
                    number,
                    self._prefixes.shorten(iri),
                    self._degree[number],
                    iri in self._hidden,
                    self._instances[number],
                )
                for iri, number in self._nodes.items()
            ),
        )
