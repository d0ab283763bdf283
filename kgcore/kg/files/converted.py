"""Files that are no RDF, read as if they were: a stream of N-Triples made while it is read.

The importer loads such a file like any other. What a converter cannot read it tells with the line of the file itself.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from pyoxigraph import RdfFormat

from kgcore.kg.files.cells import Namer
from kgcore.kg.files.packed_files import SourceFile, UnpackedFile
from kgcore.kg.files.table_triples import RowTriples
from kgcore.kg.files.tables import Table

OnBad = Callable[[int | None, str], None]  # line and reason of what cannot be read
PIECE_BYTES = 128 * 2**20  # loaded at a time: the loader holds what it loads in memory
_ROWS = 250  # converted at a time: so few stay in the cache of the processor


class ConvertedFile(SourceFile):
    """A file to import that is converted while it is read; kinds of it say how."""

    format = RdfFormat.N_TRIPLES
    is_skippable = False

    def __init__(
        self, path: Path, namer: Namer, *, on_read: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(path, on_read=on_read)
        self.namer = namer

    @property
    def settings(self) -> str:
        """What determines the triples apart from the bytes of the file."""
        return self.namer.namespace

    def check(self) -> None:
        """Refuse what must not be read."""

    def blocks(self, data: UnpackedFile, on_bad: OnBad | None) -> Iterator[bytes]:
        """Convert piece by piece; what is bad is told to `on_bad`, or raised where that is None."""
        raise NotImplementedError

    def triples(self, on_bad: OnBad | None) -> TriplesStream:
        """Open the file from its start and convert it."""
        data = self.open()
        return TriplesStream(self.blocks(data, on_bad), data, self.settings)


class TriplesStream(io.RawIOBase):
    """The N-Triples of a converted file; hashes the bytes it is made from."""

    def __init__(self, blocks: Iterable[bytes], source: UnpackedFile, settings: str) -> None:
        super().__init__()
        self._blocks, self._source, self._settings = iter(blocks), source, settings
        self._ready = io.BytesIO()
        self._given = 0
        self.is_at_end = False
        self.is_whole = False  # True: read without a stop at the end of a piece

    @property
    def digest(self) -> bytes:
        """Hash of what determined the triples read so far."""
        return hashlib.blake2b(
            self._source.digest + self._settings.encode("utf-8", "replace"), digest_size=16
        ).digest()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; nothing at the end, and at the end of a piece until `go_on`."""
        while not (data := self._ready.read(size)):
            if self._given >= PIECE_BYTES and not self.is_whole:
                return b""
            block = next(self._blocks, None)
            if block is None:
                self.is_at_end = True
                return b""
            self._ready = io.BytesIO(block)
            self._given += len(block)
        return data

    def go_on(self) -> None:
        """Begin the next piece."""
        self._given = 0

    def close(self) -> None:
        """Close the file below."""
        self._source.close()
        super().close()


class TableFile(ConvertedFile):
    """A table, read by its column mapping."""

    is_skippable = True

    def __init__(
        self,
        table: Table,
        namer: Namer,
        *,
        are_ids: bool = False,
        on_read: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(table.path, namer, on_read=on_read)
        self.table, self._are_ids = table, are_ids

    @property
    def settings(self) -> str:
        """The mapping, and the namespace of minted names."""
        return f"{self.namer.namespace} {self._are_ids} {self.table.mapping}"

    def blocks(self, data: UnpackedFile, on_bad: OnBad | None) -> Iterator[bytes]:
        """Convert the rows in groups."""
        made = RowTriples(self.table.mapping, self.namer, are_ids=self._are_ids)
        rows = self.table.rows(data, on_bad)
        while group := list(islice(rows, _ROWS)):
            lines = made.lines(group, lambda line, why: self.table.refuse(line, why, on_bad))
            yield "".join(lines).encode("utf-8")
