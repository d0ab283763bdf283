"""SQL databases that must not lose anything: opened, set up, and their errors told in one line."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from kgcore.errors import StoreError

FILE = "runs.sqlite"  # runs and corrections lie in one database


def open_engine(where: Path | str, *, is_sync_full: bool = False) -> sa.Engine:
    """Open a database: a folder holding runs.sqlite, or a URL. Nothing is read yet."""
    url: sa.URL | str
    if isinstance(where, Path):
        where.mkdir(parents=True, exist_ok=True)
        if not os.access(where, os.W_OK):
            raise StoreError(f"the data folder {where} cannot be written")
        url = sa.URL.create("sqlite", database=str(where / FILE))
    else:
        url = where
    try:
        engine = sa.create_engine(url)
    except (sa.exc.ArgumentError, ImportError) as error:  # no URL, or a driver not installed
        raise StoreError("the run store's address is none, or its driver is missing") from error
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine, is_sync_full)
    return engine


def create_tables(
    engine: sa.Engine, metadata: sa.MetaData, format_: sa.Table, version: int
) -> None:
    """Create the tables that are missing; StoreError when they are of another format."""
    with engine.begin() as connection:
        metadata.create_all(connection)
        found = connection.execute(sa.select(format_.c.version)).scalar()
        if found is None:
            connection.execute(format_.insert().values(version=version))
        elif found != version:
            raise StoreError(
                f"the run store has format {found}, this program reads {version}; "
                "it was left untouched"
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


def now() -> str:
    """The time for people: ISO 8601, UTC, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _prepare_sqlite(engine: sa.Engine, is_sync_full: bool) -> None:
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
