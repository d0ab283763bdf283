"""Where the search has been: the trails from each mention, read off a situation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgcore.llm.offline.fit import FLOOR, fit, ranked_clues
from kgcore.llm.offline.kinds import is_a, is_called, says_kind
from kgcore.llm.offline.question import Analysis, analyse
from kgcore.llm.offline.trail import Hop, Thing, Trail
from kgcore.model import Direction, Entity, EntityId, Relation, Subgraph
from kgcore.prompts import Situation, Taken
from kgcore.steps import RelationOption

_READINGS = 2  # a hop is taken to explain the clue it fits best, or the next
_MANY = 30  # things of a trail beyond which what is known around them is not looked through
_LOOKED_AT = 5  # of the ends, for their kind


def analysis_of(situation: Situation) -> Analysis:
    """Read a situation's question by its mentions, each once."""
    mentions = tuple(dict.fromkeys(seed.mention for seed in situation.seeds))
    linked = {seed.mention for seed in situation.seeds if seed.entity is not None}
    missing = tuple(i for i, mention in enumerate(mentions) if mention not in linked)
    return analyse(situation.question, mentions, situation.language, missing)


def followed(situation: Situation) -> tuple[Hop, ...]:
    """Return the hops on the way to a situation."""
    return tuple(
        _hop(taken, taken.option, situation.subgraph)
        for taken in situation.trajectory
        if taken.kind == "select_relation" and taken.option is not None
    )


def _hop(taken: Taken, option: RelationOption, graph: Subgraph) -> Hop:
    sources = {graph.canonical(e) for e in taken.entities}
    ends: dict[EntityId, dict[Thing, None]] = {}
    for triple in graph.triples:
        if triple.relation.id != option.relation.id:
            continue
        if option.direction == "out":
            source, end = triple.subject.id, triple.object
        elif isinstance(triple.object, Entity):
            source, end = triple.object.id, triple.subject
        else:
            continue
        if source in sources:
            ends.setdefault(source, {})[end] = None
    more: dict[EntityId, int] = {}
    for (entity, relation, direction), count in graph.more.items():
        if relation == option.relation.id and direction == option.direction:
            more[graph.canonical(entity)] = count
    return Hop(option, {e: tuple(things) for e, things in ends.items()}, more)


def trails(situation: Situation, analysis: Analysis) -> tuple[Trail, ...]:
    """Return all trails of a situation, the empty one of each mention first."""
    found: list[Trail] = []
    graph = situation.subgraph
    for seed in situation.seeds:
        if seed.entity is not None and seed.entity.id in graph:
            number = analysis.mentions.index(seed.mention)
            entity = graph.entity(seed.entity.id)
            found.append(Trail(number, entity.id, ends=(entity,), begin=(entity,)))
    hops = followed(situation)
    known = _Known(graph, hops) if len(hops) > 1 else None
    for hop in hops:
        longer = [t for trail in found for t in _extend(trail, hop, analysis)]
        found.extend(longer)
        if known is not None:
            found.extend(t for trail in longer for t in known.extended(trail, analysis))
    return tuple(found)


class _Known:
    """What is known around the things fetched, without asking again: a way there is a way back, too.

    A search does not follow a relation that brings nothing new, so "the wife of the husband of M" has to be
    read off what it knows. More edges may exist than are known: such a hop counts less than one that was followed.
    """

    def __init__(self, graph: Subgraph, hops: Sequence[Hop]) -> None:
        self._followed = {
            (source, hop.option.relation.id, hop.option.direction)
            for hop in hops
            for source in hop.ends
        }
        self._around: dict[EntityId, dict[tuple[Relation, Direction], dict[Thing, None]]] = {}
        for triple in graph.triples:
            self._note(triple.subject.id, triple.relation, "out", triple.object)
            if isinstance(triple.object, Entity):
                self._note(triple.object.id, triple.relation, "in", triple.subject)

    def _note(self, source: EntityId, relation: Relation, way: Direction, end: Thing) -> None:
        self._around.setdefault(source, {}).setdefault((relation, way), {})[end] = None

    def extended(self, trail: Trail, analysis: Analysis) -> Iterator[Trail]:
        """Yield the trail with each hop more that is known and explains a relation of the question."""
        sources = [e.id for e in trail.entities]
        if (
            trail.n_known
            or not 0 < len(sources) <= _MANY
            or len(trail.explained) == len(analysis.clues)
        ):
            return
        ways = dict.fromkeys(w for source in sources for w in self._around.get(source, ()))
        for relation, way in ways:
            ends = {
                source: tuple(self._around[source][relation, way])
                for source in sources
                if (relation, way) in self._around.get(source, ())
            }
            if any((source, relation.id, way) in self._followed for source in ends):
                continue
            n = sum(map(len, ends.values()))
            hop = Hop(RelationOption(relation, way, n, tuple(ends)), ends, {})
            for longer in _extend(trail, hop, analysis):
                clue = longer.last[0]
                if clue >= 0 and not analysis.clues[clue].is_soft:
                    yield replace(longer, n_known=1)


