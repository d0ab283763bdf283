"""Writing a journal down while its run is driven: each entry in memory and in the store, in one order.

A result that cost something is durable before it is used. What the run can derive again – facts, and what its memory
gave – waits for the next entry that is not so, or for `flush`: at most until the next step starts.
"""

from __future__ import annotations

import threading

from kgcore.errors import StoreError
from kgcore.runs.entries import Address, Entry, EntryBody, FactNoted, StepDone
from kgcore.runs.journal import Journal
from kgcore.runs.lease import Lease
from kgcore.runs.store import SqlRunStore
from kgcore.transport.sql import now


class Writer:
    """Appends to one run's journal under its driver's lease. `lock` keeps several entries together."""

    def __init__(self, journal: Journal, store: SqlRunStore, lease: Lease) -> None:
        self.lock = threading.RLock()
        self._journal, self._store, self._lease = journal, store, lease
        self._run_id = journal.started.run_id
        self._unwritten: list[Entry] = []

    def append(self, body: EntryBody, address: Address) -> None:
        """Journal an entry; StoreError where it cannot be written, and then it never happened."""
        with self.lock:
            entry = Entry(len(self._journal.entries), now(), body, *address)
            self._unwritten.append(entry)
            if not _can_wait(body):
                try:
                    self.flush()
                except StoreError:
                    self._unwritten.remove(entry)  # what comes next takes its number
                    raise
            self._journal.add(entry)

    def flush(self) -> None:
        """Write what waits."""
        with self.lock:
            if self._unwritten:
                self._store.append(self._run_id, self._unwritten, driver=self._lease.driver)
                self._unwritten = []


def _can_wait(body: EntryBody) -> bool:
    """Whether the run would come to this again by itself."""
    return isinstance(body, FactNoted) or (isinstance(body, StepDone) and body.via == "memory")
