"""Dumps: files too large to be read in one go, whose import can go on where it stopped.

A dump is read in chunks. A chunk knows how many of the file's bytes it ends at, so that a later import can skip
them, and which of its lines the label index must see again. There are two kinds: Wikidata's JSON dumps, one entity
a line, and large N-Triples files, such as Wikidata's truthy dump, in which the lines of one subject follow each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import RdfFormat

from kgcore.errors import ImportFileError, InputError
from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer, iri
from kgcore.kg.files.file_scan import TEXT_PROPERTIES
from kgcore.kg.files.good_lines import MAX_LINE as LONGEST
from kgcore.kg.files.packed_files import SourceFile, UnpackedFile
from kgcore.kg.files.read_errors import TOO_LONG, one_line
from kgcore.kg.files.wikidata_json import Filters, entity_lines

OnBad = Callable[[int | None, str], None]
CHUNK_BYTES = 8 * 2**20  # of N-Triples, loaded at a time
MAX_LINE = 64 * 2**20
_SUBJECT_LINES = 50_000  # of one subject that are looked at before it is decided whether it is kept
_LARGEST_SUBJECT = 16 * CHUNK_BYTES
_STATEMENT = re.compile(rb"\s*(<[^>]*>|_:\S+)\s+<([^>]*)>\s+(.*?)\s*\.\s*(?:#.*)?$", re.DOTALL)
_LANGUAGE = re.compile(rb'"@([A-Za-z0-9-]+)\Z')
_BLANK = re.compile(rb"_:([A-Za-z0-9_.-]+)")
_LABELS = frozenset(name.encode() for name in TEXT_PROPERTIES)
_REPEATED = (
    v.SKOS.encode() + b"prefLabel",
    v.SCHEMA.encode() + b"name",
)  # Wikidata tells labels thrice
_ABOUT_DATA = (v.SCHEMA.encode() + b"version", v.SCHEMA.encode() + b"dateModified")
_KEPT = frozenset(
    name.encode()
    for name in (
        v.RDF + "type", *v.SAME_AS_PROPERTIES, *v.INVERSE_PROPERTIES, *v.DECLARATION_PROPERTIES, *TEXT_PROPERTIES,
    )
)  # fmt: skip


@dataclass(slots=True)
class Chunk:
    """A part of a dump as N-Triples, and where it ends."""

    triples: list[bytes] = field(default_factory=list)
    again: list[bytes] = field(default_factory=list)  # lines the label index must see
    lines: list[int] = field(default_factory=list)  # of the file, for each statement
    size: int = 0
    offset: int = 0
    line: int = 0

    def add(self, triple: bytes, *, is_text: bool, line: int, n: int = 1) -> None:
        """Add `n` statements that come from one line of the file."""
        self.triples.append(triple)
        self.lines += [line] * n
        self.size += len(triple)
        if is_text:
            self.again.append(triple)


class DumpFile(SourceFile):
    """A file that is read in chunks; kinds of it say how a line is converted."""

    format = RdfFormat.N_TRIPLES

    def __init__(
        self,
        path: Path,
        namer: Namer,
        filters: Filters,
        *,
        on_read: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(path, on_read=on_read)
        self.namer, self.filters = namer, filters

    @property
    def settings(self) -> str:
        """What determines the triples apart from the bytes of the file."""
        return f"{type(self).__name__} {self.namer.namespace} {self.filters}"

    def check(self) -> None:
        """Refuse what must not be read."""

    def chunks(
        self, data: UnpackedFile, offset: int, line: int, on_bad: OnBad | None
    ) -> Iterator[Chunk]:
        """Convert what comes after `offset` bytes, which end `line` lines."""
        raise NotImplementedError

    def refuse(self, line: int, why: str, on_bad: OnBad | None) -> None:
        """Tell what is wrong with a line to `on_bad`; ImportFileError where that is None."""
        if on_bad is None:
            raise ImportFileError(str(self.path), line, one_line(why))
        on_bad(line, one_line(why))

    def _lines(self, data: UnpackedFile, offset: int) -> Iterator[tuple[bytes, int]]:
        """Go through the lines after `offset` with the number of bytes up to the end of each."""
        _skip(data, offset)
        pending, done = bytearray(), offset
        while piece := data.read(2**20):
            pending += piece
            start = 0
            while (end := pending.find(b"\n", start)) >= 0:
                done += end + 1 - start
                yield bytes(pending[start : end + 1]), done
                start = end + 1
            del pending[:start]
            if len(pending) > MAX_LINE:
                raise ImportFileError(
                    str(self.path), None, f"a line is longer than {MAX_LINE // 2**20} MB"
                )
        if pending:
            yield bytes(pending), done + len(pending)


def _skip(data: UnpackedFile, n_bytes: int) -> None:
    """Read past what an earlier import has done; it is hashed all the same."""
    while n_bytes > 0 and (piece := data.read(min(n_bytes, 2**20))):
        n_bytes -= len(piece)


class WikidataDump(DumpFile):
    """A JSON dump of Wikidata: an array with one entity a line, or the lines alone."""

    def chunks(
        self, data: UnpackedFile, offset: int, line: int, on_bad: OnBad | None
    ) -> Iterator[Chunk]:
        """Convert entity by entity."""
        chunk = Chunk(offset=offset, line=line)
        for text, end in self._lines(data, offset):
            line += 1
            chunk.offset, chunk.line = end, line
            text = text.strip().rstrip(b",")
            if text in (b"", b"[", b"]"):
                continue
            self._convert(chunk, text, line, on_bad)
            if chunk.size >= CHUNK_BYTES:
                yield chunk
                chunk = Chunk(offset=end, line=line)
        yield chunk

    def _convert(self, chunk: Chunk, text: bytes, line: int, on_bad: OnBad | None) -> None:
        try:
            entity = json.loads(text)
            if not isinstance(entity, dict):
                raise ValueError("it is no object")
            found = entity_lines(entity, self.filters)
            if found is None:
                return
            for is_text, lines in ((False, found.plain), (True, found.texts)):
                if lines:
                    block = "".join(lines).encode("utf-8")
                    chunk.add(block, is_text=is_text, line=line, n=len(lines))
        except json.JSONDecodeError as error:
            self.refuse(line, f"it is no JSON: {error.msg}", on_bad)
        except (ValueError, UnicodeError) as error:
            self.refuse(line, str(error), on_bad)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            self.refuse(line, f"it is no entity of Wikidata ({type(error).__name__})", on_bad)


class TriplesDump(DumpFile):
    """A large N-Triples file, filtered subject by subject."""

    def __init__(
        self,
        path: Path,
        namer: Namer,
        filters: Filters,
        *,
        on_read: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(path, namer, filters, on_read=on_read)
        self._properties = {self._iri(name, v.WDT) for name in filters.properties}
        self._types = {b"<" + self._iri(name, v.WD) + b">" for name in filters.types}

    def _iri(self, name: str, namespace: str) -> bytes:
        """The IRI of a property or class given as CURIE or IRI; a bare name is Wikidata's."""
        try:
            given = self.namer.given(name) or iri(namespace + name)
        except ValueError as error:
            raise InputError(f"{name[:80]!r} is no property or class to filter by") from error
        return given[1:-1].encode("utf-8")

    def chunks(
        self, data: UnpackedFile, offset: int, line: int, on_bad: OnBad | None
    ) -> Iterator[Chunk]:
        """Copy subject by subject what the filters keep."""
        chunk, group = Chunk(), _Subject()
        done, number = offset, line
        for text, end in self._lines(data, offset):
            number += 1
            match = None if len(text) > LONGEST else _STATEMENT.match(text)
            if match is None:
                if text.strip() and not text.lstrip().startswith(b"#"):
                    why = TOO_LONG if len(text) > LONGEST else "it is no statement of N-Triples"
                    self.refuse(number, why, on_bad)
                continue
            if match[1] != group.subject:
                self._flush(chunk, group)
                chunk.offset, chunk.line = done, number - 1
                if chunk.size >= CHUNK_BYTES:
                    yield chunk
                    chunk = Chunk(offset=done, line=number - 1)
                group = _Subject(match[1])
            self._look(chunk, group, match, number)
            done = end
            if chunk.size >= CHUNK_BYTES and not self._types and not group.lines:
                chunk.offset, chunk.line = (
                    done,
                    number,
                )  # also amid a subject, where nothing hangs on it
                yield chunk
                chunk = Chunk(offset=done, line=number)
        self._flush(chunk, group)
        chunk.offset, chunk.line = done, number
        yield chunk

    def _look(self, chunk: Chunk, group: _Subject, match: re.Match[bytes], line: int) -> None:
        predicate, target = match[2], match[3]
        if target in self._types and predicate.decode("utf-8", "replace") in v.TYPE_PROPERTIES:
            group.is_kept = True
        if predicate in _DECLARES:
            group.is_kept = True
        if not self._keeps(group.subject, predicate, target):
            return
        subject = _skolem(group.subject, self.namer)
        text = b"%s <%s> %s .\n" % (subject, predicate, _skolem(target, self.namer))
        group.lines.append((text, predicate in _LABELS or b'"^^<' in target, line))
        if len(group.lines) >= _SUBJECT_LINES:
            self._flush(chunk, group)
            if chunk.size >= _LARGEST_SUBJECT and self._types:
                raise ImportFileError(
                    str(self.path), line, "there is no end to the statements about one thing"
                )

    def _keeps(self, subject: bytes, predicate: bytes, target: bytes) -> bool:
        if predicate.startswith(v.WIKIBASE.encode()) and predicate not in _KEPT:
            return False
        is_wikidata = subject.startswith(_WIKIDATA)
        if predicate in _ABOUT_DATA or (is_wikidata and predicate in _REPEATED):
            return False
        if self._properties and predicate not in self._properties and predicate not in _KEPT:
            return False
        language = _LANGUAGE.search(target)
        return language is None or self.filters.keeps_language(language[1].decode("ascii"))

    def _flush(self, chunk: Chunk, group: _Subject) -> None:
        if group.is_kept or not self._types:
            for text, is_text, line in group.lines:
                chunk.add(text, is_text=is_text, line=line)
        group.lines.clear()


@dataclass(slots=True)
class _Subject:
    """The lines of one subject; kept when its class is wanted, or when it is a property."""

    subject: bytes = b""
    lines: list[tuple[bytes, bool, int]] = field(default_factory=list)
    is_kept: bool = False


_WIKIDATA = b"<" + v.WD.encode()
_DECLARES = frozenset(name.encode() for name in v.DECLARATION_PROPERTIES)


def _skolem(term: bytes, namer: Namer) -> bytes:
    """Blank nodes get an IRI, so that they are the same in every chunk; in dumps they stand for unknown values."""
    match = _BLANK.fullmatch(term)
    if match is None:
        return term
    return b"<%s/.well-known/genid/%s>" % (namer.namespace.encode("utf-8"), match[1])
