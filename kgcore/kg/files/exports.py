"""What is exported: an embedded graph whole, or the triples that a run saw of any graph.

Importing an export gives the same triples and labels again. Two things do not survive: provenance, which an import
makes anew, and in GraphML characters that XML cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import IO

from pyoxigraph import BlankNode, NamedNode, Quad
from pyoxigraph import Literal as OxLiteral

from kgcore.kg import vocabulary as v
from kgcore.kg.files.export_formats import ExportFormat, Statement, write
from kgcore.kg.local.graph import LocalGraph
from kgcore.kg.local.rdf_terms import to_literal, unit_datatype
from kgcore.model import Entity, EntityId, Literal, Provenance, RelationId, Triple

_BATCH = 2_000  # statements whose names are looked up at once


def export_graph(graph: LocalGraph, out: IO[bytes], kind: ExportFormat) -> int:
    """Write an embedded graph whole and return the number of its triples."""
    return write(graph_statements(graph), out, kind, graph.prefixes.table)


def export_triples(
    triples: Iterable[Triple],
    out: IO[bytes],
    kind: ExportFormat,
    *,
    same_as: Sequence[tuple[EntityId, EntityId]] = (),
    prefixes: Mapping[str, str] | None = None,
) -> int:
    """Write triples with the labels and descriptions of all they name; `prefixes` are those of their graphs."""
    table = v.Prefixes(prefixes or {})
    return write(triple_statements(triples, table, same_as), out, kind, table.table)


def graph_statements(graph: LocalGraph) -> Iterator[Statement]:
    """Go through an embedded graph: all triples it holds, as they were written."""
    provenance = Provenance(graph.id, ", ".join(graph.manifest.files), graph.manifest.created)
    quads = graph.quads()
    while batch := list(islice(quads, _BATCH)):
        names = _names(graph, batch)
        for quad in batch:
            assert isinstance(quad.subject, NamedNode | BlankNode)
            end = _as_written(graph, quad)
            yield Statement(
                quad.subject,
                quad.predicate,
                end,
                provenance,
                names.get(quad.subject.value, ""),
                names.get(quad.predicate.value, "") or v.local_name(quad.predicate.value),
                "" if isinstance(end, OxLiteral) else names.get(end.value, ""),
            )


def _as_written(graph: LocalGraph, quad: Quad) -> NamedNode | BlankNode | OxLiteral:
    """Return the object in the form it had in the file; the store returns some numbers and dates in another."""
    end = quad.object
    assert isinstance(end, NamedNode | BlankNode | OxLiteral)
    if not isinstance(end, OxLiteral) or not end.datatype.value.startswith(v.XSD):
        return end
    if not graph.labels.has_exact or not isinstance(quad.subject, NamedNode):
        return end
    subject = graph.prefixes.shorten(quad.subject.value)
    node = graph.labels.nodes([subject]).get(subject)
    along = RelationId(graph.prefixes.shorten(quad.predicate.value))
    relation = graph.labels.relation_numbers.get(along)
    if relation is None or node is None:
        return end
    exact = graph.labels.exact_literals(node.number, relation)
    written = exact.get(to_literal(end, graph.prefixes))
    if written is None:
        return end
    datatype = NamedNode(graph.prefixes.expand(written.datatype))
    return OxLiteral(written.value, datatype=datatype)


def _names(graph: LocalGraph, quads: list[Quad]) -> dict[str, str]:
    """Labels of all that these quads name, by IRI."""
    iris = {
        term.value
        for quad in quads
        for term in (quad.subject, quad.predicate, quad.object)
        if isinstance(term, NamedNode)
    }
    ids = {graph.prefixes.shorten(iri): iri for iri in sorted(iris)}
    nodes = graph.labels.nodes(ids)
    labels = graph.labels.labels(node.number for node in nodes.values())
    found = {ids[i]: labels[n.number] for i, n in nodes.items() if n.number in labels}
    for relation in graph.labels.relations.values():
        iri = ids.get(EntityId(relation.id))
        if iri is not None:
            found[iri] = relation.label
    return found


def triple_statements(
    triples: Iterable[Triple], table: v.Prefixes, same_as: Sequence[tuple[EntityId, EntityId]] = ()
) -> Iterator[Statement]:
    """Go through triples: first each, then what is known of the things and relations in them."""
    texts: dict[tuple[str, str, str], str] = {}  # subject, property, text: the graph that says so
    for triple in triples:
        kg = triple.relation.kg or triple.subject.kg
        provenance = triple.provenance or Provenance(kg)
        end = triple.object
        yield Statement(
            _node(table, triple.subject.id),
            _node(table, triple.relation.id),
            _node(table, end.id) if isinstance(end, Entity) else _literal(table, end),
            provenance,
            triple.subject.name,
            triple.relation.name,
            end.name if isinstance(end, Entity) else "",
        )
        for thing in (triple.subject, end):
            if isinstance(thing, Entity):
                texts.setdefault((thing.id, v.RDFS + "label", thing.label), thing.kg or kg)
                texts.setdefault(
                    (thing.id, v.SCHEMA + "description", thing.description), thing.kg or kg
                )
        relation = triple.relation
        texts.setdefault((relation.id, v.RDFS + "label", relation.label), kg)
    for (identifier, predicate, text), kg in texts.items():
        if text:
            about = _node(table, identifier)
            yield Statement(about, NamedNode(predicate), OxLiteral(text), Provenance(kg))
    for one, other in same_as:
        link = NamedNode(v.OWL + "sameAs")
        yield Statement(_node(table, one), link, _node(table, other), Provenance(""))


def _node(table: v.Prefixes, identifier: str) -> NamedNode:
    return NamedNode(table.expand(identifier))


def _literal(table: v.Prefixes, literal: Literal) -> OxLiteral:
    if literal.unit:
        return OxLiteral(literal.value, datatype=NamedNode(unit_datatype(literal.unit)))
    if literal.lang:
        return OxLiteral(literal.value, language=literal.lang)
    if not literal.datatype:
        return OxLiteral(literal.value)
    return OxLiteral(literal.value, datatype=_node(table, literal.datatype))
