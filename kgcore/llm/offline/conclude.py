"""What the facts fetched so far say about a question.

`conclude` tries every way to read an answer off the trails that the question's kind allows and returns the one
that explains most of the question. Its value is the explained share of the question, lowered when the answer is
not of the kind asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from kgcore.llm.offline import compare
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.trails import Thing, Trail, trails
from kgcore.llm.offline.typed import holds_number, kind_fit, of_asked_kind, type_fit, year_of
from kgcore.model import Entity, Literal
from kgcore.prompts import GiveAnswer, Situation

COMPLETE = (
    0.86  # the share of a question that must be explained before it is answered with confidence
)
_QUALIFIER = 0.25  # the share of it that counts of a mention that only says more of another
ENOUGH_OPEN = 0.5  # the same where a relation that was asked for is not explained
ENOUGH = 0.42  # below this value no answer is given
MOST_LETTERS = 3000  # of a list of names in an answer's text; the answer itself names them all
_MENTION = 1.0  # what an unused mention weighs
_NEEDED = 3.0  # the same of one that no graph has, or without which nothing holds ("both M and N")
_MISFIT = 0.5  # the answer is not the kind of thing asked for
_NUMBER = 0.6  # what an unused number weighs
_DENIAL = 0.8  # silence denies less surely than a fact confirms: other relations are tried first
_ASTRAY = 0.5  # no relation on the way explains anything: and the kind of thing is a guess
_KNOWN = 0.78  # for each relation that is only known from the other side
_IDLE = 0.75  # for each relation on the way that explains nothing
_FULL_FIT = 0.6  # a fit from which a clue counts as explained in full


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A reading of the facts: the things it names, and how much of the question it explains."""

    things: tuple[Thing, ...] = ()
    text: str = ""
    coverage: float = 0.0
    fitness: float = 1.0
    is_denial: bool = False
    trails: tuple[Trail, ...] = ()
    explained: tuple[tuple[int, str], ...] = ()  # clue, label of the relation that explains it
    open: tuple[int, ...] = ()
    n_more: int = 0

    @property
    def value(self) -> float:
        """How good an answer this is, in 0…0.95."""
        return round(0.95 * self.coverage * self.fitness, 3) if self.text else 0.0

    @property
    def is_complete(self) -> bool:
        """Whether nothing of weight is left to explain."""
        return bool(self.text) and self.coverage >= COMPLETE and self.fitness >= 0.8


def conclude(situation: Situation, analysis: Analysis) -> Conclusion:
    """Return the best reading; one without text when the facts say nothing."""
    found = trails(situation, analysis)
    readings = list(_readings(analysis, found))
    return max(readings, key=_merit, default=Conclusion(open=tuple(range(len(analysis.clues)))))


def _merit(reading: Conclusion) -> tuple[float, float, int]:
    return (reading.value, reading.coverage, -sum(len(t.hops) for t in reading.trails))


def answer_of(reading: Conclusion, analysis: Analysis) -> GiveAnswer:
    """Return the answer a reading gives; "cannot tell" when too little of the question is explained."""
    known_open = any(
        analysis.clues[i].cue and analysis.clues[i].weight >= 0.8 for i in reading.open
    )
    least = ENOUGH_OPEN if known_open else ENOUGH
    if not reading.text or reading.value < least or _is_core_open(reading, analysis):
        return unknown(analysis)
    entities = tuple(t.id for t in reading.things if isinstance(t, Entity))
    literals = tuple(t for t in reading.things if isinstance(t, Literal))
    return GiveAnswer(reading.text, entities, literals)


def unknown(analysis: Analysis) -> GiveAnswer:
    """Return the answer that says it cannot tell."""
    return GiveAnswer(analysis.say("unknown"), is_unknown=True)


def _is_core_open(reading: Conclusion, analysis: Analysis) -> bool:
    """Tell whether the last thing asked for, or one of two joined verbs, is unexplained: nothing is an answer then."""
    if any(analysis.clues[i].twin >= 0 for i in reading.open):
        return True
    for trail in reading.trails:
        order = [i for i in analysis.orders[trail.mention] if not analysis.clues[i].is_soft]
        if order and order[-1] in reading.open and analysis.clues[order[-1]].weight >= 0.8:
            return True
    return False


def _readings(analysis: Analysis, found: Sequence[Trail]) -> Iterable[Conclusion]:
    walked = [t for t in found if t.hops]
    if analysis.kind == "compare":
        yield from compare.compared(analysis, found, make)
    elif analysis.kind == "same":
        yield from compare.shared(analysis, found, make)
    elif analysis.kind == "claim":
        yield from compare.confirmed(analysis, found, make)
    elif analysis.kind == "pick":
        yield from compare.picked(analysis, walked, make)
        yield from (_plain(analysis, t) for t in walked)
    elif analysis.kind == "count":
        yield from (_counted(analysis, t) for t in walked)
    else:
        yield from (_plain(analysis, t) for t in walked)
        yield from _filtered(analysis, walked)
    if analysis.kind in ("common", "count", "find"):
        yield from _crossed(analysis, walked, found)


