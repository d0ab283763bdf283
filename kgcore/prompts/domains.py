"""The request that chooses domains of knowledge: where can these statements be checked?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import SourceCard, wired
from kgcore.model.text import one_line
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.lines import fit_lines
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.replies import Fields
from kgcore.prompts.wording import say, wording

DESCRIPTION_LIMIT = 160


@wired
@dataclass(frozen=True, slots=True)
class ChosenDomains:
    """Domains, in the order in which they were offered, and why."""

    domains: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChooseDomains(TypedRequest):
    """Which domains can tell whether these statements are right? Reads to ChosenDomains (may be none)."""

    template: ClassVar[str] = "choose_domains"
    rationales: tuple[str, ...]
    sources: tuple[SourceCard, ...]

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains on offer: those of the sources."""
        return tuple(dict.fromkeys(d for card in self.sources for d in card.domains))

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, statements, domains."""
        lines = [f"D{n} {self._line(name)}" for n, name in enumerate(self.domains, 1)]
        domains, left_out = fit_lines(lines, budget, self.language, what="domains")
        statements = statement_lines(self.rationales) or say(self.language, "no_steps")
        question = question_line(self.question)
        return {"question": question, "statements": statements, "domains": domains}, left_out

    def _line(self, domain: str) -> str:
        told = [
            f"{one_line(c.id, 60)} ({one_line(c.description, DESCRIPTION_LIMIT)})"
            if c.description
            else one_line(c.id, 60)
            for c in self.sources
            if domain in c.domains
        ]
        return f"{one_line(domain, 60)}: {'; '.join(told)}"

    def read(self, text: str) -> ChosenDomains:
        """Return the domains that the reply names by handle or name."""
        fields = Fields.of(text, "thought", "domains", key="domains")
        value = fields.values.get("domains", "") or ("" if fields.values else fields.text)
        if not key(value):
            raise UnreadableReplyError("no domain was named")
        offer = Offer(
            (Offered(f"D{n}", (), (name,)) for n, name in enumerate(self.domains, 1)), letter="D"
        )
        if key(value) in wording().none and offer.lookup(value) is None:
            return ChosenDomains((), fields.get("thought"))
        found = offer.find_all(value)
        return ChosenDomains(tuple(self.domains[n] for n in found), fields.get("thought"))


def statement_lines(rationales: tuple[str, ...]) -> str:
    """Write statements, numbered, a line each."""
    return "\n".join(f"{n}. {one_line(text, 800)}" for n, text in enumerate(rationales, 1))
