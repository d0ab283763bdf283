"""What do several names of a question stand for? Asked in one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import Entity
from kgcore.model.text import estimate_tokens, one_line
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.linking import ChooseEntity, Pick
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.ratings import find_json, numbered
from kgcore.prompts.replies import as_text, clean


@dataclass(frozen=True, slots=True)
class ChooseEachEntity(TypedRequest):
    """Several ChooseEntity requests in one. Reads to a tuple of index or None, one each, in order."""

    template: ClassVar[str] = "choose_each_entity"
    items: tuple[ChooseEntity, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, items, n."""
        question, n = question_line(self.question), len(self.items)
        share = None
        if budget is not None:
            share = max(0, budget - estimate_tokens(question)) // max(1, n)
        blocks: list[str] = []
        left_out: list[str] = []
        for number, item in enumerate(self.items, 1):
            mention = one_line(item.mention, 200)
            room = None if share is None else max(0, share - estimate_tokens(mention))
            fields, missing = item.fields(room)
            lines = "\n".join(f"   {line}" for line in fields["candidates"].split("\n"))
            blocks.append(f"{number}: “{mention}”\n{lines}")
            left_out += missing
        fields = {"question": question, "items": "\n".join(blocks), "n": str(n)}
        return fields, tuple(left_out)

    def read(self, text: str) -> tuple[int | None, ...]:
        """Return what the reply names for each mention, by its number."""
        found: dict[int, int | None] = {}
        for number, said in _said(clean(text), len(self.items)):
            if not 1 <= number <= len(self.items):
                raise UnreadableReplyError(f"there is no name {number}")
            chosen = self.items[number - 1].read(said)
            if found.setdefault(number, chosen) != chosen:
                raise UnreadableReplyError(f"two candidates were named for name {number}")
        if len(found) < len(self.items):
            raise UnreadableReplyError(f"{len(found)} choices for {len(self.items)} names")
        return tuple(found[number] for number in range(1, len(self.items) + 1))


def render_picks(request: ChooseEntity | ChooseEachEntity, picks: Sequence[Pick]) -> str:
    """Return the reply that picks these candidates, one for each mention; None is none of these.

    An entity that is no candidate has no handle: it is told by its name and its id.
    """
    names = [_picked(pick) for pick in picks]
    if isinstance(request, ChooseEntity):
        return f"Candidate: {names[0]}"
    return "\n".join(f"{n}: {name}" for n, name in enumerate(names, 1))


def _picked(pick: Pick) -> str:
    if isinstance(pick, Entity):
        return f"{one_line(pick.name, 120)} ({one_line(pick.id, 200)}), looked up by hand"
    return "none" if pick is None else f"C{pick + 1}"


def _said(text: str, n: int) -> list[tuple[int, str]]:
    """Return what a reply says of each number: in numbered lines, in JSON, or in as many lines as there are names."""
    data: Any = find_json(text)
    if isinstance(data, dict):
        inner = list(data.values())
        is_wrapped = len(inner) == 1 and isinstance(inner[0], list | dict)
        data = inner[0] if is_wrapped else data
    if isinstance(data, dict):
        return [(int(name), as_text(v)) for name, v in data.items() if str(name).isdecimal()]
    if isinstance(data, list):
        return [(number, as_text(item)) for number, item in enumerate(data, 1)]
    found = numbered(text)
    if found:
        return found
    lines = [line for line in text.split("\n") if line.strip()]
    return list(enumerate(lines, 1)) if len(lines) == n else []