def make(
    analysis: Analysis,
    used: Sequence[Trail],
    things: Sequence[Thing],
    *,
    text: str = "",
    fitness: float = 1.0,
    is_denial: bool = False,
    also: Mapping[int, float] | None = None,
    mentions: Iterable[int] = (),
    numbers: Iterable[str] = (),
) -> Conclusion:
    """Build a reading: work out what the trails explain of the question.

    `also` are clues explained in other ways, `mentions` and `numbers` those used besides the trails' own.
    """
    explained: dict[int, float] = dict(also or {})
    labels: dict[int, str] = {}
    for trail in used:
        for clue, value in trail.explained.items():
            explained[clue] = max(value, explained.get(clue, 0.0))
            labels.setdefault(clue, trail.by[clue])
    is_astray = bool(analysis.clues) and not explained and any(t.hops for t in used)
    fitness *= _add_types(analysis, used, things, explained)
    if is_astray and max(explained.values(), default=0.0) < 1.0:
        fitness *= _ASTRAY
    fitness *= _IDLE ** sum(t.n_idle for t in used) * _KNOWN ** sum(t.n_known for t in used)
    seen = {t.mention for t in used} | set(mentions)
    told = _told(analysis, used)
    explained.update((n, 1.0) for n, clue in enumerate(analysis.clues) if clue.text in told)
    coverage = _coverage(analysis, explained, seen, set(numbers) | told)
    return Conclusion(
        tuple(things),
        text or _names(things, analysis, [t.begin for t in used]),
        coverage,
        fitness * (_DENIAL if is_denial else 1.0),
        is_denial,
        tuple(used),
        tuple(sorted(labels.items())),
        tuple(i for i in range(len(analysis.clues)) if explained.get(i, 0.0) < 0.3),
        sum(t.n_more for t in used),
    )


def _told(analysis: Analysis, used: Sequence[Trail]) -> set[str]:
    """Return the numbers that only tell which thing of a name is meant: "the *1969* film True Grit"."""
    told = " ".join(e.description for t in used for e in t.begin if isinstance(e, Entity))
    return {number for number in analysis.numbers if number in told.split()}


def _names(
    things: Sequence[Thing], analysis: Analysis, starts: Sequence[Sequence[Thing]] = ()
) -> str:
    """Return the names of things as a list, each once; what is too long ends with an ellipsis.

    Things that share a name, with each other or with where the trails started, are told apart.
    """
    met = dict.fromkeys(chain(things, *starts))
    called = Counter(t.name for t in met if isinstance(t, Entity))
    shown: list[str] = []
    room = MOST_LETTERS
    for name in dict.fromkeys(_name(t, analysis, is_one=called[t.name] < 2) for t in things):
        room -= len(name) + 2
        if room < 0 and shown:
            shown.append("…")
            break
        shown.append(name)
    return analysis.say("comma").join(shown)


def _name(thing: Thing, analysis: Analysis, *, is_one: bool) -> str:
    """Return how an answer calls a thing; of a date its year, where a year is asked for."""
    if isinstance(thing, Literal):
        return (year_of(thing) if analysis.is_year else "") or thing.name
    return thing.name if is_one or not thing.description else f"{thing.name} ({thing.description})"


def _coverage(
    analysis: Analysis, explained: Mapping[int, float], mentions: set[int], numbers: set[str]
) -> float:
    """Return the share of the question's weight that is explained or used."""
    done = total = 0.0 if analysis.clues else 1.0
    for number, clue in enumerate(analysis.clues):
        total += clue.weight
        done += clue.weight * min(1.0, explained.get(number, 0.0) / _FULL_FIT)
    idle = [m for m in range(len(analysis.mentions)) if m not in mentions]
    for mention in idle:
        is_needed = analysis.needs_all or mention in analysis.missing
        weight = _NEEDED if is_needed else _MENTION
        total += weight * (_QUALIFIER if mention in analysis.qualifiers else 1.0)
    total += _NUMBER * len(set(analysis.numbers) - numbers)
    return done / total if total else 0.0


def _add_types(
    analysis: Analysis,
    used: Sequence[Trail],
    things: Sequence[Thing],
    explained: dict[int, float],
) -> float:
    """Note which kinds of things the answer meets; return how well it is the kind that is asked for."""
    fitness = 1.0
    for number, clue in enumerate(analysis.clues):
        if not clue.is_type:
            continue
        if analysis.kind in ("compare", "same"):
            explained.setdefault(number, 1.0)
        elif number not in explained and used:
            explained[number] = max(type_fit(analysis, clue, t, things) for t in used)
            if clue.is_asked and things and explained[number] == 0.0:
                fitness = _MISFIT
    return fitness


def _plain(analysis: Analysis, trail: Trail) -> Conclusion:
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


def _counted(analysis: Analysis, trail: Trail) -> Conclusion:
    """Read a number off: the value that says it, or how many ends there are; a count names none of them."""
    if len(trail.ends) == 1 and isinstance(trail.ends[0], Literal):
        return make(analysis, [trail], trail.ends)
    things = of_asked_kind(analysis, _without_start(analysis, trail), trail)
    number = str(len(things) + trail.n_more)
    return replace(make(analysis, [trail], things, text=number), things=())


def _filtered(analysis: Analysis, walked: Sequence[Trail]) -> Iterable[Conclusion]:
    """Keep the things whose value is a number that the question gives ("films … released in 2010")."""
    for trail in walked:
        for number in dict.fromkeys(analysis.numbers):
            hits = [end for end in trail.ends if holds_number(end, number)]
            sources = tuple(dict.fromkeys(s for end in hits for s in trail.before[end]))
            if sources and len(trail.hops) > 1:
                yield make(analysis, [trail], sources, numbers=[number])


def _crossed(
    analysis: Analysis, walked: Sequence[Trail], found: Sequence[Trail]
) -> Iterable[Conclusion]:
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
) -> Conclusion:
    text = str(len(things)) if analysis.kind == "count" else ""
    fitness = kind_fit(analysis, things)
    reading = make(analysis, used, things, text=text, fitness=fitness, mentions=mentions)
    return replace(reading, things=()) if text else reading
