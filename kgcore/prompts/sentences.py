"""The request of FLARe: the next sentence of an answer, first from memory and then from what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import wired
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.domains import statement_lines
from kgcore.prompts.lines import fit_lines
from kgcore.prompts.matching import key
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.rationales import knowledge_handles, knowledge_lines
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.thoughts import tidy_rationales
from kgcore.prompts.wording import say, wording
from kgcore.steps import Knowledge

_PARTS = re.compile(r"\s*[,;，；、\n]\s*")


@wired
@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, "" where those so far suffice; the words of it the model marks as unsure, the pieces it rests on."""

    text: str
    unsure: tuple[str, ...] = ()
    used: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NextSentence(TypedRequest):
    """What comes next on the way to the answer? Reads to Sentence."""

    template: ClassVar[str] = "next_sentence"
    sentences: tuple[str, ...]
    knowledge: tuple[Knowledge, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, sentences, knowledge."""
        lines = knowledge_lines(self.knowledge)
        knowledge, left_out = fit_lines(lines, budget, self.language, what="pieces of knowledge")
        return {
            "question": question_line(self.question),
            "sentences": statement_lines(self.sentences) or say(self.language, "no_steps"),
            "knowledge": knowledge or say(self.language, "no_spotted"),
        }, left_out

    def read(self, text: str) -> Sentence:
        """Return the next sentence; one that was written already says that nothing more follows."""
        fields = Fields.of(text, "statement", "unsure", "knowledge", key="statement")
        value = fields.values.get("statement", "")
        if not fields.values and "\n" not in fields.text:
            value = fields.text
        if not re.search(r"\w", value):
            raise UnreadableReplyError("no sentence was written")
        if key(value) in wording().none or key(value) in wording().enough:
            return Sentence("")
        found = tidy_rationales([bare(value.split("\n")[0])])
        known = {key(sentence) for sentence in self.sentences}
        new = next((line for line in found if key(line) not in known), "")
        used = knowledge_handles(fields.values.get("knowledge", ""), len(self.knowledge))
        return Sentence(new, _unsure(fields.get("unsure")), used) if new else Sentence("")


def _unsure(value: str) -> tuple[str, ...]:
    if key(value) in wording().none:
        return ()
    parts = (bare(part) for part in _PARTS.split(value))
    return tuple(dict.fromkeys(part for part in parts if key(part)))
