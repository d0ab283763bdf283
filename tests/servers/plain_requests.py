"""Tiny typed requests and a prompt set for tests of models, independent of the real templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model.text import estimate_tokens
from kgcore.prompts import Prompt, PromptSet, TypedRequest


class PlainPrompts:
    """A prompt set without templates."""

    name = "plain"

    def examples(self, name: str, language: str) -> str:
        return ""

    def template(self, name: str, language: str) -> str:
        return ""

    def version(self, name: str, language: str) -> str:
        return "1"


@dataclass(frozen=True, slots=True)
class Word(TypedRequest):
    """Asks for one word; a list of facts shrinks until the prompt fits."""

    template: ClassVar[str] = "word"
    facts: tuple[str, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        return {}, ()

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        kept = len(self.facts)
        while True:
            user = "\n".join((self.question, *self.facts[:kept]))
            n_out = len(self.facts) - kept
            prompt = Prompt("Answer in one word.", user, (f"{n_out} facts",) if n_out else ())
            if max_tokens is None or prompt.n_tokens <= max_tokens or not kept:
                return prompt
            kept -= max(1, (prompt.n_tokens - max_tokens) // (estimate_tokens(self.facts[0]) + 1))
            kept = max(kept, 0)

    def read(self, text: str) -> str:
        if len(text.split()) != 1 or len(text) > 12:
            raise UnreadableReplyError("that is not one word")
        return text
