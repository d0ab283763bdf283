"""Names for the ids of a run: a label from anywhere in its journal, else what an id itself says in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from kgcore.corrections import Correction
from kgcore.model import Entity, Relation
from kgcore.runs import Entry, StepDone
from kgcore.runs.entries import Ended, FactNoted, Started
from kgcore.runs.gate import Decided
from kgcore.steps import Answer, AnswerProposed, named_by, named_in

__all__ = ["Names", "spoken"]

_TOKEN = re.compile(r"<[^<>\s]{1,400}>|\b[\w.-]{1,40}:[^\s<>\"“”‘’'(){}\[\],;|]{1,400}")
_LETTERS = re.compile(r"[^\W\d_]{3}")


def spoken(identifier: str) -> str:
    """Return an id as words where it is made of words, as addresses of Linked Data often are; else ""."""
    last = unquote(re.split(r"[:/#]", identifier.rstrip("/#"))[-1]).replace("_", " ").strip()
    letters, digits = sum(map(str.isalpha, last)), sum(map(str.isdigit, last))
    if last == identifier or not _LETTERS.search(last) or letters <= 2 * digits:
        return ""
    return re.sub(r"(?<=[a-z])[A-Z](?=[a-z])", lambda m: " " + m.group().lower(), last)


@dataclass(slots=True)
class Names:
    """What the things of a run are called."""

    labels: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Names:
        """Learn the labels that a journal holds."""
        names = cls()
        for entry in entries:
            names.learn(entry.body)
        return names

    def learn(self, body: Any) -> None:
        """Learn from the body of one entry."""
        if isinstance(body, StepDone):
            self._learn(*named_in(body.result))
        elif isinstance(body, FactNoted):
            self._learn(*named_in(body.fact))
            if isinstance(body.fact, AnswerProposed):
                self._learn_answer(body.fact.answer)
        elif isinstance(body, Started):
            edited = (edit.correction for edit in body.edits)
            self._learn_corrections(c for c in (*body.corrections, *edited) if c is not None)
        elif isinstance(body, Decided):
            self._learn_corrections(body.corrections)
        elif isinstance(body, Ended) and body.answer is not None:
            self._learn_answer(body.answer)

    def name(self, identifier: str) -> str:
        """Return what something is called; "" where neither the journal nor its id says so."""
        return self.labels.get(identifier) or spoken(identifier)

    def read(self, text: str) -> str:
        """Return a text with the ids in it replaced by names, as far as these are known."""
        if ":" not in text and "<" not in text:
            return text
        return _TOKEN.sub(lambda found: self._of_token(found.group()), text)

    def _of_token(self, token: str) -> str:
        if token[0] == "<":
            name = self.name(token[1:-1]) if ":" in token else ""
            return f"“{name}”" if name else token
        word = token.rstrip(".:?!")
        name = self.labels.get(word, "")
        return f"{name}{token[len(word) :]}" if name else token

    def _learn(self, *values: object) -> None:
        for value in values:
            if isinstance(value, Entity | Relation) and value.label:
                self.labels.setdefault(value.id, value.label)
                if isinstance(value, Entity) and value.url:
                    self.labels.setdefault(value.url, value.label)

    def _learn_corrections(self, corrections: Iterable[Correction]) -> None:
        for one in corrections:
            self._learn(one.subject, one.relation, one.object, one.new_object)

    def _learn_answer(self, answer: Answer) -> None:
        self._learn(*(part.value for part in answer.parts))
        self._learn(*named_by(answer.proof))
