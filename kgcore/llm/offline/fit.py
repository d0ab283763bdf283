"""How well a relation explains a clue, in 0…1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from kgcore.llm.offline.clues import Clue
from kgcore.llm.offline.lexicon import LANGUAGES, Label, Phrase, label_stems, lexicon
from kgcore.llm.offline.question import Analysis
from kgcore.steps import RelationOption

FLOOR = 0.5  # below it a relation does not explain the clue
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
_AGAINST = 0.45  # the words say the relation runs the other way
_UNTOLD = 0.96  # the words do not tell; along the relation is likelier
_LATER = 0.9  # for each clue that should come first
_TYPE = 0.8  # a kind of thing or a small word is explained only where no relation is named
_PASSED = 0.7  # a later clue was explained already
_OWN_WORDS = 0.9  # the clue's own words stand in the label


def fit(clue: Clue, option: RelationOption, wanted: str = "") -> float:
    """Return how well an option explains a clue, `wanted` being the direction the words ask for."""
    if is_taxonomic(option):
        return 0.0
    labels: Sequence[Label] = clue.labels
    if clue.stems and not clue.is_key and not clue.is_back:
        labels = (*labels, Label(clue.stems, weight=_OWN_WORDS))
    name, inverse = _names(option)
    best = 0.0
    for label in labels:
        share = likeness(label.stems, name) * _agreement(
            option.direction, label.is_inverse, wanted, is_back=clue.is_back
        )
        if option.direction == "in" and inverse != name:
            share = max(share, likeness(label.stems, inverse))
        if share >= FLOOR * _AGAINST:
            best = max(best, share * label.weight)
    return best


def is_taxonomic(option: RelationOption) -> bool:
    """Tell whether the relation only says what kind of thing something is ("instance of")."""
    return label_stems(option.relation.name) in _taxonomic()


@cache
def _taxonomic() -> frozenset[Phrase]:
    return frozenset(p for name in LANGUAGES for p in lexicon(name).words["taxonomic"])


def target_fit(text: str, option: RelationOption) -> float:
    """Return how well a text names one of the things the option leads to."""
    wanted = label_stems(text)
    scores = [likeness(wanted, label_stems(t)) for t in (*option.targets,) if t]
    return max(scores, default=0.0)


def _names(option: RelationOption) -> tuple[Phrase, Phrase]:
    """Return the stems of the relation's label and of its inverse label."""
    inverse = option.relation.inverse_label
    return label_stems(option.relation.name), label_stems(inverse) if inverse else ()


def _agreement(direction: str, is_inverse: bool, wanted: str, *, is_back: bool) -> float:
    along = "in" if is_inverse else "out"
    if is_back:
        return 1.0 if direction == along else _AGAINST
    if not wanted:
        return 1.0 if direction == along else _UNTOLD
    asked = wanted if not is_inverse else ("in" if wanted == "out" else "out")
    return 1.0 if direction == asked else _AGAINST


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
    return 0.95 * share


def _mass(stems: frozenset[str]) -> float:
    return sum(_GENERIC.get(s, 1.0) for s in sorted(stems))


def best_clue(
    analysis: Analysis,
    option: RelationOption,
    mention: int,
    known: frozenset[int],
    *,
    is_first: bool = True,
) -> tuple[int, float]:
    """Return the open clue an option explains best and how well; (-1, 0) when none.

    Clues that should be followed later count a little less, so that of two relations the nearer comes first.
    """
    order = analysis.orders[mention]
    last_known = max((order.index(n) for n in known if n in order), default=-1)
    best, score, rank = -1, 0.0, 0
    for place, number in enumerate(order):
        if number in known:
            continue
        clue = analysis.clues[number]
        wanted = analysis.directions[mention][number] if is_first else analysis.chained[number]
        value = fit(clue, option, wanted)
        weight = _LATER**rank * (_TYPE if clue.is_soft else 1.0)
        if place < last_known:
            weight *= _PASSED
        if value >= FLOOR and value * weight > score:
            best, score = number, value * weight
        if not clue.is_soft:
            rank += 1
    return best, score
