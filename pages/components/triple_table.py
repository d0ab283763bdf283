"""Triples as a table of a page: subject, relation, object, and the graph that says so."""

from collections.abc import Iterable

from kgcore.model import Triple
from pages.components.language import t
from pages.components.text import cell, rows

__all__ = ["NARROW", "triple_cells", "triple_heads", "triple_table"]

Lengths = tuple[int, int, int]
WIDE: Lengths = (100, 80, 140)  # letters of subject, relation and object
NARROW: Lengths = (80, 60, 80)
_GRAPH = 60


def triple_heads(*, has_graph: bool = True) -> tuple[str, ...]:
    """Return the names of the columns."""
    return (t("subject"), t("relation"), t("object"), *((t("graph"),) if has_graph else ()))


def triple_cells(triple: Triple, lengths: Lengths = WIDE) -> dict[str, str]:
    """Return a triple's cells by the names of their columns."""
    names = (triple.subject.name, triple.relation.name, triple.object.name)
    cells = (*map(cell, names, lengths), cell(triple.kg, _GRAPH))
    return dict(zip(triple_heads(), cells, strict=True))


def triple_table(
    triples: Iterable[Triple],
    *,
    empty: str = "",
    added: Iterable[Triple] = (),
    waiting: Iterable[tuple[Triple, str]] = (),
    lengths: Lengths = WIDE,
    has_graph: bool = True,
) -> str:
    """Return triples as a table; those that were added come first, each with a plus.

    Before them stand those that wait for a person, each with what is to become of it.
    """
    new, held = list(added), list(waiting)
    items = [{"": cell(told, 80), **triple_cells(triple, lengths)} for triple, told in held]
    items += [{"": "<b>+</b>", **triple_cells(triple, lengths)} for triple in new]
    items += [{"": "<b></b>", **triple_cells(triple, lengths)} for triple in triples]
    heads = triple_heads(has_graph=has_graph)
    return rows(("", *heads) if new or held else heads, items, empty=empty)
