"""A language model for tests: it says what you wrote down.

    model = ScriptedModel(lambda request: "yes", prompts=prompts)
    model = ScriptedModel({"find_mentions": ["Inception\\nInterstellar"], "choose_action": ["ANSWER"]}, prompts=prompts)

A callable gets the typed request and returns one text, which every sample gets, or a sequence of texts, one a
sample. A mapping holds, by template name, the texts in the order in which they are used up; asking for more than
it holds raises AssertionError, as a script that is too short is a mistake in the test. `requests` lists what was
asked, in order of arrival. Raising any error from the callable makes the model fail with it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kgcore.llm import ModelReply
from kgcore.prompts import PromptSet, TypedRequest
from kgcore.steps import Usage
from kgcore.transport import Allowance

Script = Callable[[TypedRequest], str | Sequence[str]] | Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the model got it."""

    request: TypedRequest
    n: int
    temperature: float


class ScriptedModel:
    """Answers typed requests from a script; safe to ask from several threads.

    Each answer takes one permit of the allowance, as one request to a provider would, and `delay_s` seconds.
    """

    def __init__(
        self,
        answers: Script,
        *,
        prompts: PromptSet,
        name: str = "scripted",
        delay_s: float = 0.0,
    ) -> None:
        self._answers, self._prompts, self._name, self._delay_s = answers, prompts, name, delay_s
        self._used: dict[str, int] = {}
        self._asked: list[Asked] = []
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self._name

    @property
    def prompts(self) -> PromptSet:
        """The templates it words requests with."""
        return self._prompts

    @property
    def requests(self) -> tuple[Asked, ...]:
        """Everything it was asked so far."""
        with self._lock:
            return tuple(self._asked)

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        """Answer from the script; the usage counts one request and words as tokens."""
        allowance = allowance or Allowance()
        prompt = request.render(self._prompts)
        allowance.take()
        with self._lock:
            self._asked.append(Asked(request, n, temperature))
        if self._delay_s:
            allowance.wait(self._delay_s, "")
        texts = self._texts(request, n)
        usage = Usage(
            llm_requests=1,
            completions=len(texts),
            prompt_tokens=len(prompt.text.split()),
            completion_tokens=sum(len(text.split()) for text in texts),
        )
        return ModelReply(texts, prompt.text, usage, prompt.left_out)

    def _texts(self, request: TypedRequest, n: int) -> tuple[str, ...]:
        if callable(self._answers):
            said = self._answers(request)
            texts = (said,) * n if isinstance(said, str) else tuple(said)
            if len(texts) != n:
                raise AssertionError(
                    f"the script has {len(texts)} texts for {n} samples of {request.template}"
                )
            return texts
        with self._lock:
            start = self._used.get(request.template, 0)
            texts = tuple(self._answers.get(request.template, ())[start : start + n])
            if len(texts) < n:
                raise AssertionError(f"the script has no more texts for {request.template}")
            self._used[request.template] = start + n
            return texts
