"""The driver: it runs a reasoner's generator, does the steps and keeps the journal.

Each round of the loop (kgcore.runs.loop) takes one step (or one All) from the generator and gets the results of its
leaves (kgcore.runs.leaves), each journaled before anything new starts. The run resumes by the same loop: the
journal feeds the generator up to where it broke off.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from kgcore.errors import (
    BudgetExceededError,
    KGCoreError,
    LeaseLostError,
    ReplayDivergedError,
    StoppedError,
)
from kgcore.reasoners.base import Reasoner
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.budget import Meter
from kgcore.runs.control import Control
from kgcore.runs.elapsed import seconds_of
from kgcore.runs.entries import (
    Address,
    BreakpointsSet,
    Ended,
    EntryBody,
    FactNoted,
    Resumed,
    StepDone,
)
from kgcore.runs.gate import Decided, batch_at, batch_key
from kgcore.runs.journal import Journal
from kgcore.runs.keys import summary
from kgcore.runs.lease import Lease
from kgcore.runs.leaves import Leaves
from kgcore.runs.link_choice import (
    Settled,
    link_question_of,
    replies_of,
)
from kgcore.runs.loop import run_through
from kgcore.runs.memory import Memory
from kgcore.runs.pauses import Pauses
from kgcore.runs.perform import Ports
from kgcore.runs.standing import EndStatus, RunStatus
from kgcore.runs.steering import Steering
from kgcore.runs.store import SqlRunStore
from kgcore.runs.writing import Writer
from kgcore.steps import Answer, AnswerProposed, Ask, Fact, LeafStep, Replies, best_of

log = logging.getLogger(__name__)


class Run(Steering):
    """One run being driven. `drive()` blocks until it ends; `start()` does the same on a thread of its own."""

    def __init__(
        self,
        reasoner: Reasoner,
        ports: Ports,
        store: SqlRunStore,
        journal: Journal,
        *,
        memory: Memory | None = None,
        breakpoints: Iterable[Breakpoint] | None = None,
        control: Control | None = None,
    ) -> None:
        self.journal, self.store, self.ports = journal, store, ports
        self.id = journal.started.run_id
        self.control = control or Control()
        self.pending: tuple[dict[str, Any], ...] = ()  # the steps it would do next; volatile
        self._is_open = False  # whether entries can be written: from taking the lease to the end
        self.resuming: Resumed | None = None  # set when the run is taken up again
        self.problem = ""  # why it was not driven, or could not be ended, in words
        self._reasoner = reasoner
        self._lease = Lease(store, self.id, on_lost=self.control.lose)
        self._writer = Writer(journal, store, self._lease)
        self._memory = memory or Memory()
        self.meter = Meter(journal.budget)
        points = journal.breakpoints if breakpoints is None else breakpoints
        self.pauses = Pauses(self.control, self.meter, points, on_change=self._keep_breakpoints)
        self.leaves = Leaves(
            ports,
            journal,
            self._memory,
            self.meter,
            self.control,
            append=self._append,
            before=self._hold_before,
            settle=self._settled,
        )
        self._is_begun = False
        self._finished = threading.Event()

    # what a person does

    def start(self) -> None:
        """Drive on a thread of its own."""
        self._is_begun = True
        threading.Thread(target=self.drive, name=f"run-{self.id[:8]}", daemon=True).start()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the run has ended; False when it has not within `timeout` seconds."""
        return self._finished.wait(timeout)

    def abandon(self) -> None:
        """Let go at once: the run reads interrupted, and what calls in flight still bring is lost."""
        self.control.lose()
        self._lease.give_back()

    @property
    def is_under_way(self) -> bool:
        """Whether it is being driven by this object."""
        return self._is_begun and not self._finished.is_set()

    @property
    def status(self) -> RunStatus:
        """running, paused, waiting (for a decision), stopping, or how it ended."""
        if self._finished.is_set():
            ended = self.journal.ended
            return ended.status if ended else "interrupted"
        if self.control.mode == "stop":
            return "stopping"
        if self.control.waits_for is not None:
            return "waiting"
        return "paused" if self.control.is_holding else "running"

    @property
    def in_flight(self) -> list[tuple[dict[str, Any], float, str]]:
        """Calls under way: the step's summary, seconds so far, and what it waits for. Volatile."""
        now_ = time.monotonic()
        return [
            (about, now_ - since, self.leaves.waits.get(address, ""))
            for address, (about, since) in sorted(self.leaves.in_flight.copy().items())
        ]

    # the loop

    def drive(self) -> None:
        """Run to an end and journal it. Never raises: what went wrong is the end's reason or `problem`."""
        self._is_begun = True
        try:
            self._lease.take()
        except KGCoreError as error:
            log.warning("run %s was not driven: %s", self.id, error)
            self.problem = str(error)
            self._finished.set()
            return
        try:
            self._open()
            journal = self.journal
            for entry in journal.entries:
                self.pauses.learn(entry.body)
            self.meter.start(journal.budget, journal.usage, seconds_of(journal.entries))
            self._end(*self._outcome())
        except LeaseLostError as error:
            log.info("run %s: another driver took over", self.id)
            self.problem = str(error)
        except KGCoreError as error:
            log.error("run %s could not be ended: %s", self.id, error)
            self.problem = str(error)
        except Exception as error:
            log.exception("run %s could not be ended", self.id)
            self.problem = f"a fault in the program: {type(error).__name__}"
        finally:
            self._is_open = False
            self.leaves.close()
            self._lease.give_back()
            self._finished.set()

    def _open(self) -> None:
        """Begin to write: that the run is taken up again, and breakpoints that were changed before."""
        with self._writer.lock:
            self._is_open = True
            if self.resuming is not None:
                self._append(self.resuming)
            self._keep_breakpoints()

    def _outcome(self) -> tuple[EndStatus, str, Answer | None]:
        """Drive the generator and say how it ended: status, reason, answer."""
        started = self.journal.started
        generator = self._reasoner.solve(started.question, started.config)
        try:
            answer = run_through(
                generator,
                started,
                note=self._note,
                do=self._results,
                decide=self._decided,
            )
            return "answered" if answer.is_answer else "no_answer", answer.limit, answer
        except StoppedError:
            if self.control.is_lost:
                raise LeaseLostError("lost") from None
            return "stopped", self.control.reason, self.best_answer
        except BudgetExceededError as error:
            return "budget", str(error), self.best_answer
        except LeaseLostError:
            raise
        except KGCoreError as error:
            return "failed", str(error), self.best_answer
        except Exception as error:
            log.exception("run %s failed", self.id)
            return "failed", f"a fault in the program: {type(error).__name__}", self.best_answer
        finally:
            generator.close()

    @property
    def best_answer(self) -> Answer | None:
        """The best of the answers proposed so far; of equals the first."""
        facts = list(self.journal.facts.values())
        return best_of(fact.answer for fact in facts if isinstance(fact, AnswerProposed))

    def _note(self, fact: Fact, address: Address) -> None:
        if not self.journal.has_fact(address, fact):
            self._append(FactNoted(fact), address)
            self._hold_where_met()

    def _results(self, position: int, leaves: tuple[LeafStep, ...]) -> list[StepDone]:
        """Do a round; where one of its outcomes meets a breakpoint, wait until all are kept."""
        self.pauses.begin_round()
        try:
            return self.leaves.results(position, leaves)
        finally:
            self._hold_where_met()

    def _decided(self, position: int, views: Sequence[Any]) -> Decided | None:
        """Return what was decided on a round's triples: by the journal, by the lineage, or by the person now."""
        gate = self.journal.started.gate
        if gate is None:
            return None
        batch = batch_at(gate, self.journal.decisions, position, views)
        recorded = self.journal.decisions.get(position)
        if recorded is not None and recorded.key != batch_key(batch):
            raise ReplayDivergedError(f"other triples wait at {position} than the journal says")
        if recorded is not None or not batch:
            return recorded
        known = self._memory.decision(batch_key(batch))
        if known is not None:
            decided = replace(known, via="memory")
        else:
            self._writer.flush()
            with self.meter.holding():
                decided = self.control.await_decision(batch)
        self._append(decided, (position, 0))
        return decided

    def _settled(self, leaf: LeafStep) -> Replies | None:
        """Ask the person what names stand for: where the gate says so, and while stepping. None is left to the model."""
        gate = self.journal.started.gate
        if not (self.control.mode in ("pause", "over") or (gate is not None and gate.links)):
            return None
        asked = link_question_of(leaf)
        if asked is None or not isinstance(leaf, Ask):
            return None
        self._writer.flush()
        with self.meter.holding():
            settled: Settled = self.control.await_decision(asked)
        return None if settled.is_left else replies_of(settled, leaf)

    # writing down

    def _append(self, body: EntryBody, address: Address = (-1, 0)) -> None:
        self._writer.append(body, address)
        self.pauses.met(body)

    def _keep_breakpoints(self) -> None:
        """Journal the breakpoints where they are others than the journal says; whoever changes them writes this."""
        with self._writer.lock:
            points = self.pauses.points
            if self._is_open and points != self.journal.breakpoints:
                self._append(BreakpointsSet(points))

    def _end(self, status: EndStatus, reason: str, answer: Answer | None) -> None:
        with self._writer.lock:
            self._is_open = False
        self._append(Ended(status, reason, answer, round(self.meter.seconds, 3)))

    def _hold_before(self, leaves: Sequence[LeafStep]) -> None:
        self._writer.flush()
        self.pauses.before(leaves)
        self.pending = tuple(summary(leaf) for leaf in leaves)
        with self.meter.holding():
            self.control.hold()
        self.pending = ()

    def _hold_where_met(self) -> None:
        """Wait where a breakpoint was met; stopping here takes nothing back of what came before."""
        if self.control.hit is None or self.control.mode != "pause":
            return
        self._writer.flush()
        with self.meter.holding(), contextlib.suppress(StoppedError):
            self.control.hold(is_step=False)
