"""How many requests a method may make of a model: what an estimate before the run is made of.

A method that can tell has, beside `solve`, a method `asks(config, n_places)` that returns a tuple of `Asks`: one for each
point at which it asks the model, how often that happens at least and at most, and which requests it may be. Places are
the graphs that a run asks or, for a method that asks knowledge sources, those.
Requests that repeat one (a reply that could not be read, a provider that did not answer) are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from kgcore.prompts.linking import MAX_MENTIONS
from kgcore.reasoners.base import Reasoner
from kgcore.reasoners.linking import LinkingConfig


@dataclass(frozen=True, slots=True)
class Asks:
    """A point at which a model is asked, from `least` to `most` times, each time with one of the templates."""

    templates: tuple[str, ...]
    least: int
    most: int
    samples: int = 1
    role: str = "reason"


@runtime_checkable
class Foreseeable(Protocol):
    """A method that can tell beforehand how much it asks."""

    def asks(self, config: Any, n_places: int) -> tuple[Asks, ...]:
        """Return what a run with these settings asks of a model."""


def asks_of(reasoner: Reasoner, config: Any, n_places: int) -> tuple[Asks, ...] | None:
    """Return what a run of a method asks; None where the method does not tell."""
    return reasoner.asks(config, n_places) if isinstance(reasoner, Foreseeable) else None


def linking_asks(config: LinkingConfig, n_graphs: int) -> tuple[Asks, ...]:
    """Return what linking a question asks: which names to look up, and what unclear ones stand for."""
    most = 1 if config.link_together else MAX_MENTIONS * max(1, n_graphs)
    return (Asks(("find_mentions",), 1, 1), Asks(("choose_entity", "choose_each_entity"), 0, most))


def some(asks: Iterable[Asks]) -> tuple[Asks, ...]:
    """Return those that can happen at all."""
    return tuple(one for one in asks if one.most)
