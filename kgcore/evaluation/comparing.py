"""When is something a run names the same as a gold answer?

Entities are compared by id, through the identity links of the graphs. Values are compared as dates, numbers, yes
or no, or texts, whichever they are; how they are written does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from kgcore.evaluation.case import Gold
from kgcore.model import Entity, EntityId, Literal
from kgcore.prompts.literals import dates_in, find_literals, parse_date
from kgcore.prompts.replies import bare
from kgcore.prompts.wording import fold, wording

SameAs = Callable[[Sequence[EntityId]], tuple[tuple[EntityId, EntityId], ...]]
_ROUNDS = 3  # how many links away an identity is followed


class Names:
    """All ids of a thing, as the graphs link them."""

    def __init__(self, same_as: SameAs | None = None) -> None:
        self._same_as = same_as
        self._known: dict[EntityId, frozenset[EntityId]] = {}

    def of(self, entity: EntityId) -> frozenset[EntityId]:
        """Return an id and the ids linked to it."""
        if entity not in self._known:
            self._known[entity] = self._linked(entity)
        return self._known[entity]

    def _linked(self, entity: EntityId) -> frozenset[EntityId]:
        ids, new = {entity}, {entity}
        for _ in range(_ROUNDS if self._same_as else 0):
            assert self._same_as is not None
            new = {other for _, other in self._same_as(sorted(new))} - ids
            if not new:
                break
            ids |= new
        return frozenset(ids)

    def are_same(self, one: EntityId, other: EntityId) -> bool:
        """Tell whether two ids stand for one thing."""
        return one == other or bool(self.of(one) & self.of(other))

    def meet(self, one: EntityId, others: Iterable[EntityId]) -> bool:
        """Tell whether an id stands for one of several things."""
        return any(self.are_same(one, other) for other in others)


def is_same(named: Entity | Literal, gold: Gold, names: Names) -> bool:
    """Tell whether what an answer names is a gold answer.

    A gold entity is named by an entity only: its label as a mere text does not do.
    """
    if gold.id is not None:
        return isinstance(named, Entity) and names.are_same(named.id, gold.id)
    if isinstance(named, Entity):
        return any(fold(named.label) == fold(text) for text in gold.texts)
    return any(is_same_value(named, text) for text in gold.texts)


def is_same_value(literal: Literal, text: str) -> bool:
    """Tell whether a literal is the value a text writes."""
    truth = truth_of(text)
    if truth is not None and truth == truth_of(literal.value):
        return True
    if not literal.datatype and parse_date(literal.value) is not None:
        literal = Literal(literal.value, "xsd:date")
    if find_literals([text], [literal]):
        return True
    return parse_date(text) is None and bool(find_literals([literal.value], [Literal(text)]))


def truth_of(text: str) -> bool | None:
    """Return what a text that is yes or no, or begins so, says; None for any other."""
    match = re.match(r"[^\W\d_]+(?=$|[\s.,;:!。，；：！、—–-])", fold(bare(text)))
    if match is None:
        return None
    if match[0] in wording().yes:
        return True
    return False if match[0] in wording().no else None


def occurs(gold: str, text: str) -> bool:
    """Tell whether a gold text occurs in an answer's text, as whole words; a date in any writing."""
    wanted, within = fold(gold), fold(text)
    if not wanted:
        return False
    start = r"(?<!\w)" if wanted[0].isascii() else ""
    end = r"(?!\w)" if wanted[-1].isascii() else ""
    if re.search(start + re.escape(wanted) + end, within):
        return True
    date = parse_date(gold)
    return date is not None and any(parse_date(piece) == date for piece in dates_in(text))
