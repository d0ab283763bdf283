"""Reasoning paths: connected triples from an entity of the question, each path with its parent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kgcore.model import Entity, EntityId, Literal, Subgraph, Triple
from kgcore.prompts import Taken
from kgcore.reasoners.proofs import Explored
from kgcore.steps import RelationOption


@dataclass(frozen=True, slots=True)
class ReasoningPath:
    """An entry of a beam.

    `node` is its number in the search tree, `parent` that of the path it goes on from. `end` is where it stands,
    `subgraph` and `trajectory` hold the path itself. `score` in 0…1 is relation score × entity score.
    """

    node: int
    parent: int | None
    depth: int
    end: Entity | Literal
    subgraph: Subgraph
    trajectory: tuple[Taken, ...] = ()
    triples: tuple[Triple, ...] = ()
    score: float = 1.0

    @property
    def ids(self) -> tuple[EntityId, ...]:
        """The ids of the end in every graph that knows it; none for a value."""
        if isinstance(self.end, Literal):
            return ()
        return tuple(member.id for member in self.subgraph.members(self.end.id))

    @property
    def text(self) -> str:
        """The path in words, from the question's entity to its end."""
        if not self.triples:
            return self.end.name
        first = self.triples[0]
        start = (
            first.subject if self.trajectory[0].entities[0] == first.subject.id else first.object
        )
        words = [start.name]
        for taken, triple in zip(self.trajectory, self.triples, strict=True):
            assert taken.option is not None
            is_out = taken.option.direction == "out"
            words += [taken.option.phrase, (triple.object if is_out else triple.subject).name]
        return " → ".join(words)

    def grown(
        self, option: RelationOption, triple: Triple, same_as: Sequence[tuple[EntityId, EntityId]]
    ) -> ReasoningPath:
        """Return the path with one triple more; it has no number and no score yet."""
        end = triple.object if option.direction == "out" else triple.subject
        assert isinstance(self.end, Entity)
        taken = Taken("select_relation", option.phrase, (self.end.id,), option, 1)
        subgraph = self.subgraph.add((triple,), same_as=same_as)
        if isinstance(end, Entity):
            end = subgraph.entity(end.id)
        return replace(
            self,
            node=-1,
            parent=self.node,
            depth=self.depth + 1,
            end=end,
            subgraph=subgraph,
            trajectory=(*self.trajectory, taken),
            triples=(*self.triples, triple),
        )


def together(root: Subgraph, paths: Sequence[ReasoningPath]) -> Explored:
    """Return all paths together: their triples in one subgraph, what was followed depth by depth."""
    subgraph = root
    for path in paths:
        subgraph = subgraph.add(path.triples, same_as=path.subgraph.same_as)
    steps: dict[tuple[int, str, str], Taken] = {}
    for path in paths:
        for depth, taken in enumerate(path.trajectory):
            assert taken.option is not None
            key = (depth, taken.option.relation.id, taken.option.direction)
            before = steps[key].entities if key in steps else ()
            ids = (*before, *(subgraph.canonical(e) for e in taken.entities))
            entities = tuple(dict.fromkeys(ids))
            steps[key] = replace(taken, entities=entities, n_new=len(entities))
    ordered = sorted(steps, key=lambda key: key[0])
    return Explored(subgraph, tuple(steps[key] for key in ordered))


def nodes_of(paths: Iterable[ReasoningPath]) -> tuple[int, ...]:
    """Return the numbers of the paths, each once."""
    return tuple(dict.fromkeys(path.node for path in paths))
