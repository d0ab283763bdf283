"""Rows of the run store as entries and records, and back."""

from __future__ import annotations

import json
import time
import zlib
from typing import Any

from kgcore.errors import InputError, StoreError
from kgcore.model import from_dict, to_dict
from kgcore.runs.base import RunRecord
from kgcore.runs.entries import Entry, EntryBody
from kgcore.runs.standing import ENDS

LONGEST_LEASE = 3600.0  # seconds; what ends later still was written under a clock that was wrong


def entry_of(run_id: str, row: Any) -> Entry:
    """Return the entry of a row; StoreError where it cannot be read."""
    try:
        body = _unpacked(row.body or row.data)
    except (
        zlib.error,
        ValueError,
        TypeError,
        InputError,
    ) as error:  # damaged, or of a later format
        raise StoreError(f"entry {row.seq} of run {run_id} cannot be read") from error
    return Entry(row.seq, row.written, body, row.position, row.idx)


def record_of(row: Any) -> RunRecord:
    """Return the record of a row; a run that nobody drives and that has not ended reads interrupted."""
    values = {name: getattr(row, name) for name in RunRecord.__slots__}
    is_gone = row.status not in ENDS and not seconds_left(row.lease_until)
    values["status"] = "interrupted" if is_gone else row.status
    values["kgs"] = tuple(json.loads(row.kgs))
    values["tags"] = tuple(json.loads(row.tags)) if row.tags else ()
    values["is_starred"] = bool(row.is_starred)
    return RunRecord(**values)


def packed(body: EntryBody) -> bytes:
    """Return the body of an entry as a row holds it."""
    text = json.dumps(to_dict(body), ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def _unpacked(data: bytes) -> EntryBody:
    body: EntryBody = from_dict(json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass")))
    return body


def seconds_left(until: float) -> float:
    """Return for how long a lease still holds; 0 where it has run out, or was written under a wrong clock."""
    left = until - time.time()
    return left if 0 < left <= LONGEST_LEASE else 0.0
