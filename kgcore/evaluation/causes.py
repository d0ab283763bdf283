"""Why is an answer wrong? Decided by what the run saw, in this order; the first that holds is the cause.

failed           the run broke off
mention          the graph holds an entity the question is about, and the run neither started from it nor met it
reading          what was answered reads like a gold answer and is another thing, or no thing of the graph
plan             the run saw what gives the answer, and answered something else; or followed every relation that
                 leads to it, but not so as to get there (direction, order, from which entity)
no answer        the run saw what gives the answer, and said that it cannot tell
retrieval limit  edges along a relation that leads to the answer were left out
relation         a relation that leads to the answer was never followed

What gives the answer is the gold entity itself, unless the question names it (a comparison). For those, for values
and for yes or no it is every edge of the gold path; of a data set without paths, the value.

Of an answer that begins right and is not complete: `cut short` (by a retrieval limit), `too few`, `too many`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.evaluation.case import Case, Gold, GoldEdge
from kgcore.evaluation.comparing import Names, is_same
from kgcore.evaluation.metrics import Score
from kgcore.model import EntityId, Literal, Triple
from kgcore.model.subgraph import Group
from kgcore.prompts.literals import find_literals
from kgcore.prompts.wording import fold
from kgcore.runs import RunView

WRONG = ("failed", "mention", "reading", "plan", "no answer", "retrieval limit", "relation")
INCOMPLETE = ("cut short", "too few", "too many")


@dataclass(frozen=True, slots=True)
class Cause:
    """What kind of fault it was, and what shows it."""

    kind: str
    detail: str = ""


def find_cause(
    case: Case, view: RunView, score: Score, names: Names, topics: Sequence[EntityId]
) -> Cause | None:
    """Return the cause of a wrong or incomplete answer; `topics` are those of the case the graph holds."""
    if score.is_complete:
        return None
    seen = Seen(case, view, names)
    if score.hit:
        return _incomplete(score, seen)
    if view.status not in ("answered", "no_answer"):
        return Cause("failed", view.ended.reason if view.ended else view.status)
    if case.answer_kind == "none":
        return Cause("plan", "an answer that the graph does not hold")
    lost = [t for t in topics if not seen.has(t)]
    if lost or (topics and not seen.starts_from_any(topics)):
        return Cause("mention", ", ".join(lost or topics))
    if seen.reads_right:
        return Cause("reading", view.answer.text if view.answer else "")
    return _on_the_way(case, seen)


def _incomplete(score: Score, seen: Seen) -> Cause:
    if score.recall < 1:
        cut = seen.cut
        return Cause("cut short", _show(cut)) if cut else Cause("too few")
    return Cause("too many")


def _on_the_way(case: Case, seen: Seen) -> Cause:
    """Return the cause where the run started right."""
    if seen.reaches_answer:
        return Cause("plan", "seen, not given") if seen.has_answer else Cause("no answer")
    if seen.cut:
        return Cause("retrieval limit", _show(seen.cut))
    never = [edge.relation for edge in case.path if edge.relation not in seen.relations]
    if never or not case.path:
        return Cause("relation", ", ".join(dict.fromkeys(never)))
    return Cause("plan", "followed otherwise")


def _show(group: Group) -> str:
    entity, relation, direction = group
    return f"{entity} {relation} ({direction})"


class Seen:
    """What a run saw of the graphs, over all branches of its search."""

    def __init__(self, case: Case, view: RunView, names: Names) -> None:
        self._case, self._view, self._names = case, view, names
        self._triples: tuple[Triple, ...] = view.subgraph.triples
        self._ids = {
            member.id
            for entity in view.subgraph.entities
            for member in view.subgraph.members(entity.id)
        }
        self.relations = {triple.relation.id for triple in self._triples}

    @property
    def has_answer(self) -> bool:
        """Whether the run gave an answer."""
        return self._view.answer is not None and self._view.answer.is_answer

    def has(self, entity: EntityId) -> bool:
        """Whether the run met this entity."""
        return entity in self._ids or bool(self._names.of(entity) & self._ids)

    def starts_from_any(self, entities: Sequence[EntityId]) -> bool:
        """Whether one of the run's seeds is one of these."""
        seeds = [s.entity.id for s in self._view.seeds if s.entity is not None]
        return any(self._names.meet(seed, entities) for seed in seeds)

    @property
    def reads_right(self) -> bool:
        """Whether what was answered has the name of a gold answer it is not."""
        answer = self._view.answer
        if answer is None or not answer.is_answer or self._case.answer_kind == "boolean":
            return False
        gold = {fold(text) for text in self._case.texts}
        wrong = [
            part.value
            for part in answer.parts
            if not any(is_same(part.value, g, self._names) for g in self._case.gold)
        ]
        if len(wrong) < len(answer.parts):
            return False
        return fold(answer.text) in gold or any(fold(value.name) in gold for value in wrong)

    @property
    def reaches_answer(self) -> bool:
        """Whether the run saw what gives the answer."""
        case = self._case
        entities = [g.id for g in case.gold if g.id is not None]
        if entities and not any(self._names.meet(e, case.topics) for e in entities):
            return any(self.has(e) for e in entities)
        if case.path:
            return all(self._is_touched(edge) for edge in case.path)
        return bool(entities) or any(self._has_value(gold) for gold in case.gold)

    def _has_value(self, gold: Gold) -> bool:
        literals = [t.object for t in self._triples if isinstance(t.object, Literal)]
        return bool(find_literals(gold.texts, literals))

    def _is_touched(self, edge: GoldEdge) -> bool:
        """Whether the relation was followed from an end of the edge, if the data set names the ends."""
        for triple in self._triples:
            if triple.relation.id == edge.relation:
                end = "" if isinstance(triple.object, Literal) else triple.object.id
                ends = (edge.subject, triple.subject.id), (edge.object, end)
                known = [(EntityId(gold), EntityId(met)) for gold, met in ends if gold]
                if not known or any(self._names.are_same(*pair) for pair in known):
                    return True
        return False

    @property
    def cut(self) -> Group | None:
        """The first group of edges on the gold path of which some were left out."""
        for group, n in sorted(self._view.subgraph.more.items()):
            if n > 0 and any(self._is_on(edge, group) for edge in self._case.path):
                return group
        return None

    def _is_on(self, edge: GoldEdge, group: Group) -> bool:
        entity, relation, direction = group
        end = edge.subject if direction == "out" else edge.object
        is_end = not end or self._names.are_same(EntityId(end), entity)
        return relation == edge.relation and is_end
