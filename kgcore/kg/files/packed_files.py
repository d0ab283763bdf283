"""Opens files for import, packed or not: streamed, counted, hashed, and refused when they are bombs."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from kgcore.errors import ImportFileError
from kgcore.kg.files.regular_files import open_regular

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

REPORT_BYTES = 2**18  # progress is told in steps of this size
MAX_UNPACKED = 16 * 2**40  # a whole dump of Wikidata is a tenth of this
MAX_RATIO, RATIO_FROM = 250, 2 * 2**20  # a packed file that grows more than this is a bomb
PACKED = {".gz": b"\x1f\x8b", ".gzip": b"\x1f\x8b", ".bz2": b"BZh"}


class SourceFile:
    """One file to import. `open` gives its unpacked bytes; `position` tells how far it has been read."""

    def __init__(self, path: Path, *, on_read: Callable[[], None] = lambda: None) -> None:
        self.path = path
        try:
            with open_regular(path) as file:
                start = file.read(3)
            self.size = path.stat().st_size
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise ImportFileError(str(path), None, why) from error
        self.packing = next((end for end, magic in PACKED.items() if start.startswith(magic)), "")
        self.position = 0
        self._on_read = on_read

    @property
    def suffix(self) -> str:
        """What the file's name ends in, apart from the packing; in lower case."""
        return suffix_of(self.path)

    def open(self) -> UnpackedFile:
        """Open the file from its start."""
        self.position = 0
        return UnpackedFile(self)

    def head_bytes(self, size: int) -> bytes:
        """Return the first part of the unpacked bytes."""
        found = bytearray()
        with self.open() as file:
            while len(found) < size and (data := file.read(size - len(found))):
                found += data
        return bytes(found)

    def moved(self, position: int) -> None:
        """Note how far the packed bytes have been read."""
        if position - self.position >= REPORT_BYTES or position == self.size != self.position:
            self.position = position
            self._on_read()


def suffix_of(path: Path) -> str:
    """Return what a file's name ends in, apart from the packing; in lower case."""
    suffixes = [s.lower() for s in path.suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


class UnpackedFile(io.RawIOBase):
    """The unpacked bytes of a file, in large pieces; counts, hashes, and stops at a bomb.

    A UTF-8 byte order mark at the start is left out.
    """

    def __init__(self, source: SourceFile) -> None:
        super().__init__()
        self._source = source
        self._raw = open_regular(source.path)
        self._file: BinaryIO | gzip.GzipFile | bz2.BZ2File = self._raw
        if source.packing == ".bz2":
            self._file = bz2.BZ2File(self._raw)
        elif source.packing:
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
        if source.packing and self._n_bytes > RATIO_FROM:
            if self._n_bytes > min(MAX_UNPACKED, MAX_RATIO * max(position, 1)):
                raise _bomb(source.path)
        source.moved(position)
        if is_start and data.startswith(codecs.BOM_UTF8):
            return data[len(codecs.BOM_UTF8) :] or self.read(size)
        return data

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill a buffer, for the readers of the standard library."""
        view = memoryview(buffer).cast("B")
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file below."""
        self._file.close()
        self._raw.close()
        super().close()


def _bomb(path: Path) -> ImportFileError:
    return ImportFileError(str(path), None, "it unpacks to far more than a graph would: refused")
