"""Which past answers rest on what a correction changes?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.corrections import Proposal, added, removed
from kgcore.corrections.correction import is_same_edge
from kgcore.model import Triple
from kgcore.runs.base import RunRecord
from kgcore.runs.entries import Ended, Started
from kgcore.runs.store import SqlRunStore


@dataclass(frozen=True, slots=True)
class Affected:
    """A run whose proof holds a triple that should not count any more.

    `rerun` is the newest run of its family, asked in the same way, that began with the correction as it stands now;
    empty when there is none.
    """

    record: RunRecord
    triples: tuple[Triple, ...]
    rerun: str = ""


def affected(store: SqlRunStore, proposal: Proposal, *, owner: str = "local") -> list[Affected]:
    """Return the runs whose answer's proof holds the corrected triple, the newest first.

    Of a correction that is not in force these are the runs that would be affected, and those that still rest on
    what it put in while it was.
    """
    endings = store.endings(owner=owner)
    found = []
    for record, started, ended in endings:
        triples = _stale(proposal, started, ended)
        if triples:
            found.append(Affected(record, triples, _newer(started, proposal, endings)))
    return found


def _stale(proposal: Proposal, started: Started, ended: Ended) -> tuple[Triple, ...]:
    """Return the triples of a run's proof that do not hold as the correction stands."""
    correction = proposal.correction
    proof = ended.answer.proof if ended.answer is not None and ended.answer.is_answer else ()
    gone, new = removed(correction), added(correction)
    was_in_force = any(c.id == correction.id for c in started.corrections)
    if was_in_force == proposal.is_in_force and proposal.status != "proposed":
        return ()
    wrong = new if was_in_force else gone
    return tuple(t for t in proof if wrong is not None and is_same_edge(t, wrong))


def _newer(
    old: Started, proposal: Proposal, endings: Sequence[tuple[RunRecord, Started, Ended]]
) -> str:
    """Return the newest rerun of a run, or of one it came from, with the correction as it stands now."""
    for record, started, _ in endings:
        is_pinned = any(c.id == proposal.id for c in started.corrections)
        if started.kind == "rerun" and _family(started) == _family(old):
            if is_pinned == proposal.is_in_force:
                return record.id
    return ""


def _family(started: Started) -> tuple[object, ...]:
    """Return what runs share that ask the same in the same way: where they began, the settings, the edits."""
    root = started.lineage[-1] if started.lineage else started.run_id
    return (root, started.method, started.models, started.config, started.edits)
