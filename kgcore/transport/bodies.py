"""Reading a body that may be endless, packed too well, or broken."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

from kgcore.errors import BadReplyError, TooHeavyError

CHUNK = 65_536
_GZIP_OR_ZLIB = 47  # zlib finds out which


def read_body(chunks: Iterable[bytes], packing: str, *, max_bytes: int, host: str) -> bytes:
    """Return the body made of these chunks, unpacked; nothing is read on once it is too large.

    Raises TooHeavyError for a body of more than `max_bytes`, BadReplyError for one that cannot be unpacked.
    """
    how = packing.strip().lower()
    if how in ("", "identity"):
        return _joined(chunks, max_bytes, host)
    if how not in ("gzip", "x-gzip", "deflate"):
        raise BadReplyError(f"{host} packed its answer in a way it was not asked for")
    try:
        return _joined(_unpacked(chunks, host), max_bytes, host)
    except zlib.error as error:
        raise BadReplyError(f"{host} sent a packed answer that cannot be unpacked") from error


def _joined(chunks: Iterable[bytes], max_bytes: int, host: str) -> bytes:
    parts, n_bytes = [], 0
    for chunk in chunks:
        n_bytes += len(chunk)
        if n_bytes > max_bytes:
            raise TooHeavyError(
                f"{host} sent more than {in_words(max_bytes)}; the rest was not read"
            )
        parts.append(chunk)
    return b"".join(parts)


def in_words(n_bytes: int) -> str:
    """Return a number of bytes as people say it."""
    return f"{n_bytes / 1e6:g} MB" if n_bytes >= 100_000 else f"{n_bytes:,} bytes"


def _unpacked(chunks: Iterable[bytes], host: str) -> Iterable[bytes]:
    """Unpack in pieces of bounded size, whatever the chunks hold; several packed members may follow each other."""
    unpack, has_data = zlib.decompressobj(_GZIP_OR_ZLIB), False
    for chunk in chunks:
        left = chunk
        while left:
            has_data = True
            if unpack.eof:
                unpack = zlib.decompressobj(_GZIP_OR_ZLIB)
            piece = unpack.decompress(left, CHUNK)
            left = unpack.unused_data if unpack.eof else unpack.unconsumed_tail
            yield piece
    if has_data and not unpack.eof:
        raise BadReplyError(f"the answer of {host} ended early")
