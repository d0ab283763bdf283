"""Typed requests to a model, each with its template (data, per language) and its reader."""

from kgcore.prompts.actions import ChooseAction
from kgcore.prompts.base import Prompt, PromptSet, TypedRequest
from kgcore.prompts.choices import ChooseEntities, ChooseRelation
from kgcore.prompts.domains import ChooseDomains, ChosenDomains
from kgcore.prompts.exploring import (
    AnswerFromPaths,
    EntityGroup,
    JudgePaths,
    RelationGroup,
    ScoreEntities,
    ScoreRelations,
    Verdict,
)
from kgcore.prompts.from_memory import AnswerDirectly, AnswerFromMemory
from kgcore.prompts.judging import RateAnswer, RateState
from kgcore.prompts.linking import ChooseEntity, FindMentions
from kgcore.prompts.linking_together import ChooseEachEntity
from kgcore.prompts.named_query import NamedQuery
from kgcore.prompts.queries import (
    MendQuery,
    WriteQuery,
    WriteSentence,
    WriteSparql,
    WriteSql,
    write_query,
)
from kgcore.prompts.rationales import (
    AnswerFromRationales,
    Corrected,
    CorrectRationale,
    NextRationale,
)
from kgcore.prompts.reacting import Move, Search, TakeStep
from kgcore.prompts.repair import Repair
from kgcore.prompts.sentences import NextSentence, Sentence
from kgcore.prompts.sets import FilePromptSet
from kgcore.prompts.siblings import RateSiblings
from kgcore.prompts.situation import Situation
from kgcore.prompts.suspects import RankSuspects
from kgcore.prompts.thoughts import SampleRationales, Thoughts
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
from kgcore.prompts.verifying import EditRationale, VerifyingQuestion

__all__ = [
    "Action",
    "AnswerDirectly",
    "AnswerFromMemory",
    "AnswerFromPaths",
    "AnswerFromRationales",
    "ChooseAction",
    "ChooseDomains",
    "ChooseEachEntity",
    "ChooseEntities",
    "ChooseEntity",
    "ChooseRelation",
    "ChosenDomains",
    "CorrectRationale",
    "Corrected",
    "EditRationale",
    "EntityGroup",
    "ExpandKG",
    "FilePromptSet",
    "FindMentions",
    "GiveAnswer",
    "JudgePaths",
    "MendQuery",
    "Move",
    "NamedQuery",
    "NextRationale",
    "NextSentence",
    "Prompt",
    "PromptSet",
    "RankSuspects",
    "RateAnswer",
    "RateSiblings",
    "RateState",
    "Rating",
    "RelationGroup",
    "Repair",
    "SampleRationales",
    "ScoreEntities",
    "ScoreRelations",
    "Search",
    "SelectEntities",
    "SelectRelation",
    "Sentence",
    "Situation",
    "TakeStep",
    "Taken",
    "Think",
    "Thoughts",
    "TypedRequest",
    "Verdict",
    "VerifyingQuestion",
    "WriteQuery",
    "WriteSentence",
    "WriteSparql",
    "WriteSql",
    "write_query",
]
