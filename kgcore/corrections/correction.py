"""What a person says against a graph's triple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.model import Entity, Literal, Relation, wired


@wired
@dataclass(frozen=True, slots=True)
class Correction:
    """Retract a triple, add one, or replace its object by `new_object`. Nothing is written to the graph."""

    id: str
    action: OneOf["retract", "add", "replace"]
    subject: Entity
    relation: Relation
    object: Entity | Literal
    new_object: Entity | Literal | None = None
    author: str = "local"
    reason: str = ""
