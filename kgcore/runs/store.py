"""The run store: journals, leases and what people write on runs, in SQLite (WAL) or PostgreSQL.

Rows belong to one run; large bodies are compressed blobs named by their content, shared between runs, so a
fork costs rows only and each run still exports and deletes alone. A driver holds a lease with a heartbeat;
appends carry the sequence number they expect, so two drivers can never both write one. Times of the wall
clock are for people; order is the sequence.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from kgcore.errors import InputError, LeaseLostError, UnknownRunError
from kgcore.runs.base import RunRecord
from kgcore.runs.entries import Ended, Entry, Started
from kgcore.runs.journal import Journal
from kgcore.runs.rows import LONGEST_LEASE, entry_of, packed, record_of, seconds_left
from kgcore.runs.schema import (
    SCHEMA_VERSION,
    blobs_table,
    entries_table,
    metadata,
    runs_table,
    version_table,
)
from kgcore.runs.standing import ENDS
from kgcore.transport.sql import create_tables, now, open_engine, told

LEASE_SECONDS = 15.0
_INLINE_BYTES = 600


class SqlRunStore:
    """The run store over SQLAlchemy; open it with `SqlRunStore.open(folder or URL)`."""

    def __init__(self, engine: sa.Engine, *, lease_seconds: float = LEASE_SECONDS) -> None:
        self.lease_seconds = lease_seconds
        self.engine = engine
        self._reader = engine.execution_options(is_read=True)

    @classmethod
    def open(
        cls, where: Path | str, *, is_sync_full: bool = False, lease_seconds: float = LEASE_SECONDS
    ) -> SqlRunStore:
        """Open or create the store: a folder holding runs.sqlite, or a database URL."""
        engine = open_engine(where, is_sync_full=is_sync_full)
        with told(f"open {engine.url.render_as_string(hide_password=True)}"):
            create_tables(engine, metadata, version_table, SCHEMA_VERSION)
        return cls(engine, lease_seconds=lease_seconds)

    def create(
        self,
        started: Started,
        *,
        owner: str = "local",
        entries: Sequence[Entry] = (),
        when: str = "",
    ) -> None:
        """Write a new run with its first entry and, for a fork or an import, those after it."""
        first = Entry(0, when or now(), started)
        ended = Journal((first, *entries)).ended
        record = {
            "id": started.run_id,
            "owner": owner,
            "created": first.when,
            "question": started.question,
            "method": started.method,
            "model": dict(started.models).get("reason", ""),
            "kgs": json.dumps([name for name, _ in started.kgs]),
            "parent": started.parent,
            "kind": started.kind,
            "status": ended.status if ended else "interrupted",
            "answer": ended.answer.text if ended and ended.answer else "",
        }
        with told("create"), self.engine.begin() as connection:
            if connection.execute(
                sa.select(runs_table.c.id).where(runs_table.c.id == started.run_id)
            ).first():
                raise InputError(f"there is already a run {started.run_id}")
            connection.execute(runs_table.insert().values(record))
            self._insert(connection, started.run_id, (first, *entries))

    def append(self, run_id: str, entries: Sequence[Entry], *, driver: str) -> None:
        """Write the entries durably, all or none, before returning."""
        with told("append"), self.engine.begin() as connection:
            holder = connection.execute(
                sa.select(runs_table.c.driver).where(runs_table.c.id == run_id)
            ).scalar()
            if holder != driver:
                raise LeaseLostError(f"run {run_id} is driven by another process")
            try:
                self._insert(connection, run_id, entries)
            except IntegrityError as error:
                raise LeaseLostError(f"run {run_id} was written by another driver") from error
            last = entries[-1].body
            if isinstance(last, Ended):
                values = {"status": last.status, "answer": last.answer.text if last.answer else ""}
                connection.execute(
                    runs_table.update().where(runs_table.c.id == run_id).values(values)
                )

    def _insert(self, connection: sa.Connection, run_id: str, entries: Sequence[Entry]) -> None:
        rows = [self._row(connection, run_id, entry) for entry in entries]
        connection.execute(entries_table.insert(), rows)

    def _row(self, connection: sa.Connection, run_id: str, entry: Entry) -> dict[str, Any]:
        """Return the entry's row; a large body goes into a blob, unless the store has that one."""
        data = packed(entry.body)
        row: dict[str, Any] = {
            "run_id": run_id,
            "seq": entry.seq,
            "position": entry.position,
            "idx": entry.index,
            "written": entry.when,
            "body": data,
            "blob": None,
        }
        if len(data) > _INLINE_BYTES:
            name = hashlib.blake2b(data, digest_size=16).hexdigest()
            row["body"], row["blob"] = None, name
            if not connection.execute(
                sa.select(blobs_table.c.hash).where(blobs_table.c.hash == name)
            ).first():
                connection.execute(blobs_table.insert().values(hash=name, data=data))
        return row

    def load(self, run_id: str, *, since: int = 0) -> list[Entry]:
        """Return the entries from number `since` on."""
        query = (
            sa.select(entries_table, blobs_table.c.data)
            .outerjoin(blobs_table, blobs_table.c.hash == entries_table.c.blob)
            .where(entries_table.c.run_id == run_id, entries_table.c.seq >= since)
            .order_by(entries_table.c.seq)
        )
        with told("load"), self._reader.connect() as connection:
            rows = connection.execute(query).all()
        if not rows and since == 0:
            raise UnknownRunError(f"no run {run_id}")
        return [entry_of(run_id, row) for row in rows]

    def firsts(self, run_ids: Iterable[str]) -> dict[str, Entry]:
        """Return the first entry of each of these runs that is here."""
        query = (
            sa.select(entries_table, blobs_table.c.data)
            .outerjoin(blobs_table, blobs_table.c.hash == entries_table.c.blob)
            .where(entries_table.c.run_id.in_(sorted(run_ids)), entries_table.c.seq == 0)
        )
        with told("read"), self._reader.connect() as connection:
            rows = connection.execute(query).all()
        return {str(row.run_id): entry_of(row.run_id, row) for row in rows}

    def record(self, run_id: str) -> RunRecord:
        """Return the run as lists show it."""
        with told("read"), self._reader.connect() as connection:
            row = connection.execute(sa.select(runs_table).where(runs_table.c.id == run_id)).first()
        if row is None:
            raise UnknownRunError(f"no run {run_id}")
        return record_of(row)

    def find(self, start: str) -> str:
        """Return the id of the one run whose id starts so; UnknownRunError for none or several."""
        query = (
            sa.select(runs_table.c.id)
            .where(runs_table.c.id.startswith(start, autoescape=True))
            .limit(2)
        )
        with told("read"), self._reader.connect() as connection:
            found = [row.id for row in connection.execute(query)]
        if start in found:
            return start
        if len(found) != 1 or not start:
            raise UnknownRunError(f"no run {start}" if not found else f"several runs start {start}")
        return str(found[0])

    def list(
        self, *, owner: str = "local", limit: int = 200, is_deleted: bool = False
    ) -> list[RunRecord]:
        """Return the newest runs first; deleted ones only when asked for."""
        gone = (
            runs_table.c.deleted_at.is_not(None)
            if is_deleted
            else runs_table.c.deleted_at.is_(None)
        )
        query = sa.select(runs_table).where(runs_table.c.owner == owner, gone)
        query = query.order_by(runs_table.c.created.desc(), runs_table.c.id).limit(limit)
        with told("list"), self._reader.connect() as connection:
            return [record_of(row) for row in connection.execute(query)]

    def endings(self, *, owner: str = "local") -> Sequence[tuple[RunRecord, Started, Ended]]:
        """Return every run that has ended with its first entry and its end, the newest first."""
        told_of = (  # the first entry, ends and resumptions belong to no step
            sa.select(runs_table, entries_table, blobs_table.c.data)
            .join(entries_table, entries_table.c.run_id == runs_table.c.id)
            .outerjoin(blobs_table, blobs_table.c.hash == entries_table.c.blob)
            .where(runs_table.c.owner == owner, runs_table.c.deleted_at.is_(None))
            .where(entries_table.c.position == -1, runs_table.c.status.in_(ENDS))
            .order_by(runs_table.c.created.desc(), runs_table.c.id, entries_table.c.seq)
        )
        found: list[tuple[RunRecord, Started, Ended]] = []
        with told("read"), self._reader.connect() as connection:
            rows = connection.execute(told_of).all()
        for run_id, group in groupby(rows, key=lambda row: str(row.id)):
            of_run = list(group)
            started, ended = (entry_of(run_id, row).body for row in (of_run[0], of_run[-1]))
            if isinstance(started, Started) and isinstance(ended, Ended):
                found.append((record_of(of_run[0]), started, ended))
        return found

    def annotate(self, run_id: str, **values: Any) -> None:
        """Set name, tags, is_starred, deleted_at, status or answer."""
        allowed = {"name", "tags", "is_starred", "deleted_at", "status", "answer", "owner"}
        if set(values) - allowed:
            raise InputError(f"cannot set {', '.join(sorted(set(values) - allowed))} on a run")
        if "tags" in values:
            values["tags"] = json.dumps(list(values["tags"]), ensure_ascii=False)
        with told("write"), self.engine.begin() as connection:
            done = connection.execute(
                runs_table.update().where(runs_table.c.id == run_id).values(values)
            )
        if done.rowcount == 0:
            raise UnknownRunError(f"no run {run_id}")

    def delete(self, run_id: str) -> None:
        """Remove a run for good, with the blobs nobody else uses."""
        used = sa.select(entries_table.c.blob).where(entries_table.c.blob.is_not(None))
        with told("delete"), self.engine.begin() as connection:
            connection.execute(entries_table.delete().where(entries_table.c.run_id == run_id))
            done = connection.execute(runs_table.delete().where(runs_table.c.id == run_id))
            connection.execute(blobs_table.delete().where(blobs_table.c.hash.not_in(used)))
        if done.rowcount == 0:
            raise UnknownRunError(f"no run {run_id}")

    def take_lease(self, run_id: str, driver: str) -> None:
        """Become the run's driver; LeaseLostError while another one's lease holds."""
        now_ = time.time()
        is_held = runs_table.c.lease_until.between(now_, now_ + LONGEST_LEASE)
        free = sa.or_(sa.not_(is_held), runs_table.c.driver.in_(("", driver)))
        with told("lease"), self.engine.begin() as connection:
            done = connection.execute(
                runs_table.update()
                .where(runs_table.c.id == run_id, free)
                .values(driver=driver, lease_until=now_ + self.lease_seconds, status="running")
            )
        if done.rowcount == 0:
            self.record(run_id)
            raise LeaseLostError(f"run {run_id} is being driven by another process")

    def renew_lease(self, run_id: str, driver: str) -> bool:
        """Extend the lease; False when it is another's."""
        with told("lease"), self.engine.begin() as connection:
            done = connection.execute(
                runs_table.update()
                .where(runs_table.c.id == run_id, runs_table.c.driver == driver)
                .values(lease_until=time.time() + self.lease_seconds)
            )
        return bool(done.rowcount)

    def lease_left(self, run_id: str) -> float:
        """Return for how many seconds the present driver's lease holds; 0 when nobody drives the run."""
        query = sa.select(runs_table.c.lease_until).where(runs_table.c.id == run_id)
        with told("lease"), self._reader.connect() as connection:
            until = connection.execute(query).scalar()
        return seconds_left(until or 0.0)

    def release_lease(self, run_id: str, driver: str) -> None:
        """Stop being the run's driver."""
        with told("lease"), self.engine.begin() as connection:
            connection.execute(
                runs_table.update()
                .where(runs_table.c.id == run_id, runs_table.c.driver == driver)
                .values(driver="", lease_until=0.0)
            )

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
