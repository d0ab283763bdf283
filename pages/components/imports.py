"""Long work under way: imports, and reading all names of an endpoint.

Each is done in a thread of its own, so that a refreshed or closed page does not end it.
"""

import logging
import shutil
import tempfile
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kgcore.bootstrap import Studio
from kgcore.errors import InputError, KGCoreError, StoppedError

if TYPE_CHECKING:  # every page is drawn with this module, few import anything
    from kgcore.kg.files.importer import Progress, Skipped
    from kgcore.kg.files.tables import ColumnMapping

__all__ = ["Imports", "Job"]

KEPT = 8  # finished ones that are still told of
NAMED = 5  # skipped statements that are named
STAGES = {"reading": "reading", "indexing": "indexing labels"}
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Job:
    """One piece of work; `state` is running, done, failed or stopped, and `outcome` says what came of it."""

    name: str  # of the graph
    kind: str  # import, names
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    share: float | None = None  # done of the present stage, where that is known
    stage: str = "starting"
    state: str = "running"
    outcome: str = ""
    n_skipped: int = 0
    skipped: "list[Skipped]" = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.state == "running"

    def tell(self, stage: str, share: float | None) -> None:
        """Say how far it is; StoppedError where a person wants it to end."""
        if self.stop.is_set():
            raise StoppedError("it was stopped; nothing has changed")
        self.stage, self.share = stage, share

    def skip(self, skipped: "Skipped") -> None:
        """Count a statement that could not be read."""
        self.n_skipped += 1
        if len(self.skipped) < NAMED:
            self.skipped.append(skipped)


class Imports:
    """The work of this process."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(
        self,
        studio: Studio,
        files: Sequence[Path],
        name: str,
        *,
        mappings: "Mapping[Path, ColumnMapping]",
        skip_errors: bool = False,
    ) -> Job:
        """Begin an import; InputError where one of this name is under way.

        The files are taken over: they are moved to a folder that goes with the import. `mappings` say what the
        columns of tables mean.
        """
        if not files:
            raise InputError("choose the files to import first")
        job = self._add(Job(name, "import"))
        folder = tempfile.TemporaryDirectory(prefix="kgcore-import-", ignore_cleanup_errors=True)
        taken = {file: Path(shutil.move(file, folder.name)) for file in files}

        def tell(progress: "Progress") -> None:
            share = progress.done / progress.total if progress.total else 0.0
            job.tell(STAGES.get(progress.stage, progress.stage), min(1.0, max(0.0, share)))

        def work() -> str:
            with folder:
                made = studio.import_graph(
                    list(taken.values()),
                    name,
                    progress=tell,
                    on_skip=job.skip,
                    mappings={taken[file]: mapping for file, mapping in mappings.items()},
                    skip_errors=skip_errors,
                )
            return f"{made.n_triples:,} triples, {made.n_entities:,} entities"

        self._begin(job, work, folder.name)
        return job

    def read_names(self, studio: Studio, name: str) -> Job:
        """Begin to read all names of an endpoint into a label index."""
        job = self._add(Job(name, "names"))

        def work() -> str:
            n = studio.index_names(name, lambda n: job.tell(f"{n:,} names read", None))
            return f"{n:,} names"

        self._begin(job, work)
        return job

    def all(self) -> list[Job]:
        """Return what is under way or was not dismissed, oldest first."""
        with self._lock:
            return list(self._jobs.values())

    def dismiss(self, job: Job) -> None:
        """Tell no more of something finished."""
        with self._lock:
            if not job.is_running:
                self._jobs.pop(job.id, None)

    def _add(self, job: Job) -> Job:
        with self._lock:
            if any(other.is_running and other.name == job.name for other in self._jobs.values()):
                raise InputError(f"{job.name} is being worked on already")
            self._jobs[job.id] = job
            finished = [other for other in self._jobs.values() if not other.is_running]
            for other in finished[:-KEPT]:
                del self._jobs[other.id]
        return job

    def _begin(self, job: Job, work: Callable[[], str], folder: str = "") -> None:
        args = (job, work, folder)
        threading.Thread(target=_do, args=args, name=f"job {job.kind}", daemon=True).start()


def _do(job: Job, work: Callable[[], str], folder: str) -> None:
    """Do it and say what came of it; messages name files as the person knows them."""
    try:
        job.outcome = work()
        job.state = "done"
    except StoppedError as error:
        job.outcome, job.state = str(error), "stopped"
    except KGCoreError as error:
        job.outcome = str(error).replace(f"{folder}/", "") if folder else str(error)
        job.state = "failed"
    except OSError as error:
        job.outcome, job.state = error.strerror or type(error).__name__, "failed"
    except Exception:  # the last resort: a person gets a line, the log the rest
        log.exception("a job broke")
        job.outcome, job.state = "a fault in the program; the log has details", "failed"
