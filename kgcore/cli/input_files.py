"""What commands read: a file, or standard input for `-`."""

from __future__ import annotations

import sys
from pathlib import Path

from kgcore.errors import InputError
from kgcore.kg.files.regular_files import open_regular


def read_bytes(name: str, most: int) -> bytes:
    """Return what is in it; of more than `most` bytes one too many, which its reader refuses."""
    if name == "-":
        if sys.stdin is None:
            raise InputError("there is no standard input to read from")
        return sys.stdin.buffer.read(most + 1)
    try:
        with open_regular(Path(name)) as file:
            return file.read(most + 1)
    except ValueError as error:  # a name that cannot be one
        raise InputError(f"{name[:60]!r} is no name of a file: {error}") from error
