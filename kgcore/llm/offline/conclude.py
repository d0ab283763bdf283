"""What the facts fetched so far say about a question.

`conclude` tries every way to read an answer off the trails that the question's kind allows and returns the one
that explains most of the question. Its value is the explained share of the question, lowered when the answer is
not of the kind asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgcore.llm.offline import claims, compare
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.reading import Reading, make, names
from kgcore.llm.offline.trail import Thing, Trail
from kgcore.llm.offline.trails import trails
from kgcore.llm.offline.typed import holds_number, kind_fit, of_asked_kind
from kgcore.model import Entity, Literal
from kgcore.prompts import GiveAnswer, Situation

ENOUGH_OPEN = 0.5  # the same where a relation that was asked for is not explained
ENOUGH = 0.42  # below this value no answer is given


def conclude(situation: Situation, analysis: Analysis) -> Reading:
    """Return the best reading; one without text when the facts say nothing."""
    found = trails(situation, analysis)
    readings = list(_readings(analysis, found))
    return max(readings, key=_merit, default=Reading(open=tuple(range(len(analysis.clues)))))


def _merit(reading: Reading) -> tuple[float, float, int]:
    return (reading.value, reading.coverage, -sum(len(t.hops) for t in reading.trails))


def answer_of(reading: Reading, analysis: Analysis) -> GiveAnswer:
    """Return the answer a reading gives; "cannot tell" when too little of the question is explained."""
    known_open = any(
        analysis.clues[i].cue and analysis.clues[i].weight >= 0.8 for i in reading.open
    )
    least = ENOUGH_OPEN if known_open else ENOUGH
    if not reading.text or reading.value < least or _is_core_open(reading, analysis):
        return unknown(analysis)
    if analysis.is_beyond:
        return unknown(analysis)
    first = _first_answer(reading, analysis)
    things = tuple(dict.fromkeys((*first, *reading.things)))
    text = analysis.say("besides").join(
        (*([names(first, analysis)] if first else []), reading.text)
    )
    entities = tuple(t.id for t in things if isinstance(t, Entity))
    literals = tuple(t for t in things if isinstance(t, Literal))
    return GiveAnswer(text, entities, literals)


def _first_answer(reading: Reading, analysis: Analysis) -> tuple[Thing, ...]:
    """Return what the first of two questions finds, where the last hop explains the second: where that came from."""
    n_second = sum(not clue.is_soft for clue in analysis.clues[analysis.n_first :])
    if not analysis.n_first or n_second != 1 or len(reading.trails) != 1:
        return ()
    trail = reading.trails[0]
    if trail.last[0] < analysis.n_first:
        return ()
    return tuple(dict.fromkeys(s for t in reading.things for s in trail.before.get(t, ())))


def unknown(analysis: Analysis) -> GiveAnswer:
    """Return the answer that says it cannot tell."""
    return GiveAnswer(analysis.say("unknown"), is_unknown=True)


def _is_core_open(reading: Reading, analysis: Analysis) -> bool:
    """Tell whether the last thing asked for, or one of two joined verbs, is unexplained: nothing is an answer then."""
    if any(analysis.clues[i].twin >= 0 for i in reading.open):
        return True
    for trail in reading.trails:
        order = [i for i in analysis.orders[trail.mention] if not analysis.clues[i].is_soft]
        if order and order[-1] in reading.open and analysis.clues[order[-1]].weight >= 0.8:
            return True
    return False


def _readings(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Reading]:
    walked = [t for t in found if t.hops]
    if analysis.kind == "compare":
        yield from compare.compared(analysis, found)
    elif analysis.kind == "same":
        yield from compare.shared(analysis, found)
    elif analysis.kind == "claim":
        yield from claims.confirmed(analysis, found)
    elif analysis.kind == "pick":
        yield from compare.picked(analysis, walked)
        yield from (_plain(analysis, t) for t in walked)
    elif analysis.kind == "count":
        yield from (_counted(analysis, t) for t in walked)
    else:
        yield from (_plain(analysis, t) for t in walked)
        yield from _filtered(analysis, walked)
    if analysis.kind in ("common", "count", "find"):
        yield from _crossed(analysis, walked, found)


def _plain(analysis: Analysis, trail: Trail) -> Reading:
    things = of_asked_kind(analysis, _without_start(analysis, trail), trail)
    return make(analysis, [trail], things, fitness=kind_fit(analysis, things, trail))


def _without_start(analysis: Analysis, trail: Trail) -> tuple[Thing, ...]:
    """Return the ends, the mention itself left out where others are asked for, else last.

    What was reached through the mention again comes after what was not: it is hardly news to who asks.
    """
    others = tuple(e for e in trail.ends if not _is_start(e, trail))
    start = tuple(e for e in trail.ends if _is_start(e, trail))
    if len(trail.hops) > 1:
        through = {e for e in others if all(_is_start(s, trail) for s in trail.before[e])}
        others = (*(e for e in others if e not in through), *(e for e in others if e in through))
    return others if others and analysis.excludes_mention else (*others, *start)


def _is_start(thing: Thing, trail: Trail) -> bool:
    return isinstance(thing, Entity) and thing.id == trail.start


def _counted(analysis: Analysis, trail: Trail) -> Reading:
    """Read a number off: the value that says it, or how many ends there are; a count names none of them."""
    if len(trail.ends) == 1 and isinstance(trail.ends[0], Literal):
        return make(analysis, [trail], trail.ends)
    things = of_asked_kind(analysis, _without_start(analysis, trail), trail)
    number = str(len(things) + trail.n_more)
    return replace(make(analysis, [trail], things, text=number), things=())


def _filtered(analysis: Analysis, walked: Sequence[Trail]) -> Iterable[Reading]:
    """Keep the things whose value is a number that the question gives ("films … released in 2010")."""
    for trail in walked:
        for number in dict.fromkeys(analysis.numbers):
            hits = [end for end in trail.ends if holds_number(end, number)]
            sources = tuple(dict.fromkeys(s for end in hits for s in trail.before[end]))
            if sources and len(trail.hops) > 1:
                yield make(analysis, [trail], sources, numbers=[number])


def _crossed(
    analysis: Analysis, walked: Sequence[Trail], found: Sequence[Trail]
) -> Iterable[Reading]:
    """Read answers that hang on several mentions: ends that trails share, or ends that are a mention."""
    starts = {t.start: t.mention for t in found if not t.hops}
    for trail in walked:
        for start, mention in starts.items():
            if mention == trail.mention or len(trail.hops) < 2:
                continue
            hit = next((e for e in trail.entities if e.id == start), None)
            if hit is not None:
                sources = trail.before[hit]
                yield _joined(analysis, [trail], sources, mentions=[mention])
    best: list[tuple[list[Trail], list[Thing]]] = [([t], list(t.ends)) for t in walked]
    for used, ends in best:
        for trail in walked:
            if not _adds(trail, used, analysis):
                continue
            shared = [e for e in ends if e in trail.before]
            shared = [e for e in shared if not (isinstance(e, Entity) and e.id in starts)]
            if shared and len(best) < 400:
                best.append(([*used, trail], shared))
    for used, ends in best:
        if len(used) > 1:
            yield _joined(analysis, used, ends)


def _adds(trail: Trail, used: Sequence[Trail], analysis: Analysis) -> bool:
    """Tell whether a trail is from a further mention, or follows the twin of a verb that was followed."""
    if trail.mention > max(t.mention for t in used):
        return True
    twin = analysis.clues[trail.last[0]].twin if trail.last[0] >= 0 else -1
    return twin in used[-1].explained and twin < trail.last[0]


def _joined(
    analysis: Analysis,
    used: Sequence[Trail],
    things: Sequence[Thing],
    mentions: Iterable[int] = (),
) -> Reading:
    text = str(len(things)) if analysis.kind == "count" else ""
    fitness = kind_fit(analysis, things)
    reading = make(analysis, used, things, text=text, fitness=fitness, mentions=mentions)
    return replace(reading, things=()) if text else reading
