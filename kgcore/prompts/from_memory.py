"""The requests that need no graph: answer by chain-of-thought, or at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.prompts.answers import SHORT_ANSWER, read_answer
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.replies import Fields
from kgcore.prompts.values import GiveAnswer


@dataclass(frozen=True, slots=True)
class AnswerFromMemory(TypedRequest):
    """Chain-of-thought without any graph (the →CoT fallback). Reads to GiveAnswer without entities."""

    template: ClassVar[str] = "answer_from_memory"

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question."""
        return {"question": question_line(self.question)}, ()

    def read(self, text: str) -> GiveAnswer:
        """Return the answer's text."""
        fields = Fields.of(text, "thought", "answer", key="answer")
        if not fields.has("answer") and not fields.values and len(fields.text) <= SHORT_ANSWER:
            return read_answer(fields, None, text=fields.text)
        return read_answer(fields, None)


@dataclass(frozen=True, slots=True)
class AnswerDirectly(AnswerFromMemory):
    """The answer alone, without any thought before it (IO prompting). Reads to GiveAnswer without entities."""

    template: ClassVar[str] = "answer_directly"
