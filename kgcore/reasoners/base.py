"""The port to a reasoner: a pure generator with a name, a version and a config."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

from kgcore.steps import Reasoning


class Reasoner(Protocol):
    """A method of answering. Register one in kgcore.reasoners to make it available everywhere."""

    @property
    def name(self) -> str:
        """Name as the command line writes it, with hyphens."""

    @property
    def version(self) -> str:
        """Changes whenever the same results may lead to other steps."""

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of the templates its requests use."""

    @property
    def config_class(self) -> type[Any]:
        """The frozen, wired dataclass of its settings; every field has a default."""

    def solve(self, question: str, config: Any) -> Reasoning:
        """Yield steps and facts, be sent results, return an Answer."""


def asks_sources(config_class: type[Any]) -> bool:
    """Whether a method asks knowledge sources: then their cards are one of its settings."""
    return any(field.name == "sources" for field in fields(config_class))
