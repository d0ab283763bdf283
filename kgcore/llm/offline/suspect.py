"""Rank the triples of a proof by what speaks against each; where nothing does, all are alike.

Looked at are values that another graph contradicts, several values of a relation that has one elsewhere, dates out
of order, ends of another kind than the relation's other ends, and what is known of the right answer. Each is one
reason in words; several reasons add up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kgcore.llm.offline.suspect_times import Times
from kgcore.llm.offline.suspect_words import suspect_words
from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.model.conflicts import agree
from kgcore.prompts import RankSuspects
from kgcore.prompts.suspects import several
from kgcore.prompts.values import Rating
from kgcore.prompts.wording import fold

_ALIKE = 0.2
_RIGHT, _CONTRADICTED, _OUT_OF_ORDER, _OTHER_KIND = 0.9, 0.8, 0.7, 0.6
_UNKNOWN_THERE, _SEVERAL = 0.5, 0.5
_ONE_WAY = 0.6
# No edge, one from anywhere, or one from something that belongs to the subject leads to the right answer.
_MISSING, _LINKED, _JOINED = 0.5, 0.3, 0.7
_FEW = 3  # so few things lead to the right answer that each of them tells something
_CONFIRMED = 0.5  # another graph says the same: what speaks against it counts half
Reason = tuple[float, str]


def rank_suspects(request: RankSuspects) -> tuple[Rating, ...]:
    """Return how suspect each triple is, with the reasons in words."""
    known = _Known(request)
    return tuple(known.rating(triple) for triple in request.triples)


class _Known:
    """Everything that was said, the proof included."""

    def __init__(self, request: RankSuspects) -> None:
        self.request, self.words = request, suspect_words(request.language)
        self.triples = (*request.triples, *request.others)
        self.right = {fold(name) for name in several(request.right)}
        self.values: dict[tuple[EntityId, str], list[Triple]] = defaultdict(list)
        self.times = Times(self.triples, self.words)
        for triple in self.triples:
            self.values[_group(triple)].append(triple)

    def rating(self, triple: Triple) -> Rating:
        """Return how suspect one triple of the proof is."""
        reasons = list(self._reasons(triple))
        if not reasons:
            text = self._other_link(triple)
            return Rating(
                _ALIKE * _CONFIRMED if text else _ALIKE, text or self.words.tell("nothing")
            )
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
        yield from ((_OUT_OF_ORDER, text) for text in self.times.against(triple))
        yield from self._kind(triple)
        yield from self._back(triple)
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
        ends = {t.object for t in self.request.triples} | {t.subject for t in self.request.triples}
        counts: dict[EntityId, set[Entity | Literal]] = defaultdict(set)
        for t in self.triples:  # what was found from the other end does not tell how many there are
            is_listed = t.object not in ends and fold(t.object.name) not in self.right
            if t.relation == triple.relation and t.kg == triple.kg and is_listed:
                counts[t.subject.id].add(t.object)
        peers = [found for subject, found in counts.items() if subject != triple.subject.id]
        is_single = len(peers) > 2 and all(len(found) == 1 for found in peers)
        is_denied = any(
            agree(triple.object, t.object, triple.relation.id) is False
            for t in mine
            if isinstance(t.object, Entity)
        )
        if mine and (is_single or is_denied):
            values = ", ".join(dict.fromkeys(t.object.name for t in mine[:3]))
            yield _SEVERAL, self.words.tell("several", values=values)

    def _kind(self, triple: Triple) -> Iterator[Reason]:
        """The end is of another kind than the relation's other ends."""
        if not isinstance(triple.object, Entity) or not triple.object.types:
            return
        ends = {
            t.object
            for t in self.triples
            if fold(t.relation.name) == fold(triple.relation.name)
            and isinstance(t.object, Entity)
            and t.object != triple.object
            and t.object.types
        }
        kinds = [_kinds(end) for end in ends]
        if len(kinds) > 1 and not any(_kinds(triple.object) & kind for kind in kinds):
            usual = Counter(name for end in ends for name in sorted(end.types))
            most = min(usual, key=lambda name: (-usual[name], name))
            is_ = ", ".join(triple.object.types[:2])
            yield _OTHER_KIND, self.words.tell("other_kind", is_=is_, usual=most)

    def _back(self, triple: Triple) -> Iterator[Reason]:
        """Of a relation that holds both ways, the other end names somebody else, and somebody else this one."""
        if fold(triple.relation.label) not in self.words.both_ways:
            return
        others = [t for t in self.request.others if t.relation == triple.relation]
        says = [t.object for t in others if t.subject == triple.object]
        named_by = [t.subject for t in others if t.object == triple.subject]
        if triple.subject in says or triple.object in named_by:
            return
        if named_by:
            names = ", ".join(dict.fromkeys(end.name for end in named_by[:3]))
            yield _ONE_WAY, self.words.tell("named_by", names=names, subject=triple.subject.name)
        elif says:
            names = ", ".join(dict.fromkeys(end.name for end in says[:3]))
            told = {"object": triple.object.name, "names": names, "subject": triple.subject.name}
            yield _ONE_WAY, self.words.tell("one_way", **told)

    def _right(self, triple: Triple, same: Sequence[Triple]) -> Iterator[Reason]:
        """What is said of the answer that a person calls right."""
        if not self.right or self._is_right(triple.object) or self._is_right(triple.subject):
            return
        told = {"right": self.request.right, "relation": triple.relation.name}
        if any(self._is_right(t.object) for t in same):
            yield _RIGHT, self.words.tell("says_right", **told)
        elif self._is_last(triple):
            if not self._lead_to_right(triple):
                yield _MISSING, self.words.tell("missing", **told)
        for last in self.request.triples:
            if triple.object == last.subject and self._is_last(last):
                yield from self._turned_off(triple, last)
                return

    def _turned_off(self, triple: Triple, last: Triple) -> Iterator[Reason]:
        """The right answer is reached from somewhere else than this edge leads to."""
        sources = {t.subject for t in self._lead_to_right(last)}
        near = {triple.subject}
        joined = {
            end
            for t in self.request.others
            for end in (t.subject, t.object)
            if near & {t.subject, t.object} and end not in near
        }
        by_name = sorted(sources & joined, key=lambda e: e.id) or sorted(
            sources, key=lambda e: e.id
        )
        if not by_name or (len(sources) > _FEW and not sources & joined):
            return
        names = ", ".join(end.name for end in by_name[:3])
        told = {"right": self.request.right, "relation": last.relation.name, "names": names}
        yield _JOINED if sources & joined else _LINKED, self.words.tell("linked", **told)

    def _is_right(self, end: Entity | Literal) -> bool:
        return fold(end.name) in self.right

    def _is_last(self, triple: Triple) -> bool:
        """Tell whether an edge leads to the answer that was given."""
        return fold(triple.object.name) in map(fold, several(self.request.answer))

    def _lead_to_right(self, triple: Triple) -> list[Triple]:
        """Return the edges of the same relation that lead to the right answer."""
        name = fold(triple.relation.name)
        return [
            t
            for t in self.request.others
            if self._is_right(t.object) and fold(t.relation.name) == name
        ]

    def _other_link(self, triple: Triple) -> str:
        """Tell of another edge between the two ends; empty when there is none."""
        ends = {triple.subject, triple.object}
        for other in self.request.others:
            if {other.subject, other.object} == ends and other.relation != triple.relation:
                return self.words.tell("joined", text=other.text)
            if (other.subject, other.object) == (triple.object, triple.subject):
                return self.words.tell("joined", text=other.text)
        return ""

    def _is_confirmed(self, triple: Triple) -> bool:
        """Tell whether another graph says the same."""
        same = self.values[_group(triple)]
        return any(t.kg != triple.kg and _is_alike(t.object, triple.object) for t in same)


def _group(triple: Triple) -> tuple[EntityId, str]:
    """Return what values compete for: graphs may have ids of their own for a relation, so its name counts."""
    return triple.subject.id, fold(triple.relation.name)


def _is_alike(one: Entity | Literal, other: Entity | Literal) -> bool:
    return one == other or fold(one.name) == fold(other.name)


def _kinds(entity: Entity) -> set[str]:
    """Return the words that tell of what kind a thing is."""
    return {word for name in entity.types for word in fold(name).split()}
