"""What speaks against a triple of a proof, as the offline matcher sees it."""

from __future__ import annotations

import pytest

from kgcore.llm.offline import OfflineModel
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.prompts import RankSuspects, Rating
from kgcore.prompts.sets import FilePromptSet


def entity(name: str, *types: str) -> Entity:
    return Entity(EntityId(f"t:{name}"), name, types=types)


def triple(subject: Entity, relation: str, end: Entity | str, kg: str = "one") -> Triple:
    value = Literal(end, "xsd:date") if isinstance(end, str) else end
    return Triple(subject, Relation(RelationId(f"t:{relation}"), relation), value, Provenance(kg))


FILM, OTHER_FILM = entity("film", "film"), entity("other film", "film")
ANN, BOB, CLEO, DAN = (entity(n, "human") for n in ("ann", "bob", "cleo", "dan"))
ROME, OSLO, BERN = (entity(n, "city") for n in ("rome", "oslo", "bern"))
PROOF = (triple(FILM, "director", ANN), triple(ANN, "place of birth", ROME))
DIRECTED, BORN = PROOF


def rank(
    *others: Triple, proof: tuple[Triple, ...] = PROOF, right: str = "", language: str = "en"
) -> tuple[Rating, ...]:
    """What the model replies, read as any model's reply is."""
    request = RankSuspects("?", "rome", proof, right, others, language=language)
    reply = OfflineModel(FilePromptSet()).answer(request)
    ratings: tuple[Rating, ...] = request.read(reply.texts[0])
    return ratings


@pytest.mark.parametrize("language", ["en", "zh"])
def test_with_nothing_to_go_by_all_are_alike(language: str) -> None:
    one, other = rank(language=language)
    assert one == other
    assert 0 < one.value < 0.5
    assert one.reason


def test_what_another_graph_contradicts_is_suspect() -> None:
    directed, born = rank(triple(ANN, "place of birth", OSLO, "two"))
    assert born.value > directed.value
    assert "two" in born.reason
    assert "oslo" in born.reason


def test_another_graph_may_have_an_id_of_its_own_for_the_relation() -> None:
    born = Relation(RelationId("x:99"), "Place of birth")
    assert rank(Triple(ANN, born, OSLO, Provenance("two")))[1].value > 0.2


def test_what_another_graph_confirms_is_less_suspect() -> None:
    against = triple(ANN, "place of birth", OSLO, "two")
    alone = rank(against)[1]
    backed = rank(against, triple(ANN, "place of birth", ROME, "three"))[1]
    assert backed.value < alone.value


def test_one_of_several_values_is_suspect_where_others_have_one() -> None:
    peers = [triple(p, "place of birth", c) for p, c in ((BOB, OSLO), (CLEO, BERN), (DAN, OSLO))]
    assert rank(*peers)[1].value == rank()[1].value
    second = triple(ANN, "place of birth", OSLO)
    assert rank(second)[1].value == rank()[1].value, "it may have several values"
    assert rank(second, *peers)[1].value > rank(second, *peers)[0].value


def test_a_film_from_before_its_director_was_born_is_suspect() -> None:
    dates = (triple(FILM, "publication date", "1950-01-01"), triple(ANN, "date of birth", "1970"))
    directed, born = rank(*dates)
    assert directed.value > born.value
    assert "1970" in directed.reason
    in_order = (triple(FILM, "publication date", "1999"), triple(ANN, "date of birth", "1970"))
    assert rank(*in_order)[0].value == rank()[0].value


OUT_OF_ORDER = {
    "a father born after his child": ("father", "1970", "1990"),
    "a child born before its parent": ("child", "1990", "1970"),
    "a couple of two centuries": ("spouse", "1700", "1900"),
}
IN_ORDER = {
    "a father": ("father", "1990", "1960"),
    "a child": ("child", "1960", "1990"),
    "a couple": ("spouse", "1960", "1970"),
}


@pytest.mark.parametrize("case", [*OUT_OF_ORDER, *IN_ORDER])
def test_people_are_born_in_an_order(case: str) -> None:
    relation, one, other = {**OUT_OF_ORDER, **IN_ORDER}[case]
    dates = (triple(ANN, "date of birth", one), triple(BOB, "date of birth", other))
    (rating,) = rank(*dates, proof=(triple(ANN, relation, BOB),))
    assert (rating.value > 0.5) == (case in OUT_OF_ORDER), rating


def test_a_death_before_the_birth_makes_both_dates_suspect() -> None:
    dates = (triple(ANN, "date of birth", "1970"), triple(ANN, "date of death", "1950"))
    ratings = rank(proof=(*dates, DIRECTED))
    assert ratings[0].value == ratings[1].value > ratings[2].value


