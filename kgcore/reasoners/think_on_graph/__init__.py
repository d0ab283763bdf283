"""Think-on-Graph and ToG-R (arXiv 2307.07697)."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.reasoners.think_on_graph.config import ThinkOnGraphConfig
from kgcore.reasoners.think_on_graph.search import think_on_graph
from kgcore.reasoners.think_on_graph.workload import asks
from kgcore.reasoners.workload import Asks
from kgcore.steps import Reasoning

_TEMPLATES = (
    "find_mentions",
    "choose_entity",
    "choose_each_entity",
    "score_relations",
    "score_entities",
    "judge_paths",
    "answer_from_paths",
    "repair",
)


@dataclass(frozen=True, slots=True)
class ThinkOnGraph:
    """Beam search over paths; the model prunes relations, then entities."""

    name: str = "think-on-graph"
    version: str = "4"
    templates: tuple[str, ...] = _TEMPLATES
    config_class: type[ThinkOnGraphConfig] = ThinkOnGraphConfig

    def solve(self, question: str, config: ThinkOnGraphConfig) -> Reasoning:
        """Search with entity pruning."""
        return think_on_graph(question, config)

    def asks(self, config: ThinkOnGraphConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a search asks of a model."""
        return asks(config, n_places)


@dataclass(frozen=True, slots=True)
class ThinkOnGraphR(ThinkOnGraph):
    """The same over relation chains: entities are sampled, not scored (ToG-R)."""

    name: str = "think-on-graph-r"

    def solve(self, question: str, config: ThinkOnGraphConfig) -> Reasoning:
        """Search with sampled entities."""
        return think_on_graph(question, config, is_sampled=True)

    def asks(self, config: ThinkOnGraphConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a search asks of a model: no request about entities."""
        return asks(config, n_places, is_sampled=True)


__all__ = ["ThinkOnGraph", "ThinkOnGraphConfig", "ThinkOnGraphR", "think_on_graph"]
