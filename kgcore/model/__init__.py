"""Domain values: standard library only, frozen, with a wire form."""

from kgcore.model.conflicts import Conflict
from kgcore.model.source_card import SourceCard
from kgcore.model.subgraph import Subgraph
from kgcore.model.terms import (
    Direction,
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Triple,
)
from kgcore.model.wire import from_dict, to_dict, wired

__all__ = [
    "Conflict",
    "Direction",
    "Entity",
    "EntityId",
    "Literal",
    "Provenance",
    "Relation",
    "RelationId",
    "SourceCard",
    "Subgraph",
    "Triple",
    "from_dict",
    "to_dict",
    "wired",
]
