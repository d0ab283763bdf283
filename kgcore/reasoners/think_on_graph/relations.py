"""Relation search and pruning (paper, section 2.1.2): which relations go on from the ends of the beam's paths?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from kgcore.model import EntityId
from kgcore.prompts import Rating, RelationGroup, ScoreRelations
from kgcore.reasoners.think_on_graph.beam import Beam
from kgcore.reasoners.think_on_graph.paths import ReasoningPath
from kgcore.reasoners.traversals.offering import without_names
from kgcore.steps import (
    ActionRejected,
    Ask,
    Rank,
    Ranking,
    Reasoning,
    RelationOption,
    RelationOptions,
    Relations,
    Warned,
    gather,
)


@dataclass(frozen=True, slots=True)
class Followed:
    """A relation that is followed from the end of a path, and its score in 0…1."""

    path: ReasoningPath
    option: RelationOption
    score: float


def search_relations(paths: Sequence[ReasoningPath], beam: Beam) -> Reasoning:
    """Return the relations to follow, best first: one graph request, then one to the model (or one a path)."""
    standing = [path for path in paths if path.ids]
    if not standing:
        return []
    ids = tuple(dict.fromkeys(i for path in standing for i in path.ids))
    result = yield Relations(ids, about=beam.about())
    found = result.items if isinstance(result, RelationOptions) else ()
    groups: list[tuple[ReasoningPath, tuple[RelationOption, ...]]] = []
    for path in standing:
        options = tuple(o for o in found if _goes_on(path, o, beam.config.administrative))
        options = yield from _nearest(path, options, beam)
        if options:
            groups.append((path, options))
    scores = yield from _scored(groups, beam)
    followed = [
        Followed(path, option, rating.value)
        for (path, options), ratings in zip(groups, scores, strict=True)
        for option, rating in _best(options, ratings, beam.config.width)
    ]
    if beam.config.is_batched:
        followed = sorted(followed, key=lambda f: -f.score)[: beam.config.width]
    return followed


def _best(
    options: Sequence[RelationOption], ratings: Sequence[Rating], width: int
) -> list[tuple[RelationOption, Rating]]:
    """Return the best-scored relations of a path, at most N; zeros are dropped, ties keep their order."""
    pairs = [pair for pair in zip(options, ratings, strict=True) if pair[1].value > 0]
    return sorted(pairs, key=lambda pair: -pair[1].value)[:width]


def _goes_on(path: ReasoningPath, option: RelationOption, administrative: bool) -> bool:
    """Tell whether a relation touches the path's end, leads on, and is about the world."""
    if not set(path.ids) & set(option.touches):
        return False
    if not administrative and is_administrative(option):
        return False
    last = path.trajectory[-1].option if path.trajectory else None
    goes_back = (
        last is not None
        and last.relation.id == option.relation.id
        and last.direction != option.direction
    )
    return not (goes_back and option.count == 1 and not option.is_at_least)


def is_administrative(option: RelationOption) -> bool:
    """Tell whether a relation only keeps house in its graph."""
    labels, ids = _administrative()
    return option.relation.label in labels or option.relation.id.startswith(ids)


@cache
def _administrative() -> tuple[frozenset[str], tuple[str, ...]]:
    file = resources.files("kgcore.reasoners.think_on_graph") / "administrative.yaml"
    data = yaml.safe_load(file.read_text("utf-8"))
    return frozenset(data["labels"]), tuple(data["ids"])


def _nearest(path: ReasoningPath, options: tuple[RelationOption, ...], beam: Beam) -> Reasoning:
    """Keep the relations nearest to the question, at most `max_options`."""
    most = beam.config.max_options
    if not most or len(options) <= most:
        return options
    wanted = without_names(beam.question, beam.seeds)
    ranking = yield Rank(wanted, tuple(o.phrase for o in options), (path.node,))
    order = ranking.order if isinstance(ranking, Ranking) else tuple(range(len(options)))
    yield Warned(f"{len(options) - most} of {len(options)} relations were not offered")
    return tuple(options[i] for i in order[:most])


def _scored(
    groups: Sequence[tuple[ReasoningPath, tuple[RelationOption, ...]]], beam: Beam
) -> Reasoning:
    """Return a rating for each relation of each group."""
    if not groups:
        return ()
    if beam.config.pruner == "ranker":
        return (yield from _ranked(groups, beam))
    lists = [groups] if beam.config.is_batched else [[group] for group in groups]
    asks = [
        Ask(_request(part, beam), 1, beam.config.temperature, about=_about(part)) for part in lists
    ]
    results = yield from gather(list(asks))
    scores: list[tuple[Rating, ...]] = []
    for part, replies in zip(lists, results, strict=True):
        if replies.value is None:
            text = replies.items[0].text if replies.items else ""
            yield ActionRejected(part[0][0].node, text, "the scores are unreadable")
            scores += yield from _ranked(part, beam)
        else:
            scores += replies.value
    return tuple(scores)


def _request(
    groups: Sequence[tuple[ReasoningPath, tuple[RelationOption, ...]]], beam: Beam
) -> ScoreRelations:
    return ScoreRelations(
        beam.question,
        tuple(
            RelationGroup(path.text, EntityId(path.ids[0]), path.subgraph, path.trajectory, options)
            for path, options in groups
        ),
        beam.config.width,
        beam.seeds,
        language=beam.config.language,
    )


def _about(
    groups: Sequence[tuple[ReasoningPath, tuple[RelationOption, ...]]],
) -> tuple[int, ...]:
    return tuple(dict.fromkeys(path.node for path, _ in groups))


def _ranked(
    groups: Sequence[tuple[ReasoningPath, tuple[RelationOption, ...]]], beam: Beam
) -> Reasoning:
    """Score relations by their nearness to the question's words; no model is asked."""
    wanted = without_names(beam.question, beam.seeds)
    asks = [Rank(wanted, tuple(o.phrase for o in options), (p.node,)) for p, options in groups]
    results = yield from gather(list(asks))
    return [by_rank(result, len(g[1])) for result, g in zip(results, groups, strict=True)]


def by_rank(ranking: object, n: int) -> tuple[Rating, ...]:
    """Return the ranker's scores as ratings; all alike where it gives none."""
    if not isinstance(ranking, Ranking) or not any(ranking.scores):
        return (Rating(1 / max(1, n)),) * n
    ratings = [Rating(0.0)] * n
    for index, score in zip(ranking.order, ranking.scores, strict=True):
        ratings[index] = Rating(max(0.0, min(1.0, score)))
    return tuple(ratings)
