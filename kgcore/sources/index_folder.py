"""Where what was read from a source's files lies: one folder for each state of the files.

    <home>/sources/<slug>/<version>/    what was made of the files; complete when it is there
    <home>/sources/<slug>/.new-…        being made, or what a killed program left
    <home>/sources/<slug>/files.json    hashes of files by size and time, so that they are read once

A version is a hash of what the files hold. It is made aside and renamed, so two programs and a killed one do no
harm; the version before stays a while, for runs that still read it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgcore.errors import InputError
from kgcore.kg.local.graph_folder import held
from kgcore.kg.local.graph_names import slug
from kgcore.transport import current_allowance

_LOOK_EVERY_S = 0.3
_N_KEPT = 2  # versions
_PIECE = 1_000_000  # bytes read at once


@dataclass(frozen=True, slots=True)
class SourceFileState:
    """A file and the hash of what it holds."""

    path: Path
    hash: str


Fill = Callable[[Path, Path | None], None]


class IndexFolder:
    """What was made of one source's files."""

    def __init__(self, home: Path, name: str) -> None:
        self.root = home / "sources" / slug(name)

    def states(self, files: Sequence[Path]) -> tuple[SourceFileState, ...]:
        """Hash the files; one whose size and time are known is not read again."""
        known = self._known()
        fresh: dict[str, tuple[int, int, str]] = {}
        for file in files:
            try:
                stat = file.stat()
                mark = (stat.st_size, stat.st_mtime_ns)
                kept = known.get(str(file))
                found = kept[2] if kept and tuple(kept[:2]) == mark else _hash(file)
            except OSError as error:
                raise InputError(f"{file} cannot be read: {error.strerror}") from error
            fresh[str(file)] = (*mark, found)
        if fresh != known:
            self._remember(fresh)
        return tuple(SourceFileState(Path(name), entry[2]) for name, entry in fresh.items())

    def folder(self, version: str, fill: Fill) -> Path:
        """Return the folder of a version; `fill(new, newest)` makes it, given the newest there is."""
        place = self.root / version
        if place.is_dir():
            with contextlib.suppress(OSError):
                os.utime(place)
            return place
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            if not os.access(self.root, os.W_OK):
                raise PermissionError(13, "it is read-only")
            self._make(place, fill)
        except OSError as error:
            if isinstance(error, BlockingIOError):
                raise
            raise InputError(
                f"the data folder cannot take what is read from the files: {error.strerror}"
            ) from error
        return place

    def remove(self) -> None:
        """Delete all that was made."""
        shutil.rmtree(self.root, ignore_errors=True)

    def _make(self, place: Path, fill: Fill) -> None:
        """Make a version; while another program is at it, wait for that one."""
        while True:
            try:
                with held(self.root / ".lock"):
                    if not place.is_dir():
                        self._fill(place, fill)
                    return
            except BlockingIOError:
                current_allowance().wait(_LOOK_EVERY_S, "waiting for another program to read files")

    def _fill(self, place: Path, fill: Fill) -> None:
        for left in self.root.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)
        staged = self.root / f".new-{uuid.uuid4().hex[:8]}"
        staged.mkdir()
        try:
            earlier = self._versions()
            fill(staged, earlier[0] if earlier else None)
            staged.rename(place)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
        for old in self._versions()[_N_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)

    def _versions(self) -> list[Path]:
        """Folders of versions, the last used first."""
        found = [p for p in self.root.iterdir() if p.is_dir() and not p.name.startswith(".")]
        return sorted(found, key=lambda p: (-p.stat().st_mtime_ns, p.name))

    def _known(self) -> dict[str, tuple[int, int, str]]:
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            data = json.loads((self.root / "files.json").read_text("utf-8"))
            return {str(k): (int(v[0]), int(v[1]), str(v[2])) for k, v in data.items()}
        return {}

    def _remember(self, states: dict[str, tuple[int, int, str]]) -> None:
        """Keep the hashes, where the data folder can be written; without them files are read again."""
        with contextlib.suppress(OSError):
            self.root.mkdir(parents=True, exist_ok=True)
            part = self.root / f".files.{uuid.uuid4().hex[:8]}"
            part.write_text(json.dumps(states), "utf-8")
            part.replace(self.root / "files.json")


def version_of(states: Sequence[SourceFileState], made_by: str) -> str:
    """Return the version of files, as made into an index by a program that calls itself `made_by`.

    Names count beside contents: they become names of tables and titles.
    """
    content = repr([(state.path.name, state.hash) for state in states]) + made_by
    return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def _hash(file: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with file.open("rb") as stream:
        while piece := stream.read(_PIECE):
            current_allowance().check()
            digest.update(piece)
    return digest.hexdigest()
