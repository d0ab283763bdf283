"""How much a host may be asked, and keeping to it in all threads and processes together.

The state is one small SQLite file: who is asking now, when the next request may start, what the last minute cost,
and until when a host asked to be left in peace. Moments are on time.monotonic(), which the processes of a machine
share; a moment of the future means that the machine was started anew, and what is known of the host is forgotten.

Permission is given at the moment of asking and never in advance, so that a pause holds for all who wait.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from kgcore.transport.database import TROUBLE, SharedFile, T, Work

log = logging.getLogger(__name__)
MINUTE = 60.0
POLL_S = 0.03  # between two looks for a free place
_MARGIN = 1.05  # requests started a second apart may arrive a little closer
_GRACE_S = 5.0  # how long after its end a request of a dead process keeps its place

_SCHEMA = """
CREATE TABLE IF NOT EXISTS host (
    name TEXT PRIMARY KEY, next_at REAL NOT NULL, paused_until REAL NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS place (id TEXT PRIMARY KEY, host TEXT, until REAL);
CREATE TABLE IF NOT EXISTS work (host TEXT, at REAL, seconds REAL, is_error INTEGER);
CREATE INDEX IF NOT EXISTS place_of ON place (host);
CREATE INDEX IF NOT EXISTS work_of ON work (host, at);
"""


@dataclass(frozen=True, slots=True)
class HostLimit:
    """What a host allows; None is no limit."""

    n_parallel: int = 8
    per_second: float | None = None
    seconds_of_work_per_minute: float | None = None
    errors_per_minute: int | None = None


_QUERY_SERVICE = HostLimit(5, seconds_of_work_per_minute=60, errors_per_minute=30)
KNOWN: Mapping[str, HostLimit] = {
    "musicbrainz.org": HostLimit(2, per_second=1),
    "query-scholarly.wikidata.org": _QUERY_SERVICE,
    "query.wikidata.org": _QUERY_SERVICE,
    "www.wikidata.org": HostLimit(3, per_second=5),
}


@dataclass(frozen=True, slots=True)
class Place:
    """The permission to send one request now."""

    id: str
    host: str


@dataclass(frozen=True, slots=True)
class Wait:
    """No place for so many seconds; `is_pause` when the host itself asked for it."""

    seconds: float
    is_pause: bool = False


class Limits:
    """The limits of all hosts and what is used of them; safe to share between threads.

    `own` gives hosts (`host` or `host:port`) a limit of their own; `file` is where processes keep the count
    together, None keeps it in this process.
    """

    def __init__(
        self,
        own: Mapping[str, HostLimit] | None = None,
        *,
        file: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own, self._clock = dict(own or {}), clock
        self._file, self._memory = SharedFile(file, _SCHEMA), SharedFile(None, _SCHEMA)
        self._alone_until = 0.0  # how long this process keeps its own count
        self._lock = threading.Lock()

    def of(self, host: str) -> HostLimit:
        """Return the limit of a host."""
        name = self._name(host)
        return self._own.get(name) or KNOWN.get(name) or HostLimit()

    def _name(self, host: str) -> str:
        bare = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        return bare if bare in self._own and host not in self._own else host

    def enter(self, host: str, *, until: float) -> Place | Wait:
        """Return a place, free again soon after `until` at the latest, or how long there is none."""
        name, limit = self._name(host), self.of(host)

        def enter(db: sqlite3.Connection) -> Place | Wait:
            now = self._clock()
            next_at, paused_until = _moments(db, name, now)
            db.execute("DELETE FROM place WHERE host = ? AND until < ?", (name, now - _GRACE_S))
            db.execute("DELETE FROM work WHERE host = ? AND at < ?", (name, now - MINUTE))
            if paused_until > now:
                return Wait(paused_until - now, is_pause=True)
            wait_s = max(next_at - now, _quota_s(db, name, limit, now))
            if wait_s > 0:
                return Wait(wait_s)
            (n_busy,) = db.execute("SELECT count(*) FROM place WHERE host = ?", (name,)).fetchone()
            if n_busy >= limit.n_parallel:
                return Wait(POLL_S)
            if limit.per_second:
                next_at = now + _MARGIN / limit.per_second
            _note(db, name, next_at, paused_until, now)
            place = Place(token_hex(8), name)
            db.execute("INSERT INTO place VALUES (?, ?, ?)", (place.id, name, until))
            return place

        return self._do(enter)

    def leave(self, place: Place, *, seconds: float, is_error: bool) -> None:
        """Give a place back and note what the request cost."""
        limit = self.of(place.host)
        is_counted = limit.seconds_of_work_per_minute or limit.errors_per_minute

        def leave(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM place WHERE id = ?", (place.id,))
            if is_counted:
                row = (place.host, self._clock(), seconds, int(is_error))
                db.execute("INSERT INTO work VALUES (?, ?, ?, ?)", row)

        self._do(leave)

    def pause(self, host: str, seconds: float) -> None:
        """Leave a host in peace for so many seconds, as it asked."""
        name = self._name(host)

        def pause(db: sqlite3.Connection) -> None:
            now = self._clock()
            next_at, paused_until = _moments(db, name, now)
            _note(db, name, next_at, max(paused_until, now + seconds), now)

        self._do(pause)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._file.close()

    def _do(self, work: Work[T]) -> T:
        with self._lock:
            if time.monotonic() < self._alone_until:
                return self._memory.do(work)
            try:
                return self._file.do(work)
            except TROUBLE as error:
                log.warning("limits are kept by this process alone for now: %s", error)
                self._file.close()
                self._alone_until = time.monotonic() + MINUTE
                return self._memory.do(work)


def _moments(db: sqlite3.Connection, name: str, now: float) -> tuple[float, float]:
    query = "SELECT next_at, paused_until, at FROM host WHERE name = ?"
    next_at, paused_until, at = db.execute(query, (name,)).fetchone() or (0.0, 0.0, 0.0)
    if at <= now:
        return next_at, paused_until
    for table in ("place", "work"):  # written before the machine was started anew
        db.execute(f"DELETE FROM {table} WHERE host = ?", (name,))
    return 0.0, 0.0


def _note(db: sqlite3.Connection, name: str, next_at: float, paused: float, now: float) -> None:
    db.execute("INSERT OR REPLACE INTO host VALUES (?, ?, ?, ?)", (name, next_at, paused, now))


def _quota_s(db: sqlite3.Connection, name: str, limit: HostLimit, now: float) -> float:
    """Return in how many seconds the last minute's work and errors leave room again; 0 when they do."""
    query = "SELECT at, seconds, is_error FROM work WHERE host = ? ORDER BY at"
    rows = db.execute(query, (name,)).fetchall()
    wait_s = 0.0
    for column, allowed in ((1, limit.seconds_of_work_per_minute), (2, limit.errors_per_minute)):
        used = sum(row[column] for row in rows)
        for row in rows:
            if allowed is None or used < allowed:
                break
            used -= row[column]
            wait_s = max(wait_s, row[0] + MINUTE - now)
    return wait_s
