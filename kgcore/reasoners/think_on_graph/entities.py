"""Entity search and pruning (paper, section 2.1.2): what do the chosen relations lead to, and what of it helps?"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgcore.model import Direction, Entity, EntityId, RelationId, Triple
from kgcore.prompts import EntityGroup, Rating, ScoreEntities
from kgcore.reasoners.think_on_graph.beam import Beam, Grown
from kgcore.reasoners.think_on_graph.relations import Followed, by_rank
from kgcore.steps import (
    ActionRejected,
    Ask,
    Edges,
    EdgeSet,
    Rank,
    Ranking,
    Reasoning,
    gather,
)

_Key = tuple[RelationId, Direction]


@dataclass(frozen=True, slots=True)
class Found:
    """What a relation leads to from the end of a path: its triples, and how many more there are."""

    by: Followed
    triples: tuple[Triple, ...]
    n_more: int
    same_as: tuple[tuple[EntityId, EntityId], ...]

    @property
    def ends(self) -> list[Entity | object]:
        """The other end of each triple."""
        is_out = self.by.option.direction == "out"
        return [t.object if is_out else t.subject for t in self.triples]


def search_entities(
    followed: Sequence[Followed], beam: Beam, *, is_sampled: bool = False
) -> Reasoning:
    """Return the paths one step longer, each with its scores, in the order found."""
    found = yield from _fetched(followed, beam)
    if is_sampled:
        found = [_sampled(one, beam, number) for number, one in enumerate(found)]
        scores = [(Rating(1 / len(one.triples)),) * len(one.triples) for one in found]
    else:
        cut = []
        for one in found:
            cut.append((yield from _nearest(one, beam)))
        found = cut
        scores = yield from _scored(found, beam)
    return [
        Grown(one.by.path.grown(one.by.option, triple, one.same_as), one.by.score, rating.value)
        for one, ratings in zip(found, scores, strict=True)
        for triple, rating in zip(one.triples, ratings, strict=True)
    ]


def _fetched(followed: Sequence[Followed], beam: Beam) -> Reasoning:
    """Fetch each relation once for all paths that follow it; return what each path found, empty ones left out."""
    groups: dict[_Key, list[Followed]] = {}
    for one in followed:
        groups.setdefault((one.option.relation.id, one.option.direction), []).append(one)
    steps = [
        Edges(_touched(members), relation, direction, beam.config.edge_limit, _about(members))
        for (relation, direction), members in groups.items()
    ]
    results = yield from gather(list(steps))
    sets = {key: r for key, r in zip(groups, results, strict=True) if isinstance(r, EdgeSet)}
    found: list[Found] = []
    for one in followed:
        edges = sets.get((one.option.relation.id, one.option.direction), EdgeSet())
        mine = set(one.path.ids)
        known = set(one.path.triples)
        triples = tuple(
            t for t in edges.triples if t not in known and _start(t, one.option.direction) in mine
        )
        n_more = sum(n for i, n in edges.more if i in mine)
        if triples:
            found.append(Found(one, triples, n_more, edges.same_as))
    return found


def _touched(members: Sequence[Followed]) -> tuple[EntityId, ...]:
    ids: dict[EntityId, None] = {}
    for one in members:
        touched = [i for i in one.path.ids if i in one.option.touches]
        ids.update(dict.fromkeys(touched or one.path.ids))
    return tuple(ids)


def _about(members: Iterable[Followed]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one.path.node for one in members))


def _start(triple: Triple, direction: Direction) -> EntityId | None:
    """The end of a triple it was asked from: incoming edges have the asked entity as their object."""
    if direction == "out":
        return triple.subject.id
    return triple.object.id if isinstance(triple.object, Entity) else None


def _nearest(one: Found, beam: Beam) -> Reasoning:
    """Keep what is nearest to the question, at most `max_things`, in the graph's order; the rest is counted."""
    most = beam.config.max_things
    if len(one.triples) <= most:
        return one
    names = tuple(getattr(end, "name", "") for end in one.ends)
    ranking = yield Rank(beam.question, names, (one.by.path.node,))
    order = ranking.order if isinstance(ranking, Ranking) else tuple(range(len(names)))
    kept = sorted(order[:most])
    n_more = one.n_more + len(one.triples) - len(kept)
    return Found(one.by, tuple(one.triples[i] for i in kept), n_more, one.same_as)


def _sampled(one: Found, beam: Beam, number: int) -> Found:
    """Keep N of the triples at random, the same ones for the same seed (ToG-R)."""
    if len(one.triples) <= beam.config.width:
        return one
    rng = random.Random(f"{beam.config.seed} {one.by.path.node} {number} {one.by.option.phrase}")
    kept = sorted(rng.sample(range(len(one.triples)), beam.config.width))
    n_more = one.n_more + len(one.triples) - len(kept)
    return Found(one.by, tuple(one.triples[i] for i in kept), n_more, one.same_as)


def _scored(found: Sequence[Found], beam: Beam) -> Reasoning:
    """Return a rating for each triple; what is alone where a relation leads needs none."""
    if beam.config.pruner == "ranker":
        return (yield from _ranked(found, beam))
    scores: dict[int, tuple[Rating, ...]] = {}
    asked: list[int] = []
    for i, one in enumerate(found):
        if beam.config.skip_single and len(one.triples) == 1 and not one.n_more:
            scores[i] = (Rating(1.0),)
        else:
            asked.append(i)
    lists = [asked] if beam.config.is_batched and asked else [[i] for i in asked]
    asks = [
        Ask(
            _request([found[i] for i in part], beam),
            1,
            beam.config.temperature,
            about=_about(found[i].by for i in part),
        )
        for part in lists
    ]
    results = yield from gather(list(asks))
    for part, replies in zip(lists, results, strict=True):
        if replies.value is None:
            text = replies.items[0].text if replies.items else ""
            node = found[part[0]].by.path.node
            yield ActionRejected(node, text, "the scores are unreadable")
            ranked = yield from _ranked([found[i] for i in part], beam)
            scores.update(zip(part, ranked, strict=True))
        else:
            scores.update(zip(part, replies.value, strict=True))
    return [scores[i] for i in range(len(found))]


def _request(found: Sequence[Found], beam: Beam) -> ScoreEntities:
    return ScoreEntities(
        beam.question,
        tuple(
            EntityGroup(one.by.path.text, one.by.option.phrase, tuple(one.ends), one.n_more)  # type: ignore[arg-type]
            for one in found
        ),
        language=beam.config.language,
    )


def _ranked(found: Sequence[Found], beam: Beam) -> Reasoning:
    asks = [
        Rank(beam.question, tuple(getattr(e, "name", "") for e in one.ends), (one.by.path.node,))
        for one in found
    ]
    results = yield from gather(list(asks))
    return [by_rank(r, len(one.triples)) for r, one in zip(results, found, strict=True)]
