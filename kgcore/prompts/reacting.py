"""The request of ReAct: think, then take one step – search, follow a relation, or answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import EntityId, wired
from kgcore.prompts.answers import entity_offer, read_answer
from kgcore.prompts.fitting import Fitted
from kgcore.prompts.linking import spotted_names
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.phrasing import names, option_lines
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.situation import Situation
from kgcore.prompts.values import GiveAnswer, SelectRelation
from kgcore.prompts.wording import say, wording
from kgcore.steps import Candidate, RelationOption

NAME_LIMIT, THOUGHT_LIMIT = 200, 800
MOVES = ("search", "follow", "answer")
_BRACKETED = re.compile(
    r"\b(?P<move>search|open|follow|finish|answer)\s*\[(?P<value>[^\[\]\n]{1,400})\]", re.IGNORECASE
)
_SAME = {"open": "search", "finish": "answer"}


@wired
@dataclass(frozen=True, slots=True)
class Search:
    """Action: look a name up, or open entities that are known already."""

    name: str = ""
    entities: tuple[EntityId, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class Move:
    """A thought and the step that follows from it."""

    action: Search | SelectRelation | GiveAnswer
    thought: str = ""


@dataclass(frozen=True, slots=True)
class TakeStep(Situation):
    """What to do next? Reads to Move; `options` are the relations of the `opened` entities.

    `seeds` are the names that were searched for, `left` counts the steps that may still be taken, `spotted` are names
    that a label index found in the question, offered as help.
    """

    template: ClassVar[str] = "take_step"
    opened: tuple[EntityId, ...]
    options: tuple[RelationOption, ...]
    left: int
    spotted: tuple[Candidate, ...] = ()

    def _own_fields(self) -> dict[str, str]:
        opened = names(self.subgraph, self.opened) or say(self.language, "no_spotted")
        spotted = spotted_names(self.spotted, self.language)
        return {"opened": opened, "left": str(self.left), "spotted": spotted}

    def _fitted_fields(self, fitted: Fitted) -> dict[str, str]:
        return {"options": fitted.options or say(self.language, "no_spotted")}

    def _options(self) -> tuple[str, ...]:
        handles = [f"R{n}" for n in range(1, len(self.options) + 1)]
        return option_lines(
            self.subgraph, self.options, self.opened, self.language, handles=handles
        )

    def read(self, text: str) -> Move:
        """Return the thought and the first step that a reply takes: models like to play on by themselves."""
        fields = Fields.of(text, "thought", "search", "follow", "answer", "entities")
        thought = " ".join(fields.get("thought").split())[:THOUGHT_LIMIT]
        for name in [n for n in fields.values if n in MOVES]:
            value = fields.get(name)
            if key(value) and (name == "answer" or key(value) not in wording().none):
                return Move(self._action(name, value, fields), thought)
        match = _BRACKETED.search(fields.text)
        if match is None:
            raise UnreadableReplyError("no step was taken: Search, Follow or Answer")
        name = match["move"].lower()
        return Move(self._action(_SAME.get(name, name), match["value"], fields), thought)

    def _action(
        self, name: str, value: str, fields: Fields
    ) -> Search | SelectRelation | GiveAnswer:
        if name == "answer":
            return read_answer(fields, self.subgraph, text=value)
        line = value.split("\n")[0].strip()
        if name == "search":
            return self._search(line)
        if not self.options:
            raise UnreadableReplyError("no entity is open, so there is no relation to follow")
        return SelectRelation(self._offer().find_one(line))

    def _search(self, line: str) -> Search:
        """Return the known entities that a line names, else the name to look up."""
        offer = entity_offer(self.subgraph)
        if offer.handles_in(line):
            positions = offer.find_all(line)
        else:
            at = offer.exact(line)
            positions = () if at is None else (at,)
        if positions:
            return Search("", tuple(self.subgraph.entities[n].id for n in positions))
        return Search(bare(line)[:NAME_LIMIT])

    def _offer(self) -> Offer:
        return Offer(
            (
                Offered(f"R{n}", (option.relation.id,), (option.phrase,))
                for n, option in enumerate(self.options, 1)
            ),
            letter="R",
        )
