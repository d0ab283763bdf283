"""Names in search replies, as linking looks them up.

The search finds; kgcore.kg.linking scores, so that a candidate's score means the same as that of any other graph.
The service's own score (100 for the best hit) takes the place of how well connected a thing is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from kgcore.kg.linking import Name, Thing
from kgcore.kg.mentions import loosen
from kgcore.kg.musicbrainz.client import Reply
from kgcore.kg.musicbrainz.phrases import relation_words
from kgcore.kg.musicbrainz.replies import linked
from kgcore.kg.musicbrainz.things import names
from kgcore.kg.name_list import NameList
from kgcore.model import Entity, EntityId


class FoundNames(NameList):
    """Implements the table of names that linking works on; see linking.NameTable."""

    max_degree = 100

    def __init__(self, languages: Sequence[str], kg: str) -> None:
        self._languages, self._kg = languages, kg
        self._things: dict[EntityId, Thing] = {}
        self._names: list[Name] = []

    @property
    def relation_keys(self) -> frozenset[str]:
        """Keys of all phrases of relations."""
        return frozenset(map(loosen, relation_words()))

    def add_reply(self, kind: str, reply: Reply) -> None:
        """Add what a search found."""
        by_id = {data["id"]: data for data in reply.items(kind) if "id" in data}
        for entity, _ in linked(kind, reply, self._languages, self._kg):
            data = by_id[entity.id.rpartition("/")[2]]
            name, others = names(data)
            score = str(data.get("ext:score", ""))
            self.add(entity, [name, *others], int(score) if score.isdecimal() else 0)

    def add(self, entity: Entity, texts: Iterable[str], score: int = 0) -> None:
        """Add a thing by its names; the first is its label, as is the one shown."""
        if entity.id in self._things:
            return
        self._things[entity.id] = Thing(entity, min(score, self.max_degree))
        for i, text in enumerate(dict.fromkeys(text for text in texts if text)):
            is_alias = i > 0 and text != entity.label
            self._names.append(Name(entity.id, text, loosen(text), is_alias))

    def __bool__(self) -> bool:
        return bool(self._things)

    def bears(self, text: str) -> bool:
        """True when something found has exactly this name."""
        return bool(self.exact([loosen(text)]))

    def by_id(self, text: str) -> Hashable | None:
        """Return the thing whose id this text is."""
        return EntityId(text) if text in self._things else None

    def things(self, nodes: Iterable[Hashable]) -> Mapping[Hashable, Thing]:
        """Describe things."""
        wanted = set(nodes)
        return {node: thing for node, thing in self._things.items() if node in wanted}
