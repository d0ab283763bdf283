"""What every graph of triples makes of an edge that it found from one of its ends."""

from __future__ import annotations

from kgcore.model import Direction, Entity, Literal, Provenance, Relation, Triple


def edge_triple(
    asked: Entity,
    relation: Relation,
    end: Entity | Literal,
    direction: Direction,
    provenance: Provenance,
) -> Triple:
    """Return the triple of an edge that leads from, or to, what was asked for; a literal is always an object."""
    if direction == "out" or isinstance(end, Literal):
        return Triple(asked, relation, end, provenance)
    return Triple(end, relation, asked, provenance)


def query_for_people(thing: str, relation: str, direction: Direction) -> str:
    """Say in SPARQL what was asked; it is read, and never run."""
    one, other = (f"<{thing}>", "?x") if direction == "out" else ("?x", f"<{thing}>")
    return f"SELECT ?x {{ {one} <{relation}> {other} }}"
