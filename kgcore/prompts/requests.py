"""The requests of Tree-of-Traversals (arXiv 2407.21358, section 3): fields here, wording in templates/."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kgcore.model import EntityId, Literal, Subgraph, wired
from kgcore.prompts.base import TypedRequest
from kgcore.steps import Candidate, RelationOption, Seed


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

    `is_unknown` marks "cannot tell" (data/phrases, matched as whole phrases).
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
    it brought; for select_entities `entities` are the ones chosen.
    """

    kind: str
    text: str
    entities: tuple[EntityId, ...] = ()
    option: RelationOption | None = None
    n_new: int = 0


@dataclass(frozen=True, slots=True)
class FindMentions(TypedRequest):
    """Which names in the question are things a graph may hold? Reads to a tuple of str (may be empty).

    `spotted` are mentions a label index found, offered as help; empty where there is none.
    """

    template: ClassVar[str] = "find_mentions"
    spotted: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseEntity(TypedRequest):
    """Which candidate does the mention stand for? Reads to an index, or None for "none of these"."""

    template: ClassVar[str] = "choose_entity"
    mention: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Situation(TypedRequest):
    """A request about a node of the search: what is known there and how it came about."""

    subgraph: Subgraph
    seeds: tuple[Seed, ...]
    trajectory: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class ChooseAction(Situation):
    """Default state: think, expand or answer? `allowed` names the legal ones ("think", "expand", "answer").

    Reads to Think, ExpandKG or GiveAnswer. A reply that names an action that is not allowed is unreadable.
    """

    template: ClassVar[str] = "choose_action"
    allowed: tuple[str, ...] = ("think", "expand", "answer")


@dataclass(frozen=True, slots=True)
class ChooseEntities(Situation):
    """Selecting-entities state: which entities of the subgraph to expand? Reads to SelectEntities."""

    template: ClassVar[str] = "choose_entities"


@dataclass(frozen=True, slots=True)
class ChooseRelation(Situation):
    """Selecting-relation state: which option to follow? Reads to SelectRelation (index into `options`).

    Options are shown as R1, R2, … with direction, count and examples. With `shortlist` > 0 only the first
    so many are shown, as letters, with "none of these".
    """

    template: ClassVar[str] = "choose_relation"
    entities: tuple[EntityId, ...]
    options: tuple[RelationOption, ...]
    shortlist: int = 0


@dataclass(frozen=True, slots=True)
class RateState(Situation):
    """How promising is this node? Reads to Rating. `state` is the action state the node is in."""

    template: ClassVar[str] = "rate_state"
    state: str = "default"
    selected: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True)
class RateAnswer(Situation):
    """How well do the facts support this answer? Reads to Rating, on a pessimistic scale."""

    template: ClassVar[str] = "rate_answer"
    answer: GiveAnswer


@dataclass(frozen=True, slots=True)
class RateSiblings(TypedRequest):
    """Several RateState / RateAnswer requests in one. Reads to a tuple of Rating, one each, in order."""

    template: ClassVar[str] = "rate_siblings"
    items: tuple[RateState | RateAnswer, ...]


@dataclass(frozen=True, slots=True)
class AnswerFromMemory(TypedRequest):
    """Chain-of-thought without any graph (the →CoT fallback). Reads to GiveAnswer without entities."""

    template: ClassVar[str] = "answer_from_memory"


@dataclass(frozen=True, slots=True)
class Repair(TypedRequest):
    """One repair turn: the reply could not be read; ask for it again in the form that was asked for.

    Reads as the original request reads.
    """

    template: ClassVar[str] = "repair"
    original: TypedRequest
    reply: str
    problem: str
