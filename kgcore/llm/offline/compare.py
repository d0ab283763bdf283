"""Readings that compare: which has more, are they the same, is the claim true, which is the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.fit import FLOOR
from kgcore.llm.offline.kinds import is_a
from kgcore.llm.offline.lexicon import label_stems
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.trails import Thing, Trail
from kgcore.llm.offline.typed import Comparable, comparable, holds_number
from kgcore.model import Entity, Literal
from kgcore.ranking.stems import fold, words

if TYPE_CHECKING:
    from kgcore.llm.offline.conclude import Conclusion

_TIE = 0.5  # a question for the one with more hardly means two that are equal
_SHARED = 0.55  # how well a relation explains a claim's word that its label only shares
_NAMED = 0.6  # how alike a label and a clue must be for the clue to name the thing


class Make(Protocol):
    """Builds a reading; see kgcore.llm.offline.conclude.make."""

    def __call__(
        self,
        analysis: Analysis,
        used: Sequence[Trail],
        things: Sequence[Thing],
        *,
        text: str = ...,
        fitness: float = ...,
        is_denial: bool = ...,
        also: dict[int, float] | None = ...,
        mentions: Iterable[int] = ...,
        numbers: Iterable[str] = ...,
    ) -> Conclusion:
        """Return the reading."""


def compared(analysis: Analysis, found: Sequence[Trail], make: Make) -> Iterable[Conclusion]:
    """Name the mention whose value is the least or the most; or say whether the first one's is."""
    pick = analysis.pick
    assert pick is not None
    known = {t.mention for t in found if not t.hops}
    for rows in (
        _spans(analysis, found) if pick.until else _values(analysis, found, is_most=pick.is_most)
    ):
        values = {m: row.value for m, row in rows.items()}
        if len(values) < 2 or len(values) < len(known):
            continue
        best = (max if pick.is_most else min)(values.values())
        winners = [m for m in sorted(values) if values[m] == best]
        used = [trail for row in rows.values() for trail in row.trails]
        if analysis.is_yes_no:
            is_true = winners == [min(values)]
            yield make(analysis, used, (), text=analysis.say("yes" if is_true else "no"))
        else:
            things = [e for m in winners for e in _compared_things(analysis, rows[m].trails[0])]
            is_tie = len(winners) == len(values)
            yield make(analysis, used, things, fitness=_TIE if is_tie else 1.0)


@dataclass(frozen=True, slots=True)
class _Row:
    """What is compared of a mention, and the trails it was read off."""

    value: Comparable
    trails: tuple[Trail, ...]


def _values(
    analysis: Analysis, found: Sequence[Trail], *, is_most: bool
) -> Iterable[dict[int, _Row]]:
    """Yield, for each clue that several mentions' trails end with, the value of each mention."""
    for rows in _alike(analysis, found):
        scores = {m: (_score(t, is_most=is_most), t) for m, t in rows.items()}
        yield {m: _Row(value, (t,)) for m, (value, t) in scores.items() if value is not None}


def _spans(analysis: Analysis, found: Sequence[Trail]) -> Iterable[dict[int, _Row]]:
    """Yield the time between the two dates of each mention ("lived longer")."""
    keys = [i for i, clue in enumerate(analysis.clues) if clue.is_key]
    by_clue = {rows[min(rows)].last[0]: rows for rows in _alike(analysis, found)}
    if len(keys) < 2 or any(key not in by_clue for key in keys):
        return
    starts, ends = (by_clue[key] for key in keys[:2])
    rows: dict[int, _Row] = {}
    for mention in sorted(starts.keys() & ends.keys()):
        first = _score(starts[mention], is_most=False)
        last = _score(ends[mention], is_most=True)
        if first is not None and last is not None:
            days = _days(last) - _days(first)
            rows[mention] = _Row((days,), (starts[mention], ends[mention]))
    yield rows


def _days(date: Comparable) -> float:
    year, month, day = (*date, 0.0, 0.0)[:3]
    return year * 365.25 + max(0.0, month - 1) * 30.5 + day


def _compared_things(analysis: Analysis, trail: Trail) -> Iterable[Thing]:
    """Return what is named when a mention wins: what its own phrase leads to, else the mention itself."""
    if analysis.owned and analysis.owned[trail.mention] and trail.passed:
        return trail.passed[-1]
    return trail.begin


def _is_own_explained(analysis: Analysis, trail: Trail) -> bool:
    """Tell whether a trail follows all of its mention's own phrase."""
    return not analysis.owned or analysis.owned[trail.mention] <= trail.explained.keys()


def _alike(analysis: Analysis, found: Sequence[Trail]) -> Iterable[dict[int, Trail]]:
    """Group trails that end by explaining the same clue, the best one for each mention."""
    groups: dict[int, dict[int, Trail]] = {}
    for trail in found:
        clue = trail.last[0]
        if not trail.hops or clue < 0 or not _is_own_explained(analysis, trail):
            continue
        row = groups.setdefault(clue, {})
        other = row.get(trail.mention)
        if other is None or sum(trail.explained.values()) > sum(other.explained.values()):
            row[trail.mention] = trail
    for row in groups.values():
        if len(row) > 1:
            yield row


def _score(trail: Trail, *, is_most: bool) -> Comparable | None:
    values = [v for v in map(comparable, trail.literals) if v is not None]
    if values:
        return max(values) if is_most else min(values)
    return (float(len(trail.entities) + trail.n_more),) if trail.entities else None


def shared(analysis: Analysis, found: Sequence[Trail], make: Make) -> Iterable[Conclusion]:
    """Say whether the mentions' ends have one in common."""
    for rows in _alike(analysis, found):
        if len(rows) < len(analysis.mentions):
            continue
        ends = [dict.fromkeys(_names(t)) for t in rows.values()]
        common = [e for e in ends[0] if all(e in other for other in ends[1:])]
        text = analysis.say("yes" if common else "no")
        yield make(analysis, list(rows.values()), (), text=text)


def _names(trail: Trail) -> tuple[Thing | str, ...]:
    return tuple(t if isinstance(t, Entity) else t.value for t in trail.ends)


def confirmed(analysis: Analysis, found: Sequence[Trail], make: Make) -> Iterable[Conclusion]:
    """Say whether a claim holds: another mention, a number or a word of it is among the ends."""
    if analysis.both == "subjects":
        yield from _both_confirmed(analysis, found, make)
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


def _both_confirmed(analysis: Analysis, found: Sequence[Trail], make: Make) -> Iterable[Conclusion]:
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


def picked(analysis: Analysis, walked: Sequence[Trail], make: Make) -> Iterable[Conclusion]:
    """Name the thing whose value is the least or the most among those reached before the last hop."""
    pick = analysis.pick
    assert pick is not None
    for trail in walked:
        if len(trail.hops) < 2 or trail.last[0] < 0:
            continue
        values = {end: comparable(end) for end in trail.literals}
        known = {end: value for end, value in values.items() if value is not None}
        if not known:
            continue
        best = _per_source(trail, known, is_most=pick.is_most)
        wanted = (max if pick.is_most else min)(best.values())
        winners = [source for source, value in best.items() if value == wanted]
        yield make(analysis, [trail], winners)


def _per_source(
    trail: Trail, known: dict[Literal, Comparable], *, is_most: bool
) -> dict[Thing, Comparable]:
    """Give each source one value: a thing with several dates counts by its first."""
    best: dict[Thing, Comparable] = {}
    for end, value in known.items():
        for source in trail.before[end]:
            old = best.get(source)
            if old is None or (len(value) == 3 and value < old) or (len(value) < 3 and value > old):
                best[source] = value
    return best
