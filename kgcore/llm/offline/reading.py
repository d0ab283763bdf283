"""A reading of the facts: what it names, and how much of the question it explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.trail import Thing, Trail
from kgcore.llm.offline.typed import type_fit, year_of
from kgcore.model import Entity, Literal

COMPLETE = 0.86  # the share of a question that must be explained to be answered with confidence
MOST_LETTERS = 3000  # of a list of names in an answer's text; the answer itself names them all
_MENTION = 1.0  # what an unused mention weighs
_NEEDED = 3.0  # the same of one that no graph has, or without which nothing holds ("both M and N")
_QUALIFIER = 0.25  # the share of it that counts of a mention that only says more of another
_NUMBER = 0.6  # what an unused number weighs
_MISFIT = 0.5  # the answer is not the kind of thing asked for
_DENIAL = 0.8  # silence denies less surely than a fact confirms: other relations are tried first
_ASTRAY = 0.5  # no relation on the way explains anything: and the kind of thing is a guess
_KNOWN = 0.78  # for each relation that is only known from the other side
_IDLE = 0.75  # for each relation on the way that explains nothing
_FULL_FIT = 0.6  # a fit from which a clue counts as explained in full


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the facts: the things it names, and how much of the question it explains."""

    things: tuple[Thing, ...] = ()
    text: str = ""
    coverage: float = 0.0
    fitness: float = 1.0
    is_denial: bool = False
    trails: tuple[Trail, ...] = ()
    explained: tuple[tuple[int, str], ...] = ()  # clue, label of the relation that explains it
    open: tuple[int, ...] = ()

    @property
    def value(self) -> float:
        """How good an answer this is, in 0…0.95."""
        return round(0.95 * self.coverage * self.fitness, 3) if self.text else 0.0

    @property
    def is_complete(self) -> bool:
        """Whether nothing of weight is left to explain."""
        return bool(self.text) and self.coverage >= COMPLETE and self.fitness >= 0.8


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
) -> Reading:
    """Build a reading: work out what the trails explain of the question.

    `also` are clues explained in other ways, `mentions` and `numbers` those used besides the trails' own.
    """
    explained: dict[int, float] = dict(also or {})
    for trail in used:
        for clue, value in trail.explained.items():
            explained[clue] = max(value, explained.get(clue, 0.0))
    labels = {clue: label for trail in reversed(used) for clue, label in trail.by.items()}
    is_astray = bool(analysis.clues) and not explained and any(t.hops for t in used)
    fitness *= _add_types(analysis, used, things, explained)
    if is_astray and max(explained.values(), default=0.0) < 1.0:
        fitness *= _ASTRAY
    fitness *= _IDLE ** sum(t.n_idle for t in used) * _KNOWN ** sum(t.n_known for t in used)
    seen = {t.mention for t in used} | set(mentions)
    told = _told(analysis, used)
    explained.update((n, 1.0) for n, clue in enumerate(analysis.clues) if clue.text in told)
    coverage = _coverage(analysis, explained, seen, set(numbers) | told)
    return Reading(
        tuple(things),
        text or names(things, analysis, [t.begin for t in used]),
        coverage,
        fitness * (_DENIAL if is_denial else 1.0),
        is_denial,
        tuple(used),
        tuple(sorted(labels.items())),
        tuple(i for i in range(len(analysis.clues)) if explained.get(i, 0.0) < 0.3),
    )


def _told(analysis: Analysis, used: Sequence[Trail]) -> set[str]:
    """Return the numbers that only tell which thing of a name is meant: "the *1969* film True Grit"."""
    told = " ".join(e.description for t in used for e in t.begin if isinstance(e, Entity))
    return {number for number in analysis.numbers if number in told.split()}


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


def names(
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
