"""Corrections of what knowledge sources found."""

from __future__ import annotations

from dataclasses import replace

from kgcore.corrections.claims import recheck
from kgcore.corrections.correction import Correction
from kgcore.corrections.overlay import corrected
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.steps import (
    Answer,
    AnswerPart,
    Evidence,
    Knowledge,
    Lookup,
    Passages,
    ProvenRationale,
)

FILM, WRONG, RIGHT = (
    Entity(EntityId(f"f:{n}"), n.capitalize(), kg="films") for n in ("film", "wrong", "right")
)
TOWN = Entity(EntityId("f:town"), "Town", kg="films")
DIRECTOR, BORN = (
    Relation(RelationId(f"f:{n}"), label, kg="films")
    for n, label in (("director", "director"), ("born", "place of birth"))
)
DIRECTED = Triple(FILM, DIRECTOR, WRONG, Provenance("films"))
BORN_IN = Triple(WRONG, BORN, TOWN, Provenance("films"))
ROW = Evidence("Film – director – Wrong", '{"x": "Wrong"}', "row 1", triples=(DIRECTED,))
LONG = Evidence("Wrong, born in Town", triples=(DIRECTED, BORN_IN))
OTHER = Evidence("A passage that names Wrong.", "…", "p. 1")
STEP = Lookup("graph", "SELECT ?x WHERE { <f:film> <f:director> ?x }")
FOUND = Passages((ROW, OTHER))


def correction(action: str, new: Entity | None = None) -> Correction:
    return Correction("c1", action, FILM, DIRECTOR, WRONG, new, kg="films")  # type: ignore[arg-type]


def test_a_row_that_rests_on_a_retracted_triple_goes() -> None:
    assert corrected(STEP, FOUND, [correction("retract")]) == Passages((OTHER,))


def test_a_row_says_the_new_value_of_a_replaced_triple() -> None:
    seen = corrected(STEP, FOUND, [correction("replace", RIGHT)])
    assert isinstance(seen, Passages)
    row, passage = seen.items
    assert (row.text, row.raw) == ("Film – director – Right", '{"x": "Right"}')
    assert [t.object for t in row.triples] == [RIGHT]
    assert row.triples[0].provenance and row.triples[0].provenance.correction == "c1"
    assert passage == OTHER


def test_what_follows_from_the_old_value_goes_with_it() -> None:
    seen = corrected(STEP, Passages((LONG,)), [correction("replace", RIGHT)])
    assert isinstance(seen, Passages)
    assert seen.items[0].text == "Film – director – Right"
    assert len(seen.items[0].triples) == 1


def test_an_added_triple_joins_the_rows_of_a_query_about_it() -> None:
    more = Correction("c2", "add", FILM, DIRECTOR, RIGHT, kg="films")
    seen = corrected(STEP, FOUND, [more])
    assert isinstance(seen, Passages)
    assert [t.object for item in seen.items for t in item.triples] == [WRONG, RIGHT]
    assert corrected(STEP, seen, [more]) == seen
    other = Lookup("graph", "SELECT ?x WHERE { <f:film> <f:born> ?x }")
    assert corrected(other, FOUND, [more]) == FOUND


def test_an_answer_that_rests_on_passages_is_supported_whatever_triples_are_corrected() -> None:
    piece = Knowledge("cards", "q", OTHER)
    rationale = ProvenRationale(1, "Wrong did it.", "Wrong did it.", (piece,))
    given = Answer("Wrong", (AnswerPart(Literal("Wrong")),), 1.0, rationales=(rationale,))
    assert recheck(given, [correction("retract")]).is_supported
    by_graph = replace(rationale, knowledge=(Knowledge("graph", "q", ROW),))
    shown = replace(given, proof=(DIRECTED,), rationales=(by_graph,))
    assert recheck(shown, []).is_supported
    assert not recheck(shown, [correction("retract")]).is_supported


def test_without_a_correction_nothing_changes() -> None:
    assert corrected(STEP, FOUND, []) is FOUND
