"""The port to a language model, or to what stands in for one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from kgcore.prompts import PromptSet, TypedRequest
from kgcore.steps import Usage


def _unlimited() -> None:
    """Allow the call."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an answer may spend: a deadline and a permit for every request sent.

    A model calls `take()` just before each request it sends to a provider, retries included; it raises
    BudgetExceededError or StoppedError when no more may be sent. `wait(seconds, why)` is how a model waits
    between retries: it shows the reason and ends early, by StoppedError, when the person stops the run.
    """

    deadline: float | None = None  # on time.monotonic()
    take: Callable[[], None] = field(default=_unlimited)
    wait: Callable[[float, str], None] = field(default=lambda seconds, why: time.sleep(seconds))

    def seconds_left(self, timeout: float) -> float:
        """Return the smaller of `timeout` and the time to the deadline; never below 0."""
        if self.deadline is None:
            return timeout
        return max(0.0, min(timeout, self.deadline - time.monotonic()))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """Raw texts, one a sample, with the prompt as it was sent and what it cost."""

    texts: tuple[str, ...]
    prompt: str
    usage: Usage
    left_out: tuple[str, ...] = ()  # what did not fit the context window, in words


class LanguageModel(Protocol):
    """A model that can be asked from several threads at once."""

    @property
    def name(self) -> str:
        """What a person calls it; part of the key of every step."""

    @property
    def prompts(self) -> PromptSet:
        """The templates it words requests with."""

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        """Answer a request with n samples; ServiceError (or a kind of it) when the provider fails."""
