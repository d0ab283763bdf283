"""How alike two phrases are, by their stems."""

from __future__ import annotations

from functools import lru_cache

from kgcore.llm.offline.lexicon import Phrase

_GENERIC = {
    "plac": 0.4,
    "place": 0.4,
    "date": 0.4,
    "name": 0.3,
    "numb": 0.3,
    "typ": 0.3,
    "ha": 0.1,
    "group": 0.3,
    "work": 0.3,
}

_PARTLY = 0.95  # what the shared words count where one phrase only says more than the other
_APART = 0.8  # and where each says something of its own: a place of death is no cause of death


@lru_cache(maxsize=65536)
def likeness(one: Phrase, other: Phrase) -> float:
    """Return how alike two phrases are: 1 for the same words, generic words (place, date) counting less."""
    a, b = frozenset(one), frozenset(other)
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    common = _mass(a & b)
    if not common:
        return 0.0
    share = 2 * common / (_mass(a) + _mass(b))
    return (_APART if a - b and b - a else _PARTLY) * share


def _mass(stems: frozenset[str]) -> float:
    return sum(_GENERIC.get(s, 1.0) for s in sorted(stems))
