"""Reads the other ends of edges: the first of a hub from the label index, all others from the store.

What is not shown is left out here as it is in counts: blank nodes, hidden subjects, classes without a label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pyoxigraph import Literal as OxLiteral
from pyoxigraph import NamedNode, Quad, Store

from kgcore.errors import ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.local.index_builder import HUB_EDGES
from kgcore.kg.local.labels import LabelIndex, Node
from kgcore.kg.local.rdf_terms import STORE_ERRORS, is_unknown, no_value_class, to_literal, to_node
from kgcore.model import Direction, EntityId, Literal

_TYPE = "rdf:type"


class EdgeReader:
    """Reads edges of the graph `name`. Safe to share between threads."""

    def __init__(self, name: str, store: Store, labels: LabelIndex) -> None:
        self._name, self._store, self._labels = name, store, labels
        self._prefixes = labels.prefixes

    def ends(
        self, node: Node, relation: int, direction: Direction, *, total: int, limit: int
    ) -> list[EntityId | Literal]:
        """Return the other ends of a thing's edges along a relation, at most `limit` of `total`."""
        if total > HUB_EDGES and limit < total:
            stored = self._labels.hub_edges(node.number, relation, direction, limit)
            if len(stored) == limit:
                nodes = self._labels.nodes_by_number(stored)
                return [nodes[number].id for number in stored]
        literals: set[Literal] = set()
        ids: set[EntityId] = set()
        for end in self._read(node, relation, direction):
            if isinstance(end, Literal):
                literals.add(end)
            else:
                ids.add(end)
        shown = self._shown(self._labels.nodes(ids).values(), relation, direction)
        shown.sort(key=lambda n: (-n.degree, n.id))
        values = sorted(literals, key=lambda end: (end.value, end.datatype, end.lang))
        ends: list[EntityId | Literal] = [*(n.id for n in shown), *values]
        return ends[:limit]

    def _shown(self, nodes: Iterable[Node], relation: int, direction: Direction) -> list[Node]:
        """Leave out ends that counts leave out too: hidden subjects, and classes without a label."""
        if direction == "in":
            return [node for node in nodes if not node.is_hidden]
        if self._labels.relations[relation].id != _TYPE:
            return list(nodes)
        ends = list(nodes)
        labelled = self._labels.labels(node.number for node in ends)
        return [node for node in ends if node.number in labelled]

    def _read(
        self, node: Node, relation: int, direction: Direction
    ) -> Iterator[EntityId | Literal]:
        predicate = self._prefixes.expand(self._labels.relations[relation].id)
        along = NamedNode(predicate)
        thing = to_node(self._prefixes.expand(node.id), node.id)
        try:
            if direction == "in":
                for quad in self._store.quads_for_pattern(None, along, thing, None):
                    if isinstance(quad.subject, NamedNode):
                        yield self._prefixes.shorten(quad.subject.value)
                return
            written = self._labels.exact_literals(node.number, relation)
            for quad in self._store.quads_for_pattern(thing, along, None, None):
                end = self._end(quad)
                if end is not None:
                    yield written.get(end, end) if isinstance(end, Literal) else end
            marker = no_value_class(predicate)
            if marker is not None and Quad(thing, NamedNode(v.RDF + "type"), marker) in self._store:
                yield v.NO_VALUE
        except STORE_ERRORS as error:
            raise ServiceError(f"the graph {self._name!r} cannot be read: {error}") from error

    def _end(self, quad: Quad) -> EntityId | Literal | None:
        end = quad.object
        if isinstance(end, OxLiteral):
            literal = to_literal(end, self._prefixes)
            return replace(literal, unit=self._unit(literal.unit)) if literal.unit else literal
        if is_unknown(self._store, end):
            return v.UNKNOWN_VALUE
        return self._prefixes.shorten(end.value) if isinstance(end, NamedNode) else None

    def _unit(self, unit: str) -> str:
        """Return the label of a unit that is a thing of this graph; else the unit as it is."""
        if ":" not in unit:
            return unit
        identifier = self._prefixes.shorten(self._prefixes.expand(unit))
        labels = self._labels.labels(n.number for n in self._labels.nodes([identifier]).values())
        return next(iter(labels.values()), identifier)
