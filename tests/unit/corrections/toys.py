"""A graph of two teams, small enough to draw, and corrections of it.

ann ──plays for──▶ reds ──home venue──▶ old        bob ──plays for──▶ blues ──home venue──▶ park
reds ──founded──▶ 1901
"""

from __future__ import annotations

from typing import Any

from kgcore.corrections import Correction
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from kgcore.testing import MemoryGraph

NAMES = ("ann", "bob", "reds", "blues", "old", "new", "park")
ANN, BOB, REDS, BLUES, OLD, NEW, PARK = (Entity(EntityId(f"t:{n}"), n, kg="toy") for n in NAMES)
HOME, PLAYS, FOUNDED = (
    Relation(RelationId(f"t:{i}"), label, kg="toy")
    for i, label in (("home", "home venue"), ("plays", "plays for"), ("founded", "founded"))
)
YEAR = Literal("1901", "xsd:gYear")
FACTS: list[tuple[str, str, str | Literal]] = [
    (ANN.id, PLAYS.id, REDS.id),
    (BOB.id, PLAYS.id, BLUES.id),
    (REDS.id, HOME.id, OLD.id),
    (BLUES.id, HOME.id, PARK.id),
    (REDS.id, FOUNDED.id, YEAR),
]
LABELS = {e.id: e.label for e in (ANN, BOB, REDS, BLUES, OLD, NEW, PARK)}
LABELS |= {r.id: r.label for r in (HOME, PLAYS, FOUNDED)}


def toy(facts: list[tuple[str, str, str | Literal]] | None = None) -> MemoryGraph:
    return MemoryGraph("toy", FACTS if facts is None else facts, labels=LABELS)


def moves_home(**changes: Any) -> Correction:
    """The reds play at the new venue."""
    values: dict[str, Any] = {"kg": "toy", **changes}
    return Correction("", "replace", REDS, HOME, OLD, NEW, **values)
