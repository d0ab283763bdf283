"""One run as one JSON file, to keep or to hand on.

    {"format": "traversal-studio-run", "version": 1, "entries": [{"@": "Entry", …}, …]}

An imported file is somebody else's text: its size, every value's type, the order of the entries and the ids are
checked before anything is stored, and the journal is folded once to see that it can be shown. A run whose id is
taken here already gets a new one. The address of its model server is not taken over: going on with the run would
send this person's key there.
"""

from __future__ import annotations

import dataclasses
import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from kgcore.errors import InputError, UnknownRunError
from kgcore.model import from_dict, to_dict
from kgcore.reasoners import REASONERS
from kgcore.runs.entries import (
    Address,
    Ended,
    Entry,
    FactNoted,
    Resumed,
    Started,
    StepDone,
    StepFailed,
)
from kgcore.runs.gate import Decided
from kgcore.runs.standing import ENDS, VIAS
from kgcore.runs.store import SqlRunStore
from kgcore.runs.typed import misfit
from kgcore.runs.view import RunView
from kgcore.steps import Fact, LeafStep, Result

FORMAT, VERSION = "traversal-studio-run", 1
MAX_BYTES = 64 * 1024 * 1024
_MAX_NUMBER = 10_000_000  # of a position or an index
_ID = re.compile(r"[0-9a-f]{32}")
_KINDS = ("ask", "fork", "rerun")
_STEPS = frozenset(kind.__name__ for kind in LeafStep.__args__)
_BROKEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)


def export_run(store: SqlRunStore, run_id: str) -> str:
    """Return the run as the text of a file."""
    entries = [to_dict(entry) for entry in store.load(run_id)]
    data = {"format": FORMAT, "version": VERSION, "entries": entries}
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def import_run(store: SqlRunStore, data: bytes, *, owner: str = "local") -> str:
    """Store the run of a file and return its id; InputError says what is wrong with a file that is none."""
    entries = read_run(data)
    started = entries[0].body
    assert isinstance(started, Started)
    run_id = uuid.uuid4().hex if _is_known(store, started.run_id) else started.run_id
    started = replace(started, run_id=run_id, api_base="")
    store.create(started, owner=owner, entries=entries[1:], when=entries[0].when)
    return started.run_id


def read_run(data: bytes) -> tuple[Entry, ...]:
    """Return the entries of an exported run, all checked."""
    if len(data) > MAX_BYTES:
        raise InputError(f"the file is larger than {MAX_BYTES // 1024 // 1024} MB")
    try:
        entries = from_dict(_entries(json.loads(data.decode("utf-8"), parse_constant=_no_number)))
    except UnicodeDecodeError as error:
        raise InputError("the file is no UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise InputError(f"the file is no JSON: line {error.lineno}: {error.msg}") from error
    except _BROKEN as error:
        raise InputError("the file does not hold a run in the form this program writes") from error
    _check_order(entries)
    _check_started(entries[0].body)
    for entry in entries:
        _check_entry(entry)
    _check_fold(entries)
    return tuple(entries)


def _is_known(store: SqlRunStore, run_id: str) -> bool:
    try:
        store.record(run_id)
    except UnknownRunError:
        return False
    return True


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def _entries(data: Any) -> list[Any]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"the file is no exported run (its format is not {FORMAT})")
    if data.get("version") != VERSION:
        raise InputError(
            f"the file has version {str(data.get('version'))[:20]}, this program reads {VERSION}"
        )
    entries = data.get("entries")
    if not isinstance(entries, list) or not entries:
        raise InputError("the file holds no entries")
    return entries


def _check_order(entries: Sequence[Any]) -> None:
    """Check that these are entries, numbered from 0, the first and only the first telling the start."""
    is_ended = False
    taken: set[tuple[str, Address]] = set()
    for number, entry in enumerate(entries):
        if not isinstance(entry, Entry):
            raise InputError(f"entry {number} is no journal entry")
        _check_words(number, entry.body)
        problem = misfit(entry)
        if problem:
            raise InputError(f"entry {number}: {problem}")
        if entry.seq != number:
            raise InputError(f"entry {number} has the number {entry.seq}; some are missing")
        if isinstance(entry.body, Started) != (number == 0):
            raise InputError("a run starts with its first entry and only there")
        if is_ended and not isinstance(entry.body, Resumed):
            raise InputError(f"entry {number} comes after the end of the run")
        is_ended = isinstance(entry.body, Ended)
        if isinstance(entry.body, (StepDone, FactNoted, Decided)):
            place = (type(entry.body).__name__, entry.address)
            if place in taken:
                raise InputError(f"entry {number}: {entry.position}.{entry.index} is told twice")
            taken.add(place)


def _check_words(number: int, body: Any) -> None:
    """Refuse an origin or an end that there is none of, in words of its own, before types are checked."""
    if isinstance(body, StepDone) and body.via not in VIAS:
        raise InputError(f"entry {number} holds no result of a step")
    if isinstance(body, Decided) and body.via not in ("live", "memory"):
        raise InputError(f"entry {number} holds no decision")
    if isinstance(body, Ended) and body.status not in ENDS:
        raise InputError(f"a run cannot end as {str(body.status)[:20]!r}")


def _check_started(started: Any) -> None:
    assert isinstance(started, Started)
    if not _ID.fullmatch(started.run_id):
        raise InputError("the run's id is none (32 hexadecimal digits)")
    for run_id in (*([started.parent] if started.parent else []), *started.lineage):
        if not _ID.fullmatch(run_id):
            raise InputError("the id of a run it came from is none (32 hexadecimal digits)")
    if started.kind not in _KINDS:
        raise InputError(f"a run cannot be of the kind {started.kind[:20]!r}")
    known = REASONERS.get(started.method)
    if not dataclasses.is_dataclass(started.config) or (
        known is not None and not isinstance(started.config, known.config_class)
    ):
        raise InputError("the run's settings are not those of its method")
    if not started.question.strip():
        raise InputError("the run has no question")
    names = (started.question, started.method, *dict(started.models).values())
    for text in (*names, *(name for name, _ in started.kgs)):
        _check_text(text)


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError("the file holds characters that are none") from None


def _check_entry(entry: Entry) -> None:
    number, body = entry.seq, entry.body
    try:
        datetime.fromisoformat(entry.when)
    except ValueError:
        raise InputError(f"entry {number} has no time") from None
    if not (-1 <= entry.position < _MAX_NUMBER and 0 <= entry.index < _MAX_NUMBER):
        raise InputError(f"entry {number} has an impossible address")
    if isinstance(body, StepDone) and not isinstance(body.result, Result | None):
        raise InputError(f"entry {number} holds no result of a step")
    if isinstance(body, (StepDone, StepFailed)) and body.step.get("kind") not in _STEPS:
        raise InputError(f"entry {number} is about no known step")
    if isinstance(body, FactNoted) and not isinstance(body.fact, Fact):
        raise InputError(f"entry {number} holds no fact")
    if isinstance(body, Ended):
        _check_text(body.answer.text if body.answer else "")


def _check_fold(entries: Sequence[Entry]) -> None:
    try:
        RunView.of(entries)
    except _BROKEN as error:
        raise InputError("the entries do not fit together") from error
