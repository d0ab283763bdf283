"""When things began and ended, and which edges and dates cannot be because of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgcore.llm.offline.suspect_words import SuspectWords
from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.prompts.wording import fold

_GENERATION, _LIFE = 10, 110  # years between parent and child at least; years of a life at most
_YEAR = re.compile(r"([+-]?)(\d{4,})(?:-|$)")


class Times:
    """First and last years of things, as far as some triples tell."""

    def __init__(self, triples: Sequence[Triple], words: SuspectWords) -> None:
        self.triples, self.words = triples, words
        self.spans: dict[EntityId, list[int | None]] = defaultdict(lambda: [None, None])
        for triple in triples:
            self._note_date(triple)

    def _note_date(self, triple: Triple) -> None:
        year, label = _year(triple.object), fold(triple.relation.label)
        if year is None:
            return
        span = self.spans[triple.subject.id]
        if label in self.words.begins:
            span[0] = year if span[0] is None else min(span[0], year)
        elif label in self.words.ends:
            span[1] = year if span[1] is None else max(span[1], year)

    def against(self, triple: Triple) -> Iterator[str]:
        """Tell of a date that cannot be, or of an edge between things whose dates do not go together."""
        if isinstance(triple.object, Entity):
            text = self._out_of_order(triple)
            if text:
                yield text
            return
        if fold(triple.relation.label) not in self.words.begins | self.words.ends:
            return
        begin, end = self.spans[triple.subject.id]
        if begin is not None and end is not None and end < begin:
            yield self.words.tell("ends_first", begin=begin, end=end)
        for other in self.triples:  # perhaps it is the date that is wrong, not the edge
            if isinstance(other.object, Entity) and triple.subject in (other.subject, other.object):
                text = self._out_of_order(other)
                if text:
                    yield text
                    return

    def _out_of_order(self, triple: Triple) -> str:
        """Say why the things at both ends of an edge cannot be of their times; empty when they can."""
        assert isinstance(triple.object, Entity)
        one, other = self.spans[triple.subject.id], self.spans[triple.object.id]
        begin, other_begin = one[0], other[0]
        label, words = fold(triple.relation.label), self.words
        is_kin = label in words.parents | words.children | words.contemporaries
        years = [y for y in one if y is not None], [y for y in other if y is not None]
        if not all(years):
            return ""
        gap = min(abs(a - b) for a in years[0] for b in years[1])
        told = {
            "subject": triple.subject.name,
            "object": triple.object.name,
            "begin": years[0][0],
            "other": years[1][0],
        }
        if is_kin and (gap > _LIFE or _is_dead_before(one, other) or _is_dead_before(other, one)):
            return words.tell("apart", **told)
        if begin is None or other_begin is None:
            return ""
        if label in words.parents and other_begin + _GENERATION > begin:
            return words.tell("parent", **told)
        if label in words.children and begin + _GENERATION > other_begin:
            return words.tell("child", **told)
        if label in words.births and begin < other_begin:
            return words.tell("before_place", **told)
        is_made = _is_person(triple.object) and not _is_person(triple.subject)
        return words.tell("before_birth", **told) if is_made and begin < other_begin else ""


def _is_dead_before(one: Sequence[int | None], other: Sequence[int | None]) -> bool:
    """Tell whether the first ended more than a year before the second began."""
    end, begin = one[1], other[0]
    return end is not None and begin is not None and end + 1 < begin


def _is_person(entity: Entity) -> bool:
    return any(fold(kind) in ("human", "person", "人", "人类") for kind in entity.types)


def _year(end: Entity | Literal) -> int | None:
    """Return the year of a date; None for anything else."""
    if not isinstance(end, Literal) or not _is_date(end.datatype):
        return None
    match = _YEAR.match(end.value)
    return int(match[1] + match[2]) if match else None


def _is_date(datatype: str) -> bool:
    return datatype.startswith(("xsd:date", "xsd:gYear")) or datatype in ("xsd:integer", "")
