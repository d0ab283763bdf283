"""The requests that link a question to the graph: which names does it hold, and what do they stand for?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import Entity
from kgcore.model.text import one_line
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.fitting import Parts, fit
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.replies import Fields, as_text, bare
from kgcore.prompts.wording import fold, say, wording
from kgcore.steps import Candidate

MAX_MENTIONS = 12
MAX_PIECES = 50
# What is meant: the position of a candidate, or None for none of these. A person may name an entity that was not among
# the candidates; no reply of a model is ever read as one.
Pick = int | Entity | None
_LINE = re.compile(r"\s*(?:\n|;|；|、)\s*")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")


def spotted_names(spotted: Sequence[Candidate], language: str) -> str:
    """Write the names that a label index found in a question, each once."""
    found = dict.fromkeys(one_line(c.mention or c.entity.name, 120) for c in spotted)
    return "; ".join(found) or say(language, "no_spotted")


@dataclass(frozen=True, slots=True)
class FindMentions(TypedRequest):
    """Which names in the question are things a graph may hold? Reads to a tuple of str (may be empty).

    `spotted` are mentions a label index found, offered as help; empty where there is none.
    """

    template: ClassVar[str] = "find_mentions"
    spotted: tuple[Candidate, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, spotted."""
        spotted = spotted_names(self.spotted, self.language)
        return {"question": question_line(self.question), "spotted": spotted}, ()

    def read(self, text: str) -> tuple[str, ...]:
        """Return the mentions in the reply's order, each once."""
        fields = Fields.of(text, "mentions", key="mentions")
        if isinstance(fields.data, list):
            value = as_text(fields.data)
        elif fields.has("mentions"):
            value = fields.values["mentions"]
        else:
            value = fields.text
            if not self._is_list(value):
                raise UnreadableReplyError("no list of mentions was given")
        value = re.split(r"\n\s*\n", value.strip())[0]
        if key(value) in wording().none:
            return ()
        if not key(value):
            raise UnreadableReplyError("the list of mentions is empty")
        found: dict[str, str] = {}
        for piece in _LINE.split(bare(value))[:MAX_PIECES]:
            for mention in self._names(bare(_BULLET.sub("", piece))):
                if key(mention) and key(mention) not in wording().none:
                    found.setdefault(key(mention), mention)
        return tuple(found.values())[:MAX_MENTIONS]

    def _is_list(self, text: str) -> bool:
        """Tell whether a text without a field is nothing but names: each is in the question, or it is "none"."""
        question = fold(self.question)
        pieces = [bare(_BULLET.sub("", p)) for p in _LINE.split(text)[:MAX_PIECES] if p.strip()]
        names = [n for p in pieces for n in self._names(p)]
        return bool(names) and (
            key(text) in wording().none or all(key(n) and key(n) in question for n in names)
        )

    def _names(self, piece: str) -> list[str]:
        """Split at commas, but never inside what the question itself writes with a comma."""
        question = fold(self.question)
        parts = re.split(r"([,，]\s*)", piece)[: 2 * MAX_MENTIONS]
        names: list[str] = []
        start = 0
        while start < len(parts):
            for end in range(len(parts) - 1 + len(parts) % 2, start, -2):
                name = "".join(parts[start:end]).strip()
                if end == start + 1 or key(name) in question:
                    names.append(bare(name)[:200])
                    break
            start = end + 1
        return names


@dataclass(frozen=True, slots=True)
class ChooseEntity(TypedRequest):
    """Which candidate does the mention stand for? Reads to an index, or None for "none of these"."""

    template: ClassVar[str] = "choose_entity"
    mention: str
    candidates: tuple[Candidate, ...]

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, mention, candidates."""
        question, mention = question_line(self.question), one_line(self.mention, 200)
        lines = tuple(_candidate_line(f"C{n}", c) for n, c in enumerate(self.candidates, 1))
        none = f"none: {say(self.language, 'none_of_these')}"
        parts = Parts(
            lambda room: ("", 0), (*lines, none), language=self.language, keeps_last_option=True
        )
        fitted = fit(parts, budget)
        fields = {"question": question, "mention": mention, "candidates": fitted.options}
        return fields, fitted.left_out

    def read(self, text: str) -> int | None:
        """Return the position of the candidate that the reply names, None for "none of these"."""
        fields = Fields.of(text, "candidate", "thought", key="candidate")
        value = fields.get("candidate")
        if not value and fields.has("candidate") and key(fields.values["candidate"]) == "":
            raise UnreadableReplyError("no candidate was named")
        value = (value or fields.text).strip()
        offer = self._offer()
        first = value.split("\n")[0]
        if key(first) in wording().none and offer.lookup(first) is None:
            return None
        exact = offer.exact(value)
        return exact if exact is not None else offer.find_one(first)

    def _offer(self) -> Offer:
        return Offer(
            (
                Offered(f"C{n}", (c.entity.id,), (c.entity.label,) if c.entity.label else ())
                for n, c in enumerate(self.candidates, 1)
            ),
            letter="C",
        )


def picked(pick: Pick, candidates: Sequence[Candidate]) -> Entity | None:
    """Return the entity that was picked; None for none of these."""
    return candidates[pick].entity if isinstance(pick, int) else pick


def _candidate_line(handle: str, candidate: Candidate) -> str:
    entity = candidate.entity
    text = f"{handle} {one_line(entity.name, 120)}"
    if entity.description:
        text += f" – {one_line(entity.description, 200)}"
    details = [one_line(t, 60) for t in entity.types[:3]]
    return f"{text} ({', '.join(details)})" if details else text
