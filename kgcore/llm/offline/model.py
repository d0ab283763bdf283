"""The embedded default: answers every typed request without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgcore.config import OFFLINE_MATCHER
from kgcore.errors import InputError
from kgcore.llm.base import ModelReply
from kgcore.llm.offline import choose, explore, knowing, mentions, rate, relations, suspect, walking
from kgcore.llm.offline.conclude import unknown
from kgcore.llm.offline.querying import queries
from kgcore.llm.offline.question import Analysis, analyse
from kgcore.llm.offline.trails import analysis_of
from kgcore.llm.offline.write import write
from kgcore.prompts import (
    AnswerFromMemory,
    AnswerFromPaths,
    AnswerFromRationales,
    ChooseAction,
    ChooseDomains,
    ChooseEachEntity,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    CorrectRationale,
    FindMentions,
    JudgePaths,
    MendQuery,
    NextRationale,
    NextSentence,
    PromptSet,
    RankSuspects,
    RateAnswer,
    RateSiblings,
    RateState,
    Repair,
    SampleRationales,
    ScoreEntities,
    ScoreRelations,
    SelectEntities,
    Situation,
    TakeStep,
    TypedRequest,
    VerifyingQuestion,
    WriteQuery,
)
from kgcore.steps import Usage
from kgcore.transport import Allowance

DISPLAY_NAME = "offline matcher – no language model"


class OfflineModel:
    """Offline matcher: no language model, no key, no network.

    It answers the same requests as a model would, by matching the words of the question with the labels of
    relations and by the structure of what was fetched. The same request always gets the same replies. Its
    samples are its best different choices, then the best one again, so that votes show how sure it is.
    """

    display_name = DISPLAY_NAME

    def __init__(self, prompts: PromptSet) -> None:
        self._prompts = prompts

    @property
    def name(self) -> str:
        """What journals call it."""
        return OFFLINE_MATCHER

    @property
    def prompts(self) -> PromptSet:
        """The templates a model would have been asked with; kept for people to read."""
        return self._prompts

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        """Answer a request with n samples; the temperature changes nothing."""
        (allowance or Allowance()).take()
        prompt = request.render(self._prompts)
        values = choose.spread(_choices(request), n)
        texts = tuple(write(value, request) for value in values)
        usage = Usage(llm_requests=1, completions=len(texts))
        return ModelReply(texts, prompt.text, usage, prompt.left_out)


def _choices(request: TypedRequest) -> Sequence[tuple[Any, float]]:
    """Return what the request may be answered with, best first."""
    match request:
        case MendQuery() | WriteQuery():
            return [(queries(request)[0], 1.0)]
        case Repair():
            return _choices(request.original)
        case FindMentions():
            found = mentions.find_mentions(request.question, request.spotted, request.language)
            return [(found, 1.0)]
        case ChooseEntity():
            chosen = mentions.choose_entity(
                request.question, request.mention, request.candidates, request.language
            )
            return [(chosen, 1.0)]
        case AnswerFromMemory():
            return choose.no_answer(analyse(request.question, (), request.language))
        case RateSiblings() | ChooseEachEntity():
            return [(tuple(_choices(item)[0][0] for item in request.items), 1.0)]
        case ScoreRelations():
            return [(explore.score_relations(request), 1.0)]
        case ScoreEntities():
            return [(explore.score_entities(request), 1.0)]
        case RankSuspects():
            return [(suspect.rank_suspects(request), 1.0)]
        case SampleRationales():
            return [(knowing.sample_rationales(request), 1.0)]
        case ChooseDomains():
            return [(knowing.choose_domains(request), 1.0)]
        case NextSentence():
            return [(knowing.next_sentence(request), 1.0)]
        case VerifyingQuestion():
            return [(" ".join(request.rationale.split()), 1.0)]
        case NextRationale():
            return [(knowing.next_rationale(request), 1.0)]
        case CorrectRationale():
            return [(knowing.correct_rationale(request), 1.0)]
        case AnswerFromRationales():
            return [(knowing.answer_from_rationales(request), 1.0)]
        case Situation():
            return _in_situation(request, analysis_of(request))
    raise InputError("the offline matcher reads no prompts, only what they are made of")


def _in_situation(request: Situation, analysis: Analysis) -> Sequence[tuple[Any, float]]:
    match request:
        case TakeStep():
            return walking.take_step(request, analysis)
        case ChooseAction():
            return choose.choose_action(request, analysis)
        case ChooseEntities():
            entities = request.subgraph.entities
            every = [(SelectEntities(tuple(e.id for e in entities[:1])), 0.1)]
            return choose.choose_entities(request, analysis) or every
        case ChooseRelation():
            return relations.choose_relation(request, analysis)
        case RateState():
            return [(rate.rate_state(request, analysis), 1.0)]
        case RateAnswer():
            return [(rate.rate_answer(request, analysis), 1.0)]
        case JudgePaths():
            return [(explore.judge_paths(request, analysis), 1.0)]
        case AnswerFromPaths():
            return [(explore.answer_from_paths(request, analysis), 1.0)]
    return [(unknown(analysis), 1.0)]
