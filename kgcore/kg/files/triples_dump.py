"""Large N-Triples files, such as Wikidata's truthy dump, in which the lines of one subject follow each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgcore.errors import ImportFileError, InputError
from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer, iri
from kgcore.kg.files.dump_files import CHUNK_BYTES, Chunk, DumpFile, OnBad
from kgcore.kg.files.file_scan import TEXT_PROPERTIES
from kgcore.kg.files.good_lines import MAX_LINE as LONGEST
from kgcore.kg.files.packed_files import UnpackedFile
from kgcore.kg.files.read_errors import TOO_LONG
from kgcore.kg.files.wikidata_json import Filters

_SUBJECT_LINES = 50_000  # of one subject that are looked at before it is decided whether it is kept
_LARGEST_SUBJECT = 16 * CHUNK_BYTES
_STATEMENT = re.compile(rb"\s*(<[^>]*>|_:\S+)\s+<([^>]*)>\s+(.*?)\s*\.\s*(?:#.*)?$", re.DOTALL)
_LANGUAGE = re.compile(rb'"@([A-Za-z0-9-]+)\Z')
_BLANK = re.compile(rb"_:([A-Za-z0-9_.-]+)")
_LABELS = frozenset(name.encode() for name in TEXT_PROPERTIES)
_REPEATED = (v.SKOS.encode() + b"prefLabel", v.SCHEMA.encode() + b"name")  # labels, told thrice
_ABOUT_DATA = (v.SCHEMA.encode() + b"version", v.SCHEMA.encode() + b"dateModified")
_KEPT = frozenset(
    name.encode()
    for name in (
        v.RDF + "type", *v.SAME_AS_PROPERTIES, *v.INVERSE_PROPERTIES, *v.DECLARATION_PROPERTIES, *TEXT_PROPERTIES,
    )
)  # fmt: skip
_WIKIDATA = b"<" + v.WD.encode()
_DECLARES = frozenset(name.encode() for name in v.DECLARATION_PROPERTIES)


@dataclass(slots=True)
class _Subject:
    """The lines of one subject; kept when its class is wanted, or when it is a property."""

    subject: bytes = b""
    lines: list[tuple[bytes, bool, int]] = field(default_factory=list)
    is_kept: bool = False


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
                if chunk.is_full:
                    yield chunk
                    chunk = Chunk(offset=done, line=number - 1)
                group = _Subject(match[1])
            self._look(chunk, group, match, number)
            done = end
            if chunk.is_full and not self._types and not group.lines:
                # also amid a subject, where nothing hangs on it
                chunk.offset, chunk.line = done, number
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


def _skolem(term: bytes, namer: Namer) -> bytes:
    """Blank nodes get an IRI, so that they are the same in every chunk; in dumps they stand for unknown values."""
    match = _BLANK.fullmatch(term)
    if match is None:
        return term
    return b"<%s/.well-known/genid/%s>" % (namer.namespace.encode("utf-8"), match[1])
