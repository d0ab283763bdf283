"""The tables of the run store, how SQLite is set up for them, and what its errors become."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from kgcore.errors import StoreError

SCHEMA_VERSION = 1

metadata = sa.MetaData()
runs_table = sa.Table(
    "runs",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("owner", sa.String(200), nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("method", sa.String(80), nullable=False),
    sa.Column("model", sa.String(200), nullable=False),
    sa.Column("kgs", sa.Text, nullable=False),
    sa.Column("parent", sa.String(40), nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("answer", sa.Text, nullable=False, default=""),
    sa.Column("driver", sa.String(80), nullable=False, default=""),
    sa.Column("lease_until", sa.Float, nullable=False, default=0.0),
    sa.Column("name", sa.Text, nullable=False, default=""),
    sa.Column("tags", sa.Text, nullable=False, default=""),
    sa.Column("is_starred", sa.Boolean, nullable=False, default=False),
    sa.Column("deleted_at", sa.String(40)),
)
entries_table = sa.Table(
    "entries",
    metadata,
    sa.Column("run_id", sa.String(40), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("idx", sa.Integer, nullable=False),
    sa.Column("written", sa.String(40), nullable=False),
    sa.Column("body", sa.LargeBinary),
    sa.Column("blob", sa.String(32)),
)
blobs_table = sa.Table(
    "blobs",
    metadata,
    sa.Column("hash", sa.String(32), primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
version_table = sa.Table(
    "schema_version", metadata, sa.Column("version", sa.Integer, primary_key=True)
)


class told:
    """Turn a database error into a StoreError of one line; what was acknowledged stays."""

    def __init__(self, doing: str) -> None:
        self.doing = doing

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError):
            said = str(error.orig) if isinstance(error, DBAPIError) else ""
            reason = " ".join(said.split()) or type(error).__name__
            raise StoreError(f"the run store failed ({self.doing}): {reason}") from error


def prepare_sqlite(engine: sa.Engine, is_sync_full: bool) -> None:
    """Use WAL, and begin every transaction as a writer: deferred ones fail under contention."""

    @sa.event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA busy_timeout=30000")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={'FULL' if is_sync_full else 'NORMAL'}")

    @sa.event.listens_for(engine, "begin")
    def on_begin(connection: sa.Connection) -> None:
        is_read = connection.get_execution_options().get("is_read", False)
        connection.exec_driver_sql("BEGIN" if is_read else "BEGIN IMMEDIATE")
