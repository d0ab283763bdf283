"""Puts the rows of an answer together to what the port returns. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kgcore.kg import vocabulary as v
from kgcore.kg.edges import edge_triple, query_for_people
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.replies import (
    Known,
    Row,
    Texts,
    number_of,
    read_known,
    read_statements,
    refine,
    text_of,
    to_end,
)
from kgcore.model import (
    Direction,
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Triple,
)
from kgcore.steps import EdgeSet, RelationOption

_EXAMPLES = 3
DIRECTIONS: tuple[Direction, Direction] = ("out", "in")


@dataclass(frozen=True, slots=True)
class Asked:
    """A thing that was asked for: its IRI in the graph, the ids it was asked by, and those it is shown under.

    It has several to be shown under when it was asked by an id that was merged into it, and by its own.
    """

    iri: str
    ids: tuple[EntityId, ...]
    shown: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same from answer to answer of one graph."""

    kg: str
    profile: Profile
    languages: tuple[str, ...]
    prefixes: v.Prefixes

    def relation(self, iri: str, labels: Texts, inverse: Texts) -> Relation:
        """Describe a relation, by the words of its IRI where it has no label."""
        label = labels.best(iri) or v.local_name(iri)
        return Relation(RelationId(self.prefixes.shorten(iri)), label, inverse.best(iri), self.kg)


@dataclass(slots=True)
class _Group:
    counts: dict[int, int] = field(default_factory=dict)  # by number of the asked thing
    ends: dict[str, Row] = field(default_factory=dict)  # examples, by which one it is


class RelationRows:
    """Gathers the rows of relations_query."""

    def __init__(self, frame: Frame, asked: Sequence[Asked]) -> None:
        self._frame, self._asked = frame, asked
        self._groups: dict[tuple[str, Direction], _Group] = {}
        self._labels = Texts(frame.profile.labels, frame.languages)
        self._inverse = Texts(frame.profile.inverse_labels, frame.languages)
        self._rows: list[Row] = []
        self._capped: set[tuple[int, Direction]] = set()

    def add(self, rows: Iterable[Row], window: int, pairs: Iterable[tuple[int, Direction]]) -> None:
        """Take an answer in that looked at `window` edges of these things in these directions."""
        totals = dict.fromkeys(pairs, 0)
        for row in rows:
            way: Direction = "out" if text_of(row, "d") == "out" else "in"
            group = self._groups.setdefault((text_of(row, "p"), way), _Group())
            for pair in text_of(row, "es").split():
                number, n = map(int, pair.split(":"))
                group.counts[number] = max(n, group.counts.get(number, 0))
            if "x" in row and text_of(row, "x") != r.NO_END:
                group.ends.setdefault(text_of(row, "w"), row)
            for texts in (self._labels, self._inverse):
                texts.add(text_of(row, "p"), row, "pk", "pv")
            self._rows.append(row)
        for (_, direction), group in self._groups.items():
            for number, n in group.counts.items():
                if (number, direction) in totals:
                    totals[number, direction] += n
        self._capped -= set(totals)
        self._capped |= {pair for pair, n in totals.items() if pair[1] == "in" and n >= window}
        leaving = [pair for pair in totals if pair[1] == "out"]  # these shared one window
        if leaving and sum(totals[pair] for pair in leaving) >= window * len(leaving):
            self._capped |= set(leaving)

    @property
    def hubs(self) -> list[tuple[int, Direction]]:
        """Things that have more edges in a direction than were looked at."""
        return sorted(self._capped)

    @property
    def without(self) -> list[Asked]:
        """Things without any relation."""
        touched = {number for group in self._groups.values() for number in group.counts}
        return [thing for n, thing in enumerate(self._asked) if n not in touched]

    def options(self) -> tuple[RelationOption, ...]:
        """All relations, by id and direction."""
        frame = self._frame
        known = read_known(self._rows, frame.profile, frame.languages)
        found = [
            self._option(known, frame.relation(iri, self._labels, self._inverse), direction, group)
            for (iri, direction), group in self._groups.items()
            if group.counts
        ]
        return tuple(sorted(found, key=lambda o: (o.relation.id, o.direction)))

    def _option(
        self, known: Known, relation: Relation, direction: Direction, group: _Group
    ) -> RelationOption:
        texts, kinds = [], []
        for _, row in sorted(group.ends.items()):
            end = to_end(row["x"], self._frame.prefixes)
            if isinstance(end, Literal):
                texts.append(end.value)
                kinds.append(_kind(end, row["x"]))
            else:
                entity = known.entity(text_of(row, "x"), self._frame.prefixes, self._frame.kg)
                texts.append(entity.label)
                kinds += entity.types[:1]
        return RelationOption(
            relation,
            direction,
            sum(group.counts.values()),
            tuple(i for n in sorted(group.counts) for i in self._asked[n].ids),
            any((n, direction) in self._capped for n in group.counts),
            targets=tuple(dict.fromkeys(filter(None, texts)))[:_EXAMPLES],
            target_types=tuple(dict.fromkeys(kinds))[:_EXAMPLES],
        )


