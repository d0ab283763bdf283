"""Small SQLite files that processes share: opened, and set aside when they are broken.

What is in them can be done without: a lost file costs time, never a result.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
TROUBLE = (sqlite3.Error, OSError)  # what using such a file may raise


class SharedFile:
    """A SQLite file, opened when it is first used; None is a database in memory. One thread uses it at a time."""

    def __init__(self, file: Path | None, schema: str, *, busy_s: float = 5.0) -> None:
        self._file, self._schema, self._busy_s = file, schema, busy_s
        self._db: sqlite3.Connection | None = None
        # Closes the file also when nobody asks for it.
        self._closing: weakref.finalize[..., SharedFile] | None = None

    def do(self, work: Work[T], *, is_change: bool = True) -> T:
        """Return what `work` returns, done in one transaction when it changes anything.

        A broken file is set aside and the work done with a new one. Raises sqlite3.Error or OSError when the file
        cannot be used at all: full, read-only, or held by another process for too long.
        """
        try:
            return self._try(work, is_change)
        except sqlite3.DatabaseError as error:
            if not _is_broken(error):
                raise
        self.close()
        try:
            return self._try(work, is_change)  # another process may have begun a new file meanwhile
        except sqlite3.DatabaseError as error:
            if not _is_broken(error) or self._file is None:
                raise
        self.close()
        _set_aside(self._file)
        return self._try(work, is_change)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._db = None
        if self._closing is not None:
            self._closing()

    def _try(self, work: Work[T], is_change: bool) -> T:
        db = self._db = self._db or self._opened()
        if not is_change:
            return work(db)
        db.execute("BEGIN IMMEDIATE")
        try:
            result = work(db)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            raise
        return result

    def _opened(self) -> sqlite3.Connection:
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(
            self._file or ":memory:",
            timeout=self._busy_s,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.executescript(self._schema)
        except BaseException:
            db.close()
            raise
        self._closing = weakref.finalize(self, _close, db)
        return db


def _close(db: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):
        db.close()


def _is_broken(error: sqlite3.DatabaseError) -> bool:
    """Whether the file holds no sound database of ours, rather than being busy, full or read-only."""
    return type(error) is sqlite3.DatabaseError or str(error).startswith("no such ")


def _set_aside(file: Path) -> None:
    kept = file.with_name(file.name + ".broken")
    log.warning("%s is broken; it is kept as %s and begun anew", file.name, kept.name)
    with contextlib.suppress(FileNotFoundError):
        file.replace(kept)
    for ending in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            file.with_name(file.name + ending).unlink()
