"""What a person says against a graph's triple."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from urllib.parse import quote

from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, Triple, wired

LOCAL = "local"  # the graph that entities nobody knew before are said to be of
Action = OneOf["retract", "add", "replace"]


@wired
@dataclass(frozen=True, slots=True)
class Correction:
    """Retract a triple, add one, or replace its object by `new_object`. Nothing is written to the graph.

    `kg` names the graph it is about, `when` is ISO 8601 in UTC, `evidence` the address of a page that shows it.
    """

    id: str
    action: Action
    subject: Entity
    relation: Relation
    object: Entity | Literal
    new_object: Entity | Literal | None = None
    author: str = "local"
    reason: str = ""
    kg: str = ""
    when: str = ""
    evidence: str = ""

    @property
    def text(self) -> str:
        """What is to change, in words."""
        gone, new = removed(self), added(self)
        if gone is not None and new is not None:
            return f"{gone.text} → {new.object.name}"
        one = new or gone
        assert one is not None
        return f"{'+' if new else '−'} {one.text}"

    @property
    def minted(self) -> tuple[Entity, ...]:
        """The entities in it that no graph knew."""
        ends = (self.subject, self.object, self.new_object)
        found = (end for end in ends if isinstance(end, Entity) and end.kg == LOCAL)
        return tuple(dict.fromkeys(found))


def mint(label: str) -> Entity:
    """Return the entity that stands for a name no graph knows; the same name gives the same one."""
    return Entity(EntityId(f"{LOCAL}:{quote(label, safe='')}"), label, kg=LOCAL)


def removed(correction: Correction) -> Triple | None:
    """Return the triple a correction takes away."""
    if correction.action == "add":
        return None
    origin = Provenance(correction.kg or correction.subject.kg)
    return Triple(correction.subject, correction.relation, correction.object, origin)


def added(correction: Correction) -> Triple | None:
    """Return the triple a correction puts in."""
    if correction.action == "retract":
        return None
    target = correction.object if correction.action == "add" else correction.new_object
    if target is None:
        return None
    kg = correction.kg or correction.subject.kg
    origin = Provenance(kg, when=correction.when, correction=correction.id)
    return Triple(correction.subject, correction.relation, target, origin)


def is_same_edge(one: Triple, other: Triple) -> bool:
    """Tell whether two triples are one edge of one graph.

    A run over several graphs may call its ends by ids of another graph; their names are the same.
    """
    if one == other:
        return True
    is_one_graph = one.kg == other.kg and one.relation == other.relation
    pairs = ((one.subject, other.subject), (one.object, other.object))
    return is_one_graph and all(a == b or _is_named_alike(a, b) for a, b in pairs)


def _is_named_alike(one: Entity | Literal, other: Entity | Literal) -> bool:
    both = isinstance(one, Entity) and isinstance(other, Entity)
    return both and one.name.casefold() == other.name.casefold()
