"""Opens RDF files for import: which format, packed or not, and what is refused before it is parsed.

Nothing here ever reaches the network. RDF/XML is read through once with a plain XML parser that refuses
DOCTYPE and ENTITY and absurd nesting (the RDF parser would expand the one and spend hours on the other).
JSON-LD with a remote context is refused by the RDF parser, which is given no way to load one.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

from pyoxigraph import RdfFormat

from kgcore.errors import ImportFileError

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
REPORT_BYTES = 2**18  # progress is told in steps of this size
HEAD_BYTES = 256 * 1024  # where prefixes are looked for
MAX_DEPTH = 500
MAX_UNPACKED = 200 * 2**30
MAX_RATIO, RATIO_FROM = 250, 2 * 2**20  # a packed file that grows more than this is a bomb


class RdfFile:
    """One file to import. `open` gives its unpacked bytes; `position` tells how far it has been read."""

    def __init__(self, path: Path, *, on_read: Callable[[], None] = lambda: None) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self.is_packed = file.read(2) == b"\x1f\x8b"
            self.size = path.stat().st_size
        except OSError as error:
            raise ImportFileError(str(path), None, error.strerror or str(error)) from error
        self.format = self._find_format()
        self.position = 0
        self._on_read = on_read

    def _find_format(self) -> RdfFormat:
        suffixes = [s.lower() for s in self.path.suffixes]
        if suffixes and suffixes[-1] in (".gz", ".gzip"):
            suffixes.pop()
        found = FORMATS.get(suffixes[-1]) if suffixes else None
        if found is None:
            known = " ".join(sorted(FORMATS))
            raise ImportFileError(
                str(self.path), None, f"unknown kind of file; known are {known}, also with .gz"
            )
        return found

    def open(self) -> UnpackedFile:
        """Open the file from its start."""
        self.position = 0
        return UnpackedFile(self)

    def head(self) -> str:
        """Return the first part of the text, for the prefixes it declares."""
        with self.open() as file:
            return file.read(HEAD_BYTES).decode("utf-8", "replace")

    def check(self) -> None:
        """Refuse what must not reach the RDF parser."""
        if self.format == RdfFormat.RDF_XML:
            with self.open() as file:
                _check_xml(file, str(self.path))

    def moved(self, position: int) -> None:
        """Note how far the packed bytes have been read."""
        if position - self.position >= REPORT_BYTES or position == self.size != self.position:
            self.position = position
            self._on_read()


class UnpackedFile(io.RawIOBase):
    """The unpacked bytes of a file, in large pieces; counts, hashes, and stops at a bomb.

    A UTF-8 byte order mark at the start is left out.
    """

    def __init__(self, source: RdfFile) -> None:
        super().__init__()
        self._source = source
        self._raw = source.path.open("rb", buffering=2**20)
        self._file: BinaryIO | gzip.GzipFile = self._raw
        if source.is_packed:
            self._file = gzip.GzipFile(fileobj=self._raw, mode="rb")
        self._n_bytes = 0
        self._digest = hashlib.blake2b(digest_size=16)

    @property
    def digest(self) -> bytes:
        """Hash of the unpacked bytes read so far."""
        return self._digest.digest()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; ImportFileError when the packing is broken or a bomb."""
        source = self._source
        try:
            data = self._file.read(size if size > 0 else 2**20)
        except (OSError, EOFError, zlib.error) as error:
            raise ImportFileError(str(source.path), None, f"cannot be unpacked: {error}") from error
        self._digest.update(data)
        is_start = self._n_bytes == 0
        self._n_bytes += len(data)
        position = self._raw.tell()
        if source.is_packed and self._n_bytes > RATIO_FROM:
            if self._n_bytes > min(MAX_UNPACKED, MAX_RATIO * max(position, 1)):
                raise _bomb(source.path)
        source.moved(position)
        if is_start and data.startswith(codecs.BOM_UTF8):
            return data[len(codecs.BOM_UTF8) :] or self.read(size)
        return data

    def close(self) -> None:
        """Close the file below."""
        self._file.close()
        self._raw.close()
        super().close()


def _bomb(path: Path) -> ImportFileError:
    return ImportFileError(str(path), None, "it unpacks to far more than a graph would: refused")


class _RefusedError(Exception):
    """Raised inside the XML parser's callbacks."""


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
