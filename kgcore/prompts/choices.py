"""The requests of the selecting states: which entities, along which relation?"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import EntityId
from kgcore.prompts.answers import entity_offer
from kgcore.prompts.fitting import Fitted
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.phrasing import names, option_lines
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.situation import Situation
from kgcore.prompts.values import SelectEntities, SelectRelation
from kgcore.prompts.wording import say, wording
from kgcore.steps import RelationOption

NONE_FITS = "none of these fits"
MAX_LETTERS = 25  # and one for "none of these"
_LETTERED = re.compile(r"\W*(?P<letter>[A-Za-z])(?:\W*|(?P<mark>[).:：\]\s])\s*(?P<words>\S.*))")


@dataclass(frozen=True, slots=True)
class ChooseEntities(Situation):
    """Selecting-entities state: which entities of the subgraph to expand? Reads to SelectEntities."""

    template: ClassVar[str] = "choose_entities"

    def read(self, text: str) -> SelectEntities:
        """Return the entities named, in order of growth."""
        fields = Fields.of(text, "thought", "entities", key="entities")
        offer = entity_offer(self.subgraph)
        if fields.has("entities"):
            value = re.split(r"\n\s*\n", fields.get("entities"))[0]
        else:
            value = _last_line(fields.text)
            if len(offer.handles_in(value)) > 1 and not offer.is_list(value):
                raise UnreadableReplyError("several entities are mentioned; none was chosen")
        positions = offer.find_all(value) if key(value) else ()
        if not positions:
            raise UnreadableReplyError("no entity was named")
        return SelectEntities(tuple(self.subgraph.entities[i].id for i in positions))


@dataclass(frozen=True, slots=True)
class ChooseRelation(Situation):
    """Selecting-relation state: which option to follow? Reads to SelectRelation (index into `options`).

    Options are shown as R1, R2, … with direction, count and examples. With `shortlist` > 0 only the first
    so many are shown, as letters, with "none of these".
    """

    template: ClassVar[str] = "choose_relation"
    entities: tuple[EntityId, ...]
    options: tuple[RelationOption, ...]
    shortlist: int = 0

    def _own_fields(self) -> dict[str, str]:
        return {"selected": names(self.subgraph, self.entities), "example": self._handles()[0]}

    def _fitted_fields(self, fitted: Fitted) -> dict[str, str]:
        return {"options": fitted.options}

    def _shown(self) -> tuple[RelationOption, ...]:
        return (
            self.options[: min(self.shortlist, MAX_LETTERS)] if self.shortlist > 0 else self.options
        )

    def _handles(self) -> list[str]:
        n = len(self._shown())
        if self.shortlist > 0:
            return list(string.ascii_uppercase[: n + 1])
        return [f"R{i}" for i in range(1, n + 1)] or ["R1"]

    def _options(self) -> tuple[str, ...]:
        shown, handles = self._shown(), self._handles()
        lines = option_lines(
            self.subgraph, shown, self.entities, self.language, handles=handles[: len(shown)]
        )
        if self.shortlist > 0:
            return (*lines, f"{handles[-1]} {say(self.language, 'none_of_these')}")
        return lines

    def _keeps_last_option(self) -> bool:
        return self.shortlist > 0

    def read(self, text: str) -> SelectRelation:
        """Return the option named by handle, letter, id or phrase."""
        fields = Fields.of(text, "thought", "relation", key="relation")
        value = fields.get("relation") if fields.has("relation") else _last_line(fields.text)
        if not key(value):
            raise UnreadableReplyError("no relation was named")
        first = value.split("\n")[0]
        if self.shortlist > 0:
            return SelectRelation(self._read_letter(first))
        if key(first) in wording().none:
            raise UnreadableReplyError(NONE_FITS)
        return SelectRelation(self._offer("R").find_one(first))

    def _read_letter(self, value: str) -> int:
        """Read `B`, `B) directed` and `directed`; "A good choice" begins with a word, not with a letter."""
        offer, handles = self._offer(""), self._handles()
        match = _LETTERED.fullmatch(bare(value))
        position = None
        if match and match["letter"].upper() in handles:
            position = handles.index(match["letter"].upper())
            label = offer.exact(match["words"] or "")
            if match["words"] and label is None and not match["mark"].strip():
                position = None
            elif label not in (None, position):
                raise UnreadableReplyError(
                    f"{match['letter']} is another option than its words say"
                )
        if position is None and key(value) in wording().none:
            position = len(handles) - 1
        if position is None:
            position = offer.find_one(value)
        if position == len(handles) - 1:
            raise UnreadableReplyError(NONE_FITS)
        return position

    def _offer(self, letter: str) -> Offer:
        handles = self._handles()
        return Offer(
            (
                Offered(handles[i], (option.relation.id,), (option.phrase,))
                for i, option in enumerate(self._shown())
            ),
            letter=letter,
        )


def _last_line(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    return lines[-1] if lines else ""
