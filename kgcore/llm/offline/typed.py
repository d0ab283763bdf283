"""Compare values, and tell whether a thing is of the kind a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.fit import FLOOR, fit
from kgcore.llm.offline.kinds import can_be, end_kind, is_a, kind_of_types, source_kind
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.trail import Hop, Thing, Trail
from kgcore.model import Entity, Literal

_DATE = re.compile(r"([+-]?\d{1,6})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*)?Z?")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?", re.IGNORECASE)
_IN_SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "millisecond": 0.001}
_UNKNOWN_TYPE = 0.65
_SAYS_SO = 0.85
_UNKNOWN_KIND = 0.9
_TEXT_NAME, _LONGEST_NAME = 0.9, 60  # a short text may name a person or a place; a number may not

Comparable = tuple[float, ...]


def is_date(value: Literal) -> bool:
    """Tell whether a value is a point in time; a bare year of four digits is."""
    if "date" in value.datatype.lower() or "year" in value.datatype.lower():
        return True
    return bool(re.fullmatch(r"-?\d{4}(-\d{2}(-\d{2})?)?(T.*)?", value.value))


def is_name(thing: Thing) -> bool:
    """Tell whether a value is a text that may be a name, as tables hold them."""
    if isinstance(thing, Entity):
        return True
    is_text = thing.datatype in ("", "xsd:string", "rdf:langString") and not thing.unit
    return is_text and len(thing.value) <= _LONGEST_NAME and not re.search(r"\d|://", thing.value)


def comparable(value: Literal) -> Comparable | None:
    """Return what two values are ordered by: a date by its parts, a quantity by its number."""
    if is_date(value):
        match = _DATE.fullmatch(value.value)
        if match:
            return tuple(float(part or 0) for part in match.groups())
    match = _NUMBER.search(value.value.replace(",", ""))
    if match is None:
        return None
    unit = value.unit.lower().removesuffix("s")
    return (float(match[0]) * _IN_SECONDS.get(unit, 1.0),)


def year_of(value: Literal) -> str:
    """Return the year of a date; "" where there is none."""
    match = _DATE.fullmatch(value.value)
    return match[1].lstrip("+") if match and is_date(value) else ""


def holds_number(thing: Thing, number: str) -> bool:
    """Tell whether a value is this number, or a date in this year."""
    if isinstance(thing, Entity):
        return thing.label == number
    return thing.value == number or year_of(thing).lstrip("0") == number


def kind_fit(analysis: Analysis, ends: Sequence[Thing], trail: Trail | None = None) -> float:
    """Return how well the ends agree with the question word: 1, less for what it does not ask for."""
    if not ends:
        return 0.0
    literal = isinstance(ends[0], Literal)
    if analysis.aspect == "time":
        end = ends[0]
        value = end if isinstance(end, Literal) else Literal(end.label)
        return 1.0 if is_date(value) else 0.4
    if analysis.aspect == "amount":
        return 1.0 if literal else 0.5
    if analysis.aspect in ("person", "place"):
        if literal:
            return _TEXT_NAME if all(is_name(end) for end in ends) else 0.3
        return 1.0 if can_be(kind_of(ends, trail), analysis.aspect) else 0.4
    return 1.0


def kind_of(things: Sequence[Thing], trail: Trail | None) -> str:
    """Return the kind that most things are by their types, else the kind that the relation to them tells."""
    entities = [t for t in things if isinstance(t, Entity)]
    known = [kind for e in entities if (kind := kind_of_types(e.types))]
    if known:
        return max(dict.fromkeys(known), key=known.count)
    hop = _hop_to(trail, things) if trail is not None else None
    return end_kind(hop.option) if hop is not None else ""


def type_fit(analysis: Analysis, clue: Clue, trail: Trail, things: Sequence[Thing]) -> float:
    """Return how well an answer is the kind of thing a clue names.

    A kind that is not asked of the answer ("films" in "actors in films by M") may be met on the way.
    """
    cue = clue.cue
    entities = [t for t in things if isinstance(t, Entity)]
    if not clue.is_asked:
        levels = (trail.begin, *trail.passed, trail.ends)
        seen = [e for level in levels for e in level if isinstance(e, Entity)]
        if any(is_a(e, cue) for e in seen):
            return 1.0
        if cue is not None and any(cue.kind and cue.kind == kind for kind in _met(trail)):
            return _UNKNOWN_KIND
    if cue is None or not entities:
        return 0.0
    known = sum(bool(e.types) for e in entities)
    if sum(is_a(e, cue) for e in entities) * 2 >= max(1, known):
        return 1.0
    hop = _hop_to(trail, things)
    if hop is not None and fit(clue, hop.option) >= FLOOR:
        return 1.0
    if cue.classes and known:
        return 0.0
    kind = kind_of(things, trail)
    if not can_be(kind, cue.kind):
        return 0.0
    if clue.is_asked and _needs_own_hop(analysis, clue, trail):
        return 0.0
    return _UNKNOWN_KIND if kind and cue.kind else _UNKNOWN_TYPE


def _met(trail: Trail) -> Iterator[str]:
    """Yield the kinds of what lies along a trail, as its relations tell them."""
    if trail.hops:
        yield source_kind(trail.hops[0].option)
    for hop in trail.hops:
        yield end_kind(hop.option)


def of_asked_kind(analysis: Analysis, things: tuple[Thing, ...], trail: Trail) -> tuple[Thing, ...]:
    """Keep the things of the kind asked for, where some are and some are known to be others.

    All are where the relation to them says so: a "school attended" may be called a university.
    """
    for clue in analysis.clues:
        if clue.is_asked:
            if trail.hops and fit(clue, trail.hops[-1].option) >= _SAYS_SO:
                return things
            kept = tuple(t for t in things if isinstance(t, Entity) and is_a(t, clue.cue))
            return kept or things
    return things


def _needs_own_hop(analysis: Analysis, clue: Clue, trail: Trail) -> bool:
    """Tell whether another kind of thing stands between the last relation and the kind asked for.

    In "the genres of the films M directed" the films are what *directed* leads to; the genres lie further on.
    """
    order = analysis.orders[trail.mention]
    relations = [place for place, i in enumerate(order) if not analysis.clues[i].is_soft]
    after = [analysis.clues[i] for i in (order[relations[-1] :] if relations else order)]
    kinds = {c.cue.classes for c in after if c.cue and c.cue.classes and not c.is_back}
    return len(kinds) > 1


def _hop_to(trail: Trail, things: Sequence[Thing]) -> Hop | None:
    """Return the hop that led to the things: the last one, or the one before."""
    wanted = set(things)
    levels = (*trail.passed, trail.ends)
    for hop, level in reversed(list(zip(trail.hops, levels[-len(trail.hops) :], strict=True))):
        if wanted <= set(level):
            return hop
    return None
