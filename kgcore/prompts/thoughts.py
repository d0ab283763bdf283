"""The request that samples lines of thought: rationales and an answer, from memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import wired
from kgcore.prompts.answers import SHORT_ANSWER, read_answer
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.values import GiveAnswer
from kgcore.prompts.wording import fold, wording

RATIONALE_LIMIT = 600
_ORDINALS = "first|firstly|second|secondly|third|thirdly|fourth|next|then|finally|therefore|so"
_NUMBERED = re.compile(
    r"^\s*(?:[>*_#•·+-]+\s*)*(?:\(?(?:step|statement|rationale|fact|第|步骤|陈述)?\s*"
    r"(?:\d{1,2}|[一二三四五六七八九十])\s*[步条]?\s*[).:：、．]|[-*•·+](?=\s))[*_\s]*(?P<text>.+)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"^(?:{_ORDINALS}|首先|其次|然后|接着|最后|因此|所以)\s*[,，:：]\s*", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"])|(?<=[。！？])\s*|\n+")


@wired
@dataclass(frozen=True, slots=True)
class Thoughts:
    """A line of thought: its rationales, in order, and the answer they lead to."""

    rationales: tuple[str, ...]
    answer: GiveAnswer


@dataclass(frozen=True, slots=True)
class SampleRationales(TypedRequest):
    """Think step by step, then answer. Reads to Thoughts with at most `most` rationales."""

    template: ClassVar[str] = "sample_rationales"
    most: int = 6

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, most."""
        return {"question": question_line(self.question), "most": str(self.most)}, ()

    def read(self, text: str) -> Thoughts:
        """Return the rationales and the answer; UnreadableReplyError without an answer."""
        fields = Fields.of(text, "statement", "answer", key="answer")
        if not fields.has("answer") and (fields.values or len(fields.text) > SHORT_ANSWER):
            raise UnreadableReplyError("no answer was given")
        text = _answer_alone(fields.values["answer"]) if fields.has("answer") else fields.text
        answer = read_answer(fields, None, text=text)
        if isinstance(fields.data, dict):
            found = _from_json(fields.data)
        else:
            found = _from_text(_before_answer(fields.text) if fields.has("answer") else "")
        return Thoughts(tuple(found)[: self.most], answer)


def _answer_alone(value: str) -> str:
    """Return an answer without the statements behind it, for who answers first."""
    lines = value.split("\n")
    end = next((n for n, line in enumerate(lines) if n and _NUMBERED.match(line)), len(lines))
    return "\n".join(lines[:end])


def _before_answer(text: str) -> str:
    """Return what stands before the answer's line; also what stands behind it, for who answers first."""
    ways = "|".join(re.escape(way) for way in wording().keywords["answer"])
    match = re.search(rf"^[\s>*_#-]*(?:{ways})[\s*_]*[:：=]", text, re.IGNORECASE | re.MULTILINE)
    if match is None:
        return ""
    before = text[: match.start()].strip()
    behind = text[match.end() :].split("\n", 1)
    return before or (behind[1] if len(behind) > 1 else "")


def _from_text(text: str) -> list[str]:
    """Return numbered or bulleted lines; of plain talk its sentences."""
    lines = [line for line in text.split("\n") if line.strip()]
    numbered = [match["text"] for line in lines if (match := _NUMBERED.match(line))]
    pieces = numbered or _SENTENCE.split(_without_keyword(text))
    return tidy_rationales(pieces)


def _without_keyword(text: str) -> str:
    ways = "|".join(
        re.escape(way) for name in ("thought", "statement") for way in wording().keywords[name]
    )
    return re.sub(rf"^[\s*_]*(?:{ways})[\s*_]*[:：]", "", text, flags=re.IGNORECASE)


def _from_json(data: Mapping[str, object]) -> list[str]:
    for name in sorted(data):
        value = data[name]
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tidy_rationales([str(item) for item in value])
    texts = [str(v) for k, v in data.items() if fold(str(k)).strip().isdigit()]
    return tidy_rationales(texts)


def tidy_rationales(pieces: list[str]) -> list[str]:
    """Return the statements on one line each, without what only joins them, each once."""
    found: dict[str, str] = {}
    for piece in pieces:
        text = bare(" ".join(_LEAD.sub("", piece.strip()).split()))[:RATIONALE_LIMIT].strip()
        if len(text) > 1 and fold(text) not in wording().none:
            found.setdefault(fold(text), text)
    return list(found.values())
