"""The port to a language model, or to what stands in for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kgcore.prompts import PromptSet, TypedRequest
from kgcore.steps import Usage
from kgcore.transport import Allowance


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
