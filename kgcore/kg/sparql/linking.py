"""Finds entities of an endpoint by name.

With a label index (see label_index.py) it works as for an embedded graph, also for whole questions. Without one
the endpoint is asked: a search service where the profile names one, else a query for things of exactly that name.
What these find is then scored by the same rules.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from kgcore.errors import BadReplyError, InputError
from kgcore.kg.connections import Connection
from kgcore.kg.linking import Name, Thing, link, link_question, typing_errors
from kgcore.kg.local.index_reader import IndexReader
from kgcore.kg.local.labels import LabelIndex
from kgcore.kg.local.names import NameIndex
from kgcore.kg.mentions import loosen, without_brackets
from kgcore.kg.sparql.answers import Frame
from kgcore.kg.sparql.client import SparqlClient
from kgcore.kg.sparql.label_index import OnProgress, Progress, build_label_index, index_path
from kgcore.kg.sparql.name_queries import names_query
from kgcore.kg.sparql.replies import read_known, text_of
from kgcore.model import Entity, EntityId
from kgcore.steps import Candidates
from kgcore.transport import HttpRequest, HttpResponse, check_status
from kgcore.transport.transport import Transport

_LONGEST = 250  # characters of a text that is looked for; wbsearchentities takes no more
_SEARCHED = 50


class Linker:
    """Links texts to entities of one endpoint."""

    def __init__(
        self,
        connection: Connection,
        client: SparqlClient,
        transport: Transport,
        frame: Frame,
        folder: Path | None,
    ) -> None:
        self._client, self._transport, self._frame = client, transport, frame
        self._path = index_path(folder, connection, frame.profile) if folder is not None else None
        self._lock = threading.Lock()
        self._names: NameIndex | None = None
        self._reader: IndexReader | None = None

    def close(self) -> None:
        """Let go of the label index."""
        with self._lock:
            if self._reader is not None:
                self._reader.close()
            self._reader = self._names = None

    def link(self, text: str, context: str, limit: int, is_question: bool) -> Candidates:
        """Find entities; in a whole question only by a label index."""
        names = self._index()
        if names is not None:
            find = link_question if is_question else link
            return find(names, text, context, limit)
        wanted = " ".join(text.replace("\0", " ").split())
        if is_question or not loosen(wanted).strip("?*\"' ") or len(wanted) > _LONGEST:
            return Candidates()
        hits = self._search(wanted) if self._is_searchable else self._ask(wanted)
        return link(_Hits(hits, self._frame), text, context, limit)

    @property
    def has_index(self) -> bool:
        """Whether there is a label index."""
        return self._path is not None and self._path.is_file()

    def build_index(self, on_progress: OnProgress) -> Progress:
        """Build the label index and use it from now on."""
        if self._path is None:
            raise InputError(f"{self._client.name} has no folder for a label index")
        done = build_label_index(
            self._client, self._frame.profile, self._path, on_progress=on_progress
        )
        self.close()
        return done

    def _index(self) -> NameIndex | None:
        with self._lock:
            if self._names is None and self._path is not None and self._path.is_file():
                self._reader = IndexReader(self._path)
                frame = self._frame
                labels = LabelIndex(
                    self._reader, frame.kg, frame.prefixes, languages=frame.languages
                )
                self._names = NameIndex(labels)
            return self._names

    # --- asking the endpoint

    def _ask(self, text: str) -> list[_Hit]:
        frame = self._frame
        query = names_query(frame.profile, _ways_to_write(text), frame.languages)
        rows = self._client.select(query, most=frame.profile.max_rows).items
        known = read_known(rows, frame.profile, frame.languages)
        found: dict[str, _Hit] = {}
        for row in rows:
            thing, alias = text_of(row, "x"), text_of(row, "k") in frame.profile.aliases
            if row.get("e"):
                entity = known.entity(thing, frame.prefixes, frame.kg)
                hit = _Hit(entity, text_of(row, "v"), alias)
                if thing not in found or found[thing].is_alias:
                    found[thing] = hit
        return [found[thing] for thing in sorted(found)]

    # --- asking a search service

    @property
    def _is_searchable(self) -> bool:
        profile = self._frame.profile
        return bool(profile.search_url) and self._client.host in profile.search_hosts

    def _search(self, text: str) -> list[_Hit]:
        """Ask wbsearchentities; its order stands for how well known things are."""
        frame = self._frame
        language = next((tag for tag in frame.languages if tag), "en")
        fields = {
            "action": "wbsearchentities",
            "search": text,
            "language": language,
            "uselang": language,
            "type": "item",
            "limit": str(_SEARCHED),
            "format": "json",
        }
        request = HttpRequest(
            f"{frame.profile.search_url}?{urlencode(fields)}",
            headers=(("Accept", "application/json"),),
        )
        response = self._transport.fetch(request, scope=self._client.scope, check=_check_search)
        hits = []
        for place, found in enumerate(_found(response)):
            address = str(found.get("concepturi") or found.get("url") or "")
            iri = address.replace("https://www.wikidata.org/", "http://www.wikidata.org/")
            label, matched = str(found.get("label") or ""), found.get("match")
            try:
                identifier = EntityId(frame.prefixes.shorten(iri))
                frame.prefixes.expand(identifier)
            except InputError:
                continue
            entity = Entity(identifier, label, str(found.get("description") or ""), frame.kg)
            how = matched if isinstance(matched, dict) else {}
            name, is_alias = str(how.get("text") or label), how.get("type") == "alias"
            hits.append(_Hit(entity, name, is_alias, _SEARCHED - place))
        return hits


def _check_search(response: HttpResponse) -> bool:
    check_status(response)
    _found(response)
    return True


def _found(response: HttpResponse) -> list[dict[str, object]]:
    try:
        said = json.loads(response.body)
    except (ValueError, RecursionError) as error:
        raise BadReplyError(f"{_host(response)}: the search answered with no JSON") from error
    found = said.get("search") if isinstance(said, dict) else None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadReplyError(f"{_host(response)}: the search did not answer with a list of entities")
    return found


def _host(response: HttpResponse) -> str:
    return urlsplit(response.url).hostname or "the service"


def _ways_to_write(text: str) -> list[str]:
    """A text as it is, and as names are commonly written."""
    bare = without_brackets(text)
    ways = [text, bare]
    for way in (text, bare):
        ways += [way[:1].upper() + way[1:], way.title(), way.lower(), way.upper()]
    return list(dict.fromkeys(way for way in ways if way))


@dataclass(frozen=True, slots=True)
class _Hit:
    entity: Entity
    name: str
    is_alias: bool
    weight: int = 0  # how well known it is among the hits


class _Hits:
    """What was found for one text, as a table of names; see kgcore.kg.linking.NameTable."""

    relation_keys: frozenset[str] = frozenset()

    def __init__(self, hits: Sequence[_Hit], frame: Frame) -> None:
        self._frame = frame
        self._things: dict[Hashable, Thing] = {h.entity.id: Thing(h.entity, h.weight) for h in hits}
        self._names = [Name(h.entity.id, h.name, loosen(h.name), h.is_alias) for h in hits]
        self._names += [
            Name(h.entity.id, h.entity.label, loosen(h.entity.label))
            for h in hits
            if h.entity.label and h.entity.label != h.name
        ]
        self.max_degree = max((h.weight for h in hits), default=0)

    def by_id(self, text: str) -> Hashable | None:
        try:
            identifier = self._frame.prefixes.shorten(self._frame.prefixes.expand(text))
        except InputError:
            return None
        return identifier if identifier in self._things else None

    def exact(self, keys: Iterable[str]) -> list[Name]:
        wanted = set(keys)
        return [name for name in self._names if name.key in wanted]

    def words(self, key: str, limit: int) -> list[Name]:
        wanted = set(key.split())
        return [name for name in self._names if wanted <= set(name.key.split())][:limit]

    def similar(self, key: str, max_distance: int, limit: int) -> list[Name]:
        found = []
        for name in self._names:
            distance = typing_errors(key, name.key, max_distance)
            if 0 < distance <= max_distance:
                found.append(Name(name.node, name.text, name.key, name.is_alias, distance))
        return found[:limit]

    def things(self, nodes: Iterable[Hashable]) -> dict[Hashable, Thing]:
        return {n: self._things[n] for n in nodes if n in self._things}
