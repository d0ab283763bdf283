"""What results and facts name: entities and relations, with the labels that a graph gave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kgcore.model import Entity, Relation, Triple
from kgcore.steps.facts import NodeAdded, QuestionLinked
from kgcore.steps.results import Candidates, Descriptions, EdgeSet, RelationOptions, Replies


def named_in(item: Any) -> Iterator[Entity | Relation]:
    """Yield what a result or a fact names, in its order; the same thing as often as it is named."""
    if isinstance(item, Candidates):
        yield from (candidate.entity for candidate in item.items)
    elif isinstance(item, RelationOptions):
        yield from (option.relation for option in item.items)
    elif isinstance(item, EdgeSet):
        yield from named_by(item.triples)
    elif isinstance(item, Descriptions):
        yield from item.entities
    elif isinstance(item, Replies):
        yield from chosen_by_hand(item)
    elif isinstance(item, QuestionLinked):
        for seed in item.seeds:
            yield from (e for e in (seed.entity, *seed.others) if e is not None)
    elif isinstance(item, NodeAdded):
        yield from item.entities
        yield from named_by(item.triples)


def chosen_by_hand(replies: Replies) -> Iterator[Entity]:
    """Yield the entities that a person named for names of the question, instead of a candidate."""
    for value in replies.values:
        picks = value if isinstance(value, tuple) else (value,)
        yield from (pick for pick in picks if isinstance(pick, Entity))


def named_by(triples: Iterable[Triple]) -> Iterator[Entity | Relation]:
    """Yield the things of triples; values have no names."""
    for triple in triples:
        yield triple.subject
        yield triple.relation
        if isinstance(triple.object, Entity):
            yield triple.object
