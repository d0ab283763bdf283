"""The driver: it runs a reasoner's generator, does the steps and keeps the journal.

Each round takes one step (or one All) from the generator. Results that the journal holds at this address are
fed back as they are; a result of the lineage's memory, or of the same graph question earlier in this run, is
taken over and journaled; what is left is done for real, several leaves on threads, and journaled in order of
arrival before anything new starts. Corrections and bans are applied to every result on its way to the reasoner.
The run resumes by the same loop: the journal feeds the generator up to where it broke off.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

from kgcore.errors import (
    BudgetExceededError,
    KGCoreError,
    LeaseLostError,
    ReplayDivergedError,
    ServiceError,
    StoppedError,
)
from kgcore.llm import Allowance
from kgcore.prompts import TypedRequest
from kgcore.reasoners.base import Reasoner
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.budget import Meter
from kgcore.runs.control import Control
from kgcore.runs.journal import (
    Address,
    Edit,
    Ended,
    Entry,
    EntryBody,
    FactNoted,
    Journal,
    Resumed,
    StepDone,
    StepFailed,
    key_of,
    step_hash,
    summary,
)
from kgcore.runs.memory import Memory, is_partial
from kgcore.runs.inputs import seen
from kgcore.runs.perform import Ports, edited_replies, perform, who
from kgcore.runs.store import LEASE_SECONDS, SqlRunStore, now
from kgcore.steps import (
    GRAPH_STEPS,
    All,
    Answer,
    AnswerProposed,
    Ask,
    LeafStep,
    Result,
    Step,
    Usage,
)

log = logging.getLogger(__name__)
MAX_PARALLEL = 8


class Run:
    """One run being driven. `drive()` blocks until it ends; `start()` does the same on a thread of its own."""

    def __init__(
        self,
        reasoner: Reasoner,
        ports: Ports,
        store: SqlRunStore,
        journal: Journal,
        *,
        memory: Memory | None = None,
        breakpoints: Iterable[Breakpoint] = (),
        control: Control | None = None,
    ) -> None:
        self.journal, self.store, self.ports = journal, store, ports
        self.id = journal.started.run_id
        self.control = control or Control()
        self.breakpoints = list(breakpoints)
        self.in_flight: dict[Address, tuple[dict[str, Any], float]] = {}  # volatile, for watchers
        self.waits: dict[Address, str] = {}
        self.resuming: Resumed | None = None  # set when the run is taken up again
        self._reasoner, self._memory = reasoner, memory or Memory()
        self._driver = uuid.uuid4().hex
        self._seen: Counter[str] = Counter()
        self._own: dict[str, StepDone] = {}
        self._edits: dict[Address, Edit] = {
            (e.position, e.index): e for e in journal.started.edits if not e.is_input
        }
        self._meter = Meter(journal.budget)
        self._pool: ThreadPoolExecutor | None = None
        self._thread: threading.Thread | None = None
        self._finished = threading.Event()

    # what a person does

    def start(self) -> None:
        """Drive on a thread of its own."""
        self._thread = threading.Thread(target=self.drive, name=f"run-{self.id[:8]}", daemon=True)
        self._thread.start()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the run has ended; False when it has not within `timeout` seconds."""
        return self._finished.wait(timeout)

    def pause(self) -> None:
        """Pause before the next step."""
        self.control.set("pause", "paused")

    def step(self) -> None:
        """Do one step, then pause."""
        self.control.set("step")

    def go_on(self) -> None:
        """Continue after a pause."""
        self.control.set("run")

    def stop(self) -> None:
        """Start nothing more; keep what calls in flight still bring, then end as stopped."""
        self.control.set("stop", "stopped by the person")

    @property
    def status(self) -> str:
        """running, paused, stopping, or how it ended."""
        if self._finished.is_set():
            ended = self.journal.ended
            return ended.status if ended else "interrupted"
        if self.control.mode == "stop":
            return "stopping"
        return "paused" if self.control.is_holding else "running"

    # the loop

    def drive(self) -> None:
        """Run to an end and journal it. Never raises: what went wrong is the end's reason."""
        try:
            self.store.take_lease(self.id, self._driver)
        except KGCoreError as error:
            log.warning("run %s was not driven: %s", self.id, error)
            self._finished.set()
            return
        beat = threading.Thread(target=self._heartbeat, daemon=True)
        beat.start()
        try:
            if self.resuming is not None:
                self._append(self.resuming)
            journal = self.journal
            self._meter = Meter(journal.budget, spent=journal.usage, seconds=_seconds(journal))
            self._end(*self._outcome())
        except LeaseLostError:
            log.info("run %s: another driver took over", self.id)
        except KGCoreError as error:
            log.error("run %s could not be ended: %s", self.id, error)
        finally:
            if self._pool is not None:
                self._pool.shutdown(wait=False)
            self._finished.set()
            beat.join()
            self._release()

    def _outcome(self) -> tuple[str, str, Answer | None]:
        """Drive the generator and say how it ended: status, reason, answer."""
        generator = self._reasoner.solve(self.journal.started.question, self.journal.started.config)
        try:
            answer = self._loop(generator)
            status = "answered" if answer.is_answer else "no_answer"
            return status, "", answer
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
        best: Answer | None = None
        for fact in list(self.journal.facts.values()):
            if isinstance(fact, AnswerProposed) and fact.answer.is_answer:
                if best is None or fact.answer.value > best.value:
                    best = fact.answer
        return best

    def _loop(self, generator: Any) -> Answer:
        position = ordinal = 0
        sent: Any = None
        while True:
            try:
                item = generator.send(sent)
            except StopIteration as stop:
                answer: Answer = stop.value
                return answer
            if not isinstance(item, Step):
                self._note(item, (position, ordinal))
                sent, ordinal = None, ordinal + 1
                continue
            leaves = item.steps if isinstance(item, All) else (item,)
            results = self._results(position, leaves)
            views = tuple(
                seen(self.journal.started, position, leaf, done.result)
                for leaf, done in zip(leaves, results, strict=True)
            )
            sent = views if isinstance(item, All) else views[0]
            position, ordinal = position + 1, 0

    def _note(self, fact: Any, address: Address) -> None:
        known = self.journal.facts.get(address)
        if known is not None:
            if known != fact:
                raise ReplayDivergedError(f"fact {address} is not the one the journal holds")
            return
        self._append(FactNoted(fact), address)
        self._break_at(fact)

    def _results(self, position: int, leaves: tuple[LeafStep, ...]) -> list[StepDone]:
        """Return the raw results of one round, doing only what no record answers."""
        done: dict[int, StepDone] = {}
        missing: dict[int, tuple[LeafStep, str, str]] = {}
        for index, leaf in enumerate(leaves):
            hashed = step_hash(leaf)
            key = key_of(hashed, who(leaf, self.ports))
            occurrence, self._seen[key] = self._seen[key], self._seen[key] + 1
            recorded = self.journal.results.get((position, index))
            if recorded is not None:
                if recorded.step_hash != hashed:
                    raise ReplayDivergedError(f"step {position}.{index} is not the journal's")
                done[index] = recorded
            elif (position, index) not in self._edits:
                remembered = self._remembered(leaf, key, occurrence)
                if remembered is not None:
                    about = replace(remembered, step=summary(leaf), key=key)
                    self._append(about, (position, index))
                    done[index] = about
            if index not in done:
                missing[index] = (leaf, hashed, key)
            elif isinstance(leaf, GRAPH_STEPS):
                self._own.setdefault(key, done[index])
        if missing:
            self._break_before(leaf for leaf, _, _ in missing.values())
            self.control.hold()
            self._do(position, missing, done)
        return [done[index] for index in range(len(leaves))]

    def _remembered(self, leaf: LeafStep, key: str, occurrence: int) -> StepDone | None:
        found = self._memory.recall(key, occurrence)
        if found is not None:
            return replace(found, via="memory")
        own = self._own.get(key)
        if own is not None and isinstance(leaf, GRAPH_STEPS):
            return replace(own, via="run")
        return None

    def _do(
        self,
        position: int,
        missing: dict[int, tuple[LeafStep, str, str]],
        done: dict[int, StepDone],
    ) -> None:
        """Do the missing leaves, equal graph questions once, and journal each as it arrives."""
        first: dict[str, int] = {}
        twins: dict[int, list[int]] = {}
        jobs: dict[int, Callable[[], StepDone | StepFailed]] = {}
        for index, (leaf, hashed, key) in missing.items():
            if isinstance(leaf, GRAPH_STEPS) and key in first:
                twins.setdefault(first[key], []).append(index)
                continue
            first[key] = index
            jobs[index] = self._job((position, index), leaf, hashed, key)
        problem: KGCoreError | None = None
        for index, outcome in self._run_jobs(jobs):
            if isinstance(outcome, (StepDone, StepFailed)):
                self._meter.add(outcome.usage)
                self._append(outcome, (position, index))
            if isinstance(outcome, StepDone):
                done[index] = outcome
                if isinstance(missing[index][0], GRAPH_STEPS) and not is_partial(outcome.result):
                    self._own[outcome.key] = outcome
                for twin in twins.get(index, ()):
                    copy = replace(outcome, via="run", step=summary(missing[twin][0]))
                    self._append(copy, (position, twin))
                    done[twin] = copy
            elif isinstance(outcome, StepFailed):
                problem = problem or ServiceError(outcome.message)
            else:
                problem = outcome if problem is None else problem
        if problem is not None:
            raise problem

    def _run_jobs(
        self, jobs: dict[int, Callable[[], StepDone | StepFailed]]
    ) -> Iterable[tuple[int, StepDone | StepFailed | KGCoreError]]:
        """Yield the outcomes in order of arrival; the only job runs on the driver's own thread."""
        if len(jobs) == 1:
            [(index, job)] = jobs.items()
            yield index, _outcome_of(job)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(MAX_PARALLEL, thread_name_prefix=f"run-{self.id[:8]}")
        futures: dict[Future[Any], int] = {
            self._pool.submit(_outcome_of, job): index for index, job in jobs.items()
        }
        while futures:
            arrived, _ = wait(futures, return_when=FIRST_COMPLETED)
            for future in sorted(arrived, key=lambda f: futures[f]):
                yield futures.pop(future), future.result()

    def _job(
        self, address: Address, leaf: LeafStep, hashed: str, key: str
    ) -> Callable[[], StepDone | StepFailed]:
        edit = self._edits.get(address)
        about = summary(leaf)

        def job() -> StepDone | StepFailed:
            if edit is not None and not edit.prompt:
                if edit.replies and isinstance(leaf, Ask):
                    assert isinstance(leaf.request, TypedRequest)
                    result: Result = edited_replies(leaf.request, edit.replies)
                else:
                    result = edit.result
                return StepDone(hashed, key, about, result, via="human")
            self.control.check()
            self._meter.check()
            calls = _Calls(self, address)
            started = time.monotonic()
            self.in_flight[address] = (about, started)
            try:
                result, usage = perform(
                    leaf, self.ports, calls.allowance, prompt=edit.prompt if edit else ""
                )
            except ServiceError as error:
                spent = Usage(llm_requests=calls.n)
                return StepFailed(about, error.kind, str(error), spent)
            finally:
                self.in_flight.pop(address, None)
                self.waits.pop(address, None)
            via = "human" if edit else "live"
            return StepDone(
                hashed, key, about, result, via, usage, round(time.monotonic() - started, 4)
            )

        return job

    # writing down

    def _append(self, body: EntryBody, address: Address = (-1, 0)) -> None:
        entry = Entry(len(self.journal.entries), now(), body, *address)
        self.store.append(self.id, entry, driver=self._driver)
        self.journal.add(entry)

    def _end(self, status: str, reason: str, answer: Answer | None) -> None:
        self._append(Ended(status, reason, answer, round(self._meter.seconds, 3)))

    def _break_at(self, item: Any) -> None:
        for point in self.breakpoints:
            if point.matches(item):
                self.control.set("pause", f"breakpoint: {point.label}")

    def _break_before(self, leaves: Iterable[LeafStep]) -> None:
        for leaf in leaves:
            self._break_at(leaf)

    def _heartbeat(self) -> None:
        while not self._finished.wait(LEASE_SECONDS / 3):
            try:
                if not self.store.renew_lease(self.id, self._driver):
                    self.control.lose()
            except KGCoreError as error:
                log.warning("run %s: no heartbeat: %s", self.id, error)

    def _release(self) -> None:
        try:
            self.store.release_lease(self.id, self._driver)
        except KGCoreError as error:
            log.warning("run %s: the lease was not released: %s", self.id, error)


