"""Corrections as a view: a raw result goes in, what the reasoner may see comes out.

The journal keeps what the graph said; these pure functions stand between it and the reasoner, so a correction
can be applied, changed and undone without asking the graph again. Corrections in force never touch the same
triple (kgcore.corrections.store sees to it), so their order does not count.

Where a result tells which ids are one entity, a correction holds for all of them. A list of relations does not tell
which triples it counts; it names the ends as long as there are few, and where it names them all and the
corrected one is not there, the graph does not hold that triple and nothing is subtracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kgcore.corrections.correction import Correction, added, removed
from kgcore.corrections.passages import corrected_passages
from kgcore.model import Direction, Entity, EntityId, Literal, RelationId, Triple
from kgcore.prompts.wording import fold
from kgcore.steps import (
    Candidate,
    Candidates,
    Describe,
    Descriptions,
    Edges,
    EdgeSet,
    LeafStep,
    Link,
    Lookup,
    Passages,
    RelationOption,
    RelationOptions,
    Relations,
    Result,
)

_DIRECTIONS: tuple[Direction, Direction] = ("out", "in")
_EXAMPLES = 3  # ends that a relation on offer names
Ids = Mapping[EntityId, EntityId]  # id → the one that stands for it
Options = dict[tuple[RelationId, Direction], RelationOption]


def corrected(step: LeafStep, result: Result, corrections: Sequence[Correction]) -> Result:
    """Return the result as it reads with these corrections in force."""
    if not corrections:
        return result
    if isinstance(step, Edges) and isinstance(result, EdgeSet):
        return corrected_edges(step, result, corrections)
    if isinstance(step, Relations) and isinstance(result, RelationOptions):
        return corrected_options(step, result, corrections)
    if isinstance(step, Describe) and isinstance(result, Descriptions):
        return corrected_descriptions(step, result, corrections)
    if isinstance(step, Link) and isinstance(result, Candidates):
        return corrected_candidates(step, result, corrections)
    if isinstance(step, Lookup) and isinstance(result, Passages):
        return corrected_passages(step, result, corrections)
    return result


def corrected_edges(step: Edges, result: EdgeSet, corrections: Sequence[Correction]) -> EdgeSet:
    """Take out what was removed, put in what was added; the count of edges not fetched follows."""
    ids = _joined(result.same_as)
    triples, more, is_at_least = list(result.triples), dict(result.more), result.is_at_least
    for correction in corrections:
        gone, new = removed(correction), added(correction)
        place = len(triples)
        if gone is not None and gone.relation.id == step.relation:
            found = [n for n, t in enumerate(triples) if _is_same(t, gone, ids)]
            if found:
                place = found[0]
                triples = [t for t in triples if not _is_same(t, gone, ids)]
            else:  # perhaps among those that were not fetched
                asked = _asked_end(gone, step.entities, step.direction, ids)
                if asked in more:
                    more[asked], is_at_least = more[asked] - 1, True
        if new is None or new.relation.id != step.relation:
            continue
        asked = _asked_end(new, step.entities, step.direction, ids)
        if asked is not None and not any(_is_same(t, new, ids) for t in triples):
            triples.insert(place, _spoken_of(new, asked, step.direction))
            cut = _beyond_limit(triples, asked, step)
            if cut is not None:
                del triples[cut]
                more[asked] = more.get(asked, 0) + 1
    left = tuple((name, n) for name, n in more.items() if n > 0)
    return replace(result, triples=tuple(triples), more=left, is_at_least=is_at_least)


def _beyond_limit(triples: Sequence[Triple], asked: EntityId, step: Edges) -> int | None:
    """Return which edge has no room any more: the last of the graph's own, as what people add is to be seen."""
    mine = [n for n, t in enumerate(triples) if _asked_end(t, (asked,), step.direction, {})]
    own = [n for n in mine if not (origin := triples[n].provenance) or not origin.correction]
    return own[-1] if own and len(mine) > step.limit else None


def corrected_options(
    step: Relations, result: RelationOptions, corrections: Sequence[Correction]
) -> RelationOptions:
    """Count what was added and no longer count what was removed; its end is no example any more."""
    options = {(o.relation.id, o.direction): o for o in result.items}
    for correction in corrections:
        gone, new = removed(correction), added(correction)
        for direction in _DIRECTIONS:
            if new is not None:
                asked = _asked_end(new, step.entities, direction, {})
                _count(options, new, direction, asked)
            if gone is not None and _asked_end(gone, step.entities, direction, {}) is not None:
                _count_no_more(options, gone, direction)
    return replace(result, items=tuple(options[key] for key in sorted(options)))


def corrected_descriptions(
    step: Describe, result: Descriptions, corrections: Iterable[Correction]
) -> Descriptions:
    """Describe the entities that only corrections know."""
    known = {entity.id for entity in result.entities}
    new = [e for e in _minted(corrections) if e.id in step.entities and e.id not in known]
    return replace(result, entities=(*result.entities, *new)) if new else result


