"""The chain as it grows: numbers its nodes, keeps the rationales that were checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kgcore.model import Conflict, Subgraph, Triple
from kgcore.model.conflicts import find_conflicts
from kgcore.steps import (
    Knowledge,
    NodeAdded,
    NodeExpanded,
    ProvenRationale,
    RationaleDrafted,
    Reasoning,
)


class Terms(Protocol):
    """What a method's settings say of looking things up."""

    @property
    def language(self) -> str:
        """In which prompts are worded."""

    @property
    def candidates(self) -> int:
        """Entities that a name in a query is linked among."""

    @property
    def evidence(self) -> int:
        """Passages of one source that are put to the model for one rationale."""

    @property
    def rows(self) -> int:
        """The same of rows of a table or a graph."""


C = TypeVar("C", bound=Terms)


@dataclass(frozen=True, slots=True)
class Draft:
    """A rationale that waits to be checked: its node, its number from 1, its text."""

    node: int
    number: int
    text: str
    depth: int


@dataclass(frozen=True, slots=True)
class Checked:
    """A rationale that was checked, everything that was found for it, and what of it counts."""

    draft: Draft
    node: int
    text: str
    found: tuple[Knowledge, ...] = ()
    used: tuple[Knowledge, ...] = ()
    disputed: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether knowledge changed it."""
        return self.text != self.draft.text

    @property
    def depth(self) -> int:
        """How deep in the tree its node is: below the draft's, unless the draft stands unchecked."""
        return self.draft.depth + (self.node != self.draft.node)

    @property
    def proven(self) -> ProvenRationale:
        """What the answer keeps of it."""
        return ProvenRationale(self.draft.number, self.draft.text, self.text, self.used)


class Chain(Generic[C]):
    """What a run knows: its question, its settings, and the rationales so far."""

    def __init__(self, question: str, config: C) -> None:
        self.question, self.config = question, config
        self._checked: dict[int, Checked] = {}
        self._n_nodes = self._n_drafts = 0

    @property
    def checked(self) -> tuple[Checked, ...]:
        """The rationales checked so far, by number."""
        return tuple(self._checked[number] for number in sorted(self._checked))

    @property
    def texts(self) -> tuple[str, ...]:
        """The checked rationales as they stand now."""
        return tuple(item.text for item in self.checked)

    @property
    def last(self) -> Checked | None:
        """The rationale that was checked last, by number."""
        return self.checked[-1] if self._checked else None

    @property
    def triples(self) -> tuple[Triple, ...]:
        """All edges that were found, each once."""
        return triples_of(piece for item in self.checked for piece in item.found)

    @property
    def subgraph(self) -> Subgraph:
        """What was found of graphs."""
        return Subgraph().add(self.triples)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Where graphs disagree in what was found."""
        return find_conflicts(self.triples)

    @property
    def disputed(self) -> tuple[str, ...]:
        """In words, what sources disagree on."""
        return tuple(dict.fromkeys(text for item in self.checked for text in item.disputed))

    def node(self) -> int:
        """Return the number of a new node of the tree; the first is 0."""
        self._n_nodes += 1
        return self._n_nodes - 1

    def draft(self, text: str, origin: str, parent: tuple[int, int] = (0, 0)) -> Reasoning:
        """Write a draft down below a node, given with its depth; return it."""
        node, above, depth = self.node(), parent[0], parent[1] + 1
        self._n_drafts += 1
        yield NodeAdded(node, above, depth, "draft", text)
        yield NodeExpanded(node, self._n_drafts)
        yield RationaleDrafted(node, self._n_drafts, text, origin)
        return Draft(node, self._n_drafts, text, depth)

    def keep(self, checked: Checked) -> None:
        """Keep a rationale that was checked."""
        self._checked[checked.draft.number] = checked


def triples_of(knowledge: Iterable[Knowledge]) -> tuple[Triple, ...]:
    """Return the edges behind pieces of knowledge, each once."""
    return tuple(dict.fromkeys(t for piece in knowledge for t in piece.triples))
