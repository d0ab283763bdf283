"""How well a relation explains a clue, in 0…1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.kinds import can_be, end_kind, object_kind, source_kind
from kgcore.llm.offline.lexicon import LANGUAGES, Label, Phrase, label_stems, lexicon
from kgcore.llm.offline.question import Analysis
from kgcore.ranking import vectors_of
from kgcore.ranking.stems import has_cjk
from kgcore.steps import RelationOption

FLOOR = 0.49  # below it a relation does not explain the clue
_AGAINST = 0.45  # the words say the relation runs the other way
_UNTOLD = 0.96  # the words do not tell; along the relation is likelier
_LATER = 0.9  # for each clue that should come first
_TYPE = 0.8  # a kind of thing or a small word is explained only where no relation is named
_RETRACED = 0.7  # back along the relation just followed
_PASSED = 0.7  # a later clue was explained already
_NEAR, _MEANT = (
    0.5,
    0.9,
)  # a label this near in meaning may stand for the clue, and counts so much of that
_OWN_WORDS = 0.9  # the clue's own words stand in the label
_LEADS_THERE = 0.55  # the relation leads to the kind of thing that the clue names


def fit(clue: Clue, option: RelationOption, wanted: str = "") -> float:
    """Return how well an option explains a clue, `wanted` being the direction the words ask for."""
    if not can_be(object_kind(option), clue.wants):
        return 0.0
    if is_taxonomic(option) and not _names_kinds(clue):
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
    if best < FLOOR and clue.stems and not clue.is_key:
        along = _agreement(option.direction, clue.is_back, wanted, is_back=clue.is_back)
        near = meant(clue.text, option.relation.name)
        if clue.whole:
            near = max(near, meant(clue.whole, option.relation.name))
        best = max(best, near * along)
    return best


def _names_kinds(clue: Clue) -> bool:
    """Tell whether a clue asks for what kind of thing something is."""
    return any(label.stems in _taxonomic() for label in clue.labels)


@lru_cache(maxsize=65536)
def meant(text: str, label: str) -> float:
    """Return how near a label is to a text in meaning; 0 where it is not near enough to stand for it."""
    vectors = vectors_of("wordllama")  # the one that _NEAR is measured with
    if vectors is None or has_cjk(text) or has_cjk(label):
        return 0.0
    near = vectors.likeness(text.casefold(), label.casefold())
    return _MEANT * near if near >= _NEAR else 0.0


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


def _leads_to(clue: Clue, option: RelationOption) -> float:
    """Return how well an option explains a kind of thing because it leads to one: "the films of M"."""
    cue = clue.cue
    if cue is None or not cue.classes or is_taxonomic(option):
        return 0.0
    if option.target_types:
        names = [label_stems(t) for t in option.target_types]
        is_there = any(likeness(c, n) >= FLOOR for c in cue.classes for n in names)
        return _LEADS_THERE if is_there else 0.0
    is_there = bool(cue.kind) and end_kind(option) == cue.kind != source_kind(option)
    return _LEADS_THERE if is_there else 0.0


def ranked_clues(
    analysis: Analysis,
    option: RelationOption,
    mention: int,
    known: frozenset[int],
    *,
    is_first: bool = True,
    is_retraced: bool = False,
    here: frozenset[int] = frozenset(),
) -> list[tuple[int, float]]:
    """Return the open clues an option explains, best first, and how well.

    Clues that should be followed later count a little less, so that of two relations the nearer comes first.
    `here` are the kinds of things that the question names and where the option starts from. An option that only
    leads back (`is_retraced`) must fit well, unless the question means to go there and back: to other *films* of the
    director, say.
    """
    is_retraced = is_retraced and not any(clue.is_back for clue in analysis.clues)
    order = analysis.orders[mention]
    last_known = max((order.index(n) for n in known if n in order), default=-1)
    found: list[tuple[int, float]] = []
    rank = 0
    for place, number in enumerate(order):
        clue = analysis.clues[number]
        if number in known or clue.twin in known:
            continue
        wanted = analysis.directions[mention][number] if is_first else analysis.chained[number]
        value = fit(clue, option, wanted)
        if not rank and value < FLOOR and number not in here:
            value = _leads_to(clue, option)
        if is_retraced and not clue.is_soft:
            value *= _RETRACED
        weight = _LATER**rank * (_TYPE if clue.is_soft else 1.0)
        if place < last_known:
            weight *= _PASSED
        if value >= FLOOR:
            found.append((number, value * weight))
        if not clue.is_soft:
            rank += 1
    return sorted(found, key=lambda item: -item[1])
