"""What requests read to: the actions of a search, and ratings."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.model import EntityId, Literal, wired
from kgcore.steps import RelationOption


@wired
@dataclass(frozen=True, slots=True)
class Think:
    """Action: note a thought."""

    text: str


@wired
@dataclass(frozen=True, slots=True)
class ExpandKG:
    """Action: fetch more of the graph."""


@wired
@dataclass(frozen=True, slots=True)
class SelectEntities:
    """Action: the entities to expand."""

    entities: tuple[EntityId, ...]


@wired
@dataclass(frozen=True, slots=True)
class SelectRelation:
    """Action: the relation to follow; an index into the options that were offered."""

    option: int


@wired
@dataclass(frozen=True, slots=True)
class GiveAnswer:
    """Action: answer. `entities` are those of the subgraph that the answer names, `literals` its values.

    `is_unknown` marks "cannot tell" (phrases/, matched as whole phrases).
    """

    text: str
    entities: tuple[EntityId, ...] = ()
    literals: tuple[Literal, ...] = ()
    is_unknown: bool = False


Action = Think | ExpandKG | SelectEntities | SelectRelation | GiveAnswer


@wired
@dataclass(frozen=True, slots=True)
class Rating:
    """A value in 0…1 and the reason given for it."""

    value: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """An action on the way to the current node, as prompts show it.

    `kind` is think, expand, select_entities, select_relation or answer; `text` says it in words. For
    select_relation `entities`, `option` and `n_new` say what was followed from where and how many triples
    it brought; for select_entities `entities` are the ones chosen. A walk also knows search, with the `name` that was
    looked up ("" for what was known) and the `entities` it opened, follow for a relation that brought nothing, and
    unread for a reply that took no step.
    """

    kind: str
    text: str
    entities: tuple[EntityId, ...] = ()
    option: RelationOption | None = None
    n_new: int = 0
    name: str = ""
