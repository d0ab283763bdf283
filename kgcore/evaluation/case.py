"""Questions with gold answers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal as OneOf

from kgcore.errors import InputError
from kgcore.model import Direction, EntityId, Literal, RelationId

AnswerKind = OneOf["entity", "value", "boolean", "none"]


@dataclass(frozen=True, slots=True)
class Gold:
    """One thing a right answer names: an entity by its id, a value by the ways to write it."""

    id: EntityId | None = None
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldEdge:
    """An edge that leads to the answer; what the data set does not say is None.

    `direction` is the one to follow it in.
    """

    relation: RelationId
    subject: EntityId | None = None
    object: EntityId | Literal | None = None
    direction: Direction | None = None

    @property
    def ends(self) -> tuple[EntityId | None, EntityId | None]:
        """The entities at its subject and its object; None where there is none or it is not said."""
        return self.subject, None if isinstance(self.object, Literal) else self.object


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its gold answers.

    `answer_kind` none: the graph does not hold the answer, and saying so is right. `type` is what results are
    listed by, `subtype` a finer division where the data set has one. `texts` are all accepted answer texts,
    `path` the edges that give the answer, where the data set says.
    """

    id: str
    question: str
    answer_kind: AnswerKind
    type: str
    gold: tuple[Gold, ...] = ()
    texts: tuple[str, ...] = ()
    topics: tuple[EntityId, ...] = ()
    path: tuple[GoldEdge, ...] = ()
    subtype: str = ""
    language: str = "en"
    is_for_model: bool = False  # words and graph structure are not enough, the data set says

    def __post_init__(self) -> None:
        if bool(self.gold) == (self.answer_kind == "none"):
            raise InputError(f"case {self.id}: gold answers and their kind do not go together")


@dataclass(frozen=True, slots=True)
class Dataset:
    """Cases over the same graphs; `graphs` maps a graph's name to its files, none for the demo graphs."""

    name: str
    cases: tuple[Case, ...]
    graphs: Mapping[str, tuple[Path, ...]]
    language: str = "en"

    def sample(self, n: int, seed: int = 0) -> Dataset:
        """Return n of the cases, the same ones for the same seed, in their order; all when n is 0."""
        if not 0 < n < len(self.cases):
            return self
        chosen = sorted(random.Random(seed).sample(range(len(self.cases)), n))
        return replace(self, cases=tuple(self.cases[i] for i in chosen))
