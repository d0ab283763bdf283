"""The first triples of a table, as a person will find them in the graph."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pyoxigraph import Literal as OxLiteral
from pyoxigraph import NamedNode, Quad, RdfFormat, parse
from pyoxigraph import Triple as OxTriple

from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.table_triples import RowTriples
from kgcore.kg.local.rdf_terms import to_literal
from kgcore.model import Entity, EntityId, Relation, RelationId, Triple

if TYPE_CHECKING:
    from kgcore.kg.files.tables import Table

_ROWS = 200


def preview_rows(table: Table, n: int, graph: str) -> tuple[Triple, ...]:
    """Return the first `n` triples of the first rows, labels read into them; ImportFileError names a bad row."""
    namer = Namer(graph)
    made = RowTriples(table.mapping, namer)
    with table.open() as data:
        rows = islice(table.rows(data), min(_ROWS, max(n, 1)))
        lines = made.lines(rows, lambda line, why: table.refuse(line, why, None))
    quads = list(parse("".join(lines).encode(), RdfFormat.N_TRIPLES))
    return _triples(quads, v.Prefixes({namer.prefix: namer.namespace}), graph)[:n]


def _triples(quads: list[Quad], prefixes: v.Prefixes, graph: str) -> tuple[Triple, ...]:
    label = NamedNode(v.RDFS + "label")
    names = {
        q.subject.value: q.object.value
        for q in quads
        if q.predicate == label
        and isinstance(q.subject, NamedNode)
        and isinstance(q.object, OxLiteral)
    }

    def entity(iri: str) -> Entity:
        return Entity(EntityId(prefixes.shorten(iri)), names.get(iri, ""), kg=graph)

    found = []
    for quad in quads:
        is_about_names = quad.predicate == label or quad.object == NamedNode(v.RDF + "Property")
        if is_about_names:
            continue
        predicate = quad.predicate.value
        relation = Relation(
            RelationId(prefixes.shorten(predicate)),
            names.get(predicate) or v.local_name(predicate),
            kg=graph,
        )
        subject, end = quad.subject, quad.object
        assert not isinstance(subject, OxTriple) and not isinstance(
            end, OxTriple
        )  # tables make none
        value = to_literal(end, prefixes) if isinstance(end, OxLiteral) else entity(end.value)
        found.append(Triple(entity(subject.value), relation, value))
    return tuple(found)
