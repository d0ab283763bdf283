"""Linking: from the mentions in a question to entities in every graph.

The first thing every method does (Tree-of-Traversals, section 3.1: initialization).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.model import Entity, Subgraph
from kgcore.prompts import ChooseEntity, FindMentions
from kgcore.steps import (
    Ask,
    Candidate,
    Candidates,
    Describe,
    Descriptions,
    Link,
    NodeAdded,
    QuestionLinked,
    Reasoning,
    Seed,
    Warned,
    gather,
    together,
)

_SURE = 0.9  # a single candidate with at least this score is taken without asking


@dataclass(frozen=True, slots=True)
class LinkingConfig:
    """Settings that all methods share, with which a question is linked.

    candidates      candidates a mention is linked among
    skip_single     a choice with one option is not asked
    link_together   mentions are linked at the same time
    spot_mentions   names that the graphs' label indexes find are offered to the model, and linked without asking
                    the graph again
    ask_graph_once  what was asked of a graph in this run is not asked again
    """

    candidates: int = 5
    skip_single: bool = True
    link_together: bool = True
    spot_mentions: bool = True
    ask_graph_once: bool = True
    language: str = "en"
    seeds: tuple[Entity, ...] = ()  # entities to start from beside those of the question


def link_question(question: str, config: LinkingConfig) -> Reasoning:
    """Return (subgraph, seeds): the question's entities, joined where graphs link them."""
    spotted: tuple[Candidate, ...] = ()
    if config.spot_mentions:
        found = yield Link(question, limit=config.candidates, is_question=True)
        spotted = found.items if isinstance(found, Candidates) else ()
    request = FindMentions(question, spotted, language=config.language)
    replies = yield Ask(request, temperature=0.0)
    if not replies.values:
        yield Warned("which names to look up could not be read from the model's reply")
    mentions: tuple[str, ...] = tuple(dict.fromkeys(replies.value or ()))
    candidates = yield from _candidates(question, mentions, spotted, config)
    choices = [
        _choose(question, mention, in_one_graph, config)
        for mention, found_for in zip(mentions, candidates, strict=True)
        for in_one_graph in _by_graph(found_for)
    ]
    if config.link_together:
        chosen = yield from together(*choices)
    else:
        chosen = []
        for choice in choices:
            chosen.append((yield from choice))
    return (yield from _joined(mentions, [c for c in chosen if c is not None], config))


def _candidates(
    question: str,
    mentions: Sequence[str],
    spotted: Sequence[Candidate],
    config: LinkingConfig,
) -> Reasoning:
    """Return the candidates of each mention; mentions a label index spotted are not asked again."""
    known: dict[str, tuple[Candidate, ...]] = {}
    for item in spotted:
        known[item.mention.casefold()] = (*known.get(item.mention.casefold(), ()), item)
    asked = [m for m in mentions if m.casefold() not in known]
    leaves = [Link(m, context=question, limit=config.candidates) for m in asked]
    if config.link_together:
        results = yield from gather(list(leaves))
    else:
        results = []
        for leaf in leaves:
            results.append((yield leaf))
    for mention, result in zip(asked, results, strict=True):
        known[mention.casefold()] = result.items if isinstance(result, Candidates) else ()
    return [known[m.casefold()] for m in mentions]


def _by_graph(candidates: Sequence[Candidate]) -> list[tuple[Candidate, ...]]:
    groups: dict[str, tuple[Candidate, ...]] = {}
    for candidate in candidates:
        groups[candidate.entity.kg] = (*groups.get(candidate.entity.kg, ()), candidate)
    return [groups[kg] for kg in sorted(groups)]


def _choose(
    question: str, mention: str, candidates: tuple[Candidate, ...], config: LinkingConfig
) -> Reasoning:
    """Return (mention, entity) for the candidate the model picks, None for none of these."""
    if config.skip_single and len(candidates) == 1 and candidates[0].score >= _SURE:
        return (mention, candidates[0].entity)
    request = ChooseEntity(question, mention, candidates, language=config.language)
    replies = yield Ask(request)
    if not replies.values:
        yield Warned(f"what “{mention}” stands for could not be read from the model's reply")
    if replies.value is None:
        return None
    return (mention, candidates[replies.value].entity)


def _joined(
    mentions: Sequence[str], chosen: Sequence[tuple[str, Entity]], config: LinkingConfig
) -> Reasoning:
    """Put the chosen entities into a subgraph and join those that explicit links declare the same."""
    entities = [entity for _, entity in chosen] + list(config.seeds)
    subgraph = Subgraph()
    if entities:
        described = yield Describe(tuple(dict.fromkeys(e.id for e in entities)))
        links = described.same_as if isinstance(described, Descriptions) else ()
        subgraph = subgraph.add(entities=entities, same_as=links)
    seeds: list[Seed] = []
    for mention in mentions:
        names = dict.fromkeys(subgraph.canonical(e.id) for m, e in chosen if m == mention)
        seeds.extend(Seed(mention, subgraph.entity(name)) for name in names)
        if not names:
            seeds.append(Seed(mention, None))
    seeds.extend(Seed(e.name, subgraph.entity(e.id)) for e in config.seeds)
    yield QuestionLinked(tuple(seeds))
    for seed in seeds:
        if seed.entity is None:
            yield Warned(f"“{seed.mention}” was not found in the graphs")
    return subgraph, tuple(seeds)


def root_of(subgraph: Subgraph) -> NodeAdded:
    """Return the fact that tells of a search's first node: the question's entities, as each graph knows them."""
    entities = tuple(m for e in subgraph.entities for m in subgraph.members(e.id))
    return NodeAdded(0, None, 0, "start", entities=entities, same_as=subgraph.same_as)


def without_names(question: str, seeds: Sequence[Seed]) -> str:
    """Return a question with an ellipsis where its mentions stand: a name says nothing of a relation."""
    for mention in sorted({seed.mention for seed in seeds}, key=lambda m: (-len(m), m)):
        if mention:
            question = re.sub(re.escape(mention), "…", question, flags=re.IGNORECASE)
    return question
