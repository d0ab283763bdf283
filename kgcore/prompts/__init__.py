"""Typed requests to a model, each with its template (data, per language) and its reader."""

from kgcore.prompts.actions import ChooseAction
from kgcore.prompts.base import Prompt, PromptSet, TypedRequest
from kgcore.prompts.choices import ChooseEntities, ChooseRelation
from kgcore.prompts.exploring import (
    AnswerFromPaths,
    EntityGroup,
    JudgePaths,
    RelationGroup,
    ScoreEntities,
    ScoreRelations,
    Verdict,
)
from kgcore.prompts.from_memory import AnswerFromMemory
from kgcore.prompts.judging import RateAnswer, RateState
from kgcore.prompts.linking import ChooseEntity, FindMentions
from kgcore.prompts.linking_together import ChooseEachEntity
from kgcore.prompts.repair import Repair
from kgcore.prompts.sets import FilePromptSet
from kgcore.prompts.siblings import RateSiblings
from kgcore.prompts.situation import Situation
from kgcore.prompts.suspects import RankSuspects
from kgcore.prompts.values import (
    Action,
    ExpandKG,
    GiveAnswer,
    Rating,
    SelectEntities,
    SelectRelation,
    Taken,
    Think,
)

__all__ = [
    "Action",
    "AnswerFromMemory",
    "AnswerFromPaths",
    "ChooseAction",
    "ChooseEachEntity",
    "ChooseEntities",
    "ChooseEntity",
    "ChooseRelation",
    "EntityGroup",
    "ExpandKG",
    "FilePromptSet",
    "FindMentions",
    "GiveAnswer",
    "JudgePaths",
    "Prompt",
    "PromptSet",
    "RankSuspects",
    "RateAnswer",
    "RateSiblings",
    "RateState",
    "Rating",
    "RelationGroup",
    "Repair",
    "ScoreEntities",
    "ScoreRelations",
    "SelectEntities",
    "SelectRelation",
    "Situation",
    "Taken",
    "Think",
    "TypedRequest",
    "Verdict",
]
