"""Opens RDF files for import: which format, packed or not, and what is refused before it is parsed.

Nothing here ever reaches the network. RDF/XML is read through once with a plain XML parser that refuses
DOCTYPE and ENTITY and absurd nesting (the RDF parser would expand the one and spend hours on the other).
JSON-LD with a remote context is refused by the RDF parser, which is given no way to load one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.parsers import expat

from pyoxigraph import RdfFormat

from kgcore.errors import ImportFileError
from kgcore.kg.files.packed_files import SourceFile, UnpackedFile

FORMATS = {
    ".nt": RdfFormat.N_TRIPLES,
    ".ntriples": RdfFormat.N_TRIPLES,
    ".ttl": RdfFormat.TURTLE,
    ".turtle": RdfFormat.TURTLE,
    ".nq": RdfFormat.N_QUADS,
    ".nquads": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
    ".rdf": RdfFormat.RDF_XML,
    ".xml": RdfFormat.RDF_XML,
    ".owl": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
    ".json": RdfFormat.JSON_LD,
}
WITH_GRAPHS = (RdfFormat.N_QUADS, RdfFormat.TRIG, RdfFormat.JSON_LD)
SKIPPABLE = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS, RdfFormat.TURTLE, RdfFormat.TRIG)
HEAD_BYTES = 256 * 1024  # where prefixes are looked for
MAX_DEPTH = 500


class RdfFile(SourceFile):
    """An RDF file to import; its name tells its format."""

    def __init__(self, path: Path, *, on_read: Callable[[], None] = lambda: None) -> None:
        super().__init__(path, on_read=on_read)
        self.format = FORMATS[self.suffix]

    def head(self) -> str:
        """Return the first part of the text, for the prefixes it declares."""
        return self.head_bytes(HEAD_BYTES).decode("utf-8", "replace")

    def check(self) -> None:
        """Refuse what must not reach the RDF parser."""
        if self.format == RdfFormat.RDF_XML:
            check_xml(self)


class _RefusedError(Exception):
    """Raised inside the XML parser's callbacks."""


def check_xml(file: SourceFile) -> None:
    """Refuse an XML file that declares anything, or is nested too deep; ImportFileError names the line."""
    with file.open() as data:
        _check_xml(data, str(file.path))


def _check_xml(file: UnpackedFile, name: str) -> None:
    depth = 0

    def refuse(*_: object) -> None:
        raise _RefusedError("DOCTYPE and ENTITY are refused; convert the file to Turtle first")

    def start(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _RefusedError(f"elements are nested more than {MAX_DEPTH} deep")

    def end(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        while data := file.read(2**18):
            parser.Parse(data, False)
        parser.Parse(b"", True)
    except _RefusedError as error:
        raise ImportFileError(name, parser.CurrentLineNumber, str(error)) from error
    except expat.ExpatError as error:
        raise ImportFileError(name, error.lineno, expat.ErrorString(error.code)) from error
