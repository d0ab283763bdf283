"""Rank the triples of a proof by what speaks against each; where nothing does, all are alike.

Looked at are values that another graph contradicts, several values of a relation that has one elsewhere, dates out
of order, ends of another kind than the relation's other ends, and what is known of the right answer. Each is one
reason in words; several reasons add up.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.model.conflicts import agree
from kgcore.prompts import RankSuspects
from kgcore.prompts.values import Rating
from kgcore.prompts.wording import fold

_ALIKE = 0.2
_RIGHT, _CONTRADICTED, _OUT_OF_ORDER, _OTHER_KIND, _UNKNOWN_THERE, _SEVERAL = (
    0.9,
    0.8,
    0.7,
    0.6,
    0.5,
    0.5,
)
_LINKED = 0.4  # the right answer hangs together with the subject by another edge
_CONFIRMED = 0.5  # another graph says the same: what speaks against it counts half
_GENERATION, _LIFE = 10, 110  # years between parent and child at least; years of a life at most
_YEAR = re.compile(r"([+-]?)(\d{4,})(?:-|$)")
Reason = tuple[float, str]


def rank_suspects(request: RankSuspects) -> tuple[Rating, ...]:
    """Return how suspect each triple is, with the reasons in words."""
    known = _Known(request)
    return tuple(known.rating(triple) for triple in request.triples)


@dataclass(frozen=True, slots=True)
class _Words:
    """What labels of relations tell of dates, and how reasons are worded."""

    begins: frozenset[str]
    ends: frozenset[str]
    parents: frozenset[str]
    children: frozenset[str]
    contemporaries: frozenset[str]
    says: dict[str, str]

    def tell(self, name: str, **values: object) -> str:
        """Return a reason in words."""
        return self.says[name].format(**values)


@cache
def _words(language: str) -> _Words:
    data: Any = yaml.safe_load(
        files("kgcore.llm.offline").joinpath("cues", "suspects.yaml").read_text("utf-8")
    )
    lists = {n: frozenset(map(fold, data[n])) for n in data if n != "says"}
    return _Words(**lists, says=data["says"].get(language.split("-")[0], data["says"]["en"]))


class _Known:
    """Everything that was said, the proof included."""

    def __init__(self, request: RankSuspects) -> None:
        self.request, self.words = request, _words(request.language)
        self.triples = (*request.triples, *request.others)
        self.values: dict[tuple[EntityId, str], list[Triple]] = defaultdict(list)
        self.spans: dict[EntityId, list[int | None]] = defaultdict(lambda: [None, None])
        for triple in self.triples:
            self.values[_group(triple)].append(triple)
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

    def rating(self, triple: Triple) -> Rating:
        """Return how suspect one triple of the proof is."""
        reasons = list(self._reasons(triple))
        if not reasons:
            return Rating(_ALIKE, self.words.tell("nothing"))
        innocence = 1.0
        for weight, _ in reasons:
            innocence *= 1.0 - weight
        value = 1.0 - innocence
        if self._is_confirmed(triple):
            value *= _CONFIRMED
        told = dict.fromkeys(text for _, text in sorted(reasons, key=lambda r: -r[0]))
        return Rating(round(max(value, _ALIKE), 3), " / ".join(told))

    def _reasons(self, triple: Triple) -> Iterator[Reason]:
        same = [t for t in self.values[_group(triple)] if t != triple]
        yield from self._contradictions(triple, same)
        yield from self._several(triple, same)
        yield from self._dates(triple)
        yield from self._kind(triple)
        yield from self._right(triple, same)

    def _contradictions(self, triple: Triple, same: Sequence[Triple]) -> Iterator[Reason]:
        """Another graph gives other values only."""
        by_graph: dict[str, list[Triple]] = defaultdict(list)
        for other in self.values[_group(triple)]:
            by_graph[other.kg].append(other)
        for kg, others in sorted(by_graph.items()):
            if not kg or kg == triple.kg or not triple.kg:
                continue
            verdicts = [agree(triple.object, t.object, triple.relation.id) for t in others]
            is_there = any(_is_alike(triple.object, t.object) for t in others)
            if True in verdicts or is_there:
                continue
            weight = _CONTRADICTED if False in verdicts else _UNKNOWN_THERE
            values = ", ".join(dict.fromkeys(t.object.name for t in others[:3]))
            yield weight, self.words.tell("other_graph", kg=kg, values=values)

    def _several(self, triple: Triple, same: Sequence[Triple]) -> Iterator[Reason]:
        """The graph gives several values where it gives others one each."""
        mine = [t for t in same if t.kg == triple.kg and t.relation == triple.relation]
        counts: dict[EntityId, set[Entity | Literal]] = defaultdict(set)
        for t in self.triples:
            if t.relation == triple.relation and t.kg == triple.kg:
                counts[t.subject.id].add(t.object)
        peers = [ends for subject, ends in counts.items() if subject != triple.subject.id]
        is_single = len(peers) > 2 and all(len(ends) == 1 for ends in peers)
        is_denied = any(
            agree(triple.object, t.object, triple.relation.id) is False
            for t in mine
            if isinstance(t.object, Entity)
        )
        if mine and (is_single or is_denied):
            values = ", ".join(dict.fromkeys(t.object.name for t in mine[:3]))
            yield _SEVERAL, self.words.tell("several", values=values)

    def _dates(self, triple: Triple) -> Iterator[Reason]:
        begin, end = self.spans[triple.subject.id]
        label = fold(triple.relation.label)
        if isinstance(triple.object, Literal):
            is_date = label in self.words.begins | self.words.ends
            if is_date and begin is not None and end is not None and end < begin:
                yield _OUT_OF_ORDER, self.words.tell("ends_first", begin=begin, end=end)
            return
        other_begin, other_end = self.spans[triple.object.id]
        if begin is None or other_begin is None:
            return
        subject, object_ = triple.subject.name, triple.object.name
        told = {"subject": subject, "object": object_, "begin": begin, "other": other_begin}
        if label in self.words.parents and other_begin + _GENERATION > begin:
            yield _OUT_OF_ORDER, self.words.tell("parent", **told)
        elif label in self.words.children and begin + _GENERATION > other_begin:
            yield _OUT_OF_ORDER, self.words.tell("child", **told)
        elif label in self.words.contemporaries:
            is_apart = abs(begin - other_begin) > _LIFE or _is_after(end, other_begin)
            if is_apart or _is_after(other_end, begin):
                yield _OUT_OF_ORDER, self.words.tell("apart", **told)
        elif _is_person(triple.object) and not _is_person(triple.subject) and begin < other_begin:
            yield _OUT_OF_ORDER, self.words.tell("before_birth", **told)

    def _kind(self, triple: Triple) -> Iterator[Reason]:
        """The end is of another kind than the relation's other ends."""
        if not isinstance(triple.object, Entity) or not triple.object.types:
            return
        kinds = [
            set(t.object.types)
            for t in self.triples
            if fold(t.relation.name) == fold(triple.relation.name)
            and t != triple
            and isinstance(t.object, Entity)
            and t.object != triple.object
            and t.object.types
        ]
        mine = set(triple.object.types)
        if len(kinds) > 1 and not any(mine & kind for kind in kinds):
            usual = max(sorted(set().union(*kinds)), key=lambda k: sum(k in kind for kind in kinds))
            is_ = ", ".join(triple.object.types[:2])
            yield _OTHER_KIND, self.words.tell("other_kind", is_=is_, usual=usual)

    def _right(self, triple: Triple, same: Sequence[Triple]) -> Iterator[Reason]:
        """What is said of the answer that a person calls right."""
        right = fold(self.request.right)
        if not right or right in (fold(triple.object.name), fold(triple.subject.name)):
            return
        if any(fold(t.object.name) == right for t in same):
            yield _RIGHT, self.words.tell("says_right", right=self.request.right)
            return
        ends = {triple.subject.id}
        for t in self.request.others:
            names = (fold(t.subject.name), fold(t.object.name))
            ids = {t.subject.id, getattr(t.object, "id", t.subject.id)}
            if right in names and ids & ends and t.relation == triple.relation:
                yield (
                    _LINKED,
                    self.words.tell(
                        "linked", right=self.request.right, subject=triple.subject.name
                    ),
                )
                return

    def _is_confirmed(self, triple: Triple) -> bool:
        """Tell whether another graph says the same."""
        same = self.values[_group(triple)]
        return any(t.kg != triple.kg and _is_alike(t.object, triple.object) for t in same)


def _group(triple: Triple) -> tuple[EntityId, str]:
    """Return what values compete for: graphs may have ids of their own for a relation, so its name counts."""
    return triple.subject.id, fold(triple.relation.name)


def _is_alike(one: Entity | Literal, other: Entity | Literal) -> bool:
    return one == other or fold(one.name) == fold(other.name)


def _is_after(end: int | None, begin: int) -> bool:
    return end is not None and end < begin


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
