"""Any model that litellm speaks to, and any server that speaks the OpenAI protocol.

How one answer comes about, from the outside in:

- `answer` words the request to fit the context window and asks for n samples. Samples that came back empty or
  cut short are asked for once more; what is still no complete reply is left out and said so. When nothing
  usable is left, the reason is the error.
- `Sampler` gets n samples, by as many requests as it takes, and repeats what may pass.

`timeout_s` bounds the whole answer, waits and repeats included; a single request gets half of it unless
`request_timeout_s` says otherwise, so that a request that hangs is repeated once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kgcore.errors import ContextWindowError, KGCoreError
from kgcore.llm import vendor
from kgcore.llm.base import ModelReply
from kgcore.llm.failures import no_key
from kgcore.llm.keys import lacks_key
from kgcore.llm.samples import Sample, label_refusals, model_facts, usable
from kgcore.llm.sampling import Job, Ledger, Sampler
from kgcore.prompts import PromptSet, TypedRequest
from kgcore.transport import Allowance
from kgcore.transport.retry import RetryPolicy

DEFAULT_CONTEXT_TOKENS = 8_192  # of a model nobody knows
_SHRINK = 0.6  # of a prompt that did not fit
_MARGIN = 0.9  # of the window, since tokens are estimated
_MORE = 4  # times the reply limit, for a reply that was cut
_REASONING = 8  # times the reply limit, for models whose hidden reasoning counts as reply


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
        self._max_tokens, self._context_tokens = max_tokens, context_tokens
        self._learned_tokens: int | None = None  # a prompt this long fits, longer ones did not
        request_timeout_s = request_timeout_s or timeout_s / 2
        call = vendor.Call(
            model=name,
            messages=(),
            n=1,
            temperature=0.0,
            max_tokens=max_tokens,
            timeout_s=request_timeout_s,
            read_timeout_s=request_timeout_s,
            api_base=api_base,
            user_agent=user_agent,
            api_key=api_key,
        )
        self._sampler = Sampler(call, replace(retry or RetryPolicy(), max_retries=max_retries))

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
        return self._sampler.service

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
        job = Job(prompt, temperature, self._reply_tokens(), deadline, allowance, Ledger())
        try:
            return self._answer(job, request, n)
        except KGCoreError as error:  # of the service, or a stop or a budget between two requests
            error.usage = job.ledger.usage
            raise

    def _answer(self, job: Job, request: TypedRequest, n: int) -> ModelReply:
        try:
            samples = self._sampler.gather(job, n)
        except ContextWindowError:
            job = self._shrunk(job, request)
            samples = self._sampler.gather(job, n)
            self._learned_tokens = job.prompt.n_tokens
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
        window, learned = self._window(), self._learned_tokens
        budget = int(max(window - self._reply_tokens(), window // 2) * _MARGIN)
        return budget if learned is None else min(budget, learned)

    def _shrunk(self, job: Job, request: TypedRequest) -> Job:
        """Word the request again, shorter; ContextWindowError when there is nothing to leave out."""
        budget = int(job.prompt.n_tokens * _SHRINK)
        prompt = request.render(self._prompts, max_tokens=budget)
        if prompt.n_tokens > budget:
            raise ContextWindowError(
                f"the prompt does not fit the context window of {self._name}, and it cannot be shortened"
            )
        note = f"shrunk to {_SHRINK:.0%}: the prompt did not fit the model's context window"
        return replace(job, prompt=replace(prompt, left_out=(*prompt.left_out, note)))

    def _again(self, job: Job, samples: list[Sample]) -> list[Sample]:
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
                found = self._sampler.gather(next_job, len(places))
            except KGCoreError:
                if all(sample.problem for sample in samples):
                    raise
                continue
            for place, sample in zip(places, found, strict=False):
                samples[place] = sample
        return samples
