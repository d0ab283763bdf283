"""What a reasoner may ask for. A reasoner yields these and is sent the results.

`about` names the search nodes a step is done for; it tells a watcher where to show it and is no part of the
step's key.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from kgcore.model import Direction, EntityId, RelationId


@runtime_checkable
class Request(Protocol):
    """A typed question to a model; the requests themselves live in kgcore.prompts."""

    @property
    def template(self) -> str:
        """Name of the template that words it."""

    def key(self) -> Any:
        """Return plain data that determines the request; a subgraph counts by its digest."""

    def read(self, text: str) -> Any:
        """Return the value a reply stands for; UnreadableReplyError when it says something else."""


@dataclass(frozen=True, slots=True)
class Link:
    """Find entities for a text; with `is_question` find the mentions inside a whole question too."""

    text: str
    context: str = ""
    limit: int = 10
    is_question: bool = False


@dataclass(frozen=True, slots=True)
class Relations:
    """Ask which relations touch these entities, in both directions."""

    entities: tuple[EntityId, ...]
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Edges:
    """Fetch the edges of these entities along one relation; `limit` is per entity."""

    entities: tuple[EntityId, ...]
    relation: RelationId
    direction: Direction = "out"
    limit: int = 50
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Describe:
    """Fetch labels, descriptions and types."""

    entities: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class Rank:
    """Order texts by their relevance to a question."""

    question: str
    options: tuple[str, ...]
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """Put a query to a knowledge source."""

    source: str
    query: str
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """Put a typed request to the model that plays `role` (reason, evaluate or query); n samples."""

    request: Request
    n: int = 1
    temperature: float = 0.0
    role: str = "reason"
    about: tuple[int, ...] = ()


LeafStep = Link | Relations | Edges | Describe | Rank | Lookup | Ask
GRAPH_STEPS = (Link, Relations, Edges, Describe)


@dataclass(frozen=True, slots=True)
class All:
    """Several leaf steps at the same time; their results come back as one tuple, in this order."""

    steps: tuple[LeafStep, ...]


Step = LeafStep | All
Reasoning = Generator[Any, Any, Any]  # yields Step | Fact, is sent Result (None after a fact)


def together(*branches: Reasoning) -> Reasoning:
    """Advance several branches in lockstep and return what they return.

    Each round takes one step of every branch that still runs and yields them as one All. Facts of a branch
    pass through as they come.
    """
    values: list[Any] = [None] * len(branches)
    inbox: dict[int, Any] = dict.fromkeys(range(len(branches)))
    while inbox:
        wanted: dict[int, Step] = {}
        for number, result in sorted(inbox.items()):
            try:
                item = branches[number].send(result)
                while not isinstance(item, Step):
                    yield item
                    item = branches[number].send(None)
                wanted[number] = item
            except StopIteration as stop:
                values[number] = stop.value
        leaves: list[LeafStep] = []
        for item in wanted.values():
            leaves.extend(item.steps if isinstance(item, All) else (item,))
        results = (yield from gather(leaves)) if leaves else ()
        inbox, start = {}, 0
        for number, item in wanted.items():
            size = len(item.steps) if isinstance(item, All) else 1
            part = results[start : start + size]
            inbox[number] = part if isinstance(item, All) else part[0]
            start += size
    return values


def gather(leaves: list[LeafStep]) -> Reasoning:
    """Yield leaf steps as one All and return a tuple of results; nothing is yielded for none."""
    if not leaves:
        return ()
    if len(leaves) == 1:
        return ((yield leaves[0]),)
    return (yield All(tuple(leaves)))
