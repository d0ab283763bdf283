"""From a query with names to one with ids, for one graph.

Names of things are linked as everywhere. A relation's name is looked for among the relations that the thing
beside it really has, in both directions; where the graph has it the other way round, the pattern is turned. The
second relation of a chain is looked for among those of what the first one leads to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgcore.errors import UnreadableReplyError
from kgcore.model import Direction, Entity, EntityId
from kgcore.prompts import ChooseEntity
from kgcore.prompts.linking import picked
from kgcore.prompts.matching import key
from kgcore.prompts.named_query import Comparison, NamedQuery, Pattern, Term, render_named_query
from kgcore.ranking.closest import closest
from kgcore.reasoners.linking import SURE
from kgcore.reasoners.rationales.chain import C, Chain, Draft
from kgcore.steps import (
    Ask,
    Candidate,
    Candidates,
    Edges,
    EdgeSet,
    Link,
    NameLinked,
    Rank,
    Ranking,
    Reasoning,
    RelationOption,
    RelationOptions,
    Relations,
    gather,
)

MAX_ROWS = 50
MAX_ENDS = 8  # things a variable stands for, while relations are looked for
_NEAR = 0.35  # of a relation to a name that it is not called by
_SHOWN = 12  # relations named when none fits
_UNFIT = set('<>"{}|^`\\')


@dataclass(frozen=True, slots=True)
class Named:
    """A query as it may be run, what its names were linked to, or the problem that keeps it from being run."""

    query: str = ""
    links: tuple[NameLinked, ...] = ()
    problem: str = ""


def with_ids(query: NamedQuery, chain: Chain[C], draft: Draft, kg: str) -> Reasoning:
    """Return the query with ids instead of names, as Named."""
    naming = _Naming(chain, draft, kg)
    try:
        linked = yield from naming.link(query)
    except UnreadableReplyError as error:
        return Named(links=tuple(naming.links), problem=str(error))
    return Named(render_named_query(linked, limit=MAX_ROWS), tuple(naming.links))


class _Naming:
    """Links the names of one query."""

    def __init__(self, chain: Chain[C], draft: Draft, kg: str) -> None:
        self.links: list[NameLinked] = []
        self._chain, self._draft, self._kg = chain, draft, kg
        self._entities: dict[str, Entity] = {}
        self._ends: dict[str, tuple[EntityId, ...]] = {}  # variable → what it may stand for
        self._filters: list[Comparison] = []

    def link(self, query: NamedQuery) -> Reasoning:
        yield from self._link_things(query)
        waiting = [self._with_value(n, p) for n, p in enumerate(query.patterns)]
        done: list[Pattern] = []
        while waiting:
            pattern = next((p for p in waiting if self._known(p)), None)
            if pattern is None:
                raise UnreadableReplyError("a pattern is not joined to any named thing")
            waiting.remove(pattern)
            done.append((yield from self._link_relation(pattern, waiting)))
        return replace(query, patterns=tuple(done), filters=(*query.filters, *self._filters))

    # things

    def _link_things(self, query: NamedQuery) -> Reasoning:
        ends = [t for p in query.patterns for t in (p.subject, p.object) if t.kind == "name"]
        names = list(dict.fromkeys(t.text for t in ends))
        config, context = self._chain.config, self._draft.text
        results = yield from gather([Link(n, context, config.candidates) for n in names])
        for name, result in zip(names, results, strict=True):
            items = result.items if isinstance(result, Candidates) else ()
            entity = yield from self._choose(name, [c for c in items if self._is_here(c.entity)])
            if entity is None:
                self.links.append(NameLinked(name))
                raise UnreadableReplyError(f"nothing is called “{name}” in this source")
            _bare(entity.id, name)
            self.links.append(NameLinked(name, entity.id, entity.name))
            self._entities[name] = entity

    def _is_here(self, entity: Entity) -> bool:
        return not self._kg or entity.kg == self._kg

    def _choose(self, name: str, candidates: Sequence[Candidate]) -> Reasoning:
        """Return the entity that a name stands for: the only one of that name, else the one the model picks."""
        same = [c for c in candidates if key(c.entity.label) == key(name)]
        if len(same) == 1 and same[0].score >= SURE:
            return same[0].entity
        if not candidates or (len(candidates) == 1 and candidates[0].score >= SURE):
            return candidates[0].entity if candidates else None
        language = self._chain.config.language
        request = ChooseEntity(self._draft.text, name, tuple(candidates), language=language)
        replies = yield Ask(request, role="query", about=(self._draft.node,))
        return picked(replies.value, candidates)

    # relations

    def _with_value(self, number: int, pattern: Pattern) -> Pattern:
        """Compare a value at the end of a pattern as text, since a graph's values have types."""
        if pattern.object.kind != "value":
            return pattern
        variable = f"value{number}"
        self._filters.append(Comparison(variable, "contains", pattern.object))
        return replace(pattern, object=Term("variable", variable))

    def _known(self, pattern: Pattern) -> tuple[EntityId, ...]:
        return self._ids(pattern.subject) or self._ids(pattern.object)

    def _ids(self, term: Term) -> tuple[EntityId, ...]:
        if term.kind == "name":
            return (self._entities[term.text].id,)
        return self._ends.get(term.text, ()) if term.kind == "variable" else ()

    def _link_relation(self, pattern: Pattern, waiting: Sequence[Pattern]) -> Reasoning:
        """Return the pattern with the relation's id, turned where the graph has it the other way round."""
        pattern_ends = (self._with_id(pattern.subject), self._with_id(pattern.object))
        if pattern.relation.kind == "variable":
            return Pattern(pattern_ends[0], pattern.relation, pattern_ends[1])
        is_from_subject = bool(self._ids(pattern.subject))
        ends = self._known(pattern)
        wanted: Direction = "out" if is_from_subject else "in"
        result = yield Relations(ends, about=(self._draft.node,))
        options = result.items if isinstance(result, RelationOptions) else ()
        here = [o for o in options if not self._kg or o.relation.kg in ("", self._kg)]
        option = yield from self._match(pattern.relation.text, here, wanted)
        relation = option.relation
        self.links.append(NameLinked(pattern.relation.text, relation.id, relation.name))
        known, other = pattern_ends if is_from_subject else pattern_ends[::-1]
        yield from self._follow(ends, option, other, waiting)
        middle = Term("name", _bare(relation.id, relation.name))
        return (
            Pattern(known, middle, other)
            if option.direction == "out"
            else Pattern(other, middle, known)
        )

    def _with_id(self, term: Term) -> Term:
        if term.kind != "name":
            return term
        return Term("name", _bare(self._entities[term.text].id, term.text))

    def _match(self, name: str, options: Sequence[RelationOption], wanted: Direction) -> Reasoning:
        """Return the option that a relation's name means: the same name, nearly the same, else the nearest."""
        order = sorted(range(len(options)), key=lambda i: (options[i].direction != wanted, i))
        by_id = next(
            (options[i] for i in order if options[i].relation.id.strip("<>") == name), None
        )
        if by_id is not None:
            return by_id
        ways = [(key(text), options[i]) for i in order for text in _ways(options[i])]
        for text, option in ways:
            if text == key(name):
                return option
        near = closest(key(name), [text for text, _ in ways])
        if near is not None:
            return ways[near][1]
        if options:
            phrases = tuple(options[i].relation.name for i in order)
            ranking = yield Rank(name, phrases, about=(self._draft.node,))
            scores = ranking.scores if isinstance(ranking, Ranking) else ()
            if scores and scores[0] >= _NEAR:
                return options[order[ranking.order[0]]]
        known = ", ".join(list(dict.fromkeys(options[i].relation.name for i in order))[:_SHOWN])
        self.links.append(NameLinked(name))
        raise UnreadableReplyError(
            f"there is no relation “{name}” here; there are: {known}"
            if known
            else f"there is no relation “{name}” here"
        )

    def _follow(
        self,
        ends: tuple[EntityId, ...],
        option: RelationOption,
        other: Term,
        waiting: Sequence[Pattern],
    ) -> Reasoning:
        """Find out what a variable stands for, where relations of other patterns hang on it."""
        needs = [p for p in waiting if p.relation.kind == "name" and not self._known(p)]
        if other.kind != "variable" or not any(other in (p.subject, p.object) for p in needs):
            return
        step = Edges(ends, option.relation.id, option.direction, MAX_ENDS, (self._draft.node,))
        result = yield step
        triples = result.triples if isinstance(result, EdgeSet) else ()
        found = [t.object if option.direction == "out" else t.subject for t in triples]
        ids = tuple(dict.fromkeys(e.id for e in found if isinstance(e, Entity)))[:MAX_ENDS]
        if not ids:
            raise UnreadableReplyError(
                f"“{option.relation.name}” leads to no thing that has relations"
            )
        self._ends[other.text] = ids


def _ways(option: RelationOption) -> list[str]:
    """Return how a relation may be called in its direction: its label either way, then its own phrase."""
    return list(dict.fromkeys((option.relation.name, option.phrase)))


def _bare(identifier: str, name: str) -> str:
    """Return an id as it stands in angle brackets; an IRI has some of its own. Nothing may break out of them."""
    bare = identifier.removeprefix("<").removesuffix(">")
    if not bare or any(c in _UNFIT or c.isspace() for c in bare):
        raise UnreadableReplyError(f"“{name}” has an id that no query can hold")
    return bare
