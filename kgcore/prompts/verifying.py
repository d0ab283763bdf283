"""The requests of Verify-and-Edit: ask what would verify a rationale, and rewrite it by what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model.text import one_line
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.rationales import CorrectRationale
from kgcore.prompts.replies import Fields, bare

QUESTION_LIMIT = 300


@dataclass(frozen=True, slots=True)
class VerifyingQuestion(TypedRequest):
    """Which question would tell whether this rationale is true? Reads to its text."""

    template: ClassVar[str] = "verifying_question"
    rationale: str

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, rationale."""
        return {
            "question": question_line(self.question),
            "rationale": one_line(self.rationale, 800),
        }, ()

    def read(self, text: str) -> str:
        """Return the question, on one line."""
        fields = Fields.of(text, "verifying", key="verifying")
        value = fields.get("verifying") or ("" if fields.values else fields.text)
        line = bare(value.strip().split("\n")[0])
        if not re.search(r"\w", line):
            raise UnreadableReplyError("no question was written")
        return one_line(line, QUESTION_LIMIT)


@dataclass(frozen=True, slots=True)
class EditRationale(CorrectRationale):
    """Answer the verifying question from the knowledge, as the rationale reads then. Reads to Corrected."""

    template: ClassVar[str] = "edit_rationale"
    asked: str = ""

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, rationale, asked, knowledge."""
        fields, left_out = CorrectRationale.fields(self, budget)
        return {**fields, "asked": one_line(self.asked, QUESTION_LIMIT)}, left_out
