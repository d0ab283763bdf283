"""Deleting a cited edge makes the claim unsupported, and only that claim."""

from __future__ import annotations

from dataclasses import replace

from kgcore.corrections import Correction
from kgcore.corrections.claims import recheck
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.steps import Answer, AnswerPart, Evidence, Knowledge, ProvenRationale
from tests.unit.corrections.toys import (
    ANN,
    BLUES,
    BOB,
    FOUNDED,
    HOME,
    NEW,
    OLD,
    PARK,
    PLAYS,
    REDS,
    YEAR,
    moves_home,
)

CHAIN = (Triple(ANN, PLAYS, REDS), Triple(REDS, HOME, OLD))
WHERE = Answer("old", (AnswerPart(OLD),), proof=CHAIN)


def retract(triple: Triple) -> Correction:
    return Correction("c", "retract", triple.subject, triple.relation, triple.object, kg="toy")


def test_an_answer_is_supported_by_what_it_cites() -> None:
    assert recheck(WHERE, (), [ANN]).is_supported
    elsewhere = retract(Triple(BLUES, HOME, PARK))
    assert recheck(WHERE, [elsewhere], [ANN]).is_supported


def test_deleting_any_edge_of_the_path_makes_the_claim_unsupported() -> None:
    for edge in CHAIN:
        for seeds in ([ANN], []):
            checked = recheck(WHERE, [retract(edge)], seeds)
            assert not checked.is_supported
            assert checked.gone == (edge,)
            assert [p.value for p in checked.unsupported] == [OLD]


def test_a_replaced_edge_leads_elsewhere() -> None:
    assert not recheck(WHERE, [moves_home()], [ANN]).is_supported
    now = replace(WHERE, parts=(AnswerPart(NEW),))
    assert recheck(now, [moves_home()], [ANN]).parts == (AnswerPart(NEW, False),)


def test_of_several_parts_only_the_one_whose_edge_is_gone_is_unsupported() -> None:
    proof = (Triple(ANN, PLAYS, REDS), Triple(BOB, PLAYS, REDS))
    answer = Answer("ann, bob", (AnswerPart(ANN), AnswerPart(BOB)), proof=proof)
    checked = recheck(answer, [retract(proof[1])], [REDS])
    assert checked.parts == (AnswerPart(ANN, True), AnswerPart(BOB, False))
    assert not checked.is_supported


def test_what_two_things_have_in_common_needs_both_edges() -> None:
    proof = (Triple(REDS, HOME, OLD), Triple(BLUES, HOME, OLD))
    answer = Answer("old", (AnswerPart(OLD),), proof=proof)
    assert recheck(answer, (), [REDS, BLUES]).is_supported
    assert not recheck(answer, [retract(proof[0])], [REDS, BLUES]).is_supported


def test_a_comparison_needs_all_that_was_compared() -> None:
    later = Triple(BLUES, FOUNDED, Literal("1950", "xsd:gYear"))
    proof = (Triple(REDS, FOUNDED, YEAR), later)
    answer = Answer("reds", (AnswerPart(REDS),), proof=proof)
    assert recheck(answer, (), [REDS, BLUES]).is_supported
    assert not recheck(answer, [retract(later)], [REDS, BLUES]).is_supported


def test_a_yes_needs_all_it_cites() -> None:
    answer = Answer("Yes", proof=CHAIN)
    assert recheck(answer, (), [ANN]).is_supported
    assert not recheck(answer, [retract(CHAIN[0])], [ANN]).is_supported


def test_a_value_is_supported_by_its_own_edge() -> None:
    answer = Answer("1901", (AnswerPart(YEAR),), proof=(CHAIN[0], Triple(REDS, FOUNDED, YEAR)))
    assert recheck(answer, (), [ANN]).is_supported
    assert not recheck(answer, [retract(CHAIN[0])], [ANN]).is_supported


def test_what_a_correction_put_in_goes_when_it_is_undone() -> None:
    added = replace(CHAIN[1], provenance=Provenance("toy", correction="c9"))
    answer = replace(WHERE, proof=(CHAIN[0], added))
    add = Correction("c9", "add", REDS, HOME, OLD, kg="toy")
    assert recheck(answer, [add], [ANN]).is_supported
    undone = recheck(answer, (), [ANN])
    assert undone.gone == (added,)
    assert undone.is_undone
    retracted = recheck(answer, [add, retract(CHAIN[0])], [ANN])
    assert retracted.gone == (CHAIN[0],)
    assert not retracted.is_undone


def test_model_memory_was_never_supported() -> None:
    assert not recheck(Answer("Mars"), ()).is_supported
    known = Entity(EntityId("t:mars"), "Mars")
    part = Answer("Mars", (AnswerPart(known, False),), proof=CHAIN)
    assert recheck(part, (), [ANN]).unsupported == (AnswerPart(known, False),)


def test_another_relation_between_the_same_things_is_another_edge() -> None:
    other = Correction("c", "retract", REDS, Relation(RelationId("t:x")), OLD, kg="toy")
    assert recheck(WHERE, [other], [ANN]).is_supported


def row(text: str) -> Knowledge:
    return Knowledge("towns", "SELECT *", Evidence(text, "", "towns, row 1"))


def test_a_row_that_its_source_says_no_more_supports_nothing() -> None:
    rows = (row("town: Brill, country: Norland"), row("town: Brill, country: Sudland"))
    parts = tuple(AnswerPart(Literal(name)) for name in ("Norland", "Sudland"))
    rationale = ProvenRationale(1, "Where is Brill?", "…", rows)
    answer = Answer("Norland, Sudland", parts, rationales=(rationale,))
    assert recheck(answer, ()).is_supported
    checked = recheck(answer, (), lost=rows[1:])
    assert not checked.is_supported and checked.lost == rows[1:]
    assert [part.value for part in checked.unsupported] == [Literal("Sudland")]
    assert len(recheck(answer, (), lost=rows).unsupported) == 2