def asked_kind(analysis: Analysis, trail: Trail) -> int | None:
    """Return the clue that says what kind of thing is asked for, where the trail does not explain it yet."""
    for number, clue in enumerate(analysis.clues):
        if clue.is_asked and clue.cue and clue.cue.classes and number not in trail.explained:
            return number
    return None


def _sifted(trail: Trail, hop: Hop, analysis: Analysis) -> Trail | None:
    """Return the trail with only those ends that the hop tells to be of the kind asked for, if any are."""
    asked = asked_kind(analysis, trail)
    if asked is None or not trail.hops or not says_kind(hop.option):
        return None
    cue = analysis.clues[asked].cue
    classes = cue.classes if cue else ()
    kept = tuple(
        e
        for e in trail.entities
        if any(is_called(kind.name, classes) for kind in hop.ends.get(e.id, ()))
    )
    if not kept:
        return None
    return replace(
        trail,
        hops=(*trail.hops, hop),
        ends=kept,
        before={e: trail.before[e] for e in kept},
        explained={**trail.explained, asked: 1.0},
        by={**trail.by, asked: hop.option.relation.name},
        last=(asked, 1.0),
        passed=(*trail.passed, trail.ends),
    )


def clues_explained_by(
    trail: Trail, option: RelationOption, analysis: Analysis
) -> list[tuple[int, float]]:
    """Return the clues that an option would explain beyond what the trail does, best first, and how well."""
    return ranked_clues(
        analysis,
        option,
        trail.mention,
        frozenset(trail.explained),
        is_first=not trail.hops,
        is_retraced=trail.is_retraced_by(option),
        here=_kinds_met(analysis, trail.ends),
    )


def _extend(trail: Trail, hop: Hop, analysis: Analysis) -> Iterator[Trail]:
    """Yield the trail with a hop more, once for each clue that the hop may well explain."""
    before = _reached(trail, hop, analysis)
    if not before or any(h is hop for h in trail.hops):
        return
    sifted = _sifted(trail, hop, analysis)
    if sifted is not None:
        yield sifted
        return
    for clue, value in clues_explained_by(trail, hop.option, analysis)[:_READINGS] or [(-1, 0.0)]:
        explained, by = dict(trail.explained), dict(trail.by)
        if clue >= 0:
            _note(explained, by, clue, value, hop.option)
        for number in _beside(analysis, clue):
            side = fit(analysis.clues[number], hop.option)
            if number not in explained and side >= FLOOR:
                _note(explained, by, number, side, hop.option)
        yield replace(
            trail,
            hops=(*trail.hops, hop),
            ends=tuple(before),
            before={end: tuple(sources) for end, sources in before.items()},
            explained=explained,
            by=by,
            last=(clue, value),
            passed=(*trail.passed, trail.ends) if trail.hops else (),
            n_idle=trail.n_idle + (not explained.keys() - trail.explained.keys()),
        )


def _reached(trail: Trail, hop: Hop, analysis: Analysis) -> dict[Thing, dict[Thing, None]]:
    """Return what a hop leads to from the trail's ends, each with where it was reached from."""
    before: dict[Thing, dict[Thing, None]] = {}
    left_out = trail.start if analysis.excludes_mention and trail.hops else None
    for source in trail.entities:
        for end in hop.ends.get(source.id, ()):
            if isinstance(end, Entity) and end.id == left_out:
                continue
            before.setdefault(end, {})[source] = None
    return before


def _kinds_met(analysis: Analysis, ends: Sequence[Thing]) -> frozenset[int]:
    """Return the kinds of things the question names that the ends are of."""
    entities = [e for e in ends[:_LOOKED_AT] if isinstance(e, Entity)]
    return frozenset(
        number
        for number, clue in enumerate(analysis.clues)
        if clue.cue is not None and clue.cue.classes and any(is_a(e, clue.cue) for e in entities)
    )


def _beside(analysis: Analysis, main: int) -> list[int]:
    """Return the clues that a hop may explain beside its main one: kinds, small words, the main one's group."""
    group = analysis.clues[main].group if main >= 0 else -1
    return [
        number
        for number, clue in enumerate(analysis.clues)
        if (clue.is_soft and not clue.is_asked)
        or clue.cue is None
        or (group >= 0 and clue.group == group and clue.text != analysis.clues[main].text)
    ]


def _note(
    explained: dict[int, float],
    by: dict[int, str],
    clue: int,
    value: float,
    option: RelationOption,
) -> None:
    explained[clue] = value
    by[clue] = option.relation.name
