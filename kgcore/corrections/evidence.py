"""What else graphs say about the things in a proof: read before its edges are judged, in a bounded number of requests.

Looked for are further values of the same relations (in every graph that is asked), the same relations the other way
round (a spouse's spouse), other edges between the same two things, dates of the things at both ends, what the same
relation leads to from things of the subject's kind, and how a right answer that a person names hangs together with
the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from kgcore.errors import ServiceError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Direction, Entity, EntityId, Relation, RelationId, Triple
from kgcore.prompts.suspects import several
from kgcore.prompts.wording import fold
from kgcore.steps import RelationOption, Usage

MAX_TRIPLES = 200
_VALUES, _DATES, _PEERS, _OF_PEER = 20, 2, 12, 2  # edges fetched of each thing
_DATE_RELATIONS, _LINKS, _KINDS, _RIGHT = 8, 8, 6, 5  # so many of each are followed at most
_DATE_TYPES = ("date", "xsd:date")


@dataclass(slots=True)
class _Gathered:
    """Triples found so far, each graph's word for itself, those of the proof left out."""

    proof: Sequence[Triple]
    found: dict[tuple[Triple, str], Triple] = field(default_factory=dict)

    def take(self, triples: Iterable[Triple]) -> None:
        """Add what is new."""
        known = {(t, t.kg) for t in self.proof}
        for triple in triples:
            key = (triple, triple.kg)
            if key not in known:
                self.found.setdefault(key, triple)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What graphs say beside a proof, the closest first, and which of them did not answer."""

    triples: tuple[Triple, ...]
    notes: tuple[str, ...] = ()
    usage: Usage = field(default=Usage())


def gather(
    proof: Sequence[Triple],
    graph: KnowledgeGraph,
    *,
    right: str = "",
    also: Sequence[KnowledgeGraph] = (),
) -> Evidence:
    """Ask a graph; those in `also` for other values of the same relations only. A graph may fail."""
    gathered, notes = _Gathered(proof), list[str]()
    steps: list[Callable[[_Asked], Iterable[Triple]]] = [partial(_other_values, proof)]
    if right.strip():
        steps.append(partial(_about_right, proof, right))
    steps.append(partial(_around, proof))
    asked = [(_Asked(one), steps[:1]) for one in also] + [(_Asked(graph), steps)]
    for counted, wanted in asked:
        try:
            for step in wanted:
                gathered.take(step(counted))
        except ServiceError as error:
            notes.append(f"{counted.id} did not answer: {error}")
    usage = Usage(kg_requests=sum(counted.n for counted, _ in asked))
    return Evidence(tuple(gathered.found.values())[:MAX_TRIPLES], tuple(notes), usage)


class _Asked:
    """A graph that counts what it is asked."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.id, self.n = graph.id, 0
        self._graph = graph

    def named(self, text: str) -> list[Entity]:
        """Return the things of exactly this name, or of this id."""
        self.n += 1
        found = dict.fromkeys(c.entity for c in self._graph.link(text, limit=5).items)
        return [e for e in found if fold(text) in (fold(e.label), fold(e.id))]

    def relations(self, ids: Sequence[EntityId]) -> tuple[RelationOption, ...]:
        """Return the relations of some things."""
        self.n += 1
        return self._graph.relations(ids).items

    def edges(
        self,
        ids: tuple[EntityId, ...],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int,
    ) -> tuple[Triple, ...]:
        """Return edges of some things; nothing is asked for none."""
        if not ids:
            return ()
        self.n += 1
        return self._graph.edges(ids, relation, direction, limit=limit).triples


def _around(proof: Sequence[Triple], graph: _Asked) -> Iterable[Triple]:
    options = graph.relations(_ends(proof))
    yield from _links(proof, options, graph)
    yield from _dates(options, graph)
    yield from _of_peers(proof, options, graph)


def _ends(proof: Iterable[Triple]) -> tuple[EntityId, ...]:
    ends = (end for t in proof for end in (t.subject, t.object) if isinstance(end, Entity))
    return tuple(dict.fromkeys(end.id for end in ends))


