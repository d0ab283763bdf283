"""An answer in few words, and where on the page it stands in full."""

from kgcore.steps import Answer
from pages.components.graph import short
from pages.components.language import tn

__all__ = ["PLACE", "brief"]

PLACE = "the-answer"  # the id of what holds it


def brief(answer: Answer, n: int) -> str:
    """Return the answer on at most `n` letters; several that do not fit are counted, not cut off after the first."""
    n_parts = len(answer.parts)
    if n_parts > 1 and len(answer.text) > n:
        return tn("{n} answer", "{n} answers", n_parts)
    return short(answer.text, n)
