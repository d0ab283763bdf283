"""Readings of claims: does a mention, a number or a word of the question stand among what was reached?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.fit import FLOOR
from kgcore.llm.offline.kinds import is_a
from kgcore.llm.offline.lexicon import label_stems
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.reading import Reading, make
from kgcore.llm.offline.trail import Trail
from kgcore.llm.offline.typed import holds_number
from kgcore.model import Literal
from kgcore.ranking.stems import fold, words

_SHARED = 0.55  # how well a relation explains a claim's word that its label only shares
_NAMED = 0.6  # how alike a label and a clue must be for the clue to name the thing


def confirmed(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Reading]:
    """Say whether a claim holds: another mention, a number or a word of it is among the ends."""
    if analysis.both == "subjects":
        yield from _both_confirmed(analysis, found)
        return
    starts = {t.start: t.mention for t in found if not t.hops}
    for trail in found:
        clue, value = trail.last
        others = {m for m in range(len(analysis.mentions)) if m != trail.mention}
        hits = {starts[e.id] for e in trail.entities if e.id in starts} & others
        hits |= {m for m in analysis.missing if _names_end(analysis.mentions[m], trail)}
        numbers = [n for n in analysis.numbers if any(holds_number(t, n) for t in trail.ends)]
        named = _named(analysis, trail)
        if analysis.both == "objects" and trail.mention:
            continue
        if analysis.both == "objects" and hits != others:
            hits = set()
        if hits and not analysis.clues:
            trail = replace(trail, n_idle=0)  # "is M in N": any relation will do
        related = _related(analysis, trail) if hits and clue < 0 and trail.hops else {}
        if related:
            named, trail = {**related, **named}, replace(trail, n_idle=0)
        if trail.hops and (hits or (not others and (numbers or named))):
            yield make(
                analysis, [trail], (), text=analysis.say("yes"),
                also=named, mentions=hits, numbers=numbers,
            )  # fmt: skip
        elif not trail.hops and not others and named:
            yield make(analysis, [trail], (), text=analysis.say("yes"), also=named)
        elif clue >= 0 and value >= FLOOR and not trail.n_more and _is_checkable(analysis, trail):
            asked = dict.fromkeys(_open(analysis, trail), 1.0)
            yield make(
                analysis, [trail], (), text=analysis.say("no"), is_denial=True,
                also=asked if not others else None,
                mentions=others & set(starts.values()), numbers=analysis.numbers,
            )  # fmt: skip


def _both_confirmed(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Reading]:
    """Say whether a claim holds of all mentions but the last, which is what it says of them."""
    last = len(analysis.mentions) - 1
    goals = {t.start for t in found if not t.hops and t.mention == last}
    ways = [t for t in found if t.hops and t.mention != last and t.last[0] >= 0]
    if not analysis.clues:
        ways = [replace(t, n_idle=0) for t in found if t.hops and t.mention != last]
    confirmed_by: dict[int, Trail] = {}
    for trail in ways:
        if any(e.id in goals for e in trail.entities):
            confirmed_by.setdefault(trail.mention, trail)
    followed = {t.mention for t in ways}
    if len(confirmed_by) == last:
        used = list(confirmed_by.values())
        yield make(analysis, used, (), text=analysis.say("yes"), mentions=[last])
    elif len(followed) == last and analysis.clues:
        text = analysis.say("no")
        yield make(analysis, ways, (), text=text, is_denial=True, mentions=[last])


def _related(analysis: Analysis, trail: Trail) -> dict[int, float]:
    """Return open clues whose words the relation at least shares: it leads to what the claim names."""
    label = label_stems(trail.hops[-1].option.relation.name)
    return {
        i: _SHARED
        for i in _open(analysis, trail)
        if any(set(known.stems) & set(label) for known in analysis.clues[i].labels)
        or set(analysis.clues[i].stems) & set(label)
    }


def _named(analysis: Analysis, trail: Trail) -> dict[int, float]:
    """Return the open clues that name one of the ends, or its kind where the trail is empty."""
    named: dict[int, float] = {}
    for number in _open(analysis, trail):
        clue = analysis.clues[number]
        if trail.hops:
            if _names_end(clue.text, trail):
                named[number] = 1.0
        elif any(is_a(e, clue.cue) for e in trail.entities):
            named[number] = 1.0
    return named


def _names_end(text: str, trail: Trail) -> bool:
    return bool(trail.hops) and any(_is_named(end.name, text) for end in trail.ends)


def _is_named(name: str, text: str) -> bool:
    """Tell whether a text is much the same as a name, or a word of it: *Coppola* is Francis Ford Coppola."""
    is_part = fold(text) in words(name)
    return is_part or likeness(label_stems(text), label_stems(name)) >= _NAMED


def _open(analysis: Analysis, trail: Trail) -> list[int]:
    return [i for i in range(len(analysis.clues)) if i not in trail.explained]


def _is_checkable(analysis: Analysis, trail: Trail) -> bool:
    """Tell whether the ends could have confirmed the claim: then their silence denies it."""
    if len(analysis.mentions) > 1:
        return True
    if analysis.numbers:
        return any(isinstance(t, Literal) for t in trail.ends)
    return bool(_open(analysis, trail))