class _Calls:
    """Counts and permits the requests of one leaf."""

    def __init__(self, run: Run, address: Address) -> None:
        self.n = 0
        self._run, self._address, self._lock = run, address, threading.Lock()
        self.allowance = Allowance(run._meter.deadline, self.take, self.wait)

    def take(self) -> None:
        self._run.control.check()
        self._run._meter.take_call()
        with self._lock:
            self.n += 1

    def wait(self, seconds: float, why: str) -> None:
        self._run.waits[self._address] = why
        self._run.control.wait(seconds)
        self._run.waits.pop(self._address, None)


def _outcome_of(
    job: Callable[[], StepDone | StepFailed],
) -> StepDone | StepFailed | KGCoreError:
    """Run a job; a refusal to start (stop, budget) or bad input comes back as the error itself.

    A fault of ours comes back as an error too, so that the siblings' results are still kept.
    """
    try:
        return job()
    except KGCoreError as error:
        return error
    except Exception as error:
        log.exception("a step failed")
        return KGCoreError(f"a fault in the program: {type(error).__name__}")


def _seconds(journal: Journal) -> float:
    """Seconds that earlier drives of this run took."""
    ends = [e.body.seconds for e in journal.entries if isinstance(e.body, Ended)]
    return ends[-1] if ends else 0.0
