"""The action state machine (paper, section 3.2) as a table, and the nodes of the search tree.

default ──think──▶ default
default ──expand──▶ selecting_entities ──select_entities──▶ selecting_relation
selecting_relation ──select_relation──▶ default
default ──answer──▶ done
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.errors import IllegalMoveError
from kgcore.model import EntityId, Subgraph
from kgcore.prompts import (
    Action,
    ExpandKG,
    GiveAnswer,
    SelectEntities,
    SelectRelation,
    Taken,
    Think,
)

ActionState = OneOf["default", "selecting_entities", "selecting_relation", "done"]

KINDS: dict[type, str] = {
    Think: "think",
    ExpandKG: "expand",
    SelectEntities: "select_entities",
    SelectRelation: "select_relation",
    GiveAnswer: "answer",
}

TRANSITIONS: dict[tuple[ActionState, str], ActionState] = {
    ("default", "think"): "default",
    ("default", "expand"): "selecting_entities",
    ("default", "answer"): "done",
    ("selecting_entities", "select_entities"): "selecting_relation",
    ("selecting_relation", "select_relation"): "default",
}


def next_state(state: ActionState, action: Action) -> ActionState:
    """Return the state an action leads to; IllegalMoveError where the table has no such move."""
    kind = KINDS[type(action)]
    try:
        return TRANSITIONS[state, kind]
    except KeyError:
        raise IllegalMoveError(f"{kind} is not allowed in the state {state}") from None


@dataclass(frozen=True, slots=True)
class SearchNode:
    """A node of the search tree: a subgraph, the actions that led to it, and a state.

    `value` in 0…1 is how promising it was rated (its parent's until then); `selected` are the entities whose
    relation is chosen next; `answer` is set in the state done.
    """

    id: int
    parent: int | None
    depth: int
    state: ActionState
    subgraph: Subgraph
    trajectory: tuple[Taken, ...] = ()
    value: float = 0.0
    selected: tuple[EntityId, ...] = ()
    answer: GiveAnswer | None = None

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two nodes the same: state, subgraph and trajectory."""
        return (self.state, self.subgraph.digest, self.trajectory, self.selected, self.answer)
