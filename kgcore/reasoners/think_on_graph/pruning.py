"""Pruning (paper, section 2.1.2): score what goes on from the ends of paths, and cut what is too long to be scored.

Relations and entities are pruned in the same way: in groups, one for each list that goes on from a path. The model
scores them, or one of the rankers, which costs no request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from kgcore.prompts import Rating, ScoreEntities, ScoreRelations
from kgcore.reasoners.think_on_graph.beam import Beam
from kgcore.reasoners.think_on_graph.paths import ReasoningPath, nodes_of
from kgcore.steps import ActionRejected, Ask, Rank, Ranking, Reasoning, Warned, gather


class Group(Protocol):
    """Things that go on from the end of one path."""

    @property
    def path(self) -> ReasoningPath:
        """The path they go on from."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each thing is called."""


G = TypeVar("G", bound=Group)


def scored(
    groups: Sequence[G],
    beam: Beam,
    question: str,
    request: Callable[[Sequence[G]], ScoreRelations | ScoreEntities],
) -> Reasoning:
    """Return the ratings of each group's things: the model's, or those of the ranker where that is wanted.

    `question` is what a ranker compares with. Scores that cannot be read are told, and the ranker stands in.
    """
    if not groups or beam.config.pruner != "model":
        return (yield from _ranked(groups, question))
    parts = [groups] if beam.config.is_batched else [[group] for group in groups]
    asks = [
        Ask(request(part), 1, beam.config.temperature, about=nodes_of(g.path for g in part))
        for part in parts
    ]
    scores: list[tuple[Rating, ...]] = []
    for part, replies in zip(parts, (yield from gather(list(asks))), strict=True):
        if replies.value is not None:
            scores += replies.value
            continue
        text = replies.items[0].text if replies.items else ""
        yield ActionRejected(part[0].path.node, text, "the scores are unreadable")
        scores += yield from _ranked(part, question)
    return scores


def _ranked(groups: Sequence[Group], question: str) -> Reasoning:
    """Return the scores that the ranker gives to the things of each group."""
    steps = [Rank(question, group.names, (group.path.node,)) for group in groups]
    results = yield from gather(list(steps))
    return [_ratings(ranking) for ranking in results]


def _ratings(ranking: Ranking) -> tuple[Rating, ...]:
    """Return a ranker's scores as ratings, in the order of the options; all alike where it tells none apart."""
    n = len(ranking.order)
    if not any(ranking.scores):
        return (Rating(1 / n),) * n
    by_option = dict(zip(ranking.order, ranking.scores, strict=True))
    return tuple(Rating(max(0.0, min(1.0, by_option[i]))) for i in range(n))


def nearest(group: Group, most: int, question: str, kind: str) -> Reasoning:
    """Return the positions of the things nearest to the question, at most so many; a cut is told."""
    n = len(group.names)
    if n <= most:
        return tuple(range(n))
    ranking = yield Rank(question, group.names, (group.path.node,))
    yield cut(group, n - most, kind)
    return ranking.order[:most]


def cut(group: Group, n_left_out: int, kind: str) -> Warned:
    """Say how many of the relations or things after a path were left out."""
    return Warned(
        f"{n_left_out} of {len(group.names)} {kind} after “{group.path.text}” were not looked at"
    )