def _kind(literal: Literal, bound: Mapping[str, str]) -> str:
    if literal == v.UNKNOWN_VALUE:
        return "unknown"
    return "none" if literal == v.NO_VALUE else v.literal_kind(bound.get("datatype", ""))


def to_edges(
    frame: Frame,
    asked: Sequence[Asked],
    rows: Sequence[Row],
    relation: str,
    direction: Direction,
    *,
    limit: int,
    when: str = "",
) -> EdgeSet:
    """Read the rows of edges_query."""
    known = read_known(rows, frame.profile, frame.languages)
    statements = read_statements(rows, frame.languages)
    kind = _relation_of(frame, known, rows, relation)
    triples: dict[Triple, None] = {}
    more: list[tuple[EntityId, int]] = []
    is_at_least = False
    ends = _ends(frame, rows)
    totals = {number_of(row, "e") - r.COUNT: number_of(row, "n") for row in rows if "n" in row}
    for number, thing in enumerate(asked):
        mine = sorted(ends.get(number, {}).items(), key=lambda item: _order(item[0]))
        for end, bound in mine[:limit]:
            said = statements.get((number, bound.get("type", "")[:3], bound["value"]), {})
            query = query_for_people(thing.iri, relation, direction)
            origin = Provenance(frame.kg, query, when, said.get("rank", ""))
            other = (
                refine(end, said, frame.prefixes)
                if isinstance(end, Literal)
                else known.entity(frame.prefixes.expand(end), frame.prefixes, frame.kg)
            )
            for entity in entities_of(frame, known, thing):
                triples[edge_triple(entity, kind, other, direction, origin)] = None
        n = max(len(mine), totals.get(number, 0))
        if n > limit:
            more += [(asked_id, n - limit) for asked_id in thing.ids]
            is_at_least |= n > r.COUNT_CAP
    links = known_links(frame, known, asked)
    return EdgeSet(tuple(triples), links, tuple(more), is_at_least)


def _relation_of(frame: Frame, known: Known, rows: Iterable[Row], relation: str) -> Relation:
    """Describe the relation by its own label, or by that of the property that stands for it."""
    things = {text_of(row, "x") for row in rows if number_of(row, "e") == r.RELATION}
    found = Relation(RelationId(frame.prefixes.shorten(relation)), "", "", frame.kg)
    for thing in (relation, *sorted(things - {relation})):
        found = replace(
            found,
            label=found.label or known.labels.best(thing),
            inverse_label=found.inverse_label or known.inverse_labels.best(thing),
        )
    return replace(found, label=found.label or v.local_name(relation))


def _ends(
    frame: Frame, rows: Iterable[Row]
) -> dict[int, dict[EntityId | Literal, Mapping[str, str]]]:
    """The other ends, by number of the asked thing, each with its term as it came."""
    found: dict[int, dict[EntityId | Literal, Mapping[str, str]]] = {}
    for row in rows:
        number = number_of(row, "e")
        if 0 <= number < r.COUNT and "x" in row:
            end = to_end(row["x"], frame.prefixes)
            found.setdefault(number, {}).setdefault(end, row["x"])
    return found


def _order(end: EntityId | Literal) -> tuple[int, str, str, str]:
    """Entities first, by id; then literals."""
    if isinstance(end, Literal):
        return (1, end.value, end.datatype, end.lang)
    return (0, end, "", "")


def entities_of(frame: Frame, known: Known, asked: Asked) -> list[Entity]:
    """Describe a thing that was asked for, once for each id it is shown under."""
    entity = known.entity(asked.iri, frame.prefixes, frame.kg)
    return [replace(entity, id=shown) for shown in asked.shown]


def known_links(
    frame: Frame, known: Known, asked: Sequence[Asked]
) -> tuple[tuple[EntityId, EntityId], ...]:
    """Explicit identity links of all things in an answer, and those of merged ids to what they became."""
    shorten = frame.prefixes.shorten
    shown = {a.iri: a.shown for a in asked}
    links = [(i, shorten(a.iri)) for a in asked for i in a.shown]
    for one, others in known.links.items():
        for i in shown.get(one, (shorten(one),)):
            links += [(i, shorten(other)) for other in sorted(others)]
    return tuple(pair for pair in dict.fromkeys(links) if pair[0] != pair[1])
