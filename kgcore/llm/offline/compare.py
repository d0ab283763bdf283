"""Readings that compare: which has more, are they the same, which of several is the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.reading import Reading, make
from kgcore.llm.offline.trail import Thing, Trail
from kgcore.llm.offline.typed import Comparable, comparable
from kgcore.model import Entity, Literal

_TIE = 0.5  # a question for the one with more hardly means two that are equal


def compared(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Reading]:
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


def shared(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Reading]:
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


def picked(analysis: Analysis, walked: Sequence[Trail]) -> Iterable[Reading]:
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
