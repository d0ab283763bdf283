"""Leaves out the lines of N-Triples and N-Quads that cannot be read.

In these formats a statement ends with its line, but the parser looks for the next full stop and may never find its
way back: after one quote that is not closed it takes every literal inside out. So each piece of the file is tried
by itself first, and halved until the bad lines are found. What the parser then reads is good lines only, as one
text, so that a blank node is the same one everywhere in it.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from pyoxigraph import RdfFormat, parse

from kgcore.kg.files.read_errors import TOO_LONG, reason, turtle_hint

LINE_BASED = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)
MAX_LINE = 16 * 2**20 - 2**10  # the parser's buffer, less what it needs beside the line
_PIECE_BYTES = 2**16
_HINT_BYTES = 2**12
_UNFINISHED = "Unexpected end of file"


class _Source(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class GoodLines(io.RawIOBase):
    """The bytes of a file in which each bad line is empty; `on_bad` is told its number and the reason."""

    def __init__(
        self, source: _Source, rdf_format: RdfFormat, on_bad: Callable[[int, str], None]
    ) -> None:
        super().__init__()
        self._format, self._on_bad = rdf_format, on_bad
        self._pieces = _whole_lines(source)
        self._ready = io.BytesIO()
        self._n_lines = 0
        self._n_bad = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes."""
        while not (data := self._ready.read(size)):
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._ready = io.BytesIO(self._good(piece.splitlines(keepends=True)))
        return data

    def _good(self, lines: list[bytes]) -> bytes:
        text = b"".join(lines)
        wrong = self._what_is_wrong(lines, text)
        if wrong is None:
            self._n_lines += len(lines)
            return text
        if len(lines) > 1:
            half = len(lines) // 2
            return self._good(lines[:half]) + self._good(lines[half:])
        if wrong == _UNFINISHED:  # the end of this line, not of the file
            wrong = "the statement does not end on its line"
        self._n_lines += 1
        self._n_bad += 1
        if self._n_bad == 1:
            wrong += turtle_hint(text[:_HINT_BYTES].decode("utf-8", "replace"))
        self._on_bad(self._n_lines, wrong)
        return b"\n"

    def _what_is_wrong(self, lines: list[bytes], text: bytes) -> str | None:
        if max(map(len, lines)) > MAX_LINE:
            return TOO_LONG
        try:
            deque(parse(text, self._format), maxlen=0)
        except SyntaxError as error:
            return reason(error)
        return None


def _whole_lines(source: _Source) -> Iterator[bytes]:
    """Cut a file into pieces at ends of lines; of a line that is too long only the beginning is kept."""
    pending = bytearray()
    while data := source.read(_PIECE_BYTES):
        # a CR at the very end may have its LF in the next part
        cut = max(data.rfind(b"\n"), data.rfind(b"\r", 0, -1)) + 1
        if cut:
            yield bytes(pending + data[:cut])
            pending = bytearray(data[cut:])
        elif len(pending) <= MAX_LINE:
            pending += data
    if pending:
        yield bytes(pending)
