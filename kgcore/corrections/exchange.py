"""Corrections as files: QuickStatements, SPARQL Update, a Turtle patch, and CSV, which is also read.

What a form cannot say of a correction is left out and told, never altered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kgcore.corrections import quickstatements
from kgcore.corrections.correction import Correction, added, removed
from kgcore.corrections.table import MAX_BYTES, read_csv, write_csv
from kgcore.errors import InputError
from kgcore.kg import rdf_writing as rdf
from kgcore.kg.vocabulary import DCTERMS, Prefixes

__all__ = ["FORMATS", "MAX_BYTES", "Exported", "export_corrections", "read_csv"]

FORMATS = ("csv", "quickstatements", "sparql", "turtle")
ExpandIn = Callable[[str, str], str]  # graph and id → IRI: graphs may have prefixes of their own


@dataclass(frozen=True, slots=True)
class Exported:
    """A file's text, how many corrections are in it, and which are not, with the reason."""

    text: str
    n: int
    left_out: tuple[str, ...] = ()


def _by_default(_kg: str, name: str) -> str:
    return Prefixes().expand(name)


def export_corrections(
    corrections: Sequence[Correction], form: str, expand: ExpandIn = _by_default
) -> Exported:
    """Return corrections in one of FORMATS."""
    if form == "csv":
        return Exported(write_csv(corrections), len(corrections))
    if form not in FORMATS:
        raise InputError(f"{form!r} is none of {', '.join(FORMATS)}")
    said: list[Any] = []
    left_out: list[str] = []
    for correction in corrections:
        try:
            ids = partial(expand, correction.kg)
            if form == "quickstatements":
                said.append(quickstatements.commands(correction, ids))
            else:
                said.append((correction, *_terms(correction, ids)))
        except InputError as error:
            left_out.append(f"{correction.text}: {error}")
    return Exported(_WRITERS[form](said), len(said), tuple(left_out))


def _terms(correction: Correction, expand: rdf.Expand) -> tuple[list[Any], list[Any]]:
    """Return the triples to remove and to add; new entities are named."""
    gone, new = removed(correction), added(correction)
    names = [rdf.label_of(entity, expand) for entity in correction.minted] if new else []
    return (
        [rdf.to_rdf(gone, expand)] if gone else [],
        [rdf.to_rdf(new, expand), *names] if new else [],
    )


def _quickstatements(said: Sequence[list[str]]) -> str:
    return "".join(f"{line}\n" for lines in said for line in lines)


def _sparql(said: Sequence[tuple[Correction, list[Any], list[Any]]]) -> str:
    gone = [triple for _, triples, _ in said for triple in triples]
    new = dict.fromkeys(triple for _, _, triples in said for triple in triples)
    return rdf.sparql_update(gone, new)


def _turtle(said: Sequence[tuple[Correction, list[Any], list[Any]]]) -> str:
    triples: list[Any] = []
    for correction, gone, new in said:
        pairs = (
            (rdf.CHANGESET + "creatorName", correction.author),
            (rdf.CHANGESET + "changeReason", correction.reason),
            (rdf.CHANGESET + "createdDate", correction.when),
            (DCTERMS + "source", correction.evidence),
        )
        told = [(name, text) for name, text in pairs if text]
        triples += rdf.change_set(correction.id, gone, new, told)
    return rdf.turtle(triples)


_WRITERS: dict[str, Callable[[Any], str]] = {
    "quickstatements": _quickstatements,
    "sparql": _sparql,
    "turtle": _turtle,
}
