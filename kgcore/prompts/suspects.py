"""Which of the facts that an answer rests on is the wrong one? Asked when a person says that the answer is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kgcore.model import Entity, Literal, Triple, to_dict
from kgcore.model.text import estimate_tokens, one_line
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.fitting import Parts, fit
from kgcore.prompts.matching import Offer, Offered
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.scores import read_scores
from kgcore.prompts.values import Rating
from kgcore.prompts.wording import say

_TEXT = 400
_SEPARATORS = re.compile(r"[,;、，；\n]|\band\b|和")


@dataclass(frozen=True, slots=True)
class RankSuspects(TypedRequest):
    """How suspect is each triple of a proof? Reads to one Rating a triple, 0 where the reply does not name it.

    `right` is the answer that a person says is right, where one is given; `others` are further triples about the
    things in the proof, from any graph.
    """

    template: ClassVar[str] = "rank_suspects"
    answer: str
    triples: tuple[Triple, ...]
    right: str = ""
    others: tuple[Triple, ...] = ()

    def key(self) -> Any:
        """Return plain data that determines the request; where a triple came from counts by its graph."""
        return {
            "template": self.template,
            "language": self.language,
            "texts": [self.question, self.answer, self.right],
            "triples": [_plain(t) for t in self.triples],
            "others": [_plain(t) for t in self.others],
        }

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, answer, right, items, others."""
        fixed = {
            "question": question_line(self.question),
            "answer": one_line(self.answer, 1000),
            "right": one_line(self.right, 1000) or say(self.language, "no_spotted"),
            "items": "\n".join(f"T{n} {_line(t)}" for n, t in enumerate(self.triples, 1)),
        }
        lines = tuple(f"- {_line(t)}" for t in self.others)
        room = None if budget is None else budget - estimate_tokens("\n".join(fixed.values()))
        fitted = fit(Parts(lambda _: ("", 0), lines, language=self.language), room)
        others = fitted.options or say(self.language, "no_facts")
        return {**fixed, "others": others}, fitted.left_out

    def read(self, text: str) -> tuple[Rating, ...]:
        """Return a rating for each triple of the proof."""
        offer = Offer(
            (
                Offered(f"T{n}", labels=(triple.text, _line(triple)))
                for n, triple in enumerate(self.triples, 1)
            ),
            letter="T",
        )
        found = read_scores(self._without_copies(text), offer)
        return tuple(found.get(n, Rating(0.0)) for n in range(len(self.triples)))

    def _without_copies(self, text: str) -> str:
        """Take away the facts themselves where a reply repeats them after their handles: they may hold numbers."""
        for number, triple in enumerate(self.triples, 1):
            for copy in (_line(triple), triple.text):
                pattern = rf"\b(T{number})\b[\s.:(\[–-]{{1,4}}{re.escape(copy)}[)\]]?"
                text = re.sub(pattern, r"\1", text)
        return text


def several(answer: str) -> tuple[str, ...]:
    """Return what an answer may name: itself, and the parts of a list."""
    parts = [part.strip() for part in _SEPARATORS.split(answer)]
    return tuple(dict.fromkeys(part for part in (answer.strip(), *parts) if part))


def _line(triple: Triple) -> str:
    kg = f" [{one_line(triple.kg, 60)}]" if triple.kg else ""
    parts = (_told(triple.subject), one_line(triple.relation.name, 120), _told(triple.object))
    return " – ".join(parts) + kg


def _told(end: Entity | Literal) -> str:
    text = one_line(end.name, _TEXT)
    kind = ", ".join(end.types[:2]) or end.description if isinstance(end, Entity) else ""
    return f"{text} ({one_line(kind, 80)})" if kind else text


def _plain(triple: Triple) -> Any:
    return [to_dict(triple.subject), triple.relation.id, to_dict(triple.object), triple.kg]
