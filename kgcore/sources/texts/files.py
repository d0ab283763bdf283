"""Which files belong to a source of passages: files that were named, and all that fit in folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from kgcore.errors import InputError
from kgcore.transport import current_allowance

SUFFIXES = (".txt", ".text", ".md", ".markdown", ".jsonl", ".ndjson", ".pdf")
_MOST_FILES = 50_000
_MOST_BYTES = 4_000_000_000


def text_files(places: Sequence[str]) -> tuple[Path, ...]:
    """Return the files in a stable order; InputError for a place that is not there or holds none."""
    found: dict[Path, None] = {}
    size = 0
    for place in places:
        for file in _files(Path(place).expanduser()):
            current_allowance().check()
            if file not in found:
                found[file] = None
                size += file.stat().st_size
            if len(found) > _MOST_FILES or size > _MOST_BYTES:
                raise InputError(
                    f"a source holds at most {_MOST_FILES:,} files and {_MOST_BYTES:,} bytes"
                )
    if not found:
        raise InputError(f"there is no file to read: {', '.join(SUFFIXES)}")
    return tuple(found)


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        if place.suffix.lower() not in SUFFIXES:
            raise InputError(f"{place.name} is not read as text: {', '.join(SUFFIXES)}")
        yield place
        return
    if not place.is_dir():
        raise InputError(f"there is no file or folder {place}")
    for folder, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            fits = file.suffix.lower() in SUFFIXES and not name.startswith(".")
            if fits and file.is_file():  # not a pipe, nor a link that leads nowhere
                yield file
