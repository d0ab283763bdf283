"""A tiny world of films and people, and situations of a search over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Subgraph, Triple
from kgcore.prompts import Taken
from kgcore.steps import RelationOption, Seed

Hop = tuple[
    tuple[str, ...], str, str
]  # followed from these entities, this relation, in this direction


def date(text: str) -> Literal:
    """Return a date."""
    return Literal(text, "xsd:date")


FACTS: tuple[tuple[str, str, str | Literal], ...] = (
    ("Dunes", "director", "Ada Reed"),
    ("Dunes", "cast member", "Bo Lind"),
    ("Dunes", "cast member", "Cy Moor"),
    ("Dunes", "publication date", date("2001-05-04")),
    ("Tides", "director", "Ada Reed"),
    ("Tides", "cast member", "Cy Moor"),
    ("Tides", "cast member", "Di Nash"),
    ("Tides", "publication date", date("1999-03-01")),
    ("Ember", "director", "Cy Moor"),
    ("Ember", "publication date", date("2010-01-01")),
    ("Ada Reed", "place of birth", "Norville"),
    ("Ada Reed", "date of birth", date("1960-02-02")),
    ("Ada Reed", "father", "Ed Reed"),
    ("Ada Reed", "country of citizenship", "Westland"),
    ("Cy Moor", "place of birth", "Norville"),
    ("Cy Moor", "date of birth", date("1970-02-02")),
    ("Ed Reed", "place of birth", "Southam"),
    ("Ember", "cast member", "Ed Reed"),
    ("Storm", "director", "Jo Hart"),
    ("Storm", "cast member", "Lu Vane"),
    ("Storm", "cast member", "Jo Hart"),
    ("Ada Reed", "occupation", "novelist"),
    ("Ada Reed", "occupation", "composer"),
    ("Cy Moor", "occupation", "pilot"),
    ("Ada Reed", "gender", "female"),
    ("Ada Reed", "date of death", date("2000-06-01")),
    ("Cy Moor", "date of death", date("2015-01-01")),
    ("Norville", "country", "Westland"),
    ("Westland", "capital", "Centra"),
    ("Westland", "population", Literal("5000000", "xsd:integer")),
    ("Eastland", "population", Literal("900000", "xsd:integer")),
)
TYPES = {
    "film": ("Dunes", "Tides", "Ember", "Storm"),
    "human": ("Ada Reed", "Bo Lind", "Cy Moor", "Di Nash", "Ed Reed", "Jo Hart", "Lu Vane"),
    "city": ("Norville", "Southam", "Centra"),
    "country": ("Westland", "Eastland"),
}


def entity(name: str) -> Entity:
    """Return the entity of this name."""
    types = tuple(kind for kind, names in TYPES.items() if name in names)
    return Entity(EntityId(f"x:{name.replace(' ', '_')}"), name, kg="x", types=types)


def relation(label: str) -> Relation:
    """Return the relation of this label."""
    return Relation(RelationId(f"p:{label.replace(' ', '_')}"), label, kg="x")


def option(label: str, direction: str, sources: Sequence[str]) -> RelationOption:
    """Return the option to follow a relation from these entities."""
    touched = [s for s in sources if _ends(s, label, direction)]
    ends = [e for s in touched for e in _ends(s, label, direction)]
    return RelationOption(
        relation(label),
        direction,  # type: ignore[arg-type]
        len(ends),
        tuple(entity(s).id for s in touched),
        targets=tuple(e if isinstance(e, str) else e.name for e in ends[:3]),
    )


def _ends(source: str, label: str, direction: str) -> list[str | Literal]:
    if direction == "out":
        return [o for s, r, o in FACTS if s == source and r == label]
    return [s for s, r, o in FACTS if o == source and r == label]


@dataclass(frozen=True)
class World:
    """Builds the arguments of requests about the tiny world."""

    options: Callable[[Sequence[str]], tuple[RelationOption, ...]] = field(
        default=lambda sources: tuple(
            o
            for label in sorted({r for _, r, _ in FACTS})
            for direction in ("out", "in")
            if (o := option(label, direction, sources)).count
        )
    )

    def situation(
        self, question: str, mentions: Sequence[str], hops: Sequence[Hop] = (), **more: Any
    ) -> dict[str, Any]:
        """Return question, subgraph, seeds and trajectory after following these hops."""
        graph = Subgraph().add(entities=[entity(m) for m in mentions if _is_known(m)])
        taken: list[Taken] = []
        for sources, label, direction in hops:
            triples = [
                Triple(entity(s), relation(label), o if isinstance(o, Literal) else entity(o))
                for s, r, o in FACTS
                if r == label and (s if direction == "out" else o) in sources
            ]
            graph = graph.add(triples)
            ids = tuple(entity(s).id for s in sources)
            followed = option(label, direction, sources)
            taken.append(Taken("select_relation", label, ids, followed, len(triples)))
        seeds = tuple(Seed(m, entity(m) if _is_known(m) else None) for m in mentions)
        return {
            "question": question,
            "subgraph": graph,
            "seeds": seeds,
            "trajectory": tuple(taken),
            **more,
        }


def _is_known(name: str) -> bool:
    return any(name in (s, o) for s, _, o in FACTS)


@pytest.fixture
def world() -> World:
    """The tiny world."""
    return World()
