"""A graph behind a SPARQL endpoint.

Each question is one request, with all that is needed to show its answer; see queries.py for how that is bounded.
Two cases take a second one: a hub, whose relations do not fit the first look, and ids that were merged into
others, which are followed once and answered under the id that was asked.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from kgcore.errors import TimedOutError, TooHeavyError
from kgcore.kg import vocabulary as v
from kgcore.kg.connections import Connection
from kgcore.kg.sparql import queries as q
from kgcore.kg.sparql.answers import (
    DIRECTIONS,
    Asked,
    Frame,
    RelationRows,
    entities_of,
    known_links,
    to_edges,
)
from kgcore.kg.sparql.client import Password, Rows, SparqlClient
from kgcore.kg.sparql.label_index import OnProgress, Progress
from kgcore.kg.sparql.linking import Linker
from kgcore.kg.sparql.profile import load_profile
from kgcore.kg.sparql.replies import Known, Row, read_known
from kgcore.kg.sparql.terms import iri
from kgcore.model import Direction, EntityId, RelationId
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOptions
from kgcore.transport.transport import Transport

T = TypeVar("T")
_MOST_THINGS = 40  # asked for in one query
_MOST_LIMIT = 5_000
_ROWS_OF_AN_END = 6  # label, description, classes, links
_NARROW = 10  # by how much less is asked for after an endpoint gave up


class SparqlGraph:
    """Answers from an endpoint; safe to share between threads."""

    def __init__(
        self,
        connection: Connection,
        transport: Transport,
        *,
        languages: Sequence[str] = ("en",),
        password: Password | None = None,
        folder: Path | None = None,
    ) -> None:
        self.connection = connection
        self.profile = load_profile(connection.profile, folder)
        self.prefixes = v.Prefixes()
        tags = (*languages, "en", *self.profile.languages, "")
        self.languages = tuple(dict.fromkeys(tags))
        content = (
            connection.address,
            self.profile.content,
            self.languages,
            connection.data_version,
        )
        self._version = hashlib.blake2b(repr(content).encode(), digest_size=8).hexdigest()
        self._client = SparqlClient(
            connection, transport, scope=f"{self.id}@{self._version}", password=password
        )
        self._frame = Frame(self.id, self.profile, self.languages, self.prefixes)
        self._linker = Linker(connection, self._client, transport, self._frame, folder)
        self._lock = threading.Lock()
        self._redirects: dict[str, str] = {}  # of ids that were merged, as IRIs
        self._has_relation: dict[str, bool] = {}  # what is known so far, by IRI

    @property
    def id(self) -> str:
        """The name the person gave the connection."""
        return self.connection.name

    @property
    def version(self) -> str:
        """Hash of the address, how it is read, the languages, and what stands for the data behind it."""
        return self._version

    def close(self) -> None:
        """Let go of the label index, where there is one."""
        self._linker.close()

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Find entities by name: in the label index where there is one, else by asking."""
        return self._linker.link(text, context, limit, is_question)

    def select(self, query: str, *, most: int = 0, timeout_s: float | None = None) -> Rows:
        """Return the rows of a query that somebody wrote, whose LIMIT is `most`; see SparqlClient.select."""
        return self._client.select(query, most=most, timeout_s=timeout_s)

    @property
    def has_label_index(self) -> bool:
        """Whether names are looked up here, in an index that was built through the endpoint."""
        return self._linker.has_index

    def build_label_index(self, on_progress: OnProgress = lambda progress: None) -> Progress:
        """Read all names of the endpoint into a label index in the data folder; later links use it."""
        return self._linker.build_index(on_progress)

    def has_relation(self, relation: RelationId) -> bool:
        """True when some edge is of this relation; asks at most once, and not for what was offered."""
        along = self.prefixes.expand(relation)
        if along not in self._has_relation:
            found = self._client.select(q.has_relation_query(self.profile, along))
            self._has_relation[along] = bool(found.items)
        return self._has_relation[along]

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """Ask for the relations of all things in one query; a second one for hubs, and for merged ids."""
        asked = self._asked(entities)
        rows, replies = self._relation_rows(asked)
        notes: list[str] = []
        if rows.without:
            known, looked = self._describe(rows.without)
            replies.append(looked)
            if self._learn(known, rows.without):
                asked = self._asked(entities)
                rows, replies = self._relation_rows(asked)
            notes += self._missing(known, rows.without)
        notes += [note for reply in replies for note in reply.notes]
        is_partial = any(reply.is_cut for reply in replies)
        options = rows.options()
        offered = {self.prefixes.expand(option.relation.id): True for option in options}
        self._has_relation.update(offered)
        return RelationOptions(options, is_partial, tuple(dict.fromkeys(notes)))

    def _relation_rows(self, asked: Sequence[Asked]) -> tuple[RelationRows, list[Rows]]:
        rows, replies = RelationRows(self._frame, asked), list[Rows]()
        everything = [(n, d) for n in range(len(asked)) for d in DIRECTIONS]
        for pairs in _parts(everything, 2 * _MOST_THINGS):
            replies.append(self._look(rows, asked, pairs, self.profile.window))
        for pairs in _parts(rows.hubs, 2 * _MOST_THINGS):
            replies.append(self._look(rows, asked, pairs, self.profile.hub_window, is_hubs=True))
        return rows, replies

    def _look(
        self,
        rows: RelationRows,
        asked: Sequence[Asked],
        pairs: Sequence[tuple[int, Direction]],
        window: int,
        *,
        is_hubs: bool = False,
    ) -> Rows:
        """Look at so many edges of things, in these directions."""
        named = [(n, asked[n].iri, direction) for n, direction in pairs]
        less = max(1, window // _NARROW)
        query, narrower = (
            q.relations_query(self.profile, named, self.languages, window=w, is_of_hubs=is_hubs)
            for w in (window, less)
        )
        try:
            reply = self._client.select(query, narrower=narrower, most=self.profile.max_rows)
        except (TooHeavyError, TimedOutError):
            if not is_hubs:
                raise
            note = (
                f"{self.id} looked at the first {self.profile.window:,} edges of some things only"
            )
            return Rows([], True, (note,))
        looked_at = () if is_hubs and self.profile.only_declared else pairs
        rows.add(reply.items, less if reply.is_narrowed else window, looked_at)
        return reply

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Ask for the edges of all things in one query; a second one for merged ids."""
        along = self.prefixes.expand(relation)
        asked = self._asked(entities)
        if limit < 0 or not asked:
            return EdgeSet()
        limit = min(limit, _MOST_LIMIT)
        found, known = self._edges(asked, along, direction, limit)
        if self._learn(known, asked):
            found, _ = self._edges(self._asked(entities), along, direction, limit)
        return found

    def _edges(
        self, asked: Sequence[Asked], along: str, direction: Direction, limit: int
    ) -> tuple[EdgeSet, Known]:
        profile, tags = self.profile, self.languages
        parts, everything = list[EdgeSet](), list[Row]()
        fitting = profile.max_rows // (_ROWS_OF_AN_END * (limit + 1))
        for part in _parts(asked, max(1, min(_MOST_THINGS, fitting))):
            things = [thing.iri for thing in part]
            query = q.edges_query(profile, things, along, direction, tags, limit=limit)
            less = q.edges_query(profile, things, along, direction, tags, limit=limit // _NARROW)
            reply = self._client.select(query, narrower=less, most=profile.max_rows)
            kept = limit // _NARROW if reply.is_narrowed else limit
            edges = to_edges(
                self._frame, part, reply.items, along, direction, limit=kept, when=reply.fetched
            )
            parts.append(replace(edges, is_partial=reply.is_cut, notes=reply.notes))
            everything += reply.items
        return _joined(parts), read_known(everything, profile, tags)

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Ask what is known of all things in one query; a second one for merged ids."""
        asked = self._asked(entities)
        known, reply = self._describe(asked)
        if self._learn(known, asked):
            asked = self._asked(entities)
            known, reply = self._describe(asked)
        held = known.present | known.mentioned
        found = [e for a in asked if a.iri in held for e in entities_of(self._frame, known, a)]
        return Descriptions(
            tuple(found),
            self._links(known, asked),
            reply.is_cut,
            (*reply.notes, *self._missing(known, asked)),
        )

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Ask for identity links, in either direction."""
        asked = self._asked(entities)
        found: list[Row] = []
        for part in _parts(asked, _MOST_THINGS):
            query = q.links_query(self.profile, [thing.iri for thing in part])
            found += self._client.select(query, most=self.profile.max_rows).items
        return self._links(read_known(found, self.profile, self.languages), asked)

    def _links(self, known: Known, asked: Sequence[Asked]) -> tuple[tuple[EntityId, EntityId], ...]:
        mine = {i for thing in asked for i in thing.shown}
        return tuple(p for p in known_links(self._frame, known, asked) if p[0] in mine)

    def _describe(self, asked: Sequence[Asked]) -> tuple[Known, Rows]:
        replies = [
            self._client.select(
                q.describe_query(self.profile, [thing.iri for thing in part], self.languages),
                most=self.profile.max_rows,
            )
            for part in _parts(asked, _MOST_THINGS)
        ]
        rows = Rows(
            [row for reply in replies for row in reply.items],
            any(reply.is_cut for reply in replies),
            tuple(dict.fromkeys(note for reply in replies for note in reply.notes)),
        )
        return read_known(rows.items, self.profile, self.languages), rows

    # --- ids

    def _asked(self, entities: Sequence[EntityId]) -> list[Asked]:
        """Things asked for, each once, as the graph knows them now."""
        ids: dict[str, dict[EntityId, None]] = {}
        shown: dict[str, dict[EntityId, None]] = {}
        for asked in entities:
            own = self.prefixes.expand(asked)
            iri(own)
            here = self._redirects.get(own, own)
            ids.setdefault(here, {})[asked] = None
            shown.setdefault(here, {})[self.prefixes.shorten(own)] = None
        return [Asked(here, tuple(known), tuple(shown[here])) for here, known in ids.items()]

    def _learn(self, known: Known, asked: Sequence[Asked]) -> bool:
        """Keep what merged ids became; True when some id that was asked is one."""
        gone = {thing.iri for thing in asked if thing.iri not in known.present}
        new = {old: to for old, to in known.redirects.items() if old in gone and to != old}
        with self._lock:
            self._redirects.update(new)
        return bool(new)

    def _missing(self, known: Known, asked: Sequence[Asked]) -> list[str]:
        """Say which ids the graph could be expected to hold and does not."""
        if not self.profile.elsewhere:
            return []
        return [
            f"{self.id} ({self._client.host}) does not hold {thing.shown[0]}; {self.profile.elsewhere}"
            for thing in asked
            if thing.iri not in known.present | known.mentioned
            and thing.iri.startswith(self.profile.entities)
        ]


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _joined(parts: Sequence[EdgeSet]) -> EdgeSet:
    if len(parts) == 1:
        return parts[0]
    return EdgeSet(
        tuple(dict.fromkeys(t for part in parts for t in part.triples)),
        tuple(dict.fromkeys(pair for part in parts for pair in part.same_as)),
        tuple(more for part in parts for more in part.more),
        any(part.is_at_least for part in parts),
        any(part.is_partial for part in parts),
        tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )
