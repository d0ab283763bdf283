"""Writes statements as Turtle, N-Quads, GraphML or CSV; one after another, so that a graph of any size streams.

Turtle holds the triples alone. In N-Quads the named graph of a triple is the knowledge graph it came from. GraphML
and CSV have room for where each triple came from, and for names to read. In GraphML a value is a node of its own, as
values have a language or a datatype. In CSV a cell that a spreadsheet would run as a formula starts with a quote
('), which our own import takes off again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO
from typing import Literal as OneOf
from xml.sax.saxutils import escape

from pyoxigraph import BlankNode, DefaultGraph, Literal, NamedNode, Quad, RdfFormat, serialize
from pyoxigraph import Triple as OxTriple

from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import neutralise
from kgcore.kg.files.network_files import EXPORT_ID
from kgcore.model import Provenance

ExportFormat = OneOf["turtle", "nquads", "graphml", "csv"]
SUFFIXES: Mapping[ExportFormat, str] = {
    "turtle": ".ttl",
    "nquads": ".nq",
    "graphml": ".graphml",
    "csv": ".csv",
}
PROVENANCE = ("kg", "query", "when", "rank", "correction")
CSV_HEADER = (
    "subject", "relation", "object", "datatype", "lang",
    "subject_name", "relation_name", "object_name", *PROVENANCE,
)  # fmt: skip
_NODE_KEYS = ("label", "kind", "value", "datatype", "lang")
_EDGE_KEYS = ("relation", "label", *PROVENANCE)
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WEB = re.compile(r"(?:https?://|urn:)\S+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple as the store holds it, where it came from, and names to read."""

    subject: NamedNode | BlankNode
    predicate: NamedNode
    object: NamedNode | BlankNode | Literal
    provenance: Provenance
    subject_name: str = ""
    relation_name: str = ""
    object_name: str = ""


def write(
    statements: Iterable[Statement],
    out: IO[bytes],
    kind: ExportFormat,
    prefixes: Mapping[str, str],
) -> int:
    """Write all statements and return how many there were."""
    counted = _Counted(statements)
    if kind == "turtle":
        triples = (OxTriple(s.subject, s.predicate, s.object) for s in counted)
        serialize(triples, out, format=RdfFormat.TURTLE, prefixes=_usable(prefixes))
    elif kind == "nquads":
        quads = (Quad(s.subject, s.predicate, s.object, graph_name(s)) for s in counted)
        serialize(quads, out, format=RdfFormat.N_QUADS)
    else:
        rows: Callable[[Iterable[Statement]], Iterator[str]] = _xml if kind == "graphml" else _csv
        for text in rows(counted):
            out.write(text.encode("utf-8"))
    return counted.n


class _Counted:
    def __init__(self, statements: Iterable[Statement]) -> None:
        self._statements, self.n = statements, 0

    def __iter__(self) -> Iterator[Statement]:
        for statement in self._statements:
            self.n += 1
            yield statement


def graph_name(statement: Statement) -> NamedNode | DefaultGraph:
    """Return the named graph that stands for a knowledge graph."""
    from urllib.parse import quote

    kg = statement.provenance.kg
    return NamedNode(f"urn:kg:{quote(kg, safe='')}") if kg else DefaultGraph()


def _usable(prefixes: Mapping[str, str]) -> dict[str, str]:
    """Leave out the prefixes that a Turtle file need not know."""
    return {name: iri for name, iri in sorted(prefixes.items()) if name and iri}


def _csv(statements: Iterable[Statement]) -> Iterator[str]:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_HEADER)
    for s in statements:
        value, datatype, lang = _object(s.object)
        source = s.provenance
        row = (
            cell(s.subject), cell(s.predicate), value, datatype, lang,
            s.subject_name, s.relation_name, s.object_name,
            *(getattr(source, name) for name in PROVENANCE),
        )  # fmt: skip
        writer.writerow([neutralise(part) for part in row])
        if text.tell() > 2**16:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def cell(term: NamedNode | BlankNode) -> str:
    """Write a thing so that the import reads it as the same thing."""
    if isinstance(term, BlankNode):
        return str(term)
    return term.value if _WEB.match(term.value) else f"<{term.value}>"


def _object(term: NamedNode | BlankNode | Literal) -> tuple[str, str, str]:
    """The cells of an object: text, datatype, language."""
    if not isinstance(term, Literal):
        return cell(term), "iri", ""
    if term.language is not None:
        return term.value, "rdf:langString", term.language
    datatype = term.datatype.value
    if datatype.startswith(v.XSD):
        return term.value, f"xsd:{datatype.removeprefix(v.XSD)}", ""
    return term.value, f"<{datatype}>", ""


def _xml(statements: Iterable[Statement]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for place, names in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name in names:
            yield (
                f'<key id="{place[0]}-{name}" for="{place}" attr.name="{name}" '
                'attr.type="string"/>\n'
            )
    yield f'<graph id="{EXPORT_ID}" edgedefault="directed">\n'
    seen: set[str] = set()
    for number, statement in enumerate(statements):
        yield from _xml_statement(statement, number, seen)
    yield "</graph>\n</graphml>\n"


def _xml_statement(s: Statement, number: int, seen: set[str]) -> Iterator[str]:
    subject = cell(s.subject)
    yield from _xml_node(subject, {"label": s.subject_name, "kind": "entity"}, seen)
    if isinstance(s.object, Literal):
        target = f"value-{number}"
        data = {
            "label": s.object.value[:80],
            "kind": "literal",
            "value": s.object.value,
            "datatype": "" if s.object.language else s.object.datatype.value,
            "lang": s.object.language or "",
        }
    else:
        target = cell(s.object)
        data = {"label": s.object_name, "kind": "entity"}
    yield from _xml_node(target, data, seen)
    edge = {"relation": cell(s.predicate), "label": s.relation_name}
    edge |= {name: getattr(s.provenance, name) for name in PROVENANCE}
    yield (
        f'<edge id="edge-{number}" source="{_attribute(subject)}" '
        f'target="{_attribute(target)}">{_xml_data("e", edge)}</edge>\n'
    )


def _xml_node(identifier: str, data: Mapping[str, str], seen: set[str]) -> Iterator[str]:
    if identifier not in seen:
        if data["kind"] == "entity":
            seen.add(identifier)
        yield f'<node id="{_attribute(identifier)}">{_xml_data("n", data)}</node>\n'


def _xml_data(place: str, data: Mapping[str, str]) -> str:
    return "".join(
        f'<data key="{place}-{name}">{_text(value)}</data>' for name, value in data.items() if value
    )


def _text(value: str) -> str:
    """Escape a text; a character that XML cannot hold becomes U+FFFD."""
    return escape(_NO_XML.sub("\ufffd", value), {"\r": "&#13;"})


def _attribute(value: str) -> str:
    return escape(
        _NO_XML.sub("\ufffd", value), {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
    )
