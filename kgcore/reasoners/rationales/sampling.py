"""Lines of thought are sampled from the model's memory, and their answers counted."""

from __future__ import annotations

from typing import Protocol

from kgcore.prompts import SampleRationales
from kgcore.reasoners.rationales.votes import count_votes
from kgcore.steps import Ask, Reasoning, Warned


class Sampling(Protocol):
    """What a method's settings say of its samples."""

    @property
    def language(self) -> str:
        """In which prompts are worded."""

    @property
    def samples(self) -> int:
        """Lines of thought."""

    @property
    def temperature(self) -> float:
        """At which they are sampled; one alone is asked at 0."""

    @property
    def threshold(self) -> float:
        """Share of them that must agree for their answer to stand."""

    @property
    def max_rationales(self) -> int:
        """Rationales of one line of thought."""


def sample_rationales(question: str, config: Sampling) -> Reasoning:
    """Sample lines of thought and count their votes; return RationalesSampled."""
    request = SampleRationales(question, config.max_rationales, language=config.language)
    temperature = config.temperature if config.samples > 1 else 0.0
    replies = yield Ask(request, config.samples, temperature, about=(0,))
    sampled = count_votes(replies.items, config.threshold)
    yield sampled
    n_unread = len(replies.items) - len(replies.values)
    if n_unread:
        yield Warned(f"{n_unread} of {len(replies.items)} samples could not be read")
    return sampled
