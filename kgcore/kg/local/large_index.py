"""Builds the label index of a graph of any size in little memory; the same tables as index_builder.py fills.

That one holds all names and counts in memory, which is quick and, for a large graph, far too much. Here everything that
grows with the graph is on disk. A node's number is a hash of its IRI, so that no table of numbers is needed. The store
is read in its own two orders, in which the edges that leave a node, and along one relation those that enter it, come
one after another. What must be put into another order is sorted by SQLite, which sorts on disk.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Store

from kgcore.errors import ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.external_ids import linked_iri, linking_properties
from kgcore.kg.files.file_scan import TEXT_PROPERTIES, ExactLiteral, FileScan, scan
from kgcore.kg.local.edge_counts import IN, OUT
from kgcore.kg.local.index_builder import (
    CLASSES_KEPT,
    HUB_EDGES,
    HUB_KEPT,
    NOT_RELATIONS,
    IndexSummary,
)
from kgcore.kg.local.index_names import NameWriter, find_articles, find_properties
from kgcore.kg.local.index_schema import index_schema
from kgcore.kg.local.large_edges import SCRATCH, LargeEdges, insert, is_labelled, number_of
from kgcore.kg.local.rdf_terms import links, predicates, values
from kgcore.kg.mentions import loosen

LARGE_TRIPLES = 1_500_000  # from here on an index is built in this way
_SCANNED = 50_000  # statements of the files that are looked through at a time
_BATCH = 500
_NAMES = (*v.LABEL_PROPERTIES, *v.ALIAS_PROPERTIES)
_RANK = {predicate: rank for rank, predicate in enumerate(TEXT_PROPERTIES)}
_FIRST_ALIAS, _FIRST_DESCRIPTION = len(v.LABEL_PROPERTIES), len(_NAMES)
_TYPE = v.RDF + "type"


def build_large_index(
    store: Store,
    path: Path,
    prefixes: v.Prefixes,
    quads: Iterable[Quad],
    *,
    on_part: Callable[[int, int], None] = lambda done, total: None,
) -> IndexSummary:
    """Write the label index of a store; `quads` are those of the files, for texts and values as they were written."""
    scratch = path.with_name(f"{path.name}.scratch")
    for leftover in (path, scratch):
        leftover.unlink(missing_ok=True)
    with _sorting_in(path.parent):
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute("ATTACH ? AS scratch", (str(scratch),))
            for name in ("main", "scratch"):
                db.execute(f"PRAGMA {name}.journal_mode=OFF")
                db.execute(f"PRAGMA {name}.synchronous=OFF")
                db.execute(f"PRAGMA {name}.cache_size=-24576")
            db.execute("PRAGMA temp_store=FILE")
            tables, indexes = index_schema()
            db.executescript(tables + SCRATCH)
            db.execute("BEGIN")
            summary = _LargeIndexBuilder(store, db, prefixes, on_part).build(quads)
            db.execute("COMMIT")
            db.execute("DETACH scratch")
            db.executescript(indexes)
            return summary
        finally:
            db.close()
            scratch.unlink(missing_ok=True)


@contextlib.contextmanager
def _sorting_in(folder: Path) -> Iterator[None]:
    """Let SQLite sort beside the graph: there is room there, and what is left after a kill is removed."""
    before = os.environ.get("SQLITE_TMPDIR")
    os.environ["SQLITE_TMPDIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SQLITE_TMPDIR"]
        else:
            os.environ["SQLITE_TMPDIR"] = before


class _LargeIndexBuilder:
    def __init__(
        self,
        store: Store,
        db: sqlite3.Connection,
        prefixes: v.Prefixes,
        on_part: Callable[[int, int], None],
    ) -> None:
        self._store, self._db, self._prefixes, self._on_part = store, db, prefixes, on_part
        self._articles = find_articles(store)
        self._properties = find_properties(store)
        self._hidden = {*self._properties, *self._articles}
        wanted = [p for p in predicates(store) if p not in NOT_RELATIONS and not v.is_metadata(p)]
        self._relations = {predicate: number for number, predicate in enumerate(wanted, 1)}
        self._languages: Counter[str] = Counter()
        self._edges = LargeEdges(store, db, self._relations, self._hidden)

    def build(self, quads: Iterable[Quad]) -> IndexSummary:
        """Fill all tables."""
        steps: tuple[Callable[[], None], ...] = (
            lambda: self._keep_texts(quads), self._write_names, self._write_descriptions,
            self._edges.count_leaving, self._edges.count_entering, self._write_counts, self._write_classes,
            self._write_same_as, self._write_nodes, self._write_hubs, self._write_exact,
        )  # fmt: skip
        for done, step in enumerate(steps):
            self._on_part(done, len(steps))
            step()
        for predicate, number in self._relations.items():
            if self._edges.totals[number]:
                row = (number, self._prefixes.shorten(predicate), self._edges.totals[number])
                self._db.execute("INSERT INTO relation VALUES (?, ?, ?)", row)
        used = {p: n for p, n in self._relations.items() if self._edges.totals[n]}
        names = NameWriter(self._store, self._db, FileScan(), number_of)
        names.write_relation_names(used, self._properties)
        tags = sorted(self._languages.items(), key=lambda item: (-item[1], item[0]))
        return IndexSummary(
            self._count_entities(),
            len(used),
            sum(self._edges.totals.values()),
            self._edges.n_blank,
            tuple(tag for tag, _ in tags if tag),
        )

    # names

    def _keep_texts(self, quads: Iterable[Quad]) -> None:
        stream = iter(quads)
        while part := list(islice(stream, _SCANNED)):
            found = scan(part)
            for predicate, texts in found.texts.items():
                rank, rows, iris = _RANK[predicate], [], []
                for iri, text, lang in texts:
                    about = self._articles.get(iri, iri) if rank < _FIRST_DESCRIPTION else iri
                    node = number_of(about)
                    iris.append((node, about))
                    rows.append((node, rank, about is not iri, text, lang))
                insert(self._db, "scratch.text", 5, rows)
                insert(self._db, "scratch.iri", 2, iris)
            insert(self._db, "scratch.exact", 6, filter(None, map(self._exact, found.exact)))

    def _exact(self, found: ExactLiteral) -> tuple[object, ...]:
        relation = self._relations.get(found.predicate)
        if relation is None or found.subject in self._hidden:
            return ()
        shorten = self._prefixes.shorten
        return (
            number_of(found.subject), relation,
            found.stored.value, shorten(found.stored.datatype.value),
            found.written.value, shorten(found.written.datatype.value),
        )  # fmt: skip

    def _write_names(self) -> None:
        rows = self._db.execute(
            "SELECT DISTINCT node, rank, is_article, text, lang FROM scratch.text WHERE rank < ? "
            "ORDER BY node, rank, text, lang",
            (_FIRST_DESCRIPTION,),
        )
        for node, group in groupby(rows, key=lambda row: int(row[0])):
            written: set[tuple[str, str]] = set()
            has_label: set[str] = set()
            for _, rank, is_article, text, lang in group:
                if (text, lang) in written:
                    continue
                written.add((text, lang))
                is_alias = rank >= _FIRST_ALIAS or bool(is_article)
                if not is_alias:
                    self._languages[lang] += 1
                    is_alias = lang in has_label
                    has_label.add(lang)
                self._db.execute(
                    "INSERT INTO name (node, text, lang, is_alias, key) VALUES (?, ?, ?, ?, ?)",
                    (node, text, lang, is_alias, loosen(text)),
                )
            if has_label:
                self._db.execute("INSERT INTO scratch.labelled VALUES (?)", (node,))

    def _write_descriptions(self) -> None:
        self._db.execute(
            "INSERT INTO description SELECT node, text, lang FROM (SELECT DISTINCT node, rank, text, lang "
            "FROM scratch.text WHERE rank >= ? ORDER BY node, rank, text, lang)",
            (_FIRST_DESCRIPTION,),
        )

    # counts

    def _write_counts(self) -> None:
        self._db.execute(
            "INSERT INTO edge_count SELECT node, direction, relation, n, examples, kinds "
            "FROM scratch.count ORDER BY node, direction, relation"
        )
        self._db.execute(
            "INSERT INTO scratch.degree SELECT node, SUM(n) FROM edge_count GROUP BY node"
        )
        self._db.execute(
            "INSERT INTO scratch.instances SELECT class, COUNT(*) FROM scratch.pair GROUP BY class"
        )

    def _write_classes(self) -> None:
        rows = self._db.execute(
            "SELECT DISTINCT pair.node, pair.class, i.n FROM scratch.pair AS pair "
            "JOIN scratch.instances AS i ON i.node = pair.class "
            "LEFT JOIN scratch.labelled AS l ON l.node = pair.class "
            "ORDER BY pair.node, l.node IS NULL, i.n DESC, pair.class"
        )
        for node, group in groupby(rows, key=lambda row: row[0]):
            best = islice(group, CLASSES_KEPT)
            insert(self._db, "class", 3, [(node, place, row[1]) for place, row in enumerate(best)])

    # the rest

    def _write_same_as(self) -> None:
        pairs = (p for predicate in v.SAME_AS_PROPERTIES for p in links(self._store, predicate))
        self._keep_same(pairs)
        for predicate in linking_properties():
            found = (
                (one, linked_iri(predicate, value)) for one, value in values(self._store, predicate)
            )
            self._keep_same((one, other) for one, other in found if other is not None)
        self._db.execute(
            "INSERT INTO same_as SELECT DISTINCT node, other FROM scratch.same ORDER BY 1, 2"
        )

    def _keep_same(self, pairs: Iterable[tuple[str, str]]) -> None:
        for one, other in pairs:
            if one != other:
                a, b = number_of(one), number_of(other)
                insert(self._db, "scratch.iri", 2, [(a, one), (b, other)])
                insert(self._db, "scratch.same", 2, [(a, b), (b, a)])

    def _write_nodes(self) -> None:
        rows = self._db.execute(
            "SELECT i.node, MIN(i.iri), MAX(i.iri), COALESCE(d.n, 0), COALESCE(t.n, 0) FROM scratch.iri AS i "
            "LEFT JOIN scratch.degree AS d ON d.node = i.node "
            "LEFT JOIN scratch.instances AS t ON t.node = i.node GROUP BY i.node"
        )
        for node, iri, other, degree, n_instances in rows:
            if iri != other:
                raise ServiceError(
                    f"{iri} and {other} have the same number; the graph cannot be indexed"
                )
            row = (node, self._prefixes.shorten(iri), degree, iri in self._hidden, n_instances)
            insert(self._db, "node", 5, [row])

    def _write_hubs(self) -> None:
        """Write the first edges of large groups in the order in which they are shown."""
        names = {number: predicate for predicate, number in self._relations.items()}
        hubs = self._db.execute(
            "SELECT c.node, c.direction, c.relation, n.key FROM edge_count AS c "
            "JOIN node AS n ON n.id = c.node WHERE c.n > ? AND c.kinds = ''",
            (HUB_EDGES,),
        )
        for node, direction, relation, key in hubs:
            hub, along = NamedNode(self._prefixes.expand(key)), NamedNode(names[relation])
            best = heapq.nsmallest(HUB_KEPT, self._ranked(hub, along, direction))
            rows = [(node, direction, relation, i, other) for i, (_, _, other) in enumerate(best)]
            insert(self._db, "hub_edge", 5, rows)

    def _ranked(
        self, hub: NamedNode, along: NamedNode, direction: int
    ) -> Iterator[tuple[int, str, int]]:
        """The other ends of a hub's edges, as they are ordered: by degree, then by id."""
        if direction == OUT:
            ends: Iterator[object] = (
                q.object for q in self._store.quads_for_pattern(hub, along, None, None)
            )
        else:
            ends = (q.subject for q in self._store.quads_for_pattern(None, along, hub, None))
        iris = (e.value for e in ends if isinstance(e, NamedNode))
        while batch := list(islice(iris, _BATCH)):
            numbers = {number_of(iri): iri for iri in batch}
            if direction == IN:
                numbers = {n: iri for n, iri in numbers.items() if iri not in self._hidden}
            elif along.value == _TYPE:
                numbers = {n: iri for n, iri in numbers.items() if is_labelled(self._db, n)}
            found = dict(
                self._db.execute(
                    "SELECT node, n FROM scratch.degree WHERE node IN (SELECT value FROM json_each(?))",
                    (json.dumps(list(numbers)),),
                )
            )
            for number, iri in numbers.items():
                yield -found.get(number, 0), self._prefixes.shorten(iri), number

    def _write_exact(self) -> None:
        self._db.execute(
            "INSERT OR IGNORE INTO exact_literal SELECT e.* FROM scratch.exact AS e "
            "JOIN node ON node.id = e.node ORDER BY e.node, e.relation, e.stored, e.stored_type"
        )

    def _count_entities(self) -> int:
        """Count what has edges or a label, and is no property."""
        (n,) = self._db.execute(
            "SELECT COUNT(*) FROM node LEFT JOIN scratch.labelled AS l ON l.node = node.id "
            "WHERE node.degree > 0 OR l.node IS NOT NULL"
        ).fetchone()
        numbers = [number_of(iri) for iri in self._properties]
        for start in range(0, len(numbers), _BATCH):
            (among,) = self._db.execute(
                "SELECT COUNT(*) FROM node LEFT JOIN scratch.labelled AS l ON l.node = node.id WHERE node.id IN "
                "(SELECT value FROM json_each(?)) AND (node.degree > 0 OR l.node IS NOT NULL)",
                (json.dumps(numbers[start : start + _BATCH]),),
            ).fetchone()
            n -= among
        return int(n)
