"""Any model that litellm speaks to, and any server that speaks the OpenAI protocol.

How one answer comes about, from the outside in:

- `answer` words the request to fit the context window and asks for n samples. Samples that came back empty or
  cut short are asked for once more; what is still no complete reply is left out and said so. When nothing
  usable is left, the reason is the error.
- `_gather` gets n samples: as one request where the provider takes `n`, else as concurrent requests. A provider
  that returns one choice for many, or rejects the request, is remembered as one that takes no `n`.
- `_request` sends one request and repeats it, after a wait, when its failure may pass: at most `max_retries`
  times, never past the deadline.
- `vendor.send` is one HTTP request, and always ends in time.

`timeout_s` bounds the whole answer, waits and repeats included; a single request gets half of it unless
`request_timeout_s` says otherwise, so that a request that hangs is repeated once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from kgcore.errors import ContextWindowError, KGCoreError, TimedOutError
from kgcore.llm import vendor
from kgcore.llm.base import ModelReply
from kgcore.llm.failures import Failure, no_key
from kgcore.llm.keys import lacks_key
from kgcore.llm.samples import (
    Completion,
    Sample,
    label_refusals,
    model_facts,
    usable,
    usage_of,
)
from kgcore.prompts import Prompt, PromptSet, TypedRequest
from kgcore.steps import Usage
from kgcore.transport import Allowance
from kgcore.transport.retry import RetryPolicy

DEFAULT_CONTEXT_TOKENS = 8_192  # of a model nobody knows
_SHRINK = 0.6  # of a prompt that did not fit
_MARGIN = 0.9  # of the window, since tokens are estimated
_MORE = 4  # times the reply limit, for a reply that was cut
_REASONING = 8  # times the reply limit, for models whose hidden reasoning counts as reply


@dataclass(slots=True)
class _Learned:
    """What the provider taught us about itself; shared by all threads."""

    takes_n: bool | None = None  # None: not asked yet
    prompt_tokens: int | None = None  # a prompt this long fits, longer ones did not
    busy_until: float = 0.0  # on time.monotonic(); it asked not to be asked before


@dataclass(slots=True)
class _Ledger:
    """What one answer has cost so far; filled in from several threads."""

    usage: Usage = field(default_factory=Usage)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, usage: Usage) -> None:
        """Count one request."""
        with self.lock:
            self.usage = self.usage + usage


@dataclass(frozen=True, slots=True)
class _Job:
    """One answer under way."""

    prompt: Prompt
    temperature: float
    max_tokens: int
    deadline: float
    allowance: Allowance
    ledger: _Ledger


class LiteLLMModel:
    """A language model by its name in litellm: `openai/gpt-4o-mini`, `ollama_chat/llama3.1`, …

    `api_key` is called for every request and its result is kept nowhere. With an `api_base`, a name that
    litellm knows no provider for is taken as a model of an OpenAI-compatible server.
    """

    def __init__(
        self,
        name: str,
        *,
        prompts: PromptSet,
        api_base: str | None = None,
        api_key: Callable[[], str | None] | None = None,
        timeout_s: float = 120.0,
        request_timeout_s: float | None = None,
        max_tokens: int = 1_024,
        max_retries: int = 2,
        context_tokens: int | None = None,
        user_agent: str = "",
        retry: RetryPolicy | None = None,
    ) -> None:
        self._name, self._prompts = name, prompts
        self._api_base, self._api_key = api_base, api_key
        self._timeout_s = timeout_s
        self._request_timeout_s = request_timeout_s or timeout_s / 2
        self._max_tokens, self._context_tokens = max_tokens, context_tokens
        self._user_agent = user_agent
        self._retry = replace(retry or RetryPolicy(), max_retries=max_retries)
        self._learned = _Learned()

    def __repr__(self) -> str:
        return f"LiteLLMModel({self._name!r})"

    @property
    def name(self) -> str:
        """Name as litellm writes it."""
        return self._name

    @property
    def prompts(self) -> PromptSet:
        """The templates it words requests with."""
        return self._prompts

    @property
    def service(self) -> str:
        """What messages call the provider: the host of its address, or the provider's name."""
        if self._api_base:
            _, _, rest = self._api_base.rpartition("//")
            return rest.split("/")[0].rpartition("@")[2] or self._api_base
        provider, slash, _ = self._name.partition("/")
        return provider if slash else (vendor.provider_of(self._name) or self._name)

    def warm(self) -> None:
        """Start importing litellm in the background; not where no request can be made without a key."""
        if not self._lacks_key():
            vendor.warm()

    def _lacks_key(self) -> bool:
        return not self._api_base and lacks_key(self._name, self._api_key)

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        """Answer a request with n samples; ServiceError (or a kind of it) when the provider fails."""
        allowance = allowance or Allowance()
        if self._lacks_key():
            raise no_key(self.service).exception()
        vendor.await_loaded(allowance)
        deadline = time.monotonic() + allowance.seconds_left(self._timeout_s)
        prompt = request.render(self._prompts, max_tokens=self._prompt_budget())
        job = _Job(prompt, temperature, self._reply_tokens(), deadline, allowance, _Ledger())
        try:
            return self._answer(job, request, n)
        except KGCoreError as error:  # of the service, or a stop or a budget between two requests
            error.usage = job.ledger.usage
            raise

    def _answer(self, job: _Job, request: TypedRequest, n: int) -> ModelReply:
        try:
            samples = self._gather(job, n)
        except ContextWindowError:
            job = self._shrunk(job, request)
            samples = self._gather(job, n)
            self._learned.prompt_tokens = job.prompt.n_tokens
        samples = label_refusals(self._again(job, samples), request)
        texts, notes = usable(samples, self.service)
        left_out = (*job.prompt.left_out, *notes)
        return ModelReply(texts, job.prompt.text, job.ledger.usage, left_out)

    def _facts(self) -> Mapping[str, Any]:
        return model_facts(vendor.load(), self._name)

    def _window(self) -> int:
        """Return the model's context window in tokens."""
        if self._context_tokens is not None:
            return self._context_tokens
        facts = self._facts()
        known = facts.get("max_input_tokens") or facts.get("max_tokens")
        return known if isinstance(known, int) else DEFAULT_CONTEXT_TOKENS

    def _reply_tokens(self) -> int:
        """Return how many tokens a reply may have."""
        facts = self._facts()
        if not facts.get("supports_reasoning"):
            return self._max_tokens
        most = facts.get("max_output_tokens")
        wanted = self._max_tokens * _REASONING
        return min(wanted, most) if isinstance(most, int) else wanted

    def _prompt_budget(self) -> int:
        """Return how many tokens a prompt may have."""
        window, learned = self._window(), self._learned.prompt_tokens
        budget = int(max(window - self._reply_tokens(), window // 2) * _MARGIN)
        return budget if learned is None else min(budget, learned)

    def _shrunk(self, job: _Job, request: TypedRequest) -> _Job:
        """Word the request again, shorter; ContextWindowError when there is nothing to leave out."""
        budget = int(job.prompt.n_tokens * _SHRINK)
        prompt = request.render(self._prompts, max_tokens=budget)
        if prompt.n_tokens > budget:
            raise ContextWindowError(
                f"the prompt does not fit the context window of {self._name}, and it cannot be shortened"
            )
        note = f"shrunk to {_SHRINK:.0%}: the prompt did not fit the model's context window"
        return replace(job, prompt=replace(prompt, left_out=(*prompt.left_out, note)))

    def _again(self, job: _Job, samples: list[Sample]) -> list[Sample]:
        """Ask once more for samples that came back empty or cut short, the latter with more room.

        A failure now does not take away what is complete already.
        """
        room = int((self._window() - job.prompt.n_tokens) * _MARGIN)
        longer = replace(job, max_tokens=max(job.max_tokens, min(job.max_tokens * _MORE, room)))
        for problem, next_job in (("empty", job), ("cut", longer)):
            places = [i for i, sample in enumerate(samples) if sample.problem == problem]
            if not places:
                continue
            try:
                found = self._gather(next_job, len(places))
            except KGCoreError:
                if all(sample.problem for sample in samples):
                    raise
                continue
            for place, sample in zip(places, found, strict=False):
                samples[place] = sample
        return samples

    def _gather(self, job: _Job, n: int) -> list[Sample]:
        """Return n samples, whatever it takes."""
        if n == 1 or not self._takes_n():
            return self._concurrently(job, n)
        outcome = self._request(job, n)
        if isinstance(outcome, Failure):
            if not outcome.is_bad_request:
                raise outcome.exception()
            samples = self._concurrently(job, n)  # fails the same way if `n` was not the reason
            self._learned.takes_n = False
            return samples
        samples = list(outcome.samples[:n])
        if not samples:
            return [Sample("", "empty")] * n
        if len(samples) < n:
            if len(samples) == 1:
                self._learned.takes_n = False
            samples += self._concurrently(job, n - len(samples))
        return samples

    def _takes_n(self) -> bool:
        """Whether to ask for several samples in one request."""
        if self._learned.takes_n is None:
            self._learned.takes_n = vendor.takes_n(self._name)
        return self._learned.takes_n

    def _concurrently(self, job: _Job, n: int) -> list[Sample]:
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

    def _request(self, job: _Job, n: int) -> Completion | Failure:
        """Send one request and repeat it while its failure may pass; return the last failure."""
        n_failed = 0
        while True:
            self._wait_while_busy(job)
            left = job.deadline - time.monotonic()
            if left <= 0:
                raise TimedOutError(f"{self.service} did not answer in time")
            job.allowance.take()
            outcome = vendor.send(self._call(job, n, left), service=self.service)
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

    def _pause(self, job: _Job, failure: Failure, n_failed: int) -> float | None:
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
        self._learned.busy_until = max(self._learned.busy_until, busy_until)
        return wait_s if wait_s < left else None

    def _wait_while_busy(self, job: _Job) -> None:
        """Wait as long as the provider told another thread to; not when that is past the deadline."""
        now = time.monotonic()
        wait_s = self._learned.busy_until - now
        if 0 < wait_s < job.deadline - now:
            job.allowance.wait(wait_s, f"waiting {wait_s:.0f} s for {self.service} (busy)")

    def _call(self, job: _Job, n: int, left: float) -> vendor.Call:
        parts = (("system", job.prompt.system), ("user", job.prompt.user))
        return vendor.Call(
            model=self._name,
            messages=tuple((role, text) for role, text in parts if text),
            n=n,
            temperature=job.temperature,
            max_tokens=job.max_tokens,
            timeout_s=min(left, self._request_timeout_s),
            read_timeout_s=self._request_timeout_s,
            api_base=self._api_base,
            user_agent=self._user_agent,
            api_key=self._api_key,
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
