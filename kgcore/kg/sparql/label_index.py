"""A label index of an endpoint, built once by reading all its names, so that linking works as for an embedded graph.

Pages go by key: a digest of the IRI, in ranges that follow each other. An OFFSET would make every page cost all
pages before it, and pages in the order of IRIs make the endpoint sort all that is left for each. A range is as
wide as the last one says that a page may be; one that was too much is asked for again by halves. The index is the
same SQLite file that embedded graphs have, with the parts empty that only they need. It belongs to an address, a
way of reading it and a version of the data.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kgcore.errors import ServiceError, TimedOutError, TooHeavyError
from kgcore.kg.connections import Connection
from kgcore.kg.local.index_schema import index_schema
from kgcore.kg.mentions import loosen
from kgcore.kg.sparql import name_queries as q
from kgcore.kg.sparql.client import SparqlClient
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.replies import Row, is_iri, number_of, text_of
from kgcore.kg.vocabulary import SCHEMA, Prefixes

FOLDER = "label-indexes"
MOST_THINGS = 2_000_000
_ALL = 1 << 32  # digests, by their first eight hexadecimal digits
_FIRST = _ALL // 256  # how wide the first range is
_ROWS, _FEWEST_ROWS = 30_000, 50  # of a page
_CLASSES_KEPT = 3
_PATIENCE_S = 60.0
_ABOUT = SCHEMA + "about"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the building of an index is."""

    n_things: int
    n_names: int
    share: float = 0.0  # of all there is
    is_done: bool = False
    is_bounded: bool = False  # it stopped at the most things it may hold


OnProgress = Callable[[Progress], None]


def index_path(home: Path, connection: Connection, profile: Profile) -> Path:
    """Where the index of an endpoint is kept, once it is built."""
    content = repr((connection.address, profile.content, connection.data_version))
    key = hashlib.blake2b(content.encode(), digest_size=12).hexdigest()
    return home / FOLDER / f"{key}.sqlite"


