"""What a person chose so far for a batch of triples that waits at the approval gate."""

from collections import Counter
from dataclasses import dataclass, field

from kgcore.i18n import mark, plural, translate
from kgcore.model import Entity, Literal, Triple

__all__ = ["APPROVE", "EDIT", "NAMES", "REJECT", "THESE", "Choices"]

APPROVE, EDIT, REJECT = "approve", "edit", "reject"
NAMES = {APPROVE: mark("Approve"), EDIT: mark("Edit"), REJECT: mark("Reject")}
THESE = {APPROVE: mark("Approve these"), REJECT: mark("Reject these")}
_COUNTED = {APPROVE: mark("approve {n}"), EDIT: mark("edit {n}"), REJECT: mark("reject {n}")}


@dataclass(slots=True)
class Choices:
    """What a person chose so far for the triples of one batch, by their places in it."""

    batch: tuple[Triple, ...]
    made: dict[int, str] = field(default_factory=dict)
    new: dict[int, Entity | Literal] = field(default_factory=dict)
    found: dict[int, list[Entity | Literal]] = field(default_factory=dict)
    looked: Counter[int] = field(default_factory=Counter)  # how often something was looked up
    is_sent: bool = False

    def of(self, place: int) -> str:
        """Return what is chosen for a triple: it is approved where nothing is said."""
        return self.made.get(place, APPROVE)

    @property
    def rejected(self) -> list[Triple]:
        """The triples that are rejected."""
        return [t for i, t in enumerate(self.batch) if self.of(i) == REJECT]

    @property
    def replaced(self) -> dict[Triple, Entity | Literal]:
        """The triples that are edited, with their new objects."""
        return {
            t: self.new[i] for i, t in enumerate(self.batch) if self.of(i) == EDIT and i in self.new
        }

    @property
    def unfinished(self) -> int:
        """How many are to be edited and have no new object yet."""
        return sum(self.of(i) == EDIT and i not in self.new for i in range(len(self.batch)))

    def take_found(self, place: int, found: list[Entity | Literal]) -> None:
        """Take the first of what was found for an edited triple, or nothing."""
        self.looked[place] += 1
        self.found[place] = found
        self.new.pop(place, None)
        if found:
            self.new[place] = found[0]

    def choose(self, action: str, relation: str = "") -> None:
        """Choose the same for all triples, or for all of a relation."""
        for place, triple in enumerate(self.batch):
            if relation in ("", triple.relation.id):
                self.made[place] = action

    def summary(self, language: str = "en") -> str:
        """Return what would be decided now, in words."""
        n = Counter(self.of(i) for i in range(len(self.batch)))
        if n[APPROVE] == len(self.batch):
            return plural("Approve", "Approve all {n}", n[APPROVE], language)
        words = translate(", ", language).join(
            translate(_COUNTED[a], language, n=n[a]) for a in (APPROVE, EDIT, REJECT) if n[a]
        )
        return words[:1].upper() + words[1:]
