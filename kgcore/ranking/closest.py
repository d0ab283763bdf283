"""Find the name that a misspelt text must mean, or none: for reading replies, where a wrong guess is worse."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

CUT_OFF = 90.0
LEAD = 4.0  # by how much the best must beat the next
_MIN_LENGTH = 5
_NUMBERS = re.compile(r"\d+|\b[ivx]+\b", re.IGNORECASE)


def closest(text: str, names: Sequence[str]) -> int | None:
    """Return the position of the one name that is nearly `text`; None when none or several are.

    Numbers, Roman ones too, must be the same: *Toy Story 2* is not *Toy Story 3*.
    """
    if len(text) < _MIN_LENGTH:
        return None
    best = process.extract(text, names, scorer=fuzz.ratio, score_cutoff=CUT_OFF - LEAD, limit=2)
    if not best or best[0][1] < CUT_OFF:
        return None
    name, score, position = best[0]
    if len(best) > 1 and score - best[1][1] < LEAD:
        return None
    return position if _NUMBERS.findall(text) == _NUMBERS.findall(name) else None
