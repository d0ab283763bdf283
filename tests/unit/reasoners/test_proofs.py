"""What an answer rests on, and where the graphs disagree on it."""

from __future__ import annotations

import pytest

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
from kgcore.prompts import GiveAnswer, Taken
from kgcore.reasoners.proofs import Explored, proven
from kgcore.steps import Answer, RelationOption, Seed
from tests.unit.reasoners import world
from tests.unit.reasoners.world import CAST, DATE, entity

ANN, FILM = Entity(EntityId("x:ann"), "Ann"), Entity(EntityId("x:film"), "The Film")
BORN, DIRECTOR = Relation(RelationId("x:born"), "born"), Relation(RelationId("x:dir"), "director")
ONE, OTHER = Literal("1970-07-30", "xsd:date"), Literal("1971", "xsd:gYear")


def facts(*values: Literal) -> list[Triple]:
    kgs = ("films", "music")
    births = [Triple(ANN, BORN, v, Provenance(kg)) for v, kg in zip(values, kgs, strict=False)]
    return [Triple(FILM, DIRECTOR, ANN, Provenance("films")), *births]


def answered(given: GiveAnswer, triples: list[Triple]) -> Answer:
    explored = Explored(Subgraph().add(triples))
    return proven(given, explored, (Seed("The Film", FILM),), value=0.8, node=1)


INCEPTION, INTERSTELLAR, LEO, CAINE, NOLAN, HART = (
    entity(name) for name in ("inception", "interstellar", "leo", "caine", "nolan", "hart")
)


def followed(relation: Relation, *sources: Entity) -> Taken:
    """Return the action that followed a relation out of these."""
    ids = tuple(source.id for source in sources)
    n = sum(t.relation == relation and t.subject in sources for t in world.TRIPLES)
    return Taken("select_relation", "", ids, RelationOption(relation, "out", n, ids), n)


def of_films(given: GiveAnswer, starts: list[Entity], *taken: Taken) -> Answer:
    """Return the answer of a search that knows the whole world of films."""
    explored = Explored(Subgraph().add(world.TRIPLES), taken)
    seeds = [Seed(start.name, start) for start in starts]
    return proven(given, explored, seeds, value=1.0, node=1)


def texts(answer: Answer) -> list[str]:
    return [triple.text for triple in answer.proof]


def test_an_intersection_rests_on_both_chains() -> None:
    answer = of_films(GiveAnswer("Caine", (CAINE.id,)), [INCEPTION, INTERSTELLAR])
    assert texts(answer) == [
        "Inception – cast member – Caine",
        "Interstellar – cast member – Caine",
    ]


def test_all_edges_between_two_things_count() -> None:
    answer = of_films(GiveAnswer("Hart", (HART.id,)), [entity("storm")])
    assert texts(answer) == ["Storm – cast member – Hart", "Storm – director – Hart"]


def test_a_choice_rests_on_what_was_compared() -> None:
    compared = followed(DATE, INCEPTION, INTERSTELLAR)
    answer = of_films(GiveAnswer("Inception", (INCEPTION.id,)), [NOLAN], compared)
    assert texts(answer) == [
        "Inception – publication date – 2010-07-16",
        "Interstellar – publication date – 2014-11-07",
    ]


def test_a_part_that_no_triple_supports_is_model_memory() -> None:
    given = GiveAnswer("Leo and Somebody", (LEO.id,), (Literal("Somebody"),))
    answer = of_films(given, [INCEPTION])
    assert [(p.value.name, p.is_supported) for p in answer.parts] == [
        ("Leo", True),
        ("Somebody", False),
    ]
    assert answer.is_model_memory


def test_parts_come_in_the_order_in_which_the_text_names_them() -> None:
    answer = of_films(GiveAnswer("Caine, then Leo", (LEO.id, CAINE.id)), [INCEPTION])
    assert [p.value.name for p in answer.parts] == ["Caine", "Leo"]


@pytest.mark.parametrize("text, is_supported", [("2", True), ("7", False), ("Yes", True)])
def test_a_count_is_supported_when_so_many_were_fetched(text: str, is_supported: bool) -> None:
    answer = of_films(GiveAnswer(text), [INCEPTION], followed(CAST, INCEPTION))
    assert answer.is_model_memory is not is_supported
    assert bool(answer.proof) is is_supported


@pytest.mark.parametrize(
    "given, value", [(GiveAnswer("cannot tell", is_unknown=True), 1.0), (GiveAnswer("Leo"), 0.0)]
)
def test_cannot_tell_and_a_value_of_zero_are_no_answer(given: GiveAnswer, value: float) -> None:
    answer = proven(given, Explored(Subgraph()), (), value=value, node=1)
    assert (answer.is_answer, answer.parts, answer.proof) == (False, (), ())


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
