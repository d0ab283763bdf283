"""ReAct (arXiv 2210.03629): think, take a step, look at what comes back.

The steps are those of a walk through the graphs: search for a name, which opens an entity and lists its relations,
follow one of them, which opens the few things it leads to, or answer. ReAct→CoT falls back to lines of thought that
vote, from memory, where the walk gives no answer within its steps (section 3.2 of the paper). A model that says before
its last step that it cannot tell gives no answer either, so that falls back too; the paper does not speak of it.
"""

from __future__ import annotations

from kgcore.prompts import GiveAnswer, Move, Search
from kgcore.reasoners.baselines.config import ReActConfig, ReActThoughtsConfig
from kgcore.reasoners.baselines.walk import Walk
from kgcore.reasoners.rationales.answers import remembered
from kgcore.reasoners.rationales.sampling import sample_rationales
from kgcore.steps import Answer, Reasoning


def react(question: str, config: ReActConfig) -> Reasoning:
    """Walk and return an Answer."""
    return (yield from take_walk(Walk(question, config)))


def react_or_thoughts(question: str, config: ReActThoughtsConfig) -> Reasoning:
    """Walk; where that gives no answer, return what most lines of thought answer."""
    walk = Walk(question, config)
    answer = yield from take_walk(walk)
    if answer.is_answer:
        return answer
    sampled = yield from sample_rationales(question, config)
    remembrance: Answer = yield from remembered(sampled, walk.number)
    return remembrance if remembrance.is_answer else answer


def take_walk(walk: Walk) -> Reasoning:
    """Take at most `max_steps` steps and return the answer."""
    n_steps = walk.config.max_steps
    yield from walk.start()
    for left in range(n_steps, 0, -1):
        move: Move | None = yield from walk.next_move(left)
        if move is None:
            continue
        if isinstance(move.action, GiveAnswer):
            return (yield from walk.answered(move.action))
        if isinstance(move.action, Search):
            yield from walk.search(move.action)
        else:
            yield from walk.follow(move.action)
    return Answer("", is_answer=False, limit=f"limit: {n_steps} steps")
