"""Gets what MusicBrainz says of a thing: one lookup, and browse requests only for what a lookup cannot bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.errors import TooHeavyError
from kgcore.kg.musicbrainz.client import Client
from kgcore.kg.musicbrainz.kinds import LIST_LENGTH, PAGE_LENGTH, ThingId, kinds, relation_id
from kgcore.kg.musicbrainz.replies import Edges, Group, Page, linked, page
from kgcore.model import Entity

_TOO_LARGE = "MusicBrainz has more on {} than can be read: recordings, releases and works related to it are left out"
_FIRST_ONLY = "MusicBrainz lists {:,} things of the kind {} for {} and what lies in it; the first {} were read"


class Pages:
    """Reads things; the transport remembers the replies, so asking again costs nothing."""

    def __init__(self, client: Client, languages: Sequence[str], kg: str) -> None:
        self._client, self._languages, self._kg = client, languages, kg
        self._too_large: set[ThingId] = set()  # things whose whole lookup is not read

    def get(self, asked: ThingId) -> Page | None:
        """Look a thing up; None for an id that is not known."""
        is_lean = asked in self._too_large
        try:
            reply = self._client.lookup(*asked, is_lean=is_lean)
        except TooHeavyError:
            if is_lean:
                raise
            self._too_large.add(asked)
            return self.get(asked)
        known = page(asked.kind, reply, self._languages, self._kg) if reply else None
        if known and is_lean:
            known = replace(known, note=_TOO_LARGE.format(known.entity.name))
        return known

    def groups(self, known: Page, asked: ThingId) -> dict[Group, Edges]:
        """All edges of a thing: those its lookup brought, and those of what lies in an area."""
        return {**known.groups, **self._around(known.entity, _now(known, asked))}

    def edges(self, known: Page, asked: ThingId, group: Group, limit: int) -> Edges | None:
        """The edges of a thing along one relation, at least `limit` where there are so many."""
        edges = known.groups.get(group)
        if edges is None:
            return self._around(known.entity, _now(known, asked), only=group).get(group)
        if edges.rest and limit > len(edges.notes):
            self._complete(edges, _now(known, asked), limit)
        return edges

    def _complete(self, edges: Edges, asked: ThingId, limit: int) -> None:
        """Browse for listed things until there are enough, or no more."""
        offset = 0
        while len(edges.notes) < min(limit, edges.total):
            n_known = len(edges.notes)
            reply = self._client.browse(edges.rest, *asked, offset=offset)
            for entity, _ in linked(edges.rest, reply, self._languages, self._kg):
                edges.add(entity)
            edges.total = max(reply.count(edges.rest), len(edges.notes))
            offset += PAGE_LENGTH
            is_stuck = len(edges.notes) == n_known and offset > LIST_LENGTH + PAGE_LENGTH
            if not reply.items(edges.rest) or offset >= edges.total or is_stuck:
                break

    def _around(
        self, thing: Entity, asked: ThingId, *, only: Group | None = None
    ) -> dict[Group, Edges]:
        """Browse for the things that say of themselves that they belong to this one.

        The service also lists what belongs to a part of an area; that is not an edge of the area.
        """
        me = thing.id
        groups: dict[Group, Edges] = {}
        for kind, names in kinds()[asked.kind].browse.items():
            ids = [relation_id(name) for name in names]
            if only is not None and (only[1] != "in" or only[0] not in ids):
                continue
            reply = self._client.browse(kind, *asked)
            n_read, n_all = len(reply.items(kind)), reply.count(kind)
            for entity, said in linked(kind, reply, self._languages, self._kg):
                for identifier in ids:
                    edges = said.get((identifier, "out"))
                    if edges is not None and edges.leads_to(me):
                        mine = groups.setdefault((identifier, "in"), Edges(edges.naming))
                        mine.add(entity)
                        if n_all > n_read:
                            mine.is_at_least = True
                            mine.hint = _FIRST_ONLY.format(n_all, kind, thing.name, n_read)
        return groups


def _now(known: Page, asked: ThingId) -> ThingId:
    """The id a thing has now: a merged one was asked by another."""
    return ThingId(asked.kind, known.entity.id.rpartition("/")[2])
