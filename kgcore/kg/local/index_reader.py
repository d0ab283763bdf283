"""Opens a label index for reading, from any number of threads and processes."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kgcore.errors import ServiceError

_CHUNK = 500  # values in one query
_MOST_CONNECTIONS = 8


class IndexReader:
    """Runs queries on `labels.sqlite`; each thread that asks takes a connection from a small pool.

    The first connection is opened at once and stays, so that a reader keeps its version when the file is replaced
    or removed; from then on threads share the connections there are.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        # The file never changes once it is in place, so nobody needs to lock it.
        self._uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._changed = threading.Condition()
        self._n_open = 0
        self._idle: list[sqlite3.Connection] = []
        with self._connection() as db:
            db.execute("SELECT count(*) FROM relation")

    def close(self) -> None:
        """Close the connections that are not in use."""
        with self._changed:
            while self._idle:
                self._idle.pop().close()
                self._n_open -= 1

    def select(
        self,
        query: str,
        values: Iterable[object] | None = None,
        *,
        exactly: tuple[object, ...] = (),
    ) -> list[tuple[Any, ...]]:
        """Run a query; `?*` in it stands for the values, which go in pieces."""
        with self._connection() as db:
            if values is None:
                return db.execute(query, exactly).fetchall()
            rows: list[tuple[Any, ...]] = []
            distinct = list(dict.fromkeys(values))
            for start in range(0, len(distinct), _CHUNK):
                part = distinct[start : start + _CHUNK]
                rows += db.execute(query.replace("?*", ",".join("?" * len(part))), part).fetchall()
            return rows

    @contextlib.contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        db: sqlite3.Connection | None = None
        try:
            db = self._take()
            yield db
        except sqlite3.Error as error:
            raise ServiceError(f"the index {self._path} cannot be read: {error}") from error
        finally:
            if db is not None:
                with self._changed:
                    self._idle.append(db)
                    self._changed.notify()

    def _take(self) -> sqlite3.Connection:
        """Take an idle connection, or a new one while there are few, or wait for one."""
        with self._changed:
            while True:
                if self._idle:
                    return self._idle.pop()
                if self._n_open < _MOST_CONNECTIONS:
                    try:
                        return self._open()
                    except sqlite3.Error:
                        if not self._n_open:
                            raise
                self._changed.wait()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._uri, uri=True, check_same_thread=False)
        self._n_open += 1
        return db
