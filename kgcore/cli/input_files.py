"""What commands read: a file, or standard input for `-`."""

from __future__ import annotations

import sys
from pathlib import Path


def read_bytes(name: str, most: int) -> bytes:
    """Return what is in it; of more than `most` bytes one too many, which its reader refuses."""
    if name == "-":
        return sys.stdin.buffer.read(most + 1)
    with Path(name).open("rb") as file:
        return file.read(most + 1)
