"""Imports under way: each in a thread of its own, so that a refreshed or closed page does not end one."""

import shutil
import tempfile
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgcore.bootstrap import Studio
from kgcore.errors import InputError, KGCoreError, StoppedError
from kgcore.kg.importer import Progress, Skipped
from kgcore.kg.tables import ColumnMapping

__all__ = ["ImportJob", "Imports"]

KEPT = 8  # finished imports that are still told of
NAMED = 5  # skipped statements that are named


@dataclass(slots=True)
class ImportJob:
    """One import; `state` is running, done, failed or stopped, and `outcome` says what came of it."""

    id: str
    name: str
    files: tuple[str, ...]
    progress: Progress | None = None
    state: str = "running"
    outcome: str = ""
    n_skipped: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.state == "running"

    @property
    def share(self) -> float:
        """How much of its present stage is done, from 0 to 1."""
        if self.progress is None or not self.progress.total:
            return 0.0
        return min(1.0, max(0.0, self.progress.done / self.progress.total))


class Imports:
    """The imports of this process."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._jobs: dict[str, ImportJob] = {}
        self._lock = threading.Lock()

    def start(
        self,
        token: str,
        files: Sequence[Path],
        name: str,
        *,
        mappings: Mapping[Path, ColumnMapping],
        skip_errors: bool = False,
    ) -> ImportJob:
        """Begin an import and return it; the same token begins it only once.

        The files are taken over: they are moved to a folder that goes with the import. `mappings` say what the
        columns of tables mean.
        """
        with self._lock:
            if token in self._jobs:
                return self._jobs[token]
            if any(job.is_running and job.name == name for job in self._jobs.values()):
                raise InputError(f"{name} is being imported already")
            if not files:
                raise InputError("choose the files to import first")
            folder = tempfile.TemporaryDirectory(
                prefix="kgcore-import-", ignore_cleanup_errors=True
            )
            taken = {file: Path(shutil.move(file, folder.name)) for file in files}
            job = ImportJob(token or uuid.uuid4().hex, name, tuple(file.name for file in files))
            self._jobs[job.id] = job
            self._forget_old()
        options = {
            "mappings": {taken[file]: mapping for file, mapping in mappings.items()},
            "skip_errors": skip_errors,
        }
        files = list(taken.values())
        threading.Thread(target=self._run, args=(job, files, folder, options), daemon=True).start()
        return job

    def all(self) -> list[ImportJob]:
        """Return the imports that are under way or were not dismissed, oldest first."""
        with self._lock:
            return list(self._jobs.values())

    def dismiss(self, job: ImportJob) -> None:
        """Tell no more of a finished import."""
        with self._lock:
            if not job.is_running:
                self._jobs.pop(job.id, None)

    def _forget_old(self) -> None:
        finished = [job for job in self._jobs.values() if not job.is_running]
        for job in finished[:-KEPT]:
            del self._jobs[job.id]

    def _run(
        self,
        job: ImportJob,
        files: list[Path],
        folder: tempfile.TemporaryDirectory[str],
        options: Mapping[str, Any],
    ) -> None:
        def move(progress: Progress) -> None:
            if job.stop.is_set():
                raise StoppedError("the import was stopped")
            job.progress = progress

        def skip(skipped: Skipped) -> None:
            job.n_skipped += 1
            if len(job.skipped) < NAMED:
                job.skipped.append(skipped)

        with folder:
            try:
                made = self._studio.import_graph(
                    files, job.name, progress=move, on_skip=skip, **options
                )
                job.outcome = f"{made.n_triples:,} triples, {made.n_entities:,} entities"
                job.state = "done"
            except StoppedError as error:
                job.outcome, job.state = str(error), "stopped"
            except KGCoreError as error:
                job.outcome = str(error).replace(f"{folder.name}/", "")
                job.state = "failed"
            except OSError as error:
                job.outcome, job.state = error.strerror or type(error).__name__, "failed"
            except BaseException:
                job.outcome, job.state = "a fault in the program; the log has details", "failed"
                raise
