"""What a run saw of the graphs, over all branches of its search, held against a case's gold path."""

from __future__ import annotations

from kgcore.evaluation.case import Case, Gold, GoldEdge
from kgcore.evaluation.comparing import Names, is_same
from kgcore.model import Direction, Entity, EntityId, Literal, RelationId
from kgcore.model.subgraph import Group
from kgcore.prompts.literals import find_literals
from kgcore.prompts.wording import fold
from kgcore.runs import NodeView, RunView


class Seen:
    """The entities, relations and edges a run met."""

    def __init__(self, case: Case, view: RunView, names: Names) -> None:
        self.case, self.view, self.names = case, view, names
        self._triples = view.subgraph.triples
        self._ids = {
            member.id
            for entity in view.subgraph.entities
            for member in view.subgraph.members(entity.id)
        }
        self._followed = {pair for node in view.nodes.values() for pair in _followed(node)}

    @property
    def has_answer(self) -> bool:
        """Whether the run gave an answer."""
        return self.view.answer is not None and self.view.answer.is_answer

    def has(self, entity: EntityId) -> bool:
        """Whether the run met this entity."""
        return entity in self._ids or bool(self.names.of(entity) & self._ids)

    def starts_from(self, entity: EntityId) -> bool:
        """Whether this entity is one of the run's seeds."""
        seeds = [s.entity.id for s in self.view.seeds if s.entity is not None]
        return self.names.meet(entity, seeds)

    def is_followed(self, edge: GoldEdge) -> bool:
        """Whether the edge's relation was followed from anything, in its direction."""
        wanted = (edge.direction,) if edge.direction else ("out", "in")
        return any((edge.relation, direction) in self._followed for direction in wanted)

    @property
    def reads_right(self) -> bool:
        """Whether all that was answered is wrong, and some of it has the name of a gold answer."""
        answer = self.view.answer
        if answer is None or not answer.is_answer or self.case.answer_kind == "boolean":
            return False
        named = [part.value for part in answer.parts]
        if any(is_same(value, gold, self.names) for value in named for gold in self.case.gold):
            return False
        texts = {fold(text) for text in self.case.texts}
        return any(fold(text) in texts for text in (answer.text, *(v.name for v in named)))

    @property
    def names_gold(self) -> bool:
        """Whether what was answered holds a gold answer."""
        parts = self.view.answer.parts if self.view.answer is not None else ()
        return any(is_same(p.value, g, self.names) for p in parts for g in self.case.gold)

    @property
    def reaches_answer(self) -> bool:
        """Whether the run saw what gives the answer."""
        case = self.case
        entities = [g.id for g in case.gold if g.id is not None]
        if entities and not any(self.names.meet(e, case.topics) for e in entities):
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
                met = [e.id for e in (triple.subject, triple.object) if isinstance(e, Entity)]
                known = [end for end in edge.ends if end]
                if not known or any(self.names.meet(end, met) for end in known):
                    return True
        return False

    @property
    def cut(self) -> Group | None:
        """The first group of edges on the gold path of which some were left out."""
        for group, n in sorted(self.view.subgraph.more.items()):
            if n > 0 and any(self._is_on(edge, group) for edge in self.case.path):
                return group
        return None

    def _is_on(self, edge: GoldEdge, group: Group) -> bool:
        entity, relation, direction = group
        end = edge.ends[0 if direction == "out" else 1]
        is_end = end is None or self.names.are_same(end, entity)
        return relation == edge.relation and edge.direction in (None, direction) and is_end


def _followed(node: NodeView) -> set[tuple[RelationId, Direction]]:
    """Return the relations a node's new triples came along, as read from the selected entities."""
    selected = {node.subgraph.canonical(entity) for entity in node.selected}
    found: set[tuple[RelationId, Direction]] = set()
    for triple in node.added:
        if node.subgraph.canonical(triple.subject.id) in selected:
            found.add((triple.relation.id, "out"))
        end = triple.object
        if not isinstance(end, Literal) and node.subgraph.canonical(end.id) in selected:
            found.add((triple.relation.id, "in"))
    return found
