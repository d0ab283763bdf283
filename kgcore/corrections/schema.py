"""The tables of the corrections, in the database that holds the runs."""

from __future__ import annotations

import sqlalchemy as sa

FORMAT = 1

metadata = sa.MetaData()
corrections_table = sa.Table(
    "corrections",
    metadata,
    sa.Column("id", sa.String(40), primary_key=True),
    sa.Column("owner", sa.String(200), nullable=False, default="local"),
    sa.Column("kg", sa.String(200), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("created", sa.String(40), nullable=False),
    sa.Column("gone", sa.String(32), nullable=False, default=""),  # hash of the triple taken away
    sa.Column("new", sa.String(32), nullable=False, default=""),  # hash of the triple put in
    sa.Column("body", sa.Text, nullable=False),
)
_one_in_force = sa.and_(corrections_table.c.status == "approved", corrections_table.c.gone != "")
sa.Index(
    "one_correction_in_force",
    corrections_table.c.owner,
    corrections_table.c.kg,
    corrections_table.c.gone,
    unique=True,
    sqlite_where=_one_in_force,
    postgresql_where=_one_in_force,
)
changes_table = sa.Table(
    "correction_changes",
    metadata,
    sa.Column("correction_id", sa.String(40), primary_key=True),
    sa.Column("revision", sa.Integer, primary_key=True),
    sa.Column("what", sa.String(20), nullable=False),
    sa.Column("who", sa.String(200), nullable=False),
    sa.Column("written", sa.String(40), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
format_table = sa.Table(
    "corrections_format", metadata, sa.Column("version", sa.Integer, primary_key=True)
)
