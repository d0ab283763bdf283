"""One more turn for a reply that could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from kgcore.model.text import estimate_tokens, one_line
from kgcore.prompts.base import Prompt, PromptSet, TypedRequest, fill
from kgcore.prompts.wording import say

REPLY_LIMIT = 1500
PROBLEM_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Repair(TypedRequest):
    """One repair turn: the reply could not be read; ask for it again in the form that was asked for.

    Reads as the original request reads.
    """

    template: ClassVar[str] = "repair"
    original: TypedRequest
    reply: str
    problem: str

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: reply, problem, form."""
        return {
            "reply": one_line(self.reply.strip(), REPLY_LIMIT) or "–",
            "problem": one_line(self.problem, PROBLEM_LIMIT)
            or say(self.original.language, "problem_default"),
            "form": "",
        }, ()

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        """Return the original prompt with the unreadable reply, the problem and the wanted form behind it."""
        language = self.original.language
        addition = self._addition(prompts, language)
        prompt = self.original.render(prompts)
        whole = replace(prompt, user=f"{prompt.user}\n\n{addition}")
        if max_tokens is None or whole.n_tokens <= max_tokens:
            return whole
        room = max_tokens - estimate_tokens(addition) - 2
        prompt = self.original.render(prompts, max_tokens=room)
        return replace(prompt, user=f"{prompt.user}\n\n{addition}")

    def _addition(self, prompts: PromptSet, language: str) -> str:
        fields = {**self.fields(None)[0], "form": self.original.form(prompts)}
        where = f"prompts/{prompts.name}/{language}/{self.template}.txt"
        return fill(prompts.template(self.template, language), fields, where=where).strip()

    def read(self, text: str) -> object:
        """Return what the original request reads."""
        return self.original.read(text)
