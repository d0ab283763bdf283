"""The baselines as the engine knows them: each with its name, its version, its prompts and its settings."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.reasoners.baselines import workload
from kgcore.reasoners.baselines.config import (
    DirectConfig,
    FlareConfig,
    ReActConfig,
    ReActThoughtsConfig,
    ThoughtsConfig,
    VerifyAndEditConfig,
    VotesConfig,
)
from kgcore.reasoners.baselines.flare import flare
from kgcore.reasoners.baselines.memory import answer_directly, chain_of_thought, self_consistency
from kgcore.reasoners.baselines.react import react, react_or_thoughts
from kgcore.reasoners.baselines.verify_and_edit import verify_and_edit
from kgcore.reasoners.workload import Asks
from kgcore.steps import Reasoning

_THOUGHTS = ("sample_rationales", "repair")
_WALK = ("take_step", "choose_entity", "choose_each_entity")
_QUERIES = ("write_sparql", "write_sql", "write_sentence", "mend_query", "choose_entity")


@dataclass(frozen=True, slots=True)
class DirectAnswer:
    """IO prompting: the question goes in, the answer comes out."""

    name: str = "io"
    version: str = "1"
    templates: tuple[str, ...] = ("answer_directly", "repair")
    config_class: type[DirectConfig] = DirectConfig

    def solve(self, question: str, config: DirectConfig) -> Reasoning:
        """Ask for the answer alone."""
        return answer_directly(question, config)

    def asks(self, config: DirectConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what is asked of a model: one request."""
        return workload.DIRECT


@dataclass(frozen=True, slots=True)
class ChainOfThought:
    """One line of thought from memory."""

    name: str = "chain-of-thought"
    version: str = "1"
    templates: tuple[str, ...] = _THOUGHTS
    config_class: type[ThoughtsConfig] = ThoughtsConfig

    def solve(self, question: str, config: ThoughtsConfig) -> Reasoning:
        """Think step by step, then answer."""
        return chain_of_thought(question, config)

    def asks(self, config: ThoughtsConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what is asked of a model: one request."""
        return workload.THOUGHTS


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """Several lines of thought from memory, whose answers vote."""

    name: str = "chain-of-thought-sc"
    version: str = "1"
    templates: tuple[str, ...] = _THOUGHTS
    config_class: type[VotesConfig] = VotesConfig

    def solve(self, question: str, config: VotesConfig) -> Reasoning:
        """Sample lines of thought and take the most frequent answer."""
        return self_consistency(question, config)

    def asks(self, config: VotesConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what is asked of a model: one request with several samples."""
        return workload.asks_votes(config)


@dataclass(frozen=True, slots=True)
class ReAct:
    """Thoughts and steps through the graphs, one after another, without turning back."""

    name: str = "react"
    version: str = "3"
    templates: tuple[str, ...] = (*_WALK, "repair")
    config_class: type[ReActConfig] = ReActConfig

    def solve(self, question: str, config: ReActConfig) -> Reasoning:
        """Walk through the graphs."""
        return react(question, config)

    def asks(self, config: ReActConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a walk asks of a model."""
        return workload.asks_react(config, n_places)


@dataclass(frozen=True, slots=True)
class ReActOrThoughts:
    """The same, and chain-of-thought with votes where the walk gives no answer (ReAct→CoT)."""

    name: str = "react-cot"
    version: str = "3"
    templates: tuple[str, ...] = (*_WALK, *_THOUGHTS)
    config_class: type[ReActThoughtsConfig] = ReActThoughtsConfig

    def solve(self, question: str, config: ReActThoughtsConfig) -> Reasoning:
        """Walk through the graphs, then think."""
        return react_or_thoughts(question, config)

    def asks(self, config: ReActThoughtsConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a walk and its fallback ask of a model."""
        return workload.asks_react_or_thoughts(config, n_places)


@dataclass(frozen=True, slots=True)
class Flare:
    """Sentence by sentence; the sources are asked where the next one is doubtful."""

    name: str = "flare"
    version: str = "2"
    templates: tuple[str, ...] = ("next_sentence", *_QUERIES, "answer_from_rationales", "repair")
    config_class: type[FlareConfig] = FlareConfig

    def solve(self, question: str, config: FlareConfig) -> Reasoning:
        """Write the way to the answer."""
        return flare(question, config)

    def asks(self, config: FlareConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what it asks of a model."""
        return workload.asks_flare(config, n_places)


@dataclass(frozen=True, slots=True)
class VerifyAndEdit:
    """Rationales from memory, each verified by a question of its own where the samples disagree."""

    name: str = "verify-and-edit"
    version: str = "2"
    templates: tuple[str, ...] = (
        "sample_rationales",
        "verifying_question",
        *_QUERIES,
        "edit_rationale",
        "answer_from_rationales",
        "repair",
    )
    config_class: type[VerifyAndEditConfig] = VerifyAndEditConfig

    def solve(self, question: str, config: VerifyAndEditConfig) -> Reasoning:
        """Sample, verify and edit."""
        return verify_and_edit(question, config)

    def asks(self, config: VerifyAndEditConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what it asks of a model."""
        return workload.asks_verify_and_edit(config, n_places)
