"""IO prompting, chain-of-thought (arXiv 2201.11903) and self-consistency (arXiv 2203.11171): from memory alone.

IO asks for the answer at once, chain-of-thought for the statements that lead to it, and self-consistency for several
such lines of thought whose answers vote. None of them looks anything up, so nothing proves what they answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.model import Entity, Literal
from kgcore.prompts import AnswerDirectly, GiveAnswer, SampleRationales, Thoughts
from kgcore.reasoners.baselines.config import DirectConfig, ThoughtsConfig, VotesConfig
from kgcore.reasoners.rationales.answers import UNREAD, remembered
from kgcore.reasoners.rationales.sampling import sample_rationales
from kgcore.steps import (
    Answer,
    AnswerPart,
    AnswerProposed,
    Ask,
    NodeAdded,
    NodeExpanded,
    ProvenRationale,
    Reasoning,
    Warned,
)

UNKNOWN = "nothing is looked up by this method, and the model itself cannot tell"
NO_STARTS = "this method looks nothing up, so it does not start from the entities given"


def answer_directly(question: str, config: DirectConfig) -> Reasoning:
    """Ask for the answer and return it."""
    yield from begin(config.seeds)
    replies = yield Ask(AnswerDirectly(question, language=config.language), about=(0,))
    given: GiveAnswer | None = replies.value
    return (yield from _concluded(Thoughts((), given) if given is not None else None))


def chain_of_thought(question: str, config: ThoughtsConfig) -> Reasoning:
    """Ask for one line of thought and return its answer."""
    yield from begin(config.seeds)
    request = SampleRationales(question, config.max_rationales, language=config.language)
    replies = yield Ask(request, about=(0,))
    return (yield from _concluded(replies.value))


def self_consistency(question: str, config: VotesConfig) -> Reasoning:
    """Sample lines of thought and return the answer that most of them give."""
    yield from begin(config.seeds)
    sampled = yield from sample_rationales(question, config)
    answer = yield from remembered(sampled, lambda: 1)
    return answer if answer.is_answer else replace(answer, limit=UNKNOWN)


def begin(seeds: Sequence[Entity]) -> Reasoning:
    """Plant the tree of a method that looks nothing up."""
    yield NodeAdded(0, None, 0, "start", entities=tuple(seeds))
    if seeds:
        yield Warned(NO_STARTS)
    yield NodeExpanded(0, 1)


def _concluded(thoughts: Thoughts | None) -> Reasoning:
    """Write a line of thought down, statement by statement, and return its answer, which is model memory."""
    if thoughts is None:
        yield Warned(UNREAD)
        return Answer("", is_answer=False, limit=UNREAD)
    for number, text in enumerate(thoughts.rationales, 1):
        yield NodeAdded(number, number - 1, number, "think", text)
    given, node = thoughts.answer, len(thoughts.rationales) + 1
    answer = Answer(given.text, is_answer=False, node=node, limit=UNKNOWN)
    if not given.is_unknown:
        answer = Answer(
            given.text,
            (AnswerPart(Literal(given.text), is_supported=False),),
            is_fallback=True,
            node=node,
            rationales=tuple(
                ProvenRationale(n, r, r) for n, r in enumerate(thoughts.rationales, 1)
            ),
        )
    yield NodeAdded(node, node - 1, node, "answer", given.text, "done")
    yield AnswerProposed(answer)
    return answer
