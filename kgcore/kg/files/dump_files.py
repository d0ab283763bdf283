"""Dumps: files too large to be read in one go, whose import can go on where it stopped.

A dump is read in chunks. A chunk knows how many of the file's bytes it ends at, so that a later import can skip
them, and which of its lines the label index must see again. There are two kinds: wikidata_dump.py, triples_dump.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import RdfFormat

from kgcore.errors import ImportFileError
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.packed_files import SourceFile, UnpackedFile
from kgcore.kg.files.read_errors import one_line
from kgcore.kg.files.wikidata_json import Filters

OnBad = Callable[[int | None, str], None]
CHUNK_BYTES = 8 * 2**20  # of N-Triples, loaded at a time
MAX_LINE = 64 * 2**20


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

    @property
    def is_full(self) -> bool:
        """Whether it is time to load it."""
        return self.size >= CHUNK_BYTES


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
