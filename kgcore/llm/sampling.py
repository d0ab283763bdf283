"""Getting n samples for one prompt from a provider: as one request or as several, repeated while that may help.

- `gather` gets n samples: as one request where the provider takes `n`, else as concurrent requests. A provider
  that returns one choice for many, or rejects the request, is remembered as one that takes no `n`.
- `_request` sends one request and repeats it, after a wait, when its failure may pass: at most `max_retries`
  times, never past the deadline.
- `vendor.send` is one HTTP request, and always ends in time.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from kgcore.errors import TimedOutError
from kgcore.llm import vendor
from kgcore.llm.failures import Failure
from kgcore.llm.samples import Completion, Sample, usage_of
from kgcore.prompts import Prompt
from kgcore.steps import Usage
from kgcore.transport import Allowance
from kgcore.transport.retry import RetryPolicy


@dataclass(slots=True)
class Ledger:
    """What one answer has cost so far; filled in from several threads."""

    usage: Usage = field(default_factory=Usage)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, usage: Usage) -> None:
        """Count one request."""
        with self.lock:
            self.usage = self.usage + usage


@dataclass(frozen=True, slots=True)
class Job:
    """One answer under way."""

    prompt: Prompt
    temperature: float
    max_tokens: int
    deadline: float
    allowance: Allowance
    ledger: Ledger


class Sampler:
    """Asks one model of one provider, and learns about it: whether it takes `n`, how long it is busy.

    `call` says what all its requests have in common. Safe to use from several threads.
    """

    def __init__(self, call: vendor.Call, retry: RetryPolicy) -> None:
        self._call, self._retry = call, retry
        self._is_taking_n: bool | None = None  # None: not asked yet
        self._busy_until = 0.0  # on time.monotonic(); it asked not to be asked before

    @property
    def service(self) -> str:
        """What messages call the provider: the host of its address, or the provider's name."""
        if self._call.api_base:
            _, _, rest = self._call.api_base.rpartition("//")
            return rest.split("/")[0].rpartition("@")[2] or self._call.api_base
        provider, slash, _ = self._call.model.partition("/")
        return provider if slash else (vendor.provider_of(self._call.model) or self._call.model)

    def gather(self, job: Job, n: int) -> list[Sample]:
        """Return n samples, as one request or as several; the failure is raised where there are none."""
        if n == 1 or not self._takes_n():
            return self._concurrently(job, n)
        outcome = self._request(job, n)
        if isinstance(outcome, Failure):
            if not outcome.is_bad_request:
                raise outcome.exception()
            samples = self._concurrently(job, n)  # fails the same way if `n` was not the reason
            self._is_taking_n = False
            return samples
        samples = list(outcome.samples[:n])
        if not samples:
            return [Sample("", "empty")] * n
        if len(samples) < n:
            if len(samples) == 1:
                self._is_taking_n = False
            samples += self._concurrently(job, n - len(samples))
        return samples

    def _takes_n(self) -> bool:
        """Whether to ask for several samples in one request."""
        if self._is_taking_n is None:
            self._is_taking_n = vendor.takes_n(self._call.model)
        return self._is_taking_n

    def _concurrently(self, job: Job, n: int) -> list[Sample]:
        """Return n samples by n requests at the same time; the first failure, in order, is raised."""
        if n == 1:
            return [_first(self._request(job, 1))]
        outcomes: list[Future[Completion | Failure]] = [Future() for _ in range(n)]

        def run(outcome: Future[Completion | Failure]) -> None:
            try:
                outcome.set_result(self._request(job, 1))
            except BaseException as error:  # noqa: BLE001  raised again by the thread that asked
                outcome.set_exception(error)

        for outcome in outcomes:
            threading.Thread(target=run, args=(outcome,), name="sample", daemon=True).start()
        for outcome in outcomes:
            outcome.exception()  # wait for all, so that nothing is in flight when one fails
        return [_first(outcome.result()) for outcome in outcomes]

    def _request(self, job: Job, n: int) -> Completion | Failure:
        """Send one request and repeat it while its failure may pass; return the last failure."""
        n_failed = 0
        while True:
            self._wait_while_busy(job)
            left = job.deadline - time.monotonic()
            if left <= 0:
                raise TimedOutError(f"{self.service} did not answer in time")
            job.allowance.take()
            outcome = vendor.send(self._call_of(job, n, left), service=self.service)
            if isinstance(outcome, Completion):
                job.ledger.add(usage_of(outcome, job.prompt.text, job.max_tokens))
                return outcome
            job.ledger.add(Usage(llm_requests=outcome.n_sent))
            n_failed += 1
            wait_s = self._pause(job, outcome, n_failed) if outcome.is_retryable else None
            if wait_s is None:
                return replace(outcome, message=outcome.message + _why_no_more(outcome, n_failed))
            why = f"waiting {wait_s:.0f} s for {self.service} ({outcome.short})"
            job.allowance.wait(wait_s, why)

    def _pause(self, job: Job, failure: Failure, n_failed: int) -> float | None:
        """Return the seconds to wait before the next try; None when there is none.

        What the provider asks for is waited in full or not at all; a wait of our own never uses up the time.
        """
        left = job.deadline - time.monotonic()
        wait_s = self._retry.wait_s(n_failed, retry_after=failure.retry_after)
        if wait_s is None or left <= 0:
            return None
        if failure.retry_after is None:
            return min(wait_s, left / 2)
        busy_until = time.monotonic() + failure.retry_after
        self._busy_until = max(self._busy_until, busy_until)
        return wait_s if wait_s < left else None

    def _wait_while_busy(self, job: Job) -> None:
        """Wait as long as the provider told another thread to; not when that is past the deadline."""
        now = time.monotonic()
        wait_s = self._busy_until - now
        if 0 < wait_s < job.deadline - now:
            job.allowance.wait(wait_s, f"waiting {wait_s:.0f} s for {self.service} (busy)")

    def _call_of(self, job: Job, n: int, left: float) -> vendor.Call:
        parts = (("system", job.prompt.system), ("user", job.prompt.user))
        return replace(
            self._call,
            messages=tuple((role, text) for role, text in parts if text),
            n=n,
            temperature=job.temperature,
            max_tokens=job.max_tokens,
            timeout_s=min(left, self._call.timeout_s),
        )


def _first(outcome: Completion | Failure) -> Sample:
    if isinstance(outcome, Failure):
        raise outcome.exception()
    return outcome.samples[0] if outcome.samples else Sample("", "empty")


def _why_no_more(failure: Failure, n_failed: int) -> str:
    """Say in words why the request is not repeated (again)."""
    if failure.retry_after is not None and failure.retry_after > 1:
        return f"; it asks to wait {failure.retry_after:.0f} s"
    return f", {n_failed} times" if n_failed > 1 else ""
