"""What the model was asked in a run, found again by running the method on the journal.

A journal keeps what was sent and what came back, not the request that reads a reply. The method asks the same again
when it is fed the same results, so the request is there without any call: to see what it offered, and how another
reply would be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgcore.errors import VersionChangedError
from kgcore.prompts import TypedRequest
from kgcore.reasoners.base import Reasoner
from kgcore.runs.entries import Address, Entry, StepDone
from kgcore.runs.journal import Journal
from kgcore.runs.strict_replay import replay
from kgcore.steps import Ask, LeafStep, Replies


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the model: where, which, for which nodes, and what was replied."""

    address: Address
    request: TypedRequest
    replies: Replies
    about: tuple[int, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The replies as they were written."""
        return tuple(reply.text for reply in self.replies.items)


def asked_in(reasoner: Reasoner, journal: Journal) -> dict[Address, Asked]:
    """Return every question to the model that the journal answers, by its address.

    VersionChangedError for a run that another version of the method made.
    """
    started = journal.started
    if started.reasoner_version != reasoner.version:
        raise VersionChangedError(
            f"run {started.run_id} was made by {started.method} {started.reasoner_version}, this is "
            f"{reasoner.version}; run it again with memory instead (rerun)"
        )
    found: dict[Address, Asked] = {}

    def keep(address: Address, leaf: LeafStep) -> None:
        done = journal.results.get(address)
        if not isinstance(leaf, Ask) or done is None or not isinstance(done.result, Replies):
            return
        if isinstance(leaf.request, TypedRequest):
            found[address] = Asked(address, leaf.request, done.result, leaf.about)

    replay(reasoner, journal, on_leaf=keep)
    return found


def asked_by(asked: Mapping[Address, Asked], entry: Entry) -> Asked | None:
    """Return the question that an entry answers; facts have addresses of their own, and answer none."""
    return asked.get(entry.address) if isinstance(entry.body, StepDone) else None
