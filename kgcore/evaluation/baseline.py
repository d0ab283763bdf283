"""The baseline that reads nothing: name everything within two hops of what the question is about.

It shows how much of a result is owed to the graph being small. Several graphs asked as one follow their identity
links by themselves. Edges of one entity along one relation are counted up to a limit.
"""

from __future__ import annotations

from collections.abc import Iterable

from kgcore.evaluation.case import Case
from kgcore.evaluation.comparing import Names
from kgcore.evaluation.metrics import Score
from kgcore.kg import KnowledgeGraph
from kgcore.model import Entity, EntityId, Literal
from kgcore.prompts.literals import find_literals

_LIMIT = 2000
_TOGETHER = 500  # entities asked about at once
_Node = EntityId | Literal


class Neighbourhood:
    """What lies around entities; what was fetched once is kept."""

    def __init__(self, graph: KnowledgeGraph, *, limit: int = _LIMIT) -> None:
        self._graph, self._limit = graph, limit
        self._ends: dict[EntityId, frozenset[_Node]] = {}

    def within(self, entities: Iterable[EntityId], hops: int = 2) -> frozenset[_Node]:
        """Return the entities themselves and all nodes at most so many edges away, in either direction."""
        found: set[_Node] = set(entities)
        border = [e for e in found if not isinstance(e, Literal)]
        for _ in range(hops):
            self._fetch(sorted(e for e in border if e not in self._ends))
            reached = frozenset[_Node]().union(*(self._ends[e] for e in border))
            border = [n for n in reached - found if not isinstance(n, Literal)]
            found |= reached
        return frozenset(found)

    def _fetch(self, entities: list[EntityId]) -> None:
        for start in range(0, len(entities), _TOGETHER):
            asked = entities[start : start + _TOGETHER]
            ends: dict[EntityId, set[_Node]] = {e: set() for e in asked}
            for option in self._graph.relations(asked).items:
                result = self._graph.edges(
                    option.touches, option.relation.id, option.direction, limit=self._limit
                )
                for triple in result.triples:
                    end: _Node = (
                        triple.object.id if isinstance(triple.object, Entity) else triple.object
                    )
                    here, there = (
                        (triple.subject.id, end)
                        if option.direction == "out"
                        else (end, triple.subject.id)
                    )
                    if not isinstance(here, Literal) and here in ends:
                        ends[here].add(there)
            self._ends.update((e, frozenset(reached)) for e, reached in ends.items())


def score_baseline(case: Case, around: Neighbourhood, names: Names) -> Score:
    """Score naming everything within two hops; the hit is the expected one, for a first pick by chance.

    It never says yes or no and never that there is no answer.
    """
    if case.answer_kind in ("boolean", "none") or not case.topics:
        return Score()
    named = around.within(case.topics)
    literals = [node for node in named if isinstance(node, Literal)]
    n_found = 0
    for gold in case.gold:
        if gold.id is not None:
            n_found += any(name in named for name in names.of(gold.id))
        else:
            n_found += bool(find_literals(gold.texts, literals))
    precision = n_found / len(named)
    return Score(precision, precision, n_found / len(case.gold), n_found > 0)
