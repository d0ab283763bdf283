"""Corrections of what a knowledge source found: rows of a graph rest on triples, and triples can be corrected.

A row that rests on a retracted triple does not hold. Where a triple is replaced, the row says the new value; what
the row says beyond it rests on the old one and goes. An added triple joins the rows of a query about its relation
and one of its ends. Passages and rows of tables rest on no triple and stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.corrections.correction import Correction, added, is_same_edge, removed
from kgcore.model import Entity, Triple
from kgcore.steps import Evidence, Lookup, Passages


def corrected_passages(
    step: Lookup, result: Passages, corrections: Sequence[Correction]
) -> Passages:
    """Return what was found as it reads with these corrections in force."""
    items = list(result.items)
    for correction in corrections:
        gone, new = removed(correction), added(correction)
        if gone is not None:
            told = [_without(item, gone, new) for item in items]
            items = [item for item in told if item is not None]
        elif new is not None and _is_about(step.query, new):
            known = any(is_same_edge(t, new) for item in items for t in item.triples)
            items += [] if known else [Evidence(new.text, origin=new.kg, triples=(new,))]
    return replace(result, items=tuple(items)) if tuple(items) != result.items else result


def _without(item: Evidence, gone: Triple, new: Triple | None) -> Evidence | None:
    """Return a row without a triple, with another in its place; None when nothing of the row is left."""
    if not any(is_same_edge(t, gone) for t in item.triples):
        return item
    if new is None:
        return None
    kept = tuple(t for t in item.triples if not is_same_edge(t, gone))
    if any(_touches(t, gone.object) for t in kept) or gone.object.name not in item.text:
        return replace(item, text=new.text, raw="", triples=(new,))
    old, now = gone.object.name, new.object.name
    return replace(
        item,
        text=item.text.replace(old, now),
        raw=item.raw.replace(old, now),
        triples=tuple(new if is_same_edge(t, gone) else t for t in item.triples),
    )


def _touches(triple: Triple, end: object) -> bool:
    """Tell whether a triple goes on from an entity."""
    return isinstance(end, Entity) and end in (triple.subject, triple.object)


def _is_about(query: str, triple: Triple) -> bool:
    """Tell whether a query asks for a triple's relation at one of its ends; ids stand in angle brackets."""
    ends = [triple.subject.id]
    if isinstance(triple.object, Entity):
        ends.append(triple.object.id)
    names = [f"<{name.strip('<>')}>" for name in (triple.relation.id, *ends)]
    return names[0] in query and any(name in query for name in names[1:])
