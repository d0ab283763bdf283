"""Doing the leaf steps of one round: from the journal, from memory, or for real.

What the journal holds at an address is taken as it is. A result of the lineage's memory, or of the same graph
question earlier in this run, is taken over and journaled. What is left is done, several leaves on threads, and
journaled in order of arrival; when one fails its siblings still finish and are kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

from kgcore.errors import (
    BudgetExceededError,
    InputError,
    KGCoreError,
    ServiceError,
    StoppedError,
)
from kgcore.prompts import TypedRequest
from kgcore.runs.budget import Meter
from kgcore.runs.control import Control
from kgcore.runs.entries import CUT_SHORT, Address, Edit, EntryBody, StepDone, StepFailed
from kgcore.runs.journal import Journal
from kgcore.runs.keys import key_of, step_hash, summary
from kgcore.runs.memory import Memory, is_partial
from kgcore.runs.perform import Ports, edited_replies, perform, who
from kgcore.runs.standing import Via
from kgcore.steps import GRAPH_STEPS, Ask, LeafStep, Result, Usage
from kgcore.transport import Allowance

log = logging.getLogger(__name__)
MAX_PARALLEL = 8
Missing = dict[int, tuple[LeafStep, str, str]]  # index → step, its hash, its key
Job = Callable[[], StepDone | StepFailed]


class Leaves:
    """Does leaf steps for one drive of a run."""

    def __init__(
        self,
        ports: Ports,
        journal: Journal,
        memory: Memory,
        meter: Meter,
        control: Control,
        *,
        append: Callable[[EntryBody, Address], None],
        before: Callable[[Sequence[LeafStep]], None],
        settle: Callable[[LeafStep], Result | None] = lambda leaf: None,
    ) -> None:
        self.ports, self.journal, self.meter, self.control = ports, journal, meter, control
        self.in_flight: dict[Address, tuple[dict[str, Any], float]] = {}  # volatile, for watchers
        self.waits: dict[Address, str] = {}
        self._memory, self._append, self._before, self._settle = memory, append, before, settle
        self._seen: Counter[str] = Counter()
        self._own: dict[str, StepDone] = {}
        self._edits: dict[Address, Edit] = {
            e.address: e for e in journal.started.edits if not e.is_input
        }
        self._cut: dict[Address, KGCoreError] = {}  # why a leaf ended between two of its requests
        self._pool: ThreadPoolExecutor | None = None

    def close(self) -> None:
        """Let the threads end; calls in flight are not waited for."""
        if self._pool is not None:
            self._pool.shutdown(wait=False)

    def results(self, position: int, leaves: tuple[LeafStep, ...]) -> list[StepDone]:
        """Return the raw results of one round, doing only what no record answers."""
        done: dict[int, StepDone] = {}
        missing: Missing = {}
        for index, leaf in enumerate(leaves):
            hashed = step_hash(leaf)
            key = key_of(hashed, who(leaf, self.ports))
            occurrence, self._seen[key] = self._seen[key], self._seen[key] + 1
            recorded = self.journal.result((position, index), hashed)
            if recorded is not None:
                done[index] = recorded
            elif (position, index) not in self._edits:
                remembered = self._remembered(leaf, key, occurrence)
                if remembered is not None:
                    about = replace(remembered, step=summary(leaf), key=key)
                    self._append(about, (position, index))
                    done[index] = about
            if index not in done:
                missing[index] = (leaf, hashed, key)
            else:
                self._keep(leaf, done[index])
        if missing:
            self._before([leaf for leaf, _, _ in missing.values()])
            self._ask_person(position, missing, done)
            self._do(position, missing, done)
        return [done[index] for index in range(len(leaves))]

    def _remembered(self, leaf: LeafStep, key: str, occurrence: int) -> StepDone | None:
        found = self._memory.recall(key, occurrence)
        if found is not None:
            return replace(found, via="memory")
        own = self._own.get(key)
        if own is not None and self._is_asked_once(leaf):
            return replace(own, via="run")
        return None

    def _is_asked_once(self, leaf: LeafStep) -> bool:
        """Whether the answer to this step stands for the whole run (the setting `ask_graph_once`)."""
        is_on = getattr(self.journal.started.config, "ask_graph_once", True)
        return is_on and isinstance(leaf, GRAPH_STEPS)

    def _keep(self, leaf: LeafStep, done: StepDone) -> None:
        """Keep a graph's answer for the next time the same is asked in this run."""
        if isinstance(leaf, GRAPH_STEPS) and not is_partial(done.result):
            self._own[done.key] = done

    def _ask_person(self, position: int, missing: Missing, done: dict[int, StepDone]) -> None:
        """Take from the missing leaves those that a person answers instead of the model."""
        for index, (leaf, hashed, key) in list(missing.items()):
            if (position, index) in self._edits:
                continue
            said = self._settle(leaf)
            if said is not None:
                done[index] = StepDone(hashed, key, summary(leaf), said, "human", is_human=True)
                self._append(done[index], (position, index))
                del missing[index]

    def _do(self, position: int, missing: Missing, done: dict[int, StepDone]) -> None:
        """Do the missing leaves, equal graph questions once, and journal each as it arrives."""
        first: dict[str, int] = {}
        twins: dict[int, list[int]] = {}
        jobs: dict[int, Job] = {}
        for index, (leaf, hashed, key) in missing.items():
            if key in first and self._is_asked_once(leaf):
                twins.setdefault(first[key], []).append(index)
                continue
            first[key] = index
            jobs[index] = self._job((position, index), leaf, hashed, key)
        problem: KGCoreError | None = None
        for index, outcome in self._run_jobs(jobs):
            if isinstance(outcome, (StepDone, StepFailed)):
                self.meter.add(outcome.usage)
                self._append(outcome, (position, index))
            if isinstance(outcome, StepDone):
                done[index] = outcome
                self._keep(missing[index][0], outcome)
                for twin in twins.get(index, ()):
                    copy = replace(outcome, via="run", step=summary(missing[twin][0]))
                    self._append(copy, (position, twin))
                    done[twin] = copy
            elif isinstance(outcome, StepFailed):
                cut = self._cut.pop((position, index), None)
                problem = problem or cut or ServiceError(outcome.message)
            else:
                problem = outcome if problem is None else problem
        if problem is not None:
            raise problem

    def _run_jobs(
        self, jobs: dict[int, Job]
    ) -> Iterable[tuple[int, StepDone | StepFailed | KGCoreError]]:
        """Yield the outcomes in order of arrival; the only job runs on the driver's own thread."""
        if len(jobs) == 1:
            [(index, job)] = jobs.items()
            yield index, _outcome_of(job)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(MAX_PARALLEL, thread_name_prefix="step")
        futures: dict[Future[Any], int] = {
            self._pool.submit(_outcome_of, job): index for index, job in jobs.items()
        }
        while futures:
            arrived, _ = wait(futures, return_when=FIRST_COMPLETED)
            for future in sorted(arrived, key=lambda f: futures[f]):
                yield futures.pop(future), future.result()

    def _job(self, address: Address, leaf: LeafStep, hashed: str, key: str) -> Job:
        edit = self._edits.get(address)
        about = summary(leaf)

        def job() -> StepDone | StepFailed:
            if edit is not None and not edit.prompt:
                return StepDone(
                    hashed, key, about, _decided(edit, leaf), via="human", is_human=True
                )
            self.control.check()
            self.meter.check()
            calls = _Calls(self, address)
            started = time.monotonic()
            self.in_flight[address] = (about, started)
            try:
                result, usage = perform(
                    leaf, self.ports, calls.allowance, prompt=edit.prompt if edit else ""
                )
            except ServiceError as error:
                return StepFailed(about, error.kind, str(error), calls.spent(error))
            except (BudgetExceededError, StoppedError) as error:
                if not calls.n:
                    raise
                self._cut[address] = error  # its first requests were sent, and count
                return StepFailed(about, CUT_SHORT, str(error), calls.spent(error))
            finally:
                self.in_flight.pop(address, None)
                self.waits.pop(address, None)
            via: Via = "human" if edit else "live"
            seconds = round(time.monotonic() - started, 4)
            return StepDone(
                hashed, key, about, result, via, usage, seconds, is_human=edit is not None
            )

        return job


