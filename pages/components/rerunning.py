"""Affected runs that are run again in the background, so that a page that is left does not end it."""

import logging
import threading
from dataclasses import dataclass, field

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.bootstrap.correcting import rerun_affected
from kgcore.errors import KGCoreError
from kgcore.runs import Run
from kgcore.runs.comparison import Comparison

__all__ = ["Job", "Rerunning", "rerunning"]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """All runs that a correction affects, one after the other; `now` is the one under way."""

    n: int
    done: list[Comparison] = field(default_factory=list)
    now: Run | None = None
    problem: str = ""
    is_running: bool = True
    is_told: bool = False  # its end was shown

    @property
    def n_changed(self) -> int:
        """How many have another answer."""
        return sum(compared.is_changed for compared in self.done)


class Rerunning:
    """The jobs of this process by correction. Safe to use from several threads."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def of(self, correction_id: str) -> Job | None:
        """Return the last job of a correction."""
        return self._jobs.get(correction_id)

    def begin(self, studio: Studio, correction_id: str, n: int) -> Job:
        """Start running again what a correction affects; while that goes on it is not started twice."""
        with self._lock:
            job = self._jobs.get(correction_id)
            if job is None or not job.is_running:
                job = self._jobs[correction_id] = Job(n)
                work = (studio, correction_id, job)
                threading.Thread(target=_work, args=work, name="rerunning", daemon=True).start()
            return job


def _work(studio: Studio, correction_id: str, job: Job) -> None:
    def drive(run: Run) -> None:
        job.now = run
        run.drive()

    try:
        for compared in rerun_affected(studio, correction_id, drive):
            job.done.append(compared)
    except KGCoreError as error:
        job.problem = str(error)
    except Exception:
        log.exception("affected runs could not be run again")
        job.problem = "a fault in the program ended it"
    finally:
        job.now, job.is_running = None, False


@st.cache_resource(show_spinner=False)
def rerunning() -> Rerunning:
    """Return what all pages of this process share."""
    return Rerunning()
