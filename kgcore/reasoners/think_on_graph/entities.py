"""Entity search and pruning (paper, section 2.1.2): what do the chosen relations lead to, and what of it helps?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgcore.model import Direction, Entity, EntityId, Literal, RelationId, Triple
from kgcore.prompts import EntityGroup, Rating, ScoreEntities
from kgcore.reasoners.think_on_graph.beam import Beam, Grown
from kgcore.reasoners.think_on_graph.paths import ReasoningPath, nodes_of
from kgcore.reasoners.think_on_graph.pruning import cut, nearest, scored
from kgcore.reasoners.think_on_graph.relations import Followed
from kgcore.steps import Edges, EdgeSet, Reasoning, gather

_Key = tuple[RelationId, Direction]


@dataclass(frozen=True, slots=True)
class Found:
    """What a relation leads to from the end of a path: its triples, and how many more there are."""

    by: Followed
    triples: tuple[Triple, ...]
    n_more: int
    same_as: tuple[tuple[EntityId, EntityId], ...]

    @property
    def path(self) -> ReasoningPath:
        """The path it was found from."""
        return self.by.path

    @property
    def ends(self) -> tuple[Entity | Literal, ...]:
        """The other end of each triple."""
        is_out = self.by.option.direction == "out"
        return tuple(t.object if is_out else t.subject for t in self.triples)

    @property
    def names(self) -> tuple[str, ...]:
        """What each end is called."""
        return tuple(end.name for end in self.ends)

    def only(self, positions: Sequence[int]) -> Found:
        """Return it with these triples only, in the graph's order; the others are counted."""
        kept = tuple(self.triples[i] for i in sorted(positions))
        return replace(self, triples=kept, n_more=self.n_more + len(self.triples) - len(kept))


def search_entities(
    followed: Sequence[Followed], beam: Beam, *, is_sampled: bool = False
) -> Reasoning:
    """Return the paths one step longer, each with its scores, in the order found."""
    found = yield from _fetched(followed, beam)
    prune = _sampled if is_sampled else _scored
    pruned = yield from prune(found, beam)
    return [
        Grown(one.path.grown(one.by.option, triple, one.same_as), one.by.score, rating.value)
        for one, ratings in pruned
        for triple, rating in zip(one.triples, ratings, strict=True)
    ]


def _fetched(followed: Sequence[Followed], beam: Beam) -> Reasoning:
    """Fetch each relation once for all paths that follow it; return what each path found, empty ones left out."""
    groups: dict[_Key, list[Followed]] = {}
    for one in followed:
        groups.setdefault(_key(one), []).append(one)
    steps = [
        Edges(
            _touched(members),
            relation,
            direction,
            beam.config.edge_limit,
            nodes_of(one.path for one in members),
        )
        for (relation, direction), members in groups.items()
    ]
    results = yield from gather(list(steps))
    sets = {key: r for key, r in zip(groups, results, strict=True) if isinstance(r, EdgeSet)}
    found = [_found_by(one, sets[_key(one)]) for one in followed if _key(one) in sets]
    return [one for one in found if one.triples]


def _key(one: Followed) -> _Key:
    return one.option.relation.id, one.option.direction


def _touched(members: Sequence[Followed]) -> tuple[EntityId, ...]:
    ids: dict[EntityId, None] = {}
    for one in members:
        touched = [i for i in one.path.ids if i in one.option.touches]
        ids.update(dict.fromkeys(touched or one.path.ids))
    return tuple(ids)


def _found_by(one: Followed, edges: EdgeSet) -> Found:
    """Return those of the edges that go on from a path's end and are not in the path."""
    mine, known = set(one.path.ids), set(one.path.triples)
    triples = tuple(
        t for t in edges.triples if t not in known and _start(t, one.option.direction) in mine
    )
    return Found(one, triples, sum(n for i, n in edges.more if i in mine), edges.same_as)


def _start(triple: Triple, direction: Direction) -> EntityId | None:
    """The end of a triple it was asked from: incoming edges have the asked entity as their object."""
    if direction == "out":
        return triple.subject.id
    return triple.object.id if isinstance(triple.object, Entity) else None


def _sampled(found: Sequence[Found], beam: Beam) -> Reasoning:
    """Take at most `max_things` things of each relation, and N of these to go on from, all alike (ToG-R).

    All that are taken count where the model judges what was found: the chain of relations is what is followed, and
    what it leads to is a set. Both samples are the same ones for the same seed.
    """
    pruned: list[tuple[Found, tuple[Rating, ...]]] = []
    for number, one in enumerate(found):
        most, width = beam.config.max_things, beam.config.width
        rng = random.Random(f"{beam.config.seed} {one.path.node} {number} {one.by.option.phrase}")
        if len(one.triples) > most:
            yield cut(one, len(one.triples) - most, _kind(one))
            one = one.only(rng.sample(range(len(one.triples)), most))
        beam.seen += [one.path.grown(one.by.option, t, one.same_as) for t in one.triples]
        if len(one.triples) > width:
            one = one.only(rng.sample(range(len(one.triples)), width))
        pruned.append((one, (Rating(1 / len(one.triples)),) * len(one.triples)))
    return pruned


def _scored(found: Sequence[Found], beam: Beam) -> Reasoning:
    """Score at most `max_things` things of each relation; what is alone where one leads needs no score."""
    offered: list[Found] = []
    for one in found:
        most, kind = beam.config.max_things, _kind(one)
        offered.append(one.only((yield from nearest(one, most, beam.question, kind))))
    asked = [one for one in offered if not _is_alone(one, beam)]
    ratings = yield from scored(asked, beam, beam.question, lambda part: _request(part, beam))
    rated = iter(ratings)
    return [(one, (Rating(1.0),) if _is_alone(one, beam) else next(rated)) for one in offered]


def _is_alone(one: Found, beam: Beam) -> bool:
    is_alone = len(one.triples) == 1 and not one.n_more
    return is_alone and beam.config.skip_single and beam.config.pruner == "model"


def _kind(one: Found) -> str:
    return f"ends of “{one.by.option.phrase}”"


def _request(found: Sequence[Found], beam: Beam) -> ScoreEntities:
    groups = (
        EntityGroup(one.path.text, one.by.option.phrase, one.ends, one.n_more) for one in found
    )
    return ScoreEntities(beam.question, tuple(groups), language=beam.config.language)
