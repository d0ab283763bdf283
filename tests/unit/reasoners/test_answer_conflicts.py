"""An answer says where the graphs disagree on its proof."""

from __future__ import annotations

from kgcore.model import (
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Subgraph,
    Triple,
    from_dict,
    to_dict,
)
from kgcore.prompts import GiveAnswer
from kgcore.reasoners.traversals.answers import to_answer
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.steps import Answer, Seed

ANN, FILM = Entity(EntityId("x:ann"), "Ann"), Entity(EntityId("x:film"), "The Film")
BORN, DIRECTOR = Relation(RelationId("x:born"), "born"), Relation(RelationId("x:dir"), "director")
ONE, OTHER = Literal("1970-07-30", "xsd:date"), Literal("1971", "xsd:gYear")


def facts(*values: Literal) -> list[Triple]:
    kgs = ("films", "music")
    births = [Triple(ANN, BORN, v, Provenance(kg)) for v, kg in zip(values, kgs, strict=False)]
    return [Triple(FILM, DIRECTOR, ANN, Provenance("films")), *births]


def answered(given: GiveAnswer, triples: list[Triple]) -> Answer:
    node = SearchNode(1, 0, 1, "done", Subgraph().add(triples), value=0.8, answer=given)
    return to_answer(node, (Seed("The Film", FILM),))


def test_both_values_are_told_with_their_sources() -> None:
    answer = answered(GiveAnswer("1970-07-30", literals=(ONE,)), facts(ONE, OTHER))
    assert [t.object for t in answer.proof] == [ANN, ONE]
    assert [c.text for c in answer.conflicts] == [
        "born of Ann is 1970-07-30 (films) and 1971 (music)"
    ]
    assert from_dict(to_dict(answer)) == answer


def test_a_disagreement_beside_the_proof_is_not_told() -> None:
    assert answered(GiveAnswer("Ann", (ANN.id,)), facts(ONE, OTHER)).conflicts == ()


def test_graphs_that_agree_leave_nothing_to_tell() -> None:
    same = Literal("1970", "xsd:gYear")
    answer = answered(GiveAnswer("1970-07-30", literals=(ONE,)), facts(ONE, same))
    assert answer.conflicts == ()
    assert "conflicts" not in to_dict(answer), "old recordings and new ones read the same"
