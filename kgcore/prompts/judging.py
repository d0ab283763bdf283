"""The requests that rate a node: how promising is it, how well is its answer supported?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kgcore.model import EntityId
from kgcore.model.text import one_line
from kgcore.prompts.phrasing import names
from kgcore.prompts.ratings import read_rating
from kgcore.prompts.situation import Situation
from kgcore.prompts.values import GiveAnswer, Rating, Taken
from kgcore.prompts.wording import say


@dataclass(frozen=True, slots=True)
class RateState(Situation):
    """How promising is this node? Reads to Rating. `state` is the action state the node is in."""

    template: ClassVar[str] = "rate_state"
    state: str = "default"
    selected: tuple[EntityId, ...] = ()

    def _own_fields(self) -> dict[str, str]:
        return {"state": self.state_text()}

    def state_text(self) -> str:
        """Say what the node is about to do."""
        where = names(self.subgraph, self.selected)
        return say(self.language, f"state_{self.state}", entities=where)

    def read(self, text: str) -> Rating:
        """Return the value in 0…1 and its reason."""
        return read_rating(text)


@dataclass(frozen=True, slots=True)
class RateAnswer(Situation):
    """How well do the facts support this answer? Reads to Rating, on a pessimistic scale."""

    template: ClassVar[str] = "rate_answer"
    answer: GiveAnswer

    def told_steps(self) -> tuple[Taken, ...]:
        """Return the steps before the answer, which has a place of its own."""
        steps = self.trajectory
        return steps[:-1] if steps and steps[-1].kind == "answer" else steps

    def _own_fields(self) -> dict[str, str]:
        return {"answer": self.answer_text()}

    def answer_text(self) -> str:
        """Say the answer, with what it names in the subgraph."""
        text = one_line(self.answer.text, 1000)
        named = names(self.subgraph, self.answer.entities)
        return f"{text} [{named}]" if named else text

    def read(self, text: str) -> Rating:
        """Return the value in 0…1 and its reason."""
        return read_rating(text)
