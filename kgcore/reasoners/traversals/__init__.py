"""Tree-of-Traversals and Chain-of-Traversals (arXiv 2407.21358)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.search import tree_of_traversals
from kgcore.reasoners.traversals.workload import asks
from kgcore.reasoners.workload import Asks
from kgcore.steps import Reasoning

_TEMPLATES = (
    "find_mentions",
    "choose_entity",
    "choose_each_entity",
    "choose_action",
    "choose_entities",
    "choose_relation",
    "rate_state",
    "rate_answer",
    "rate_siblings",
    "answer_from_memory",
    "repair",
)


@dataclass(frozen=True, slots=True)
class TreeOfTraversals:
    """Value-guided best-first search."""

    name: str = "tree-of-traversals"
    version: str = "5"
    templates: tuple[str, ...] = _TEMPLATES
    config_class: type[TraversalConfig] = TraversalConfig

    def solve(self, question: str, config: TraversalConfig) -> Reasoning:
        """Search with the config as given."""
        return tree_of_traversals(question, config)

    def asks(self, config: TraversalConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a search asks of a model."""
        return asks(config, n_places)


@dataclass(frozen=True, slots=True)
class ChainOfTraversals(TreeOfTraversals):
    """The same with a single sample and no branching (k = 1)."""

    name: str = "chain-of-traversals"

    def solve(self, question: str, config: TraversalConfig) -> Reasoning:
        """Search with k = 1, whatever the config says of k."""
        return tree_of_traversals(question, replace(config, k=1))

    def asks(self, config: TraversalConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a chain asks of a model."""
        return asks(replace(config, k=1), n_places)


__all__ = ["ChainOfTraversals", "TraversalConfig", "TreeOfTraversals", "tree_of_traversals"]
