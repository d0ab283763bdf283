"""From domain values to RDF text: terms are built, never pasted, so no label or value can break out of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

from pyoxigraph import BlankNode, NamedNode, RdfFormat, serialize
from pyoxigraph import Literal as OxLiteral
from pyoxigraph import Triple as OxTriple

from kgcore.errors import InputError
from kgcore.kg import vocabulary as v
from kgcore.kg.local.rdf_terms import to_node
from kgcore.model import Entity, Literal, Triple

Expand = Callable[[str], str]  # from an id of some graph to its IRI
CHANGESET = "http://purl.org/vocab/changeset/schema#"
_NO_TERM = ("kg:unknown", "kg:none")
_PREFIXES = {
    "cs": CHANGESET,
    **{name: v.DEFAULT_PREFIXES[name] for name in ("rdf", "rdfs", "xsd", "dct", "wd", "wdt")},
}


def to_rdf(triple: Triple, expand: Expand) -> OxTriple:
    """Return a triple of terms; InputError for a value that no term stands for."""
    subject, relation = triple.subject.id, triple.relation.id
    return OxTriple(
        to_node(expand(subject), subject),
        to_node(expand(relation), relation),
        _to_term(triple.object, expand),
    )


def label_of(entity: Entity, expand: Expand) -> OxTriple:
    """Return the triple that names an entity."""
    thing = to_node(expand(entity.id), entity.id)
    return OxTriple(thing, NamedNode(v.RDFS + "label"), OxLiteral(entity.label))


def _to_term(end: Entity | Literal, expand: Expand) -> NamedNode | OxLiteral:
    if isinstance(end, Entity):
        return to_node(expand(end.id), end.id)
    if end.datatype in _NO_TERM:
        raise InputError(f"{end.value!r} cannot be written as RDF")
    try:
        if end.lang:
            return OxLiteral(end.value, language=end.lang)
        if end.datatype:
            return OxLiteral(end.value, datatype=to_node(expand(end.datatype), end.datatype))
        return OxLiteral(end.value)
    except ValueError as error:
        raise InputError(f"{end.value[:60]!r} cannot be written as RDF: {error}") from error


def sparql_update(gone: Iterable[OxTriple], new: Iterable[OxTriple]) -> str:
    """Write an update that deletes some triples and inserts others."""
    parts = [
        f"{verb} DATA {{\n" + "".join(f"  {triple} .\n" for triple in triples) + "}"
        for verb, triples in (("DELETE", list(gone)), ("INSERT", list(new)))
        if triples
    ]
    return " ;\n".join(parts) + "\n" if parts else ""


def change_set(
    name: str,
    gone: Iterable[OxTriple],
    new: Iterable[OxTriple],
    said: Iterable[tuple[str, str]],
) -> list[OxTriple]:
    """Describe a change by the Changeset vocabulary: what is removed and added, and what was said of it.

    `said` holds properties and their values; a value that is an address is written as one, any other as text.
    """
    change = NamedNode(f"urn:kg:correction:{name}")
    a, statement = NamedNode(v.RDF + "type"), NamedNode(v.RDF + "Statement")
    triples = [OxTriple(change, a, NamedNode(CHANGESET + "ChangeSet"))]
    for predicate, text in said:
        triples.append(OxTriple(change, NamedNode(predicate), _address_or_text(text)))
    nodes: list[OxTriple] = []
    for number, (verb, triple) in enumerate(
        [("removal", t) for t in gone] + [("addition", t) for t in new]
    ):
        node = BlankNode(f"c{name}n{number}")
        triples.append(OxTriple(change, NamedNode(CHANGESET + verb), node))
        nodes += [
            OxTriple(node, a, statement),
            OxTriple(node, NamedNode(v.RDF + "subject"), triple.subject),
            OxTriple(node, NamedNode(v.RDF + "predicate"), triple.predicate),
            OxTriple(node, NamedNode(v.RDF + "object"), triple.object),
        ]
    return triples + nodes


def _address_or_text(text: str) -> NamedNode | OxLiteral:
    """Return an address as one; people also write words behind it, or what only begins like one."""
    if text.startswith(("http://", "https://")):
        with suppress(InputError):
            return to_node(text, text)
    return OxLiteral(text)


def turtle(triples: Iterable[OxTriple]) -> str:
    """Write triples as Turtle."""
    data = serialize(triples, format=RdfFormat.TURTLE, prefixes=_PREFIXES)
    assert data is not None  # it is, unless a file to write to is given
    return data.decode("utf-8").rstrip() + "\n"
