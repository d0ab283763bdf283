"""Score what a beam search has on offer, and tell whether its paths explain the question."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.relations import choose_relation
from kgcore.llm.offline.trails import analysis_of
from kgcore.model import Entity, Literal
from kgcore.prompts import (
    AnswerFromPaths,
    ChooseRelation,
    GiveAnswer,
    JudgePaths,
    RelationGroup,
    ScoreEntities,
    ScoreRelations,
    Verdict,
)
from kgcore.prompts.exploring import Scores
from kgcore.prompts.values import Rating
from kgcore.ranking.stems import overlap

_ALIKE = 0.2  # what tells nothing of a thing still keeps it in the beam
_MET_AGAIN = 0.5  # a thing that several paths lead to


def score_relations(request: ScoreRelations) -> Scores:
    """Score each relation by how much of what is still open it explains."""
    return tuple(_group_scores(request, group) for group in request.groups)


def _group_scores(request: ScoreRelations, group: RelationGroup) -> tuple[Rating, ...]:
    choice = ChooseRelation(
        request.question,
        group.subgraph,
        request.seeds,
        group.trajectory,
        (group.entity,),
        group.options,
        language=request.language,
    )
    scores = [0.0] * len(group.options)
    for selected, weight in choose_relation(choice, analysis_of(choice)):
        scores[selected.option] = round(min(1.0, weight), 3)
    return tuple(Rating(score) for score in scores)


def score_entities(request: ScoreEntities) -> Scores:
    """Score things by what the question says of them, and higher those that several paths lead to."""
    groups = request.groups
    n_paths = Counter(chain.from_iterable(dict.fromkeys(g.things) for g in groups))
    return tuple(
        tuple(_thing_score(request.question, thing, n_paths[thing]) for thing in group.things)
        for group in groups
    )


def _thing_score(question: str, thing: Entity | Literal, n_paths: int) -> Rating:
    words = f"{thing.name} {thing.description}" if isinstance(thing, Entity) else thing.name
    near = 0.3 * overlap(question, words)
    return Rating(round(min(1.0, _ALIKE + near + _MET_AGAIN * (n_paths > 1)), 3))


def judge_paths(request: JudgePaths, analysis: Analysis) -> Verdict:
    """Say that the paths suffice when they explain the whole question."""
    reading = conclude(request, analysis)
    answer = answer_of(reading, analysis)
    is_enough = reading.is_complete and not answer.is_unknown
    return Verdict(is_enough, answer if is_enough else None)


def answer_from_paths(request: AnswerFromPaths, analysis: Analysis) -> GiveAnswer:
    """Give the best reading of the paths; there is no knowledge of its own."""
    return answer_of(conclude(request, analysis), analysis)
