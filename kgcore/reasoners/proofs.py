"""From an answer to its proof, for every method.

The proof is the set of triples that connects the question's entities with what the answer names. An answer
that was chosen among others by a value (the older director), names one of the question's own entities, says yes or
no, or gives a number rests on all triples that were fetched on the way to it. A part that no triple supports is
marked: it is model memory.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.model import Entity, EntityId, Literal, Subgraph, Triple
from kgcore.model.conflicts import find_conflicts, touching
from kgcore.prompts import GiveAnswer, Taken
from kgcore.prompts.answers import is_yes_or_no
from kgcore.steps import Answer, AnswerPart, Seed

_Node = EntityId | Literal


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search explored on the way to an answer: a subgraph, and the actions that fetched it."""

    subgraph: Subgraph
    trajectory: tuple[Taken, ...] = ()


def proven(
    given: GiveAnswer,
    explored: Explored,
    seeds: Sequence[Seed],
    *,
    node: int,
    value: float | None = None,
) -> Answer:
    """Return the answer given at a node with its proof. "Cannot tell" is no answer, nor is one that was valued at 0.

    One that nobody valued is worth the share of its parts that the proof supports.
    """
    if given.is_unknown or (value is not None and value <= 0):
        return Answer(given.text, value=value or 0.0, is_answer=False, node=node)
    parts, proof = prove(given, explored, seeds)
    if value is None:
        value = sum(part.is_supported for part in parts) / len(parts)
    conflicts = touching(find_conflicts(explored.subgraph.triples), proof)
    return Answer(given.text, parts, value, proof, node=node, conflicts=conflicts)


def prove(
    given: GiveAnswer, explored: Explored, seeds: Sequence[Seed]
) -> tuple[tuple[AnswerPart, ...], tuple[Triple, ...]]:
    """Return the parts of an answer, each supported or not, and the triples that support them."""
    subgraph = explored.subgraph
    starts = {subgraph.canonical(s.entity.id) for s in seeds if s.entity is not None}
    parts: list[AnswerPart] = []
    needed: dict[Triple, None] = {}
    named: list[tuple[_Node, Entity | Literal]] = [
        (subgraph.canonical(e), subgraph.entity(e)) for e in given.entities if e in subgraph
    ]
    named += [(literal, literal) for literal in given.literals]
    for target, shown in sorted(named, key=lambda item: _place(given.text, item[1].name)):
        if target in starts or _is_compared(target, explored):
            support = _all_fetched(explored)
        else:
            support = [t for start in sorted(starts) for t in _path(subgraph, start, target)]
        needed.update(dict.fromkeys(support))
        parts.append(AnswerPart(shown, bool(support)))
    if not parts:
        support = _verdict_support(given.text, explored)
        needed.update(dict.fromkeys(support))
        parts.append(AnswerPart(Literal(given.text), bool(support)))
    order = {t: i for i, t in enumerate(subgraph.triples)}
    return tuple(parts), tuple(sorted(needed, key=lambda t: order[t]))


def _place(text: str, name: str) -> int:
    """Return where a text names something; its end when it does not, so what is named comes first."""
    place = text.casefold().find(name.casefold())
    return place if place >= 0 else len(text)


def _all_fetched(explored: Explored) -> list[Triple]:
    """Return the triples that were fetched; of a comparison all count, whichever entity won."""
    fetched = {t for taken in explored.trajectory for t in _fetched(taken, explored.subgraph)}
    return [t for t in explored.subgraph.triples if t in fetched]


def _is_compared(target: _Node, explored: Explored) -> bool:
    """Tell whether values of the target and of others were fetched together: to choose among them."""
    for taken in explored.trajectory:
        if target in taken.entities and len(taken.entities) > 1:
            fetched = _fetched(taken, explored.subgraph)
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


def _verdict_support(text: str, explored: Explored) -> list[Triple]:
    """Return what a yes, a no or a count rests on; nothing for any other text.

    A count may be of some of what was fetched: of those of one kind, say.
    """
    triples = _all_fetched(explored)
    if is_yes_or_no(text):
        return triples
    number = re.fullmatch(r"\D*?(\d+)\D*", text)
    if number is None:
        return []
    for taken in reversed(explored.trajectory):
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
