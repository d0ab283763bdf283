"""What results and facts name."""

from __future__ import annotations

from typing import Any

import pytest

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Triple
from kgcore.steps import (
    AnswerProposed,
    BadQuery,
    Candidate,
    Candidates,
    Descriptions,
    EdgeSet,
    NodeAdded,
    QuestionLinked,
    RelationOption,
    RelationOptions,
    Seed,
    named_in,
)
from kgcore.steps.facts import Answer

FILM = Entity(EntityId("t:film"), "Inception")
MAKER = Entity(EntityId("t:maker"), "Christopher Nolan")
SAME = Entity(EntityId("u:film"), "Inception (film)")
MADE_BY = Relation(RelationId("t:by"), "director")
YEAR = Relation(RelationId("t:year"), "year")
TRIPLES = (Triple(FILM, MADE_BY, MAKER), Triple(FILM, YEAR, Literal("2010")))

CASES: dict[str, tuple[Any, list[Entity | Relation]]] = {
    "candidates": (Candidates((Candidate(FILM, 1.0), Candidate(SAME, 0.5))), [FILM, SAME]),
    "relations": (RelationOptions((RelationOption(YEAR, "out", 1, (FILM.id,)),)), [YEAR]),
    "edges": (EdgeSet(TRIPLES), [FILM, MADE_BY, MAKER, FILM, YEAR]),
    "descriptions": (Descriptions((MAKER,)), [MAKER]),
    "a link": (
        QuestionLinked((Seed("Inception", FILM, (SAME,)), Seed("nobody", None))),
        [FILM, SAME],
    ),
    "a node": (
        NodeAdded(1, 0, 1, "expand", entities=(MAKER,), triples=TRIPLES),
        [MAKER, FILM, MADE_BY, MAKER, FILM, YEAR],
    ),
    "an answer": (AnswerProposed(Answer("x", proof=TRIPLES)), []),
    "a failed query": (BadQuery("no"), []),
    "nothing": (None, []),
}


@pytest.mark.parametrize("item, named", CASES.values(), ids=CASES)
def test_things_are_named_in_the_order_of_what_names_them(
    item: Any, named: list[Entity | Relation]
) -> None:
    assert list(named_in(item)) == named
