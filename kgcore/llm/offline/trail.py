"""Hops and trails: what was followed from a mention, and what it explains of the question.

A *hop* is one relation followed from some entities. A *trail* is a row of hops that starts at the entity of a
mention; it holds the things it ends at and the clues it explains. Every mention has an empty trail too, one for each
entity that it may stand for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kgcore.model import Entity, EntityId, Literal
from kgcore.steps import RelationOption

Thing = Entity | Literal


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation followed from some entities, with what it led to from each."""

    option: RelationOption
    ends: Mapping[EntityId, tuple[Thing, ...]]
    more: Mapping[EntityId, int]  # edges that exist and were not fetched


@dataclass(frozen=True, slots=True)
class Trail:
    """A row of hops from a mention. `before` tells from which things each end was reached."""

    mention: int
    start: EntityId
    hops: tuple[Hop, ...] = ()
    ends: tuple[Thing, ...] = ()
    before: Mapping[Thing, tuple[Thing, ...]] = field(default_factory=dict)
    explained: Mapping[int, float] = field(default_factory=dict)  # clue → how well
    by: Mapping[int, str] = field(default_factory=dict)  # clue → label of the relation
    last: tuple[int, float] = (-1, 0.0)  # what the last hop explains
    passed: tuple[tuple[Thing, ...], ...] = ()  # the ends of the hops before the last
    begin: tuple[Thing, ...] = ()  # the mention's entity
    n_idle: int = 0  # hops that explain nothing
    n_known: int = 0  # hops that were not followed: their edges are known from others

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The ends that are entities."""
        return tuple(t for t in self.ends if isinstance(t, Entity))

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The ends that are values."""
        return tuple(t for t in self.ends if isinstance(t, Literal))

    def is_retraced_by(self, option: RelationOption) -> bool:
        """Tell whether an option leads back along the relation that was followed last."""
        if not self.hops:
            return False
        last = self.hops[-1].option
        return last.relation.id == option.relation.id and last.direction != option.direction

    @property
    def n_more(self) -> int:
        """How many further ends exist that were not fetched."""
        if not self.hops:
            return 0
        hop = self.hops[-1]
        sources = {e.id for e in self._sources()}
        return sum(n for entity, n in hop.more.items() if entity in sources)

    def _sources(self) -> tuple[Entity, ...]:
        found = dict.fromkeys(s for things in self.before.values() for s in things)
        return tuple(s for s in found if isinstance(s, Entity))