def _decided(edit: Edit, leaf: LeafStep) -> Result:
    """Return what a person put in place of a step's result."""
    if not edit.replies:
        decided: Result = edit.result
        return decided
    if not isinstance(leaf, Ask):
        raise InputError(f"at {edit.position}.{edit.index} no model is asked any more")
    assert isinstance(leaf.request, TypedRequest)
    return edited_replies(leaf.request, edit.replies)


class _Calls:
    """Counts and permits the requests of one leaf."""

    def __init__(self, leaves: Leaves, address: Address) -> None:
        self.n = 0
        self._leaves, self._address, self._lock = leaves, address, threading.Lock()
        self.allowance = Allowance(
            leaves.meter.deadline, self.take, leaves.control.check, self.wait
        )

    def take(self) -> None:
        self._leaves.control.check()
        self._leaves.meter.take_call()
        with self._lock:
            self.n += 1

    def spent(self, error: KGCoreError) -> Usage:
        """Return what the leaf cost although it failed."""
        known = error.usage if isinstance(error.usage, Usage) else Usage()
        return replace(known, llm_requests=max(self.n, known.llm_requests))

    def wait(self, seconds: float, why: str) -> None:
        self._leaves.waits[self._address] = why
        self._leaves.control.wait(seconds)
        self._leaves.waits.pop(self._address, None)


def _outcome_of(job: Job) -> StepDone | StepFailed | KGCoreError:
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
