"""Where do graphs disagree?

Compared are the values that different graphs give for one subject and one relation. Two graphs disagree when no value
of one agrees with any value of the other, so a relation may have several values. Dates agree when one is the
other at a coarser precision (1970 and 1970-07-30), numbers when only their notation differs, texts when only case,
accents and spaces do. Different entities disagree only where a thing has one value at most (single_valued.txt).
What cannot be compared, such as texts in two languages or numbers with two units, is no disagreement.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from itertools import combinations, product

from kgcore.model.terms import Entity, EntityId, Literal, RelationId, Triple
from kgcore.model.wire import wired

Value = Entity | Literal
Date = tuple[int, ...]  # year, year and month, or year, month and day

_DATE = re.compile(r"([+-]?\d{4,})(?:-(\d\d))?(?:-(\d\d))?(T[\d:.]+)?(?:Z|[+-]\d\d:\d\d)?")
_DATE_TYPES = ("xsd:date", "xsd:dateTime", "xsd:gYear", "xsd:gYearMonth")
_TEXT_TYPES = ("", "xsd:string", "rdf:langString")
_YEAR_TYPES = (*_TEXT_TYPES, "xsd:integer", "xsd:int", "xsd:short", "xsd:nonNegativeInteger")
_NO_VALUES = ("kg:unknown", "kg:none")
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


@wired
@dataclass(frozen=True, slots=True)
class Conflict:
    """Triples of one subject and one relation with which graphs disagree; at least one of each graph."""

    triples: tuple[Triple, ...]

    @property
    def text(self) -> str:
        """Who says what: "date of birth of Ann is 1970 (one) and 1971 (other)"."""
        sources: dict[str, list[str]] = {}
        for triple in self.triples:
            sources.setdefault(triple.object.name, []).append(triple.kg)
        sides = [f"{value} ({', '.join(dict.fromkeys(kgs))})" for value, kgs in sources.items()]
        first = self.triples[0]
        listed = ", ".join(sides[:-1]) + f" and {sides[-1]}" if len(sides) > 1 else sides[0]
        return f"{first.relation.name} of {first.subject.name} is {listed}"

    @property
    def sentence(self) -> str:
        """The disagreement as one sentence for a person."""
        return f"The graphs disagree: {self.text}"


def find_conflicts(triples: Iterable[Triple]) -> tuple[Conflict, ...]:
    """Return where graphs disagree, in the order of the triples.

    Ends that same-as links join must carry one id, as the triples of a subgraph do.
    """
    groups: dict[tuple[EntityId, RelationId], dict[str, list[Triple]]] = {}
    for triple in triples:
        by_graph = groups.setdefault((triple.subject.id, triple.relation.id), {})
        by_graph.setdefault(triple.kg, []).append(triple)
    found: list[Conflict] = []
    for by_graph in groups.values():
        sides = _disagreeing(by_graph)
        if sides:
            found.append(Conflict(tuple(t for kg in by_graph if kg in sides for t in by_graph[kg])))
    return tuple(found)


def touching(conflicts: Iterable[Conflict], triples: Collection[Triple]) -> tuple[Conflict, ...]:
    """Return the conflicts in which one of these triples takes part."""
    wanted = set(triples)
    return tuple(conflict for conflict in conflicts if wanted & set(conflict.triples))


def _disagreeing(by_graph: Mapping[str, list[Triple]]) -> set[str]:
    """Return the graphs that disagree with another one; a source that nobody names is none."""
    sides: set[str] = set()
    for one, other in combinations((kg for kg in by_graph if kg), 2):
        verdicts = [
            agree(a.object, b.object, a.relation.id)
            for a, b in product(by_graph[one], by_graph[other])
        ]
        if True not in verdicts and False in verdicts:
            sides |= {one, other}
    return sides


def agree(one: Value, other: Value, relation: RelationId | None = None) -> bool | None:
    """Tell whether two values say the same; None when they cannot be compared."""
    if one == other:
        return True
    if isinstance(one, Literal) and isinstance(other, Literal):
        return _literals_agree(one, other)
    if isinstance(one, Entity) and isinstance(other, Entity):
        if relation not in _single_valued() or not (one.label and other.label):
            return None
        return _fold(one.label) == _fold(other.label)
    return True if _fold(one.name) == _fold(other.name) else None


def is_finer(one: Value, other: Value) -> bool:
    """Tell whether the first of two values that agree is the more precise one: a date with more parts."""
    if not (isinstance(one, Literal) and isinstance(other, Literal)):
        return False
    a, b = _date(one), _date(other)
    return a is not None and b is not None and len(a) > len(b)


def _literals_agree(one: Literal, other: Literal) -> bool | None:
    if one.datatype in _NO_VALUES or other.datatype in _NO_VALUES:
        return None
    if one.datatype == other.datatype == "xsd:boolean":
        return _TRUTH.get(one.value) is _TRUTH.get(other.value)
    if one.datatype in _DATE_TYPES or other.datatype in _DATE_TYPES:
        a, b = _date(one), _date(other)
        return None if a is None or b is None else all(x == y for x, y in zip(a, b, strict=False))
    m, n = _number(one), _number(other)
    if m is not None and n is not None:
        return m == n if one.unit == other.unit else None
    if one.datatype not in _TEXT_TYPES or other.datatype not in _TEXT_TYPES:
        return None
    a, b = _date(one), _date(other)
    if a is not None and b is not None:
        return all(x == y for x, y in zip(a, b, strict=False))
    if one.lang and other.lang and one.lang.split("-")[0] != other.lang.split("-")[0]:
        return None
    return _fold(one.value) == _fold(other.value)


def _date(literal: Literal) -> Date | None:
    """Read a date as precisely as it is known.

    Midnight of the first day of a year or a month is how Wikidata writes a year or a month.
    """
    if literal.datatype not in (*_DATE_TYPES, *_YEAR_TYPES):
        return None
    match = _DATE.fullmatch(literal.value.strip())
    if match is None:
        return None
    parts = [int(part) for part in match.groups()[:3] if part is not None]
    is_midnight = (match[4] or "").startswith("T00:00:00") and literal.datatype == "xsd:dateTime"
    if 0 in parts[1:]:  # a month or a day that is not known
        parts = parts[: parts.index(0, 1)]
    while is_midnight and len(parts) > 1 and parts[-1] == 1:
        parts.pop()
    return tuple(parts)


def _number(literal: Literal) -> Decimal | None:
    try:
        number = Decimal(literal.value.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _fold(text: str) -> str:
    """Return a text without what does not count: case, accents, runs of spaces."""
    plain = unicodedata.normalize("NFKD", text)
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


@cache
def _single_valued() -> frozenset[str]:
    text = files("kgcore.model").joinpath("single_valued.txt").read_text("utf-8")
    return frozenset(
        line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith("#")
    )
