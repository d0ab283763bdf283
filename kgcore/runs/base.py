"""What keeps runs: the port, and a run as lists show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kgcore.runs.entries import Entry, Started
from kgcore.runs.standing import RunStatus


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as lists show it. `status` reads interrupted when its driver's lease ran out."""

    id: str
    owner: str
    created: str
    question: str
    method: str
    model: str
    kgs: tuple[str, ...]
    parent: str
    kind: str
    status: RunStatus
    answer: str
    name: str
    tags: tuple[str, ...]
    is_starred: bool
    deleted_at: str | None


class RunStore(Protocol):
    """Where runs are kept."""

    def create(self, started: Started, *, owner: str = "local") -> None:
        """Write the first entry of a new run."""

    def append(self, run_id: str, entries: Sequence[Entry], *, driver: str) -> None:
        """Write entries durably; LeaseLostError when a number is taken or the lease is another's."""

    def load(self, run_id: str, *, since: int = 0) -> list[Entry]:
        """Return the entries from number `since` on; UnknownRunError for no such run."""

    def list(self, *, owner: str = "local", limit: int = 200) -> list[RunRecord]:
        """Return the newest runs first."""

    def annotate(self, run_id: str, **values: Any) -> None:
        """Set name, tags, is_starred, deleted_at, status or answer."""
