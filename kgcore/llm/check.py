"""One tiny request to a model, and a verdict in words: for the settings page and the command line."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import EmptyReplyError, FilteredError, KGCoreError, ServiceError
from kgcore.llm.base import LanguageModel
from kgcore.prompts import Prompt, PromptSet, TypedRequest
from kgcore.transport import Allowance

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class _Ping(TypedRequest):
    """A request that any model can answer in one word; it needs no template."""

    template: ClassVar[str] = "ping"

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        return {}, ()

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        return Prompt("", self.question)

    def read(self, text: str) -> str:
        return text


def check_model(model: LanguageModel, *, timeout_s: float = TIMEOUT_S) -> str:
    """Return a one-line verdict: "ok" and the seconds it took, or what is wrong."""
    start = time.monotonic()
    allowance = Allowance(deadline=start + timeout_s)
    try:
        model.answer(_Ping("Reply with the single word: yes"), allowance=allowance)
    except (EmptyReplyError, FilteredError) as error:
        return f"reached, but {error}"
    except ServiceError as error:
        return f"not usable: {error}{_advice(error)}"
    except (KGCoreError, NotImplementedError) as error:
        return f"cannot be checked: {error}"
    return f"ok: {model.name} answered in {time.monotonic() - start:.1f} s"


def _advice(error: ServiceError) -> str:
    """Say what a person can do about it, where that is not in the message."""
    advice = {
        "key": "; set the right key",
        "timeout": "; is the address right, and the server up?",
        "rate_limited": "; try again later",
    }
    return advice.get(error.kind, "")
