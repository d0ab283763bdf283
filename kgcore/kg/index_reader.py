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


class IndexReader:
    """Runs queries on `labels.sqlite`; each thread that asks takes a connection from a small pool."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # The file never changes once it is in place, so nobody needs to lock it.
        self._uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    def close(self) -> None:
        """Close the connections that are not in use."""
        with self._lock:
            while self._idle:
                self._idle.pop().close()

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
        with self._lock:
            db = self._idle.pop() if self._idle else None
        try:
            if db is None:
                db = sqlite3.connect(self._uri, uri=True, check_same_thread=False)
            yield db
        except sqlite3.Error as error:
            raise ServiceError(f"the index {self._path} cannot be read: {error}") from error
        finally:
            if db is not None:
                with self._lock:
                    self._idle.append(db)
