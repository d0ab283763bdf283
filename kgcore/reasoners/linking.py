"""Linking: from the mentions in a question to entities in every graph.

The first thing every method does (Tree-of-Traversals, section 3.1: initialization).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.model import Entity, EntityId, Subgraph
from kgcore.model.text import one_line
from kgcore.prompts import ChooseEachEntity, ChooseEntity, FindMentions
from kgcore.prompts.linking import Pick, picked
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
)

SURE = 0.9  # a single candidate with at least this score is taken without asking
CLOSE = 0.15  # of two scores in 0…1 that are no further apart, either may be meant
_TAKEN = "the graph's best match was taken"
_NAMED = 3  # candidates that are named where none was taken


@dataclass(frozen=True, slots=True)
class LinkingConfig:
    """Settings that all methods share, with which a question is linked.

    candidates      candidates a mention is linked among
    skip_single     a choice with one option is not asked
    link_together   mentions are linked at the same time, and what they stand for is asked in one request
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
    chosen = yield from link_names(question, mentions, config, spotted)
    return (yield from _joined(mentions, chosen, config))


def link_names(
    question: str,
    mentions: Sequence[str],
    config: LinkingConfig,
    spotted: Sequence[Candidate] = (),
) -> Reasoning:
    """Return (mention, entity) for each name and each graph that has it; the model chooses where several may be meant.

    A name that stays without an entity is told: no graph has it, or the model took none of its candidates.
    """
    candidates = yield from _candidates(question, mentions, spotted, config)
    found = [
        (mention, in_one_graph)
        for mention, found_for in zip(mentions, candidates, strict=True)
        for in_one_graph in _by_graph(found_for)
    ]
    chosen = yield from _chosen(question, found, config)
    linked = {mention for mention, _ in chosen}
    for mention, found_for in zip(mentions, candidates, strict=True):
        if mention not in linked:
            yield _left(mention, found_for)
    return chosen


def links_between(entities: Sequence[Entity]) -> Reasoning:
    """Return the explicit links that declare some of these entities the same, as pairs of ids.

    Links are asked for where entities are of several graphs. Those of one graph are told apart by it; what they
    are called elsewhere comes to light with their edges.
    """
    if len({entity.kg for entity in entities}) < 2:
        return ()
    described = yield Describe(tuple(dict.fromkeys(e.id for e in entities)))
    return described.same_as if isinstance(described, Descriptions) else ()


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


def _chosen(
    question: str, found: Sequence[tuple[str, tuple[Candidate, ...]]], config: LinkingConfig
) -> Reasoning:
    """Return (mention, entity) for each candidate the model picks; where several may be meant, one request asks all.

    An entity that a person named instead of a candidate is taken as it is, and leaves no doubt.
    """
    unclear = [
        ChooseEntity(question, mention, candidates, language=config.language)
        for mention, candidates in found
        if not (config.skip_single and _is_sure(candidates))
    ]
    picks = iter((yield from _asked(unclear, config)))
    chosen: list[tuple[str, Entity]] = []
    for mention, candidates in found:
        is_sure = config.skip_single and _is_sure(candidates)
        pick: Pick = 0 if is_sure else next(picks)
        entity = picked(pick, candidates)
        if entity is not None:
            chosen.append((mention, entity))
        if isinstance(pick, int):
            rivals = [c for at, c in enumerate(candidates) if at != pick]
            if are_close((candidates[pick], *rivals)):
                yield Warned(_doubt(mention, candidates[pick].entity, rivals), is_doubt=True)
    return chosen


def are_close(candidates: Sequence[Candidate]) -> bool:
    """Tell whether the best two candidates are so near each other that either may be meant."""
    best = sorted((c.score for c in candidates), reverse=True)[:2]
    return len(best) == 2 and best[0] - best[1] <= CLOSE


def _doubt(mention: str, taken: Entity, rivals: Sequence[Candidate]) -> str:
    """Say what a mention was taken for, and what else it may be."""
    other = max(rivals, key=lambda c: c.score).entity
    return f"“{mention}” was taken for {_told(taken)}; it may also be {_told(other)}"


def _left(mention: str, candidates: Sequence[Candidate]) -> Warned:
    """Return what is told of a name without an entity; what was found for it is named, and can be taken instead."""
    if not candidates:
        return Warned(f"“{mention}” was not found in the graphs")
    best_first = sorted(candidates, key=lambda c: -c.score)
    names = list(dict.fromkeys(_told(c.entity) for c in best_first))[:_NAMED]
    return Warned(f"“{mention}” was taken for none of these: {'; '.join(names)}", is_doubt=True)


def _told(entity: Entity) -> str:
    about = entity.description or ", ".join(entity.types[:2]) or entity.id
    return f"{entity.name} ({one_line(about, 80)})"


def _is_sure(candidates: Sequence[Candidate]) -> bool:
    return len(candidates) == 1 and candidates[0].score >= SURE


def _asked(unclear: Sequence[ChooseEntity], config: LinkingConfig) -> Reasoning:
    """Return what each of the requests picks, None for none of these.

    Where the reply cannot be read, the graphs' own best candidate is taken.
    """
    if config.link_together and len(unclear) > 1:
        together = ChooseEachEntity(unclear[0].question, tuple(unclear), language=config.language)
        replies = yield Ask(together)
        if not replies.values:
            about = "what the names stand for"
            yield Warned(f"{about} could not be read from the model's reply: {_TAKEN}")
            return [_best(request.candidates) for request in unclear]
        return replies.value
    picks: list[Pick] = []
    for request in unclear:
        replies = yield Ask(request)
        if not replies.values:
            about = f"what “{request.mention}” stands for"
            yield Warned(f"{about} could not be read from the model's reply: {_TAKEN}")
        picks.append(replies.value if replies.values else _best(request.candidates))
    return picks


def _best(candidates: Sequence[Candidate]) -> int:
    """Return the position of the candidate with the highest score, of equals the first."""
    return max(range(len(candidates)), key=lambda at: (candidates[at].score, -at))


def _joined(
    mentions: Sequence[str], chosen: Sequence[tuple[str, Entity]], config: LinkingConfig
) -> Reasoning:
    """Put the chosen entities into a subgraph and join those that explicit links declare the same."""
    entities = [entity for _, entity in chosen] + list(config.seeds)
    links: tuple[tuple[EntityId, EntityId], ...] = yield from links_between(entities)
    subgraph = Subgraph().add(entities=entities, same_as=links)
    seeds: list[Seed] = []
    for mention in mentions:
        names = dict.fromkeys(subgraph.canonical(e.id) for m, e in chosen if m == mention)
        seeds.extend(Seed(mention, subgraph.entity(name)) for name in names)
        if not names:
            seeds.append(Seed(mention, None))
    seeds.extend(Seed(e.name, subgraph.entity(e.id)) for e in config.seeds)
    yield QuestionLinked(tuple(seeds))
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
