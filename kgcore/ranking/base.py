"""The port to what orders texts (relation labels, say) by their relevance to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgcore.steps import Ranking


class Ranker(Protocol):
    """Orders texts; can be used from several threads at once."""

    @property
    def name(self) -> str:
        """What a person calls it; part of the key of every Rank step."""

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        """Return the indices of the options, most relevant first, and their scores in 0…1."""
