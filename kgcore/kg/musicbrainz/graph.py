"""MusicBrainz as a knowledge graph: lookups, browse requests and searches behind the port.

MusicBrainz allows one request a second, so each method asks for little:

* relations() of a thing is one lookup, which brings all its relationships, its own fields, and of what is only
  listed (an artist's albums) the first 25 with their true number. Only an area needs more: one browse request for
  each kind of things that lie in it.
* edges() reads the same lookup, which the transport remembers, and browses on only when a limit above 25 asks for
  more than the lookup holds.
* describe() and same_as() read the same lookup again. same_as() looks an id of Wikidata up as a web address.
* link() searches the kinds that the context speaks of, or a fixed few.

Things are asked for one after another. A thing that was merged into another answers under the id it was asked by,
and a link joins both ids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from kgcore.errors import InputError
from kgcore.kg import vocabulary as v
from kgcore.kg.connections import Connection
from kgcore.kg.linking import link, link_question
from kgcore.kg.musicbrainz.answers import EdgeCollector, as_asked, merge, option_of, things_of
from kgcore.kg.musicbrainz.client import Client, about, phrase
from kgcore.kg.musicbrainz.kinds import LIST_LENGTH, ThingId, is_relation, parse_thing_id
from kgcore.kg.musicbrainz.names import FoundNames
from kgcore.kg.musicbrainz.pages import Pages
from kgcore.kg.musicbrainz.replies import Group, Page
from kgcore.kg.musicbrainz.searching import MOST_SEARCHES, Wanted, name_wanted, names_wanted
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Direction, Entity, EntityId, RelationId
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions
from kgcore.transport.transport import Transport

_WIKI = "https://www.wikidata.org/wiki/"


class MusicBrainzGraph:
    """Answers from a MusicBrainz web service; `languages` choose among the names of a thing."""

    def __init__(
        self, connection: Connection, transport: Transport, *, languages: Sequence[str] = ("en",)
    ) -> None:
        self.prefixes = Prefixes()
        self._id, self._languages = connection.name, tuple(languages)
        data = (connection.address, connection.data_version)
        self._version = _hash(data, self._languages)
        scope = f"{self._id}@{_hash(data)}"  # replies hold the names in all languages
        self._client = Client(connection.address, transport, scope=scope)
        self._pages = Pages(self._client, self._languages, self._id)

    @property
    def id(self) -> str:
        """The name of the connection."""
        return self._id

    @property
    def version(self) -> str:
        """Hash of the address, the wanted languages and the version a person gave to the data."""
        return self._version

    def has_relation(self, relation: RelationId) -> bool:
        """True for what may be a relation of MusicBrainz."""
        return is_relation(self.prefixes.expand(relation))

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Search for names; of a question for at most three of them."""
        found = FoundNames(self._languages, self._id)
        if is_question:
            self._search(found, names_wanted(text), limit)
            return link_question(found, text, context, limit)
        itself = self._by_id(text.strip())
        if itself is not None:
            found.add(itself, [itself.label])
            return link(found, itself.id, context, limit)
        wanted = name_wanted(text, context)
        self._search(found, [wanted], limit)
        if not found:
            for kind in wanted.rounds[0][: 1 if context else 2]:
                self._search_for(found, kind, about(text), limit)
        return link(found, text, context, limit)

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """Look each thing up; what lies in an area is browsed."""
        options: dict[Group, RelationOption] = {}
        notes: dict[str, None] = {}
        for asked, thing in self._asked(entities).items():
            known = self._pages.get(thing)
            if known is None:
                continue
            notes |= dict.fromkeys([known.note])
            for group, edges in self._pages.groups(known, thing).items():
                notes.setdefault(edges.hint)
                option = option_of(asked, group, edges, self._id)
                options[group] = merge(options[group], option) if group in options else option
        found = tuple(option for _, option in sorted(options.items()))
        return RelationOptions(found, notes=tuple(filter(None, notes)))

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Read edges from lookups, and browse for those that a lookup leaves out."""
        asked = self._asked(entities)
        wanted = RelationId(self.prefixes.shorten(self.prefixes.expand(relation)))
        if not self.has_relation(wanted) or limit < 0:
            return EdgeSet()
        collector = EdgeCollector(self._id, direction, limit)
        for identifier, thing in asked.items():
            known = self._pages.get(thing)
            edges = self._pages.edges(known, thing, (wanted, direction), limit) if known else None
            if known is not None and edges is not None:
                collector.add(identifier, known, edges, self._links(identifier, known))
        return collector.edge_set()

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Look things up; links are those of the things found, so an id of Wikidata costs nothing here."""
        found: list[Entity] = []
        same: dict[tuple[EntityId, EntityId], None] = {}
        notes: dict[str, None] = {}
        for identifier, thing in self._asked(entities).items():
            known = self._pages.get(thing)
            if known is not None:
                found.append(as_asked(known.entity, identifier))
                same |= dict.fromkeys(self._links(identifier, known))
                notes |= dict.fromkeys([known.note] if known.note else [])
        return Descriptions(tuple(found), tuple(same), notes=tuple(notes))

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Read links to Wikidata from lookups; look an id of Wikidata up as a web address."""
        pairs: list[tuple[EntityId, EntityId]] = []
        for identifier in dict.fromkeys(entities):
            iri = self.prefixes.expand(identifier)
            thing = parse_thing_id(iri)
            if thing is not None:
                known = self._pages.get(thing)
                pairs += self._links(identifier, known) if known else []
            elif iri.startswith(v.WD):
                found = self._client.address(_WIKI + iri.removeprefix(v.WD))
                pairs += [(identifier, other) for other in things_of(found)]
        return tuple(dict.fromkeys(pairs))

    # --- things

    def _asked(self, entities: Sequence[EntityId]) -> dict[EntityId, ThingId]:
        """The kind and MusicBrainz's own id of each asked thing, each thing once; others are left out."""
        first: dict[ThingId, EntityId] = {}
        for identifier in entities:
            thing = parse_thing_id(self.prefixes.expand(identifier))
            if thing is not None:
                first.setdefault(thing, identifier)
        return {identifier: thing for thing, identifier in first.items()}

    def _by_id(self, text: str) -> Entity | None:
        """The thing whose id or address on musicbrainz.org a text is."""
        try:
            thing = parse_thing_id(self.prefixes.expand(text))
        except InputError:
            return None
        known = self._pages.get(thing) if thing else None
        return known.entity if known else None

    def _links(self, asked: EntityId, known: Page) -> Iterator[tuple[EntityId, EntityId]]:
        """What else the thing is: the id it was merged into, its item of Wikidata."""
        plain = self.prefixes.shorten(self.prefixes.expand(asked))
        if known.entity.id != plain:
            yield asked, known.entity.id
        yield from ((asked, other) for other in known.same_as)

    # --- search

    def _search(self, found: FoundNames, wanted: Sequence[Wanted], limit: int) -> None:
        """Search in rounds; the next, and a name's parts, only for names that nothing found bears."""
        n_searches = 0
        waiting = list(wanted)
        while waiting:
            name = waiting.pop(0)
            for kinds_of_round in name.rounds[: 1 if name.parts else None]:
                if found.bears(name.text):
                    break
                for kind in kinds_of_round[: MOST_SEARCHES - n_searches]:
                    n_searches += 1
                    self._search_for(found, kind, phrase(name.text), limit)
            if not found.bears(name.text):
                waiting[:0] = name.parts

    def _search_for(self, found: FoundNames, kind: str, query: str, limit: int) -> None:
        if query:
            most = max(LIST_LENGTH, limit)
            found.add_reply(kind, self._client.search(kind, query, limit=most))


def _hash(*content: object) -> str:
    return hashlib.blake2b(repr(content).encode(), digest_size=8).hexdigest()
