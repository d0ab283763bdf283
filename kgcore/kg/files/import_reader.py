"""Loads the files of one import into a store, and goes through them again for the label index."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, Store, parse

from kgcore.errors import ImportFileError
from kgcore.kg.files.converted import ConvertedFile, TriplesStream
from kgcore.kg.files.dump_files import DumpFile, OnBad
from kgcore.kg.files.dump_loading import DumpLoader
from kgcore.kg.files.good_lines import LINE_BASED, GoodLines
from kgcore.kg.files.import_files import ImportFile
from kgcore.kg.files.packed_files import UnpackedFile
from kgcore.kg.files.rdf_files import SKIPPABLE, WITH_GRAPHS, RdfFile
from kgcore.kg.files.read_errors import TOO_LONG, is_too_long, one_line, reason, turtle_hint
from kgcore.kg.local.graph_names import slug

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: bytes of the files read, or parts of the index written."""

    stage: str  # reading, indexing
    done: int
    total: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement that could not be read, with its line where that is known."""

    file: str
    line: int | None
    reason: str


OnProgress = Callable[[Progress], None]
OnSkip = Callable[[Skipped], None]
_Stream = UnpackedFile | TriplesStream


class Reader:
    """The files of one import. `add` them, `check`, `load`, then `read_again`."""

    def __init__(
        self,
        *,
        skip_errors: bool,
        progress: OnProgress | None,
        on_skip: OnSkip | None,
    ) -> None:
        self.files: list[ImportFile] = []
        self.n_skipped = 0
        self.digests: list[bytes] = []
        self._skip_errors, self._progress, self._on_skip = skip_errors, progress, on_skip
        self._current: ImportFile | None = None
        self._before = 0
        self._loader: DumpLoader | None = None

    def check(self) -> None:
        """Refuse bad files before anything is stored."""
        for file in self.files:
            if self._skip_errors and not _is_skippable(file):
                kind = file.path.suffix or "such files"
                raise ImportFileError(
                    str(file.path),
                    None,
                    f"errors cannot be skipped in {kind}, only in N-Triples, N-Quads, Turtle, TriG and tables",
                )
            file.check()

    @property
    def dumps(self) -> list[DumpFile]:
        """The files, where they are dumps; an import reads nothing but dumps, or none."""
        return [file for file in self.files if isinstance(file, DumpFile)]

    def load(self, store: Store, staged: Path) -> None:
        """Load all files into a store; what else is needed to go on after a stop lies in the folder `staged`."""
        if dumps := self.dumps:
            self._load_dumps(store, staged, dumps)
            store.flush()
            return
        for file in self.files:
            self._current = file
            self._load_file(store, file)
            self._before += file.size
        store.flush()

    def _load_dumps(self, store: Store, staged: Path, dumps: list[DumpFile]) -> None:
        self._loader = DumpLoader(
            staged, dumps, on_bad=self._on_bad, n_skipped=lambda: self.n_skipped
        )
        self.n_skipped = self._loader.note.n_skipped
        self._loader.load(store, on_file=self._begin)
        self.digests = [bytes.fromhex(digest) for digest in self._loader.note.digests]

    def _begin(self, file: DumpFile) -> None:
        self._before = sum(f.size for f in self.files[: self.files.index(file)])
        self._current = file

    def _on_bad(self, file: DumpFile) -> OnBad | None:
        if not self._skip_errors:
            return None
        return lambda line, why: self.skip(Skipped(str(file.path), line, why))

    def _load_file(self, store: Store, file: ImportFile) -> None:
        with self._open(file, self.skip) as data:
            try:
                if isinstance(file, RdfFile) and (self._skip_errors or file.format in WITH_GRAPHS):
                    store.bulk_extend(self._quads(file, data, self.skip))
                else:
                    _bulk_load(store, file, data)
            except SyntaxError as error:
                why = reason(error) + _hint(file, error.lineno)
                raise ImportFileError(str(file.path), _line(file, error), why) from error
            except ValueError as error:
                raise ImportFileError(str(file.path), None, one_line(str(error))) from error
            except MemoryError as error:
                if not is_too_long(error):
                    raise
                raise ImportFileError(str(file.path), None, TOO_LONG) from error
            self.digests.append(data.digest)

    def read_again(self) -> Iterator[Quad]:
        """Go through the files once more, skipping what was skipped before."""
        self._current = None
        if self._loader is not None:
            yield from self._loader.read_again()
            return
        for file in self.files:
            with self._open(file, _ignore) as data:
                yield from self._quads(file, data, _ignore)

    def finish(self) -> None:
        """Remove what is needed only until the index is built."""
        if self._loader is not None:
            self._loader.finish()

    def _open(self, file: ImportFile, on_skip: OnSkip) -> _Stream:
        if not isinstance(file, ConvertedFile):
            return file.open()
        path = str(file.path)
        if not self._skip_errors:
            return file.triples(None)
        return file.triples(lambda line, why: on_skip(Skipped(path, line, why)))

    def _quads(self, file: ImportFile, data: _Stream, on_skip: OnSkip) -> Iterator[Quad]:
        last: int | None = None
        source: _Stream | GoodLines = data
        if isinstance(data, TriplesStream):
            data.is_whole = True
        is_converted = isinstance(file, ConvertedFile)
        if self._skip_errors and file.format in LINE_BASED and not is_converted:
            source = GoodLines(
                data, file.format, lambda line, why: on_skip(Skipped(str(file.path), line, why))
            )
        quads = parse(
            cast(IO[bytes], source), file.format, base_iri=_base(file), rename_blank_nodes=True
        )
        while True:
            try:
                quad = next(quads)
            except StopIteration:
                return
            except SyntaxError as error:
                if not self._skip_errors:
                    raise
                if error.lineno is None or error.lineno != last:  # one line, one error
                    on_skip(Skipped(str(file.path), error.lineno, reason(error)))
                last = error.lineno
                continue
            yield Quad(quad.subject, quad.predicate, quad.object)

    def skip(self, skipped: Skipped) -> None:
        """Count and tell a statement that cannot be read."""
        self.n_skipped += 1
        _log.info("skipped %s, line %s: %s", skipped.file, skipped.line, skipped.reason)
        if self._on_skip is not None:
            self._on_skip(skipped)

    def on_read(self) -> None:
        """Report how far the present file has been read."""
        if self._progress is not None and self._current is not None:
            done = self._before + self._current.position
            total = sum(file.size for file in self.files)
            self._progress(Progress("reading", done, total, str(self._current.path)))

    def on_index(self, done: int, total: int) -> None:
        """Report a part of the index."""
        if self._progress is not None:
            self._progress(Progress("indexing", done, total))


def _ignore(_: Skipped) -> None:
    """What is skipped on the second reading was told on the first."""


def _bulk_load(store: Store, file: ImportFile, data: _Stream) -> None:
    """Load a file; one that is converted piece by piece, its terms being checked already."""
    source = cast(IO[bytes], data)
    if not isinstance(data, TriplesStream):
        store.bulk_load(source, file.format, base_iri=_base(file))
        return
    while not data.is_at_end:
        store.bulk_load(source, file.format, lenient=True)
        data.go_on()


def _is_skippable(file: ImportFile) -> bool:
    return file.is_skippable if isinstance(file, ConvertedFile) else file.format in SKIPPABLE


def _base(file: ImportFile) -> str | None:
    """Relative IRIs are resolved against the file's name, so that they are the same on every machine."""
    if file.format in LINE_BASED:
        return None
    return f"urn:kg:file:{slug(file.path.name)}/"


def _line(file: ImportFile, error: SyntaxError) -> int | None:
    """The line of the file; lines of what it was converted to say nothing."""
    return None if isinstance(file, ConvertedFile) else error.lineno


def _hint(file: ImportFile, lineno: int | None) -> str:
    """Return what the line of the first error tells of the file; Turtle breaks in its first lines."""
    if lineno is None or file.format not in LINE_BASED or not isinstance(file, RdfFile):
        return ""
    lines = file.head().split("\n")
    return turtle_hint(lines[lineno - 1]) if lineno <= len(lines) else ""


def is_turtle_like(file: ImportFile) -> bool:
    """True for formats that declare prefixes."""
    return isinstance(file, RdfFile) and file.format not in (*LINE_BASED, RdfFormat.JSON_LD)
