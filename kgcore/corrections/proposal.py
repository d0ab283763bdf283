"""A correction on its way: proposed, approved, rejected, and everything that happened to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal as OneOf
from urllib.parse import urlsplit

from kgcore.corrections.correction import Correction, added, removed
from kgcore.errors import InputError
from kgcore.model import Entity, Triple, wired

Status = OneOf["proposed", "approved", "rejected", "withdrawn"]
Move = OneOf["approve", "reject", "withdraw", "undo", "revise"]
STATUSES: tuple[Status, ...] = ("proposed", "approved", "rejected", "withdrawn")
TRANSITIONS: dict[tuple[str, str], Status] = {
    ("proposed", "approve"): "approved",
    ("proposed", "reject"): "rejected",
    ("proposed", "withdraw"): "withdrawn",
    ("proposed", "revise"): "proposed",
    ("approved", "undo"): "proposed",
    ("rejected", "undo"): "proposed",
    ("withdrawn", "undo"): "proposed",
}
_DONE = {
    "approve": "approved",
    "reject": "rejected",
    "withdraw": "taken back",
    "revise": "revised",
    "undo": "undone",
}
_ID = re.compile(r"[A-Za-z0-9]{1,40}")
_CLOCKS_DIFFER = timedelta(days=1)
_LONGEST = {"author": 200, "reason": 4_000, "evidence": 2_000, "kg": 200}


@wired
@dataclass(frozen=True, slots=True)
class Change:
    """One thing that happened to a correction: who did what, when, and how the correction read from then on."""

    what: str  # propose, import, approve, reject, withdraw, undo, revise
    who: str
    when: str
    correction: Correction
    note: str = ""


@wired
@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction with its status; `revision` goes up by one with every change."""

    correction: Correction
    status: str = "proposed"
    revision: int = 1
    history: tuple[Change, ...] = ()

    @property
    def id(self) -> str:
        """The id of the correction."""
        return self.correction.id

    @property
    def is_in_force(self) -> bool:
        """Whether answers and views follow it."""
        return self.status == "approved"


def moved(status: str, move: str) -> Status:
    """Return the status after a move; InputError for one that is not possible now."""
    after = TRANSITIONS.get((status, move))
    if after is None:
        raise InputError(f"a correction that is {status} cannot be {_DONE.get(move, move)}")
    return after


def touched(correction: Correction) -> tuple[Triple, ...]:
    """Return the triples a correction takes away or puts in."""
    return tuple(t for t in (removed(correction), added(correction)) if t is not None)


def disagree(one: Correction, other: Correction) -> bool:
    """Tell whether two corrections cannot both be in force.

    They cannot when both take the same triple away, or when one puts in what the other takes away.
    """
    if one.id == other.id or one.kg != other.kg:
        return False
    gone, new = removed(one), added(one)
    other_gone, other_new = removed(other), added(other)
    pairs = ((gone, other_gone), (gone, other_new), (new, other_gone))
    return any(a is not None and a == b for a, b in pairs)


def checked(correction: Correction) -> Correction:
    """Return the correction; InputError says in one line what is wrong with it."""
    if correction.action not in ("retract", "add", "replace"):
        raise InputError(f"a correction can retract, add or replace, not {correction.action!r}")
    if correction.id and not _ID.fullmatch(correction.id):
        raise InputError("the id of a correction is made of letters and digits")
    if not correction.kg:
        raise InputError("a correction names the graph it is about")
    if (correction.new_object is not None) != (correction.action == "replace"):
        raise InputError("a triple is replaced by another object, and only then is there one")
    if correction.new_object == correction.object:
        raise InputError("the new object is the old one; nothing would change")
    for end in (correction.subject, correction.object, correction.new_object):
        if isinstance(end, Entity) and not end.id:
            raise InputError("an entity without an id cannot be corrected")
    if not correction.relation.id:
        raise InputError("a relation without an id cannot be corrected")
    for name, longest in _LONGEST.items():
        if len(getattr(correction, name)) > longest:
            raise InputError(f"the {name} is longer than {longest:,} characters")
    check_evidence(correction.evidence)
    _check_time(correction.when)
    return correction


def _check_time(when: str) -> None:
    """Refuse a time that cannot be read, or has not come yet."""
    if not when:
        return
    try:
        time = datetime.fromisoformat(when)
    except ValueError:
        raise InputError(f"{when[:40]!r} is no time such as 2026-01-31T12:00:00+00:00") from None
    time = time if time.tzinfo else time.replace(tzinfo=UTC)
    if time > datetime.now(UTC) + _CLOCKS_DIFFER:
        raise InputError(f"a correction cannot have been made at {when[:40]}: that is yet to come")


def check_evidence(address: str) -> None:
    """Refuse evidence that is no link to a page."""
    if not address:
        return
    try:
        parts = urlsplit(address)
        is_page = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_page = False
    is_plain = not any(c.isspace() or ord(c) < 32 or c in '<>"\\^`{|}' for c in address)
    if not (is_page and is_plain):
        raise InputError("the evidence is a link that starts with http:// or https://")
    if parts.username or parts.password:
        raise InputError("a link to evidence must not hold a name or a password")