def _relations(proof: Iterable[Triple]) -> list[Relation]:
    return list(dict.fromkeys(t.relation for t in proof))


def _other_values(proof: Sequence[Triple], graph: _Asked) -> Iterable[Triple]:
    """Find what else the relations lead to, under other ids too where they are called the same."""
    options = [o for o in graph.relations(_ends(proof)) if o.direction == "out"]
    for relation in _relations(proof):
        subjects = tuple(dict.fromkeys(t.subject.id for t in proof if t.relation == relation))
        name = fold(relation.name)
        same = [o.relation.id for o in options if fold(o.relation.name) == name]
        for known in dict.fromkeys([relation.id, *same]):
            yield from graph.edges(subjects, known, limit=_VALUES)
        objects = [t.object for t in proof if t.relation == relation]
        back = tuple(dict.fromkeys(end.id for end in objects if isinstance(end, Entity)))
        if any(o.relation == relation and {*o.touches} & {*back} for o in options):
            yield from graph.edges(back, relation.id, limit=_VALUES)
            yield from graph.edges(subjects, relation.id, "in", limit=_VALUES)


def _about_right(proof: Sequence[Triple], right: str, graph: _Asked) -> Iterable[Triple]:
    """Find how the right answer hangs together with the proof: along its relations, in both directions."""
    ids: tuple[EntityId, ...] = ()
    for name in several(right)[:_RIGHT]:
        ids += tuple(entity.id for entity in graph.named(name))
    directions: tuple[Direction, Direction] = ("in", "out")
    for relation in _relations(proof) if ids else ():
        for direction in directions:
            yield from graph.edges(ids, relation.id, direction, limit=_VALUES)


def _links(
    proof: Sequence[Triple], options: Sequence[RelationOption], graph: _Asked
) -> Iterable[Triple]:
    """Find other edges between the two ends of an edge, where an end is named among the examples of a relation."""
    ways = [
        (one, option.relation.id, other)
        for triple in proof
        if isinstance(triple.object, Entity)
        for one, other in (
            (triple.subject, triple.object),
            (triple.object, triple.subject),
        )
        for option in options
        if option.direction == "out" and one.id in option.touches and other.name in option.targets
        if (one, option.relation) != (triple.subject, triple.relation)
    ]
    for one, relation, other in list(dict.fromkeys(ways))[:_LINKS]:
        found = graph.edges((one.id,), relation, limit=_VALUES)
        yield from (t for t in found if t.object == other)


def _dates(options: Iterable[RelationOption], graph: _Asked) -> Iterable[Triple]:
    dated = [
        o for o in options if o.direction == "out" and any(t in _DATE_TYPES for t in o.target_types)
    ]
    for option in dated[:_DATE_RELATIONS]:
        yield from graph.edges(option.touches, option.relation.id, limit=_DATES)


def _of_peers(
    proof: Sequence[Triple], options: Sequence[RelationOption], graph: _Asked
) -> Iterable[Triple]:
    """Find what the same relation leads to from others of the subject's kind.

    The relation that says of what kind a thing is leads to something named as one of its types.
    """
    for triple in list(dict.fromkeys(proof))[:_KINDS]:
        if not isinstance(triple.object, Entity):
            continue
        kinds = {fold(name) for name in triple.subject.types}
        is_a = next(
            (
                o
                for o in options
                if o.direction == "out"
                and triple.subject.id in o.touches
                and any(fold(name) in kinds for name in o.targets)
            ),
            None,
        )
        if is_a is None:
            continue
        classes = graph.edges((triple.subject.id,), is_a.relation.id, limit=1)
        ids = tuple(t.object.id for t in classes if isinstance(t.object, Entity))
        members = graph.edges(ids, is_a.relation.id, "in", limit=_PEERS)
        peers = tuple(t.subject.id for t in members if t.subject != triple.subject)
        yield from graph.edges(peers, triple.relation.id, limit=_OF_PEER)
