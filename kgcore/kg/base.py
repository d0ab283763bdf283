"""The port to a knowledge graph: five methods, domain types in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from kgcore.model import Direction, EntityId, Relation, RelationId
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOptions


class KnowledgeGraph(Protocol):
    """A graph that can be asked from several threads at once.

    Ids a graph does not hold are answered with nothing, never with an error. Methods raise ServiceError (or a
    kind of it) when the graph cannot answer, and InputError for an id that is no CURIE or IRI.
    """

    @property
    def id(self) -> str:
        """Short name, as the person gave it."""

    @property
    def version(self) -> str:
        """Changes whenever the data may have changed; part of the key of every step."""

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Find entities a text may mean, best first; several candidates a mention.

        With `is_question` the text is a whole question: candidates carry the span (`mention`) they were found
        for, longest match first. A graph without a label index returns none for a question.
        """

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """List the relations that touch these entities, both directions, in one round trip."""

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Fetch edges along one relation, at most `limit` an entity, with labels, in one round trip.

        A triple always reads subject–relation–object as the graph holds it: with direction "in" the asked
        entity is the object.
        """

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Fetch labels, descriptions, types and explicit identity links; unknown ids are left out."""

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Return explicit identity links as (asked id, other id), from links in either direction."""


@runtime_checkable
class ListsRelations(Protocol):
    """A graph that can tell all its relations; one that is asked over the network cannot."""

    def all_relations(self) -> tuple[Relation, ...]:
        """Return the relations of all its edges, by id."""
        ...
