"""Approved corrections as a view over any graph, for everything that reads a graph without a run.

Runs do not use it: they keep what the graph itself said, and apply the corrections they began with between their
journal and the reasoner. Both go through the same pure functions (kgcore.corrections.overlay).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from kgcore.corrections import overlay
from kgcore.corrections.correction import Correction
from kgcore.kg import KnowledgeGraph
from kgcore.model import Direction, EntityId, RelationId, to_dict
from kgcore.steps import (
    Candidates,
    Describe,
    Descriptions,
    Edges,
    EdgeSet,
    Link,
    RelationOptions,
    Relations,
)


class CorrectedGraph:
    """A graph as it reads with some corrections in force; nothing is written to it."""

    def __init__(self, graph: KnowledgeGraph, corrections: Sequence[Correction]) -> None:
        self.graph, self.corrections = graph, tuple(corrections)

    @property
    def id(self) -> str:
        """The name of the graph itself."""
        return self.graph.id

    @property
    def version(self) -> str:
        """Hash of the graph's version and of what the corrections in force say."""
        if not self.corrections:
            return self.graph.version
        said = sorted(
            json.dumps([c.action, to_dict(c.subject), c.relation.id, *map(to_dict, _ends(c))])
            for c in self.corrections
        )
        content = json.dumps([self.graph.version, said])
        return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Find entities by name, those that only corrections know too."""
        found = self.graph.link(text, context=context, limit=limit, is_question=is_question)
        step = Link(text, context, limit, is_question)
        return overlay.corrected_candidates(step, found, self.corrections)

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """List relations, counted as corrected."""
        found = self.graph.relations(entities)
        return overlay.corrected_options(Relations(tuple(entities)), found, self.corrections)

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Fetch edges, without those removed and with those added."""
        found = self.graph.edges(entities, relation, direction, limit=limit)
        step = Edges(tuple(entities), relation, direction, limit)
        return overlay.corrected_edges(step, found, self.corrections)

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Describe entities, those that only corrections know too."""
        found = self.graph.describe(entities)
        return overlay.corrected_descriptions(Describe(tuple(entities)), found, self.corrections)

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Return the graph's own identity links."""
        return self.graph.same_as(entities)


def _ends(correction: Correction) -> tuple[Any, ...]:
    return (correction.object, correction.new_object)
