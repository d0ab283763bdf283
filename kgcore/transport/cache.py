"""Replies kept on disk, so that the same question to the same data is asked once.

One SQLite file, shared by processes. A reply is found by a hash of what was asked; what was asked, and the secrets it
was asked with, are not in the file. When the file grows over its bound the replies not used for longest go first.
Whatever is wrong with the file (broken, full disk, a folder that is read-only), requests go on without it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from kgcore.transport.database import TROUBLE, SharedFile, T, Work
from kgcore.transport.http import HttpRequest, HttpResponse

log = logging.getLogger(__name__)
DAY = 86_400.0
_BUSY_S = 0.3  # rather ask again than wait long for the file
_REST_S = 30.0
_SHOWN = "status, headers, body, fetched"
_TO_KEEP = ("content-type", "content-language", "last-modified", "etag")
_KEEP_TOO = ("x-sparql-", "x-sql-")  # how Virtuoso says that an answer is not whole
_ASKED_WITH = ("accept", "accept-language", "content-type")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY, scope TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL,
    body BLOB NOT NULL, fetched TEXT NOT NULL, kept REAL NOT NULL, used REAL NOT NULL, n_bytes INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS reply_scope ON reply (scope);
CREATE INDEX IF NOT EXISTS reply_used ON reply (used);
CREATE TABLE IF NOT EXISTS total (id INTEGER PRIMARY KEY CHECK (id = 1), n_bytes INTEGER NOT NULL);
INSERT OR IGNORE INTO total VALUES (1, 0);
CREATE TRIGGER IF NOT EXISTS reply_added AFTER INSERT ON reply
    BEGIN UPDATE total SET n_bytes = n_bytes + new.n_bytes; END;
CREATE TRIGGER IF NOT EXISTS reply_gone AFTER DELETE ON reply
    BEGIN UPDATE total SET n_bytes = n_bytes - old.n_bytes; END;
"""


def key_of(request: HttpRequest, scope: str) -> str:
    """Return what a reply is found by: a hash of the request without its secrets."""
    asked = {n.lower(): v for n, v in request.headers if n.lower() in _ASKED_WITH}
    parts = [scope, request.method, request.url, sorted(asked.items())]
    text = json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text + b"\0" + request.body).hexdigest()


class ResponseCache:
    """The kept replies; safe to share between threads and processes."""

    def __init__(
        self,
        file: Path,
        *,
        max_bytes: int = 500_000_000,
        max_age_s: float = 30 * DAY,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._max_bytes, self._max_age_s, self._clock = max_bytes, max_age_s, clock
        self._file = SharedFile(file, _SCHEMA, busy_s=_BUSY_S)
        self._lock = threading.Lock()
        # On time.monotonic(): a file that cannot be used is let be for a while.
        self._rest_until = 0.0

    def get(self, request: HttpRequest, scope: str) -> HttpResponse | None:
        """Return the kept reply to a request; None when there is none that is young enough."""
        key, now = key_of(request, scope), self._clock()

        def look(db: sqlite3.Connection) -> tuple[int, str, bytes, str] | None:
            # Kept in the future: the clock was set back, and nobody knows how old it is.
            query = f"SELECT {_SHOWN} FROM reply WHERE key = ? AND kept BETWEEN ? AND ?"
            found: tuple[int, str, bytes, str] | None = db.execute(
                query, (key, now - self._max_age_s, now + 60)
            ).fetchone()
            return found

        row = self._do(look, is_change=False)
        if row is None:
            return None
        self._do(lambda db: db.execute("UPDATE reply SET used = ? WHERE key = ?", (now, key)))
        try:
            body = zlib.decompress(row[2])
        except zlib.error:
            return None
        return HttpResponse(row[0], json.loads(row[1]), body, request.url, row[3], is_cached=True)

    def put(self, request: HttpRequest, scope: str, response: HttpResponse) -> None:
        """Keep a reply."""
        headers = {
            name: value
            for name, value in response.headers.items()
            if name in _TO_KEEP or name.startswith(_KEEP_TOO)
        }
        body, now, shown = zlib.compress(response.body, 1), self._clock(), json.dumps(headers)
        key, n_bytes = key_of(request, scope), len(body) + len(shown) + 200
        row = (key, scope, response.status, shown, body, response.fetched, now, now, n_bytes)

        def keep(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM reply WHERE key = ?", (key,))  # REPLACE would fire no trigger
            db.execute("INSERT INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._make_room(db, now)

        if n_bytes <= self._max_bytes:
            self._do(keep)

    def size(self, scope: str = "") -> tuple[int, int]:
        """Return how many replies of the scopes that begin so, or of all, are kept, and their bytes."""

        def count(db: sqlite3.Connection) -> tuple[int, int]:
            if not scope:
                (n,) = db.execute("SELECT count(*) FROM reply").fetchone()
                return n, _n_bytes(db)
            query = "SELECT count(*), coalesce(sum(n_bytes), 0) FROM reply WHERE scope >= ? AND scope < ?"
            n, n_bytes = db.execute(query, (scope, scope + chr(0x10FFFF))).fetchone()
            return n, n_bytes

        return self._do(count, is_change=False) or (0, 0)

    def clear(self, scope: str = "") -> int:
        """Forget the replies of the scopes that begin so, or all; return how many there were."""

        def forget(db: sqlite3.Connection) -> int:
            query = "DELETE FROM reply WHERE substr(scope, 1, ?) = ?"
            return db.execute(query, (len(scope), scope)).rowcount

        n_gone = self._do(forget) or 0
        self._do(lambda db: db.execute("PRAGMA incremental_vacuum").fetchall(), is_change=False)
        return n_gone

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._file.close()

    def _do(self, work: Work[T], *, is_change: bool = True) -> T | None:
        """Use the file; None when that fails, which is no reason for a request to fail."""
        with self._lock:
            if time.monotonic() < self._rest_until:
                return None
            try:
                return self._file.do(work, is_change=is_change)
            except TROUBLE as error:
                log.warning("replies are not kept for now: %s", error)
                self._file.close()
                self._rest_until = time.monotonic() + _REST_S
                return None

    def _make_room(self, db: sqlite3.Connection, now: float) -> None:
        if _n_bytes(db) <= self._max_bytes:
            return
        db.execute("DELETE FROM reply WHERE kept < ?", (now - self._max_age_s,))
        bound = int(0.97 * self._max_bytes)  # a little more, so that it is not done every time
        used = db.execute("SELECT key, n_bytes FROM reply ORDER BY used, key")
        gone, left = [], _n_bytes(db)
        for key, n_bytes in used:
            if left <= bound:
                break
            gone.append((key,))
            left -= n_bytes
        db.executemany("DELETE FROM reply WHERE key = ?", gone)


def _n_bytes(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT n_bytes FROM total").fetchone()[0])
