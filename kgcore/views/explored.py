"""What a person opened of graphs by hand, one entity and one relation at a time, and its drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgcore.i18n import mark
from kgcore.model import Entity, EntityId, Literal, Relation, Subgraph, Triple
from kgcore.steps import EdgeSet, NodeAdded
from kgcore.views.beside import Beside, leaves_of
from kgcore.views.growth import Growth
from kgcore.views.kg_drawing import Drawing, Scene
from kgcore.views.palettes import Palette
from kgcore.views.relabelled import relabelled, relabelling

if TYPE_CHECKING:
    from pyvis.network import Network

SEED_WORDS = mark("opened by its name")


@dataclass(slots=True)
class Explored:
    """Grows with each call; nothing that was placed moves. Literals are kept, but not drawn: tables show them."""

    kgs: tuple[str, ...]
    subgraph: Subgraph = field(default_factory=Subgraph)
    growth: Growth = field(default_factory=Growth)
    seeds: list[EntityId] = field(default_factory=list)
    values: dict[EntityId, dict[Triple, None]] = field(default_factory=dict)
    folding: Beside = field(default_factory=Beside)
    _before: list[tuple[Subgraph, int]] = field(
        default_factory=list
    )  # and how much was folded then

    def open(self, entity: Entity) -> None:
        """Add an entity a person opened by its name."""
        if entity.id in self.subgraph:
            return
        self.seeds.append(entity.id)
        self._grow(NodeAdded(0, None, 0, "start", entities=(entity,)))

    def expand(self, found: EdgeSet) -> None:
        """Add edges that were fetched."""
        edges = [triple for triple in found.triples if isinstance(triple.object, Entity)]
        self.keep_values(found.triples)
        self._before.append((self.subgraph, len(self.folding.acts)))
        self._grow(NodeAdded(0, None, 0, "expand", triples=tuple(edges), same_as=found.same_as))

    @property
    def can_undo(self) -> bool:
        """Whether there is anything to take back."""
        return bool(self._before or self.folding.acts)

    def undo(self) -> None:
        """Take back what was done last: a relation that was followed, or what was folded or opened."""
        if self._before and self._before[-1][1] >= len(self.folding.acts):
            self.subgraph = self._before.pop()[0]
        else:
            self.folding.undo(self.growth)

    def fold(self, entity: Entity) -> bool:
        """Put what hangs on an entity alone behind a "+n" node, if there is anything."""
        leaves = leaves_of(self.subgraph, entity.id, kept=self.seeds)
        return self.folding.fold(self.growth, entity, leaves)

    def keep_values(self, triples: Iterable[Triple]) -> None:
        """Keep the literals among the objects of triples."""
        for triple in triples:
            if isinstance(triple.object, Literal):
                self.values.setdefault(triple.subject.id, {})[triple] = None

    def values_of(self, entity: EntityId) -> list[Triple]:
        """Return the triples of an entity whose objects are literals, by relation."""
        if entity not in self.subgraph:
            return []
        ids = {entity, *(member.id for member in self.subgraph.members(entity))}
        found = [triple for i in sorted(ids) for triple in self.values.get(i, ())]
        return sorted(found, key=lambda triple: (triple.relation.name, triple.object.name))

    def relabel(self, entities: Iterable[Entity], relations: Iterable[Relation]) -> None:
        """Call what was opened as these are called; nothing else changes, and nothing moves."""
        entities, relations = tuple(entities), tuple(relations)
        one = relabelling(entities, relations)
        self.subgraph = relabelled(self.subgraph, entities, relations)
        self._before = [(relabelled(s, entities, relations), n) for s, n in self._before]
        self.values = {i: {one(t): None for t in known} for i, known in self.values.items()}

    def network(self, palette: Palette, *, selected: str = "", language: str = "en") -> Network:
        """Return the drawing."""
        scene = Scene(self.subgraph, self.kgs, tuple(self.seeds), SEED_WORDS, language=language)
        return Drawing(scene, palette, self.growth, selected).network(self.subgraph)

    def _grow(self, fact: NodeAdded) -> None:
        self.subgraph = self.subgraph.add(
            fact.triples, entities=fact.entities, same_as=fact.same_as
        )
        self.growth.grow(fact)
