"""Think-on-Graph (arXiv 2307.07697, section 2.1): beam search over reasoning paths.

From the question's entities, N paths grow at most D steps. Each step searches and prunes relations, then searches
and prunes entities, and the N best paths by relation score × entity score stay. After each step the model says
whether the paths suffice to answer; when they never do, it answers from what was found and what it knows.
ToG-R (section 2.2) follows relation chains and samples the entities instead of having them scored.
"""

from __future__ import annotations

from dataclasses import replace

from kgcore.prompts import AnswerFromPaths, GiveAnswer, JudgePaths, Verdict
from kgcore.reasoners.linking import link_question
from kgcore.reasoners.proofs import Explored
from kgcore.reasoners.think_on_graph.beam import Beam
from kgcore.reasoners.think_on_graph.config import ThinkOnGraphConfig
from kgcore.reasoners.think_on_graph.entities import search_entities
from kgcore.reasoners.think_on_graph.relations import search_relations
from kgcore.steps import Answer, AnswerProposed, Ask, NodeExpanded, Reasoning, Warned


def think_on_graph(
    question: str, config: ThinkOnGraphConfig, *, is_sampled: bool = False
) -> Reasoning:
    """Search and return an Answer; `is_sampled` is ToG-R."""
    subgraph, seeds = yield from link_question(question, config)
    beam = Beam(question, config, seeds, subgraph)
    paths = yield from beam.start()
    for _ in range(config.max_depth):
        for path in paths:
            yield NodeExpanded(path.node, beam.next_order())
        followed = yield from search_relations(paths, beam)
        grown = yield from search_entities(followed, beam, is_sampled=is_sampled)
        paths = yield from beam.keep(grown)
        if not paths:
            break
        answer = yield from judge(beam)
        if answer is not None:
            yield AnswerProposed(answer)
            return answer
    answer = yield from conclude(beam)
    if not answer.is_answer and any(path.ids for path in paths):
        answer = replace(answer, limit=f"limit: depth {config.max_depth}")
    yield AnswerProposed(answer)
    return answer


def judge(beam: Beam) -> Reasoning:
    """Ask whether the paths found so far suffice; return the answer, or None to go deeper."""
    explored = beam.explored()
    replies = yield Ask(_about(JudgePaths, explored, beam), role="evaluate", about=beam.about())
    verdict: Verdict | None = replies.value
    if verdict is None:
        yield Warned("whether the paths suffice could not be read from the model's reply")
    if verdict is None or verdict.answer is None:
        return None
    return (yield from beam.answered(verdict.answer, explored, 1.0))


def conclude(beam: Beam) -> Reasoning:
    """Answer when the search is over: from what was found, and from the model's own knowledge where allowed."""
    explored = beam.explored()
    replies = yield Ask(_about(AnswerFromPaths, explored, beam), about=beam.about())
    given: GiveAnswer | None = replies.value
    if given is None:
        yield Warned("the model's answer could not be read")
        return Answer("", is_answer=False)
    answer = yield from beam.answered(given, explored, 0.5)
    if answer.is_model_memory and not beam.config.own_knowledge:
        return Answer(answer.text, value=0.0, is_answer=False, node=answer.node)
    return answer


def _about(
    request: type[JudgePaths] | type[AnswerFromPaths], explored: Explored, beam: Beam
) -> JudgePaths | AnswerFromPaths:
    return request(
        beam.question,
        explored.subgraph,
        beam.seeds,
        explored.trajectory,
        language=beam.config.language,
    )
