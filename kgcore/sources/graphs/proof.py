"""From the rows of a query to the edges behind them: the same triples a run would see if it looked them up.

Where a pattern of the query is bound whole in a row, that is an edge. It is fetched through the graph's own port,
so that labels, exact values and provenance are those every method sees, and corrections fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kgcore.errors import KGCoreError, StoppedError
from kgcore.kg import KnowledgeGraph
from kgcore.kg import vocabulary as v
from kgcore.kg.local.rdf_terms import UNIT
from kgcore.kg.sparql.replies import to_end
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.sources.graphs.asking import Bound, Pattern, Row

Claim = tuple[EntityId, RelationId, EntityId | Literal]
_MOST_RELATIONS, _MOST_SUBJECTS, _MOST_EDGES = 8, 40, 50
_MOST_DESCRIBED = 120
_NAMES = frozenset(
    (
        *v.LABEL_PROPERTIES,
        *v.ALIAS_PROPERTIES,
        *v.DESCRIPTION_PROPERTIES,
        *v.INVERSE_LABEL_PROPERTIES,
    )
)  # say what a thing is called; no edges


class Proof:
    """Knows the things and edges that the rows of one query speak of."""

    def __init__(
        self, graph: KnowledgeGraph, prefixes: v.Prefixes, patterns: Sequence[Pattern], query: str
    ) -> None:
        self._graph, self._prefixes, self._query = graph, prefixes, query
        self._patterns = [p for p in patterns if p[1]["value"] not in _NAMES]
        self._entities: dict[EntityId, Entity] = {}
        self._relations: dict[RelationId, Relation] = {}
        self._edges: dict[tuple[EntityId, RelationId], list[Triple]] = {}

    def end(self, term: Bound) -> EntityId | Literal:
        """Return the id or the literal that a term stands for."""
        datatype = term.get("datatype", "")
        if datatype.startswith(UNIT):
            return Literal(term["value"], "xsd:decimal", unit=datatype.removeprefix(UNIT))
        return to_end(term, self._prefixes)

    def look(self, rows: Sequence[Row], shown: Iterable[Row]) -> None:
        """Fetch the edges behind rows, and describe the things in them and in those that are shown."""
        claims = [claim for row in rows for claim in self._claims(row)]
        wanted: dict[RelationId, dict[EntityId, None]] = {}
        for subject, relation, _ in claims:
            wanted.setdefault(relation, {})[subject] = None
        for relation, subjects in list(wanted.items())[:_MOST_RELATIONS]:
            self._fetch(tuple(subjects)[:_MOST_SUBJECTS], relation)
        ids = [end for _, _, end in claims] + [subject for subject, _, _ in claims]
        ids += [self.end(term) for row in shown for term in row.values()]
        new = (i for i in ids if not isinstance(i, Literal) and i not in self._entities)
        self._describe(tuple(dict.fromkeys(new))[:_MOST_DESCRIBED])

    def triples(self, row: Row) -> tuple[Triple, ...]:
        """Return the edges behind one row."""
        return tuple(dict.fromkeys(self._triple(claim) for claim in self._claims(row)))

    def entity(self, identifier: EntityId) -> Entity:
        """Return a thing with its label, where it is known."""
        if identifier in self._entities:
            return self._entities[identifier]
        relation = self._relations.get(RelationId(identifier))  # a row may speak of one
        return Entity(identifier, relation.label if relation else "", kg=self._graph.id)

    def _claims(self, row: Row) -> list[Claim]:
        found = []
        for pattern in self._patterns:
            subject, relation, end = (_filled(part, row) for part in pattern)
            if not (subject and relation and end) or subject.get("type") != "uri":
                continue
            if relation["value"] in _NAMES or v.is_metadata(relation["value"]):
                continue
            along = RelationId(self._prefixes.shorten(relation["value"]))
            found.append((self._prefixes.shorten(subject["value"]), along, self.end(end)))
        return found

    def _fetch(self, subjects: tuple[EntityId, ...], relation: RelationId) -> None:
        try:
            found = self._graph.edges(subjects, relation, "out", limit=_MOST_EDGES)
        except StoppedError:
            raise
        except KGCoreError:  # the rows are there all the same, only with fewer labels
            return
        for triple in found.triples:
            self._edges.setdefault((triple.subject.id, relation), []).append(triple)
            self._relations[relation] = triple.relation
            for end in (triple.subject, triple.object):
                if isinstance(end, Entity):
                    self._entities.setdefault(end.id, end)

    def _describe(self, ids: tuple[EntityId, ...]) -> None:
        if not ids:
            return
        try:
            found = self._graph.describe(ids)
        except StoppedError:
            raise
        except KGCoreError:
            return
        self._entities.update({entity.id: entity for entity in found.entities})

    def _triple(self, claim: Claim) -> Triple:
        """Return the edge as the graph gave it, or else as the row says it."""
        subject, relation, end = claim
        for triple in self._edges.get((subject, relation), ()):
            if _is_same(triple.object, end):
                return triple
        return Triple(
            self.entity(subject),
            self._relations.get(relation, Relation(relation, kg=self._graph.id)),
            end if isinstance(end, Literal) else self.entity(end),
            Provenance(self._graph.id, self._query),
        )


def _filled(part: Bound, row: Row) -> Mapping[str, str] | None:
    return row.get(part["value"]) if part["type"] == "variable" else part


def _is_same(end: Entity | Literal, claimed: EntityId | Literal) -> bool:
    """Whether an edge's end is what a row says; a value may be written in another way, as dates are."""
    if isinstance(end, Entity) or not isinstance(claimed, Literal):
        return isinstance(end, Entity) and end.id == claimed
    if end == claimed or end.value == claimed.value:
        return True
    one, other = sorted((end.value, claimed.value), key=len)
    return (
        len(one) >= 4
        and other.startswith(one)
        and "dat" in f"{end.datatype}{claimed.datatype}".lower()
    )
