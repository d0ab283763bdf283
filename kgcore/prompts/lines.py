"""Lists of lines in a prompt, cut from their end to a budget; what goes is counted."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model.text import estimate_tokens
from kgcore.prompts.wording import say


def fit_lines(
    lines: Sequence[str], budget: int | None, language: str, *, what: str
) -> tuple[str, tuple[str, ...]]:
    """Return the lines that fit a budget, at least the first, and in words how many of `what` were left out."""
    shown = list(lines)
    while budget is not None and len(shown) > 1 and estimate_tokens("\n".join(shown)) > budget:
        shown.pop()
    n_left = len(lines) - len(shown)
    if not n_left:
        return "\n".join(shown), ()
    more = say(language, "more_options", n=n_left)
    return "\n".join([*shown, more]), (f"{n_left} {what}",)
