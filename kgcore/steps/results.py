"""What the run sends back for each step."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgcore.model import Direction, Entity, EntityId, Relation, Triple, wired


@wired
@dataclass(frozen=True, slots=True)
class Usage:
    """What a step cost. Money is in US dollars; `is_estimated` where the provider gave no counts or prices."""

    llm_requests: int = 0
    completions: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    kg_requests: int = 0
    is_estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.llm_requests + other.llm_requests,
            self.completions + other.completions,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
            self.kg_requests + other.kg_requests,
            self.is_estimated or other.is_estimated,
        )

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens


@wired
@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a text may mean. Score in 0…1; `mention` is the span of the text it was found for."""

    entity: Entity
    score: float
    mention: str = ""


@wired
@dataclass(frozen=True, slots=True)
class Candidates:
    """Result of Link, best first.

    `notes` tell a person what went wrong on the way; here as in all results. `missing` names the graphs that
    did not answer, and the first notes say why, one for each.
    """

    items: tuple[Candidate, ...] = ()
    is_partial: bool = False
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class RelationOption:
    """A relation that touches some of the asked entities, in one direction.

    `count` edges in all (`is_at_least` when the graph stopped counting); `touches` lists those of the asked
    ids that have such an edge; `targets` are up to three labels at the other end, as examples.
    """

    relation: Relation
    direction: Direction
    count: int
    touches: tuple[EntityId, ...]
    is_at_least: bool = False
    targets: tuple[str, ...] = ()
    target_types: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        """The relation as read in its direction."""
        return self.relation.phrase(self.direction)


@wired
@dataclass(frozen=True, slots=True)
class RelationOptions:
    """Result of Relations, in a stable order (by relation id, then direction)."""

    items: tuple[RelationOption, ...] = ()
    is_partial: bool = False
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class EdgeSet:
    """Result of Edges: triples in a stable order, with explicit same-as links of the entities in them.

    `more` counts, for each asked entity id, the edges that exist beyond those returned (a lower bound when
    `is_at_least`). `is_partial` marks an answer that a service cut short; such a result is never remembered.
    """

    triples: tuple[Triple, ...] = ()
    same_as: tuple[tuple[EntityId, EntityId], ...] = ()
    more: tuple[tuple[EntityId, int], ...] = ()
    is_at_least: bool = False
    is_partial: bool = False
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class Descriptions:
    """Result of Describe, with explicit same-as links of the asked ids as (asked id, other id)."""

    entities: tuple[Entity, ...] = ()
    same_as: tuple[tuple[EntityId, EntityId], ...] = ()
    is_partial: bool = False
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class Ranking:
    """Result of Rank: indices of the options, most relevant first, with their scores in 0…1."""

    order: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class Reply:
    """One sample of a model: its text, and its value as read (None, with the problem, when unreadable).

    In what a person replied to what a name stands for, an Entity may stand where a model gives a candidate's position.
    """

    text: str
    value: Any = None
    problem: str = ""
    is_repaired: bool = False


@wired
@dataclass(frozen=True, slots=True)
class Replies:
    """Result of Ask: one reply a sample, in the provider's order, and the prompt as it was sent."""

    items: tuple[Reply, ...] = ()
    prompt: str = ""
    left_out: tuple[str, ...] = ()  # what did not fit the prompt, in words
    usage: Usage = field(default=Usage(), compare=False)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of all readable samples."""
        return tuple(r.value for r in self.items if not r.problem)

    @property
    def value(self) -> Any:
        """The first readable value; None when there is none."""
        return self.values[0] if self.values else None


@wired
@dataclass(frozen=True, slots=True)
class BadQuery:
    """A step the service understood and rejected (a bad query): a result like any other, and replayed."""

    message: str


@wired
@dataclass(frozen=True, slots=True)
class Evidence:
    """One row, triple or passage a source found, as a short sentence and as it was found.

    `origin` says where it stands (title and position, table and row); `score` orders passages; `triples` are the
    graph's edges behind a row, where it has any.
    """

    text: str
    raw: str = ""
    origin: str = ""
    score: float = 0.0
    triples: tuple[Triple, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class Passages:
    """Result of Lookup: what a knowledge source found, best first, and the query as it was run.

    `is_partial` marks an answer that was cut short; `n_more` counts what was left out (at least).
    """

    items: tuple[Evidence, ...] = ()
    query: str = ""
    n_more: int = 0
    is_partial: bool = False
    notes: tuple[str, ...] = ()


Result = (
    Candidates | RelationOptions | EdgeSet | Descriptions | Ranking | Replies | Passages | BadQuery
)
