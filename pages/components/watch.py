"""Following runs: each run is folded once for all viewers, entry by entry, wherever it is driven."""

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from typing import Literal as OneOf

from kgcore.bootstrap import Studio
from kgcore.runs import ENDS, Entry, Run, RunStatus, RunView
from kgcore.runs.elapsed import seconds_of
from kgcore.views.moments import Moments, copied

__all__ = ["PAST", "Past", "Seen", "SeenStatus", "Watches"]

SeenStatus = RunStatus | OneOf["pausing", "past"]

KEPT = 40  # runs whose fold is kept
FAST, MANY, SLOWEST = 0.2, 3, 1.0
VIEWER_S = 5.0  # without a look for so long, a viewer has left
PAST: SeenStatus = "past"  # the status of a run at an earlier moment


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier moment of a run: what its first ``n`` entries say. ``whole`` is the run as it is now."""

    n: int
    whole: RunView


@dataclass(frozen=True, slots=True)
class Seen:
    """A run as one look at it shows it. ``run`` is set where this process drives it, ``past`` when looking back."""

    view: RunView
    status: SeenStatus
    seconds: float
    run: Run | None = None
    in_flight: tuple[tuple[Mapping[str, Any], float, str], ...] = ()
    past: Past | None = None

    @property
    def whole(self) -> RunView:
        """All there is of the run by now: its drawings keep to the places this gives them."""
        return self.view if self.past is None else self.past.whole

    @property
    def is_live(self) -> bool:
        """Whether it may still change without anybody's doing."""
        return self.status not in (*ENDS, "interrupted")

    @property
    def is_ours(self) -> bool:
        """Whether it can be paused, stepped and stopped from here."""
        return self.is_live and self.run is not None


@dataclass(slots=True)
class _Watch:
    moments: Moments = field(default_factory=Moments)
    lock: threading.Lock = field(default_factory=threading.Lock)
    looks: dict[str, float] = field(default_factory=dict)


class Watches:
    """The folds of the runs that people look at. Safe to use from several threads."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._watches: OrderedDict[str, _Watch] = OrderedDict()
        self._lock = threading.Lock()

    def look(self, run_id: str, *, viewer: str = "") -> Seen:
        """Return the run as it is now; UnknownRunError when there is none of this id."""
        status, run = self._status(run_id)
        watch = self._watch(run_id)
        with watch.lock:
            self._follow(run_id, run, watch)
            view = copied(watch.moments.now)
            watch.looks[viewer] = time.monotonic()
        flying = tuple(run.in_flight) if run is not None else ()
        return Seen(view, status, _seconds(view, run), run, flying)

    def back(self, seen: Seen, n: int) -> Seen:
        """Return the run as it was after its first n entries; as it is where it has no more than these."""
        whole = seen.view
        if not 1 <= n < whole.n_entries or whole.started is None:
            return seen
        watch = self._watch(whole.started.run_id)
        with watch.lock:
            view = watch.moments.at(n)
        return Seen(view, PAST, seconds_of(view.entries), seen.run, past=Past(n, whole))

    def moments(self, run_id: str) -> Moments:
        """Return what is known of all moments of a run that was looked at."""
        return self._watch(run_id).moments

    def _follow(self, run_id: str, run: Run | None, watch: _Watch) -> None:
        """Fold what is new."""
        if run is None and not self._is_stored(run_id, watch.moments.now):
            watch.moments = (
                Moments()
            )  # its driver lost the run before it had written all that was seen
        for entry in self._new_entries(run_id, run, watch.moments.now.n_entries):
            watch.moments.add(entry)

    def interval(self, run_id: str) -> float:
        """Return how often a viewer should look: less often the more of them there are."""
        watch, now = self._watch(run_id), time.monotonic()
        with watch.lock:
            watch.looks = {v: at for v, at in watch.looks.items() if now - at < VIEWER_S}
            n = len(watch.looks)
        return FAST if n <= MANY else min(SLOWEST, FAST * n / MANY)

    def _watch(self, run_id: str) -> _Watch:
        with self._lock:
            watch = self._watches.setdefault(run_id, _Watch())
            self._watches.move_to_end(run_id)
            while len(self._watches) > KEPT:
                self._watches.popitem(last=False)
            return watch

    def _status(self, run_id: str) -> tuple[SeenStatus, Run | None]:
        run = self._studio.live(run_id)
        if run is None or run.join(0):
            return self._studio.store.record(run_id).status, None
        if run.status == "running" and run.control.mode == "pause":
            return "pausing", run
        return run.status, run

    def _is_stored(self, run_id: str, view: RunView) -> bool:
        """Whether the last entry that was folded is the one the store holds."""
        if not view.entries:
            return True
        last = view.entries[-1]
        return self._studio.store.load(run_id, since=last.seq)[:1] == [last]

    def _new_entries(self, run_id: str, run: Run | None, since: int) -> Sequence[Entry]:
        if run is not None:
            return run.journal.entries[since:]
        return self._studio.store.load(run_id, since=since)


def _seconds(view: RunView, run: Run | None) -> float:
    """Return how long the run was driven; the times it waited for people are none of it."""
    return run.meter.seconds if run is not None else seconds_of(view.entries)