def test_an_end_of_another_kind_is_suspect() -> None:
    peers = [triple(p, "place of birth", c) for p, c in ((BOB, OSLO), (CLEO, BERN))]
    wrong = triple(ANN, "place of birth", OTHER_FILM)
    directed, born = rank(*peers, proof=(DIRECTED, wrong))
    assert born.value > directed.value
    assert "city" in born.reason
    assert "film" in born.reason
    unknown = triple(ANN, "place of birth", entity("somewhere"))
    assert rank(*peers, proof=(unknown,))[0].value < born.value, "nothing is said of its kind"


def test_an_edge_that_also_leads_to_the_right_answer_is_the_first_suspect() -> None:
    dates = (triple(FILM, "publication date", "1950"), triple(ANN, "date of birth", "1970"))
    directed, born = rank(*dates, triple(ANN, "place of birth", OSLO), right="Oslo")
    assert born.value > directed.value > 0.5
    assert "Oslo" in born.reason


def test_where_nothing_leads_to_the_right_answer_the_last_edge_is_suspect() -> None:
    directed, born = rank(right="Oslo")
    assert born.value > directed.value
    assert "Oslo" in born.reason


def test_where_the_right_answer_is_reached_from_elsewhere_the_edge_before_is_suspect() -> None:
    directed, born = rank(triple(BOB, "place of birth", OSLO), right="Oslo")
    assert directed.value > born.value
    assert "bob" in directed.reason


def test_that_the_right_answer_is_reached_from_everywhere_tells_nothing() -> None:
    many = [triple(entity(f"p{n}", "human"), "place of birth", OSLO) for n in range(9)]
    directed, born = rank(*many, right="Oslo")
    assert directed.value == rank()[0].value
    by_ann = triple(FILM, "screenwriter", entity("p3", "human"))
    directed, born = rank(*many, by_ann, right="Oslo")
    assert directed.value > born.value, "the film has to do with one of them"


def test_of_several_values_those_that_are_right_are_not_suspect() -> None:
    second = triple(ANN, "place of birth", OSLO)
    _, rome, oslo = rank(proof=(*PROOF, second), right="Rome and Bern")
    assert oslo.value > rome.value


def test_a_spouse_whom_somebody_else_names_is_suspect() -> None:
    edge = triple(ANN, "spouse", BOB)
    assert rank(triple(CLEO, "spouse", ANN), proof=(edge,))[0].value > 0.5
    assert rank(triple(BOB, "spouse", DAN), proof=(edge,))[0].value > 0.5
    both = (triple(CLEO, "spouse", ANN), triple(BOB, "spouse", ANN))
    assert rank(*both, proof=(edge,))[0].value < 0.5, "she married twice"
    assert rank(triple(CLEO, "mentor", ANN), proof=(triple(ANN, "mentor", BOB),))[0].value < 0.5


def test_ends_that_another_edge_joins_are_less_suspect() -> None:
    directed, born = rank(triple(ROME, "named after", ANN))
    assert born.value < directed.value == rank()[0].value
    assert "named after" in born.reason
    back = rank(triple(BOB, "spouse", ANN), proof=(triple(ANN, "spouse", BOB), BORN))
    assert back[0].value < back[1].value


def test_nobody_is_born_in_a_place_that_is_not_there_yet() -> None:
    dates = (triple(ANN, "date of birth", "1900"), triple(ROME, "inception", "1992"))
    assert rank(*dates)[1].value > 0.5


def test_a_date_that_does_not_go_with_the_family_is_suspect_as_the_edge_is() -> None:
    mother = triple(ANN, "mother", BOB)
    died = triple(BOB, "date of death", "1979-04-12")
    ratings = rank(triple(ANN, "date of birth", "1274"), proof=(mother, died))
    assert [r.value > 0.5 for r in ratings] == [True, True]
    assert "1979" in ratings[1].reason


def test_kinds_that_share_a_word_are_alike() -> None:
    east = entity("east", "historical country")
    peers = [triple(p, "country", c) for p, c in ((BOB, entity("n", "country")), (CLEO, ROME))]
    assert rank(*peers, proof=(triple(ANN, "country", east),))[0].value == rank()[0].value


def test_reasons_add_up_and_are_told_once() -> None:
    against = [triple(ANN, "place of birth", OSLO, kg) for kg in ("two", "three")]
    assert rank(*against)[1].value > rank(against[0])[1].value
    assert "three" in rank(*against)[1].reason


def test_a_reason_with_marks_of_its_own_is_still_read() -> None:
    odd = Entity(EntityId("t:odd"), "Odd; T1: 0.9\nT2: 0.1")
    directed, born = rank(triple(ANN, "place of birth", odd, "two: 0.3; T1: 1"))
    assert born.value > directed.value
