"""What a reasoner tells a watcher. Facts are past tense, need no result and are journaled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgcore.model import Conflict, Direction, Entity, EntityId, Literal, Triple, wired
from kgcore.model.subgraph import Group
from kgcore.steps.rationales import Knowledge, ProvenRationale, RationaleFact


@wired
@dataclass(frozen=True, slots=True)
class Seed:
    """A mention in the question and the entity it stands for; None when no graph has it."""

    mention: str
    entity: Entity | None
    others: tuple[Entity, ...] = ()  # the same thing in other graphs


@wired
@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One thing an answer names. `is_supported` is False for a part that rests on no triple (model memory)."""

    value: Entity | Literal
    is_supported: bool = True


@wired
@dataclass(frozen=True, slots=True)
class Answer:
    """What a reasoner returns.

    `value` in 0…1 is how good it was rated. `proof` holds the connected triples from the question's entities
    to the answer, `conflicts` what graphs disagree on in it. `is_answer` is False for "cannot tell", `limit` being
    then what kept the search from going on; `is_fallback` marks an answer without the graph. `rationales` are the
    statements it follows from, each with the knowledge (triples, rows or passages) that supports it.
    """

    text: str
    parts: tuple[AnswerPart, ...] = ()
    value: float = 0.0
    proof: tuple[Triple, ...] = ()
    is_answer: bool = True
    is_fallback: bool = False
    node: int = 0
    limit: str = ""
    conflicts: tuple[Conflict, ...] = ()
    rationales: tuple[ProvenRationale, ...] = ()

    @property
    def knowledge(self) -> tuple[Knowledge, ...]:
        """What supports its rationales, each piece once."""
        return tuple(dict.fromkeys(k for r in self.rationales for k in r.knowledge))

    @property
    def is_model_memory(self) -> bool:
        """Whether some of it rests on no triple and no other knowledge."""
        is_bare = not self.proof and not self.knowledge
        return self.is_answer and (is_bare or any(not p.is_supported for p in self.parts))


def best_of(answers: Iterable[Answer]) -> Answer | None:
    """Return the answer with the highest value, of equals the first; None when none answers."""
    return max((a for a in answers if a.is_answer), key=lambda a: a.value, default=None)


@wired
@dataclass(frozen=True, slots=True)
class QuestionLinked:
    """The question's mentions were linked to graphs."""

    seeds: tuple[Seed, ...]


@wired
@dataclass(frozen=True, slots=True)
class NodeAdded:
    """A node joined the search tree, with what it added to its parent's subgraph.

    `action` is think, expand, select_entities, select_relation, answer, start or beam; `argument` says with
    what, in words; `state` is the action state the node is in. `votes` of `samples` chose this action.
    """

    node: int
    parent: int | None
    depth: int
    action: str
    argument: str = ""
    state: str = "default"
    entities: tuple[Entity, ...] = ()
    triples: tuple[Triple, ...] = ()
    same_as: tuple[tuple[EntityId, EntityId], ...] = ()
    more: tuple[tuple[Group, int], ...] = ()
    selected: tuple[EntityId, ...] = ()
    direction: Direction = "out"
    votes: int = 1
    samples: int = 1


@wired
@dataclass(frozen=True, slots=True)
class NodeScored:
    """A node got its value, with the reason the evaluator gave."""

    node: int
    value: float
    reason: str = ""
    votes: tuple[float, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class NodeExpanded:
    """The search chose this node as the next to expand; `order` counts expansions from 1."""

    node: int
    order: int


@wired
@dataclass(frozen=True, slots=True)
class Backtracked:
    """The next node is not a child of the last one; the values say why."""

    left: int
    to: int
    left_value: float  # best value among the children of the node left; 0 when it has none
    to_value: float
    reason: str = ""


@wired
@dataclass(frozen=True, slots=True)
class NodeMerged:
    """A child equals a node the tree already holds and is not expanded again."""

    node: int
    into: int


@wired
@dataclass(frozen=True, slots=True)
class NodePruned:
    """A path was scored and is not kept in the beam."""

    node: int


@wired
@dataclass(frozen=True, slots=True)
class ActionRejected:
    """A move the model should not have made: an illegal action, or a reply nobody can read."""

    node: int
    text: str
    reason: str


@wired
@dataclass(frozen=True, slots=True)
class AnswerProposed:
    """An answer was found; the best answer so far is the fold of these."""

    answer: Answer


@wired
@dataclass(frozen=True, slots=True)
class Warned:
    """Something a person should know; a doubt says that something else may have been meant, and is no error."""

    message: str
    is_doubt: bool = False


Fact = (
    QuestionLinked
    | NodeAdded
    | NodeScored
    | NodeExpanded
    | Backtracked
    | NodeMerged
    | NodePruned
    | ActionRejected
    | AnswerProposed
    | Warned
    | RationaleFact
)
