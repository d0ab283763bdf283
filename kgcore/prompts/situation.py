"""The base of all requests about a node of the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgcore.model import Subgraph
from kgcore.model.text import estimate_tokens
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.fitting import Fitted, Parts, fit
from kgcore.prompts.phrasing import facts_of, question_line, seed_lines, step_lines
from kgcore.prompts.values import Taken
from kgcore.steps import Seed


@dataclass(frozen=True, slots=True)
class Situation(TypedRequest):
    """A request about a node of the search: what is known there and how it came about."""

    subgraph: Subgraph
    seeds: tuple[Seed, ...]
    trajectory: tuple[Taken, ...]

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, seeds, facts, steps, and those of the request."""
        parts = Parts(
            facts_of(self.question, self.subgraph),
            self._options(),
            step_lines(self.subgraph, self.told_steps(), self.language),
            language=self.language,
            keeps_last_option=self._keeps_last_option(),
        )
        fixed = {
            "question": question_line(self.question),
            "seeds": seed_lines(self.subgraph, self.seeds, self.language),
            **self._own_fields(),
        }
        room = budget if budget is None else budget - estimate_tokens("\n".join(fixed.values()))
        fitted = fit(parts, room)
        changing = {"facts": fitted.facts, "steps": fitted.steps, **self._fitted_fields(fitted)}
        return {**fixed, **changing}, fitted.left_out

    def told_steps(self) -> tuple[Taken, ...]:
        """Return the steps that the prompt tells."""
        return self.trajectory

    def _own_fields(self) -> dict[str, str]:
        """Fields of the request that never shrink."""
        return {}

    def _fitted_fields(self, fitted: Fitted) -> dict[str, str]:
        """Fields of the request that may have shrunk."""
        return {}

    def _options(self) -> tuple[str, ...]:
        return ()

    def _keeps_last_option(self) -> bool:
        return False
