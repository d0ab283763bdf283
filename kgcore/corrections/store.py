"""Where corrections are kept: rows of the database that holds the runs.

Every change carries the revision it was made against, so of two people (or two tabs) that change one correction the
second is told; nothing is overwritten. Of the corrections that touch one triple any number can be proposed, and
one be approved: those in force never contradict each other.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from kgcore.corrections.correction import Correction, added, removed
from kgcore.corrections.proposal import Change, Proposal, checked, disagree, moved
from kgcore.corrections.rows import content_of, correction_of, key_of
from kgcore.corrections.schema import (
    FORMAT,
    changes_table,
    corrections_table,
    format_table,
    metadata,
)
from kgcore.errors import ConflictError, UnknownCorrectionError
from kgcore.model import to_dict
from kgcore.transport.sql import create_tables, now, open_engine, told


class CorrectionStore:
    """Corrections of one owner. Safe to use from several threads and processes."""

    def __init__(self, engine: sa.Engine, *, owner: str = "local") -> None:
        self.engine, self.owner = engine, owner
        self._reader = engine.execution_options(is_read=True)
        with told("open the corrections"):
            create_tables(engine, metadata, format_table, FORMAT)

    @classmethod
    def open(cls, where: Path | str, *, owner: str = "local") -> CorrectionStore:
        """Open or create the store: the folder of the runs, or a database URL."""
        return cls(open_engine(where), owner=owner)

    # what a person does

    def propose(self, correction: Correction, *, what: str = "propose", note: str = "") -> Proposal:
        """Keep a correction for somebody to decide on; what was proposed already is returned as it is.

        A correction without an id, or with one that is taken, gets a new one.
        """
        checked(correction)
        when = correction.when or now()
        with told("propose"), self.engine.begin() as connection:
            known = self._known(connection, correction)
            if known is not None:
                return known
            is_taken = corrections_table.c.id == correction.id
            taken = connection.execute(sa.select(corrections_table.c.id).where(is_taken)).first()
            name = correction.id if correction.id and not taken else uuid.uuid4().hex
            mine = replace(correction, id=name, when=when)
            row = {"id": name, "owner": self.owner, "created": when, **content_of(mine)}
            row |= {"status": "proposed", "revision": 1}
            connection.execute(corrections_table.insert().values(row))
            change = Change(what, mine.author, now(), mine, note)
            self._note(connection, change, 1)
        return Proposal(mine, "proposed", 1, (change,))

    def approve(
        self, name: str, *, who: str = "local", revision: int | None = None, note: str = ""
    ) -> Proposal:
        """Put a correction in force; ConflictError when one that contradicts it already is."""
        return self._move(name, "approve", who, revision, note=note)

    def reject(
        self, name: str, *, who: str = "local", revision: int | None = None, note: str = ""
    ) -> Proposal:
        """Decide against a correction; it is kept."""
        return self._move(name, "reject", who, revision, note=note)

    def withdraw(
        self, name: str, *, who: str = "local", revision: int | None = None, note: str = ""
    ) -> Proposal:
        """Take a proposal back; it is kept."""
        return self._move(name, "withdraw", who, revision, note=note)

    def undo(
        self, name: str, *, who: str = "local", revision: int | None = None, note: str = ""
    ) -> Proposal:
        """Make a correction that was decided on, or withdrawn, a proposal again."""
        return self._move(name, "undo", who, revision, note=note)

    def revise(
        self, correction: Correction, *, who: str = "local", revision: int, note: str = ""
    ) -> Proposal:
        """Change what a proposal says; ConflictError when it was changed since `revision`."""
        checked(correction)
        return self._move(correction.id, "revise", who, revision, note=note, content=correction)

    # what there is

    def get(self, name: str) -> Proposal:
        """Return a correction; UnknownCorrectionError for no such one."""
        with told("read"), self._reader.connect() as connection:
            return self._get(connection, name)

    def known(self, correction: Correction) -> Proposal | None:
        """Return the proposal, or the approved correction, that says the same; None where nobody said it."""
        with told("read"), self._reader.connect() as connection:
            return self._known(connection, correction)

    def find(self, start: str) -> str:
        """Return the id of the one correction whose id starts so."""
        query = sa.select(corrections_table.c.id).where(
            corrections_table.c.owner == self.owner,
            corrections_table.c.id.startswith(start, autoescape=True),
        )
        with told("read"), self._reader.connect() as connection:
            found = [str(row.id) for row in connection.execute(query.limit(2))]
        if start in found:
            return start
        if len(found) != 1 or not start:
            what = f"several corrections start {start}" if found else f"no correction {start}"
            raise UnknownCorrectionError(what)
        return found[0]

    def list(self, *, kgs: Iterable[str] = (), status: str = "") -> tuple[Proposal, ...]:
        """Return corrections, the newest first: of some graphs only, of one status only."""
        query = sa.select(corrections_table).where(corrections_table.c.owner == self.owner)
        names = tuple(kgs)
        if names:
            query = query.where(corrections_table.c.kg.in_(names))
        if status:
            query = query.where(corrections_table.c.status == status)
        query = query.order_by(corrections_table.c.created.desc(), corrections_table.c.id)
        with told("list"), self._reader.connect() as connection:
            return self._with_history(connection, connection.execute(query).all())

    def in_force(self, kgs: Sequence[str]) -> tuple[Correction, ...]:
        """Return the approved corrections of some graphs, the oldest first."""
        query = (
            sa.select(corrections_table.c.id, corrections_table.c.body)
            .where(corrections_table.c.owner == self.owner, corrections_table.c.kg.in_(tuple(kgs)))
            .where(corrections_table.c.status == "approved")
            .order_by(corrections_table.c.created, corrections_table.c.id)
        )
        with told("read"), self._reader.connect() as connection:
            return tuple(correction_of(row) for row in connection.execute(query))

    def conflicts(self, correction: Correction) -> tuple[Proposal, ...]:
        """Return the proposals and approved corrections that contradict one."""
        with told("read"), self._reader.connect() as connection:
            return tuple(
                known
                for known in self._touching(connection, correction)
                if known.status in ("proposed", "approved")
                and disagree(known.correction, correction)
            )

    # rows

    def _move(
        self,
        name: str,
        move: str,
        who: str,
        revision: int | None,
        *,
        note: str,
        content: Correction | None = None,
    ) -> Proposal:
        with told(move), self.engine.begin() as connection:
            known = self._get(connection, name)
            if revision is not None and revision != known.revision:
                last = known.history[-1]
                raise ConflictError(
                    f"correction {name[:8]} was changed meanwhile ({last.what} by {last.who}); "
                    "look at it again"
                )
            status = moved(known.status, move)
            correction = content or known.correction
            if status == "approved":
                self._check_alone(connection, correction)
            change = Change(move, who, now(), correction, note)
            self._write(connection, known, change, status)
        return Proposal(correction, status, known.revision + 1, (*known.history, change))

    def _check_alone(self, connection: sa.Connection, correction: Correction) -> None:
        for other in self._touching(connection, correction):
            if other.is_in_force and disagree(other.correction, correction):
                raise ConflictError(_refusal(other.correction))

    def _write(
        self, connection: sa.Connection, known: Proposal, change: Change, status: str
    ) -> None:
        """Write a change if the row is still at the revision that was read."""
        mine = sa.and_(
            corrections_table.c.id == known.id, corrections_table.c.revision == known.revision
        )
        values = {**content_of(change.correction), "status": status, "revision": known.revision + 1}
        try:
            done = connection.execute(corrections_table.update().where(mine).values(values))
        except IntegrityError as error:  # approved elsewhere at the same moment
            raise ConflictError("a correction of the same triple was approved meanwhile") from error
        if done.rowcount == 0:
            raise ConflictError(
                f"correction {known.id[:8]} was changed meanwhile; look at it again"
            )
        self._note(connection, change, known.revision + 1)

    def _note(self, connection: sa.Connection, change: Change, revision: int) -> None:
        connection.execute(
            changes_table.insert().values(
                correction_id=change.correction.id,
                revision=revision,
                what=change.what,
                who=change.who,
                written=change.when,
                note=change.note,
                body=json.dumps(to_dict(change.correction)),
            )
        )

    def _get(self, connection: sa.Connection, name: str) -> Proposal:
        mine = sa.and_(corrections_table.c.id == name, corrections_table.c.owner == self.owner)
        row = connection.execute(sa.select(corrections_table).where(mine)).first()
        if row is None:
            raise UnknownCorrectionError(f"no correction {name}")
        return self._with_history(connection, [row])[0]

    def _known(self, connection: sa.Connection, correction: Correction) -> Proposal | None:
        for known in self._touching(connection, replace(correction, id="")):
            is_open = known.status in ("proposed", "approved")
            if is_open and _says_same(known.correction, correction):
                return known
        return None

    def _touching(self, connection: sa.Connection, correction: Correction) -> tuple[Proposal, ...]:
        """Return the corrections that take away or put in one of its triples."""
        names = [key for key in (key_of(removed(correction)), key_of(added(correction))) if key]
        query = sa.select(corrections_table).where(
            corrections_table.c.owner == self.owner,
            corrections_table.c.kg == correction.kg,
            corrections_table.c.id != correction.id,
            sa.or_(corrections_table.c.gone.in_(names), corrections_table.c.new.in_(names)),
        )
        found = connection.execute(
            query.order_by(corrections_table.c.created, corrections_table.c.id)
        ).all()
        return self._with_history(connection, found)

    def _with_history(self, connection: sa.Connection, rows: Sequence[Any]) -> tuple[Proposal, ...]:
        histories: dict[str, list[Change]] = {row.id: [] for row in rows}
        query = sa.select(changes_table).order_by(changes_table.c.revision)
        if len(rows) <= 100:  # more names than that do not fit a query everywhere
            query = query.where(changes_table.c.correction_id.in_(list(histories)))
        for row in connection.execute(query) if rows else ():
            if row.correction_id in histories:
                change = Change(row.what, row.who, row.written, correction_of(row), row.note)
                histories[row.correction_id].append(change)
        return tuple(
            Proposal(correction_of(row), row.status, row.revision, tuple(histories[row.id]))
            for row in rows
        )


def _refusal(other: Correction) -> str:
    return (
        f"correction {other.id[:8]} of {other.author} ({other.text}) is approved and concerns the same "
        "triple; undo it first"
    )


def _says_same(one: Correction, other: Correction) -> bool:
    """Tell whether somebody said this before, in all but the time."""
    return replace(one, id="", when="") == replace(other, id="", when="")
