"""The tables of the run store."""

from __future__ import annotations

import sqlalchemy as sa

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