def build_label_index(
    client: SparqlClient,
    profile: Profile,
    path: Path,
    *,
    on_progress: OnProgress = lambda progress: None,
    most_things: int = MOST_THINGS,
) -> Progress:
    """Read all names through an endpoint; the index is whole at `path`, or not there, when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.unlink(missing_ok=True)
    tables, indexes = index_schema()
    db = sqlite3.connect(part, isolation_level=None)
    try:
        db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        db.executescript(tables)
        db.execute("BEGIN")
        done = _Builder(client, profile, db, on_progress).build(most_things)
        db.execute("COMMIT")
        db.executescript(indexes)
        db.close()
        part.replace(path)
        return done
    except sqlite3.Error as error:
        raise ServiceError(f"the label index of {client.name} cannot be stored: {error}") from error
    finally:
        db.close()
        part.unlink(missing_ok=True)


class _Builder:
    def __init__(
        self, client: SparqlClient, profile: Profile, db: sqlite3.Connection, tell: OnProgress
    ) -> None:
        self._client, self._profile, self._db, self._tell = client, profile, db, tell
        self._prefixes = Prefixes()
        self._numbers: dict[str, int] = {}
        self._degree: Counter[str] = Counter()
        self._instances: Counter[str] = Counter()
        self._hidden: set[str] = set()
        self._n_names, self._rows = 0, _ROWS

    def build(self, most_things: int) -> Progress:
        low, width, n_things, is_bounded = 0, _FIRST, 0, False
        while low < _ALL and not is_bounded:
            rows, width = self._page(low, min(width, _ALL - low))
            self._write(rows)
            n_things += len({text_of(row, "s") for row in rows})
            low += width
            is_bounded = n_things >= most_things and low < _ALL
            self._tell(Progress(n_things, self._n_names, low / _ALL))
            wanted = width * self._rows * 2 // (3 * max(1, len(rows)))
            width = max(1, min(wanted, 16 * width))
        self._write_relations()
        self._write_nodes()
        done = Progress(n_things, self._n_names, low / _ALL, True, is_bounded)
        self._tell(done)
        return done

    def _page(self, low: int, width: int) -> tuple[list[Row], int]:
        """Ask for a range of things; for half of it when the endpoint gives up or cuts the answer."""
        while True:
            high = f"{low + width:08x}" if low + width < _ALL else ""
            query = q.page_query(self._profile, f"{low:08x}", high, self._rows)
            try:
                reply = self._client.select(query, most=self._rows, timeout_s=_PATIENCE_S)
                if not reply.is_cut:
                    return reply.items, width
                self._rows = min(self._rows, max(_FEWEST_ROWS, len(reply.items)))
            except (TooHeavyError, TimedOutError):
                if width == 1:
                    raise
            if width == 1:
                raise TooHeavyError(f"{self._client.name} cuts even short lists of names")
            width = max(1, width // 2)

    def _number(self, iri: str) -> int:
        return self._numbers.setdefault(iri, len(self._numbers) + 1)

    def _write(self, rows: Iterable[Row]) -> None:
        profile = self._profile
        order = {p: n for n, p in enumerate((*profile.labels, *profile.aliases, _ABOUT))}
        names: dict[tuple[str, str, str], int] = {}
        descriptions: set[tuple[int, str, str]] = set()
        classes: dict[str, set[str]] = {}
        for row in rows:
            thing, kind, bound = text_of(row, "s"), text_of(row, "k"), row.get("v") or {}
            text, lang = str(bound.get("value", "")), bound.get("xml:lang") or ""
            self._degree[thing] = max(0, number_of(row, "n"))
            if kind in profile.types and is_iri(bound):
                classes.setdefault(thing, set()).add(text)
            elif kind in profile.hidden_subjects:
                self._hidden.add(thing)
            elif kind in order and text and not is_iri(bound):
                key = (thing, text, lang)
                names[key] = min(order[kind], names.get(key, len(order)))
            elif kind in profile.descriptions and text:
                descriptions.add((self._number(thing), text, lang))
            self._number(thing)
        self._write_names(names)
        self._db.executemany("INSERT INTO description VALUES (?, ?, ?)", sorted(descriptions))
        self._write_classes(classes)

    def _write_names(self, names: dict[tuple[str, str, str], int]) -> None:
        labelled: set[tuple[str, str]] = set()
        n_labels = len(self._profile.labels)
        rows = []
        for (thing, text, lang), rank in sorted(names.items(), key=lambda i: (i[0][0], i[1], i[0])):
            is_alias = rank >= n_labels or (thing, lang) in labelled
            if not is_alias:
                labelled.add((thing, lang))
            rows.append((self._number(thing), text, lang, is_alias, loosen(text)))
        self._n_names += len(rows)
        self._db.executemany(
            "INSERT INTO name (node, text, lang, is_alias, key) VALUES (?, ?, ?, ?, ?)", rows
        )

    def _write_classes(self, classes: dict[str, set[str]]) -> None:
        rows = []
        for thing, found in sorted(classes.items()):
            self._instances.update(found)
            for position, its_class in enumerate(sorted(found)[:_CLASSES_KEPT]):
                rows.append((self._number(thing), position, self._number(its_class)))
        self._db.executemany("INSERT INTO class VALUES (?, ?, ?)", rows)

    def _write_relations(self) -> None:
        """Write the names of declared relations: such words in a question are rarely names of things."""
        if not self._profile.declarations:
            return
        reply = self._client.select(q.declared_query(self._profile), most=self._profile.max_rows)
        numbers: dict[str, int] = {}
        for row in reply.items:
            predicate, bound = text_of(row, "p"), row.get("v") or {}
            number = numbers.setdefault(predicate, len(numbers) + 1)
            kind = "alias" if text_of(row, "k") in self._profile.aliases else "label"
            names = (number, str(bound.get("value", "")), bound.get("xml:lang") or "", kind)
            self._db.execute("INSERT INTO relation_name VALUES (?, ?, ?, ?)", names)
        self._db.executemany(
            "INSERT INTO relation VALUES (?, ?, 0)",
            [(number, self._prefixes.shorten(p)) for p, number in numbers.items()],
        )

    def _write_nodes(self) -> None:
        self._db.executemany(
            "INSERT INTO node VALUES (?, ?, ?, ?, ?)",
            (
                (
                    number,
                    self._prefixes.shorten(iri),
                    self._degree[iri],
                    iri in self._hidden,
                    self._instances[iri],
                )
                for iri, number in self._numbers.items()
            ),
        )
