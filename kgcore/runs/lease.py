"""The lease on a run: only the program that holds it may write the run's journal."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable

from kgcore.errors import KGCoreError
from kgcore.runs.store import SqlRunStore

log = logging.getLogger(__name__)
_PATIENCE_S = 1.0  # for a renewal under way; a program that is told to end has little time


class Lease:
    """One driver's hold on a run, renewed by a thread of its own; `on_lost` is called when another took over."""

    def __init__(self, store: SqlRunStore, run_id: str, *, on_lost: Callable[[], None]) -> None:
        self.driver = uuid.uuid4().hex
        self._store, self._run_id, self._on_lost = store, run_id, on_lost
        self._ends = threading.Event()
        self._renewing: threading.Thread | None = None

    def take(self) -> None:
        """Take the lease and keep it; LeaseLostError while another holds it."""
        self._store.take_lease(self._run_id, self.driver)
        self._renewing = threading.Thread(target=self._renew, daemon=True)
        self._renewing.start()

    def give_back(self) -> None:
        """Let the run go; one that has not ended reads interrupted."""
        self._ends.set()
        if self._renewing is not None:
            self._renewing.join(_PATIENCE_S)
        try:
            self._store.release_lease(self._run_id, self.driver)
        except KGCoreError as error:
            log.warning("run %s: the lease was not released: %s", self._run_id, error)

    def _renew(self) -> None:
        while not self._ends.wait(self._store.lease_seconds / 3):
            try:
                if not self._store.renew_lease(self._run_id, self.driver):
                    self._on_lost()
            except KGCoreError as error:
                log.warning("run %s: no heartbeat: %s", self._run_id, error)
