"""From an answer node to an answer with its proof.

The proof is the set of triples that connects the question's entities with what the answer names. An answer
that was chosen among others by a value (the older director), names one of the question's own entities, says yes or
no, or gives a number rests on the triples that the branch fetched. A part that no triple supports is marked: it is
model memory.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from kgcore.model import Entity, EntityId, Literal, Subgraph, Triple
from kgcore.model.conflicts import find_conflicts, touching
from kgcore.prompts import AnswerFromMemory, GiveAnswer, Taken
from kgcore.prompts.answers import is_yes_or_no
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.steps import Answer, AnswerPart, Ask, Reasoning, Seed, Warned

_Node = EntityId | Literal


def to_answer(node: SearchNode, seeds: Sequence[Seed]) -> Answer:
    """Return the node's answer with its proof. A value of 0 or "cannot tell" is no answer."""
    given = node.answer
    assert given is not None
    if given.is_unknown or node.value <= 0:
        return Answer(given.text, value=node.value, is_answer=False, node=node.id)
    parts, proof = prove(given, node, seeds)
    conflicts = touching(find_conflicts(node.subgraph.triples), proof)
    return Answer(given.text, parts, node.value, proof, node=node.id, conflicts=conflicts)


def prove(
    given: GiveAnswer, node: SearchNode, seeds: Sequence[Seed]
) -> tuple[tuple[AnswerPart, ...], tuple[Triple, ...]]:
    """Return the parts of an answer, each supported or not, and the triples that support them."""
    subgraph = node.subgraph
    starts = {subgraph.canonical(s.entity.id) for s in seeds if s.entity is not None}
    parts: list[AnswerPart] = []
    needed: dict[Triple, None] = {}
    named: list[tuple[_Node, Entity | Literal]] = [
        (subgraph.canonical(e), subgraph.entity(e)) for e in given.entities if e in subgraph
    ]
    named += [(literal, literal) for literal in given.literals]
    for target, shown in sorted(named, key=lambda item: _place(given.text, item[1].name)):
        if target in starts or _is_compared(target, node):
            support = _branch(node)
        else:
            support = [t for start in sorted(starts) for t in _path(subgraph, start, target)]
        needed.update(dict.fromkeys(support))
        parts.append(AnswerPart(shown, bool(support)))
    if not parts:
        support = _verdict_support(given.text, node)
        needed.update(dict.fromkeys(support))
        parts.append(AnswerPart(Literal(given.text), bool(support)))
    order = {t: i for i, t in enumerate(subgraph.triples)}
    return tuple(parts), tuple(sorted(needed, key=lambda t: order[t]))


def _place(text: str, name: str) -> int:
    """Return where a text names something; its end when it does not, so what is named comes first."""
    place = text.casefold().find(name.casefold())
    return place if place >= 0 else len(text)


def _branch(node: SearchNode) -> list[Triple]:
    """Return the triples the node's branch fetched; of a comparison all count, whichever entity won."""
    fetched = {t for taken in node.trajectory for t in _fetched(taken, node.subgraph)}
    return [t for t in node.subgraph.triples if t in fetched]


def _is_compared(target: _Node, node: SearchNode) -> bool:
    """Tell whether the branch fetched values of the target and of others together: to choose among them."""
    for taken in node.trajectory:
        if target in taken.entities and len(taken.entities) > 1:
            fetched = _fetched(taken, node.subgraph)
            compared = {t.subject.id for t in fetched if isinstance(t.object, Literal)}
            if target in compared and len(compared) > 1:
                return True
    return False


def _fetched(taken: Taken, subgraph: Subgraph) -> list[Triple]:
    """Return the triples that touch what an action followed a relation from."""
    if taken.option is None:
        return []
    relation, sources = taken.option.relation.id, set(taken.entities)
    return [
        t
        for t in subgraph.triples
        if t.relation.id == relation
        and (t.subject.id in sources or getattr(t.object, "id", None) in sources)
    ]


def _verdict_support(text: str, node: SearchNode) -> list[Triple]:
    """Return what a yes, a no or a count rests on; nothing for any other text.

    A count may be of some of what was fetched: of those of one kind, say.
    """
    triples = _branch(node)
    if is_yes_or_no(text):
        return triples
    number = re.fullmatch(r"\D*?(\d+)\D*", text)
    if number is None:
        return []
    for taken in reversed(node.trajectory):
        if taken.option is None:
            continue
        counted = [t for t in triples if t.relation.id == taken.option.relation.id]
        if int(number.group(1)) <= max(taken.n_new, taken.option.count, len(counted)):
            return triples
    return []


def _path(subgraph: Subgraph, start: EntityId, target: _Node) -> list[Triple]:
    """Return the triples of a shortest way from start to target, edges taken in either direction.

    Where several join the same two things all count: "who directed and starred in M".
    """
    between: dict[_Node, dict[_Node, list[Triple]]] = {}
    for triple in subgraph.triples:
        one: _Node = triple.subject.id
        other: _Node = triple.object.id if isinstance(triple.object, Entity) else triple.object
        between.setdefault(one, {}).setdefault(other, []).append(triple)
        if isinstance(triple.object, Entity):
            between.setdefault(other, {}).setdefault(one, []).append(triple)
    came: dict[_Node, _Node] = {}
    queue: deque[_Node] = deque([start])
    while queue and target not in came:
        here = queue.popleft()
        for there in between.get(here, ()):
            if there not in came and there != start:
                came[there] = here
                queue.append(there)
    path: list[Triple] = []
    while target in came:
        before = came[target]
        path += between[before][target]
        target = before
    return path


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