def corrected_candidates(
    step: Link, result: Candidates, corrections: Iterable[Correction]
) -> Candidates:
    """Find the entities that only corrections know, by their whole name."""
    known = {candidate.entity.id for candidate in result.items}
    found = []
    for entity in _minted(corrections):
        mention = _mention(entity.label, step) if entity.id not in known else ""
        if mention:
            found.append(Candidate(entity, 1.0, mention if step.is_question else ""))
    if not found:
        return result
    items = sorted((*result.items, *found), key=lambda c: (-len(c.mention), -c.score))
    return replace(result, items=tuple(items))


def _mention(label: str, step: Link) -> str:
    """Return where a text names a label; empty where it does not."""
    if not step.is_question:
        return step.text if fold(step.text) == fold(label) else ""
    start = step.text.casefold().find(label.casefold())
    end = start + len(label)
    if start < 0 or not label:
        return ""
    before, after = step.text[start - 1 : start], step.text[end : end + 1]
    is_word = label.isascii() and (before.isalnum() or after.isalnum())  # a part of a longer one
    return "" if is_word else step.text[start:end]


def _minted(corrections: Iterable[Correction]) -> list[Entity]:
    return list(dict.fromkeys(e for c in corrections if added(c) is not None for e in c.minted))


# which triple, which end


def _joined(pairs: Iterable[tuple[EntityId, EntityId]]) -> dict[EntityId, EntityId]:
    """Return for each id of these links the one that stands for its whole group."""
    ids: dict[EntityId, EntityId] = {}
    for one, other in pairs:
        first, second = ids.get(one, one), ids.get(other, other)
        ids.update({name: first for name, to in ids.items() if to == second})
        ids[one] = ids[other] = ids[first] = ids[second] = first
    return ids


def _is_same(one: Triple, other: Triple, ids: Ids) -> bool:
    return one.relation.id == other.relation.id and all(
        a == b
        or (isinstance(a, Entity) and isinstance(b, Entity) and _one(a.id, ids) == _one(b.id, ids))
        for a, b in ((one.subject, other.subject), (one.object, other.object))
    )


def _one(name: EntityId, ids: Ids) -> EntityId:
    return ids.get(name, name)


def _asked_end(
    triple: Triple, entities: Sequence[EntityId], direction: Direction, ids: Ids
) -> EntityId | None:
    """Return the asked id from which a triple is found in this direction."""
    end: Entity | Literal = triple.subject if direction == "out" else triple.object
    if not isinstance(end, Entity):
        return None
    if end.id in entities:
        return end.id
    return next((e for e in entities if _one(e, ids) == _one(end.id, ids)), None)


def _spoken_of(triple: Triple, asked: EntityId, direction: Direction) -> Triple:
    """Put the asked id in the place of another one of the same entity."""
    if direction == "out":
        return replace(triple, subject=replace(triple.subject, id=asked))
    assert isinstance(triple.object, Entity)
    return replace(triple, object=replace(triple.object, id=asked))


# relations on offer


def _names(triple: Triple, direction: Direction) -> tuple[str, ...]:
    """Return how the other end of a triple may be named among the examples of a relation."""
    end = triple.object if direction == "out" else triple.subject
    return (end.name, end.value) if isinstance(end, Literal) else (end.name,)


def _is_named(option: RelationOption, triple: Triple, direction: Direction) -> bool | None:
    """Tell whether the graph holds a triple that a relation may count; None when too few ends are named."""
    if any(name in option.targets for name in _names(triple, direction)):
        return True
    return False if len(option.targets) >= option.count else None


def _count(options: Options, triple: Triple, direction: Direction, asked: EntityId | None) -> None:
    if asked is None:
        return
    key, end = (triple.relation.id, direction), _names(triple, direction)[0]
    option = options.get(key)
    if option is None:
        options[key] = RelationOption(triple.relation, direction, 1, (asked,), targets=(end,))
    elif not (asked in option.touches and _is_named(option, triple, direction)):
        touches = tuple(dict.fromkeys((*option.touches, asked)))
        targets = tuple(dict.fromkeys((*option.targets, end)))[:_EXAMPLES]
        options[key] = replace(option, count=option.count + 1, touches=touches, targets=targets)


def _count_no_more(options: Options, triple: Triple, direction: Direction) -> None:
    key = (triple.relation.id, direction)
    option = options.get(key)
    if option is None or _is_named(option, triple, direction) is False:
        return
    gone = _names(triple, direction)
    targets = tuple(name for name in option.targets if name not in gone)
    count = max(option.count - 1, len(targets))
    if count:
        options[key] = replace(option, count=count, targets=targets)
    else:
        del options[key]
