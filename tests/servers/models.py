"""A model of the adapter's own kind against a test server, and what tests ask it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from kgcore.errors import ServiceError
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.transport import Allowance
from tests.servers.openai_server import OpenAIServer
from tests.servers.plain_requests import PlainPrompts, Word

CANARY = "sk-canary-9f8e7d6c5b4a"  # the key; it must show nowhere
QUESTION = Word("Which word?")


def make(server: OpenAIServer, **settings: Any) -> LiteLLMModel:
    """Return a model at the server's address."""
    name = settings.pop("name", "openai/test-model")
    settings.setdefault("prompts", PlainPrompts())
    settings.setdefault("api_key", lambda: CANARY)
    return LiteLLMModel(name, api_base=server.address, **settings)


class Waits:
    """An allowance that notes the waits and does not wait, and counts permits."""

    def __init__(self, *, is_real: bool = False) -> None:
        self.seconds: list[float] = []
        self.reasons: list[str] = []
        self.n_taken = 0
        self._is_real = is_real
        self.allowance = Allowance(take=self._take, wait=self._wait)

    def _take(self) -> None:
        self.n_taken += 1

    def _wait(self, seconds: float, why: str) -> None:
        self.seconds.append(seconds)
        self.reasons.append(why)
        if self._is_real:
            time.sleep(seconds)


def failed(model: LiteLLMModel, waits: Waits | None = None, **asked: Any) -> ServiceError:
    """Ask and return the error it must end in."""
    with pytest.raises(ServiceError) as caught:
        model.answer(QUESTION, allowance=(waits or Waits()).allowance, **asked)
    return caught.value
