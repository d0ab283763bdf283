"""The answers of a search: of a node, and when no node gave one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.model import Literal
from kgcore.prompts import AnswerFromMemory
from kgcore.reasoners.proofs import Explored, proven
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.steps import Answer, AnswerPart, Ask, Reasoning, Seed, Warned


def to_answer(node: SearchNode, seeds: Sequence[Seed]) -> Answer:
    """Return the answer of an answer node, with its proof."""
    assert node.answer is not None
    explored = Explored(node.subgraph, node.trajectory)
    return proven(node.answer, explored, seeds, value=node.value, node=node.id)


def fall_back(
    question: str, best: Answer | None, answers: Sequence[Answer], config: TraversalConfig
) -> Reasoning:
    """Return the best answer; without one, ask the model's memory when that is allowed (→CoT)."""
    if best is not None:
        return best
    if config.fallback:
        request = AnswerFromMemory(question, language=config.language)
        replies = yield Ask(request)
        given = replies.value
        if given is None:
            yield Warned("the model's answer from memory could not be read")
        if given is not None and not given.is_unknown:
            part = AnswerPart(Literal(given.text), is_supported=False)
            return Answer(given.text, (part,), is_fallback=True)
    if answers:
        return replace(max(answers, key=lambda a: a.value), is_answer=False)
    return Answer("", is_answer=False)
