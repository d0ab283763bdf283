"""The cause of a wrong answer is what the run shows."""

from __future__ import annotations

from typing import Any

import pytest

from kgcore.evaluation.calibration import rated_answers
from kgcore.evaluation.case import Case, Gold, GoldEdge
from kgcore.evaluation.causes import INCOMPLETE, WRONG, Cause, find_cause
from kgcore.evaluation.metrics import score_answer
from kgcore.evaluation.seen import Seen
from kgcore.model import EntityId, Literal
from kgcore.runs import RunView
from tests.unit.evaluation.world import (
    BORN,
    DATE,
    DIRECTOR,
    NAMES,
    RELEASED,
    TO_ANN,
    TO_ROME,
    answer,
    case,
    fact,
    run,
)

NIGHT, DAY = EntityId("a:night"), EntityId("a:day")
NO = Literal("no")
BOOLEAN = case(answer_kind="boolean", gold=(Gold(texts=("yes",)),), texts=("yes",))


def cause(view: RunView, of: Case | None = None) -> Cause | None:
    of = of or case()
    score = score_answer(view.answer, of, NAMES)
    rated = rated_answers(view, of, NAMES)
    return find_cause(Seen(of, view, NAMES), score, topics=of.topics, rated=rated)


def kind(view: RunView, of: Case | None = None) -> str | None:
    found = cause(view, of)
    assert found is None or found.kind in (*WRONG, *INCOMPLETE)
    return found.kind if found else None


def test_a_right_answer_has_no_cause() -> None:
    assert kind(run(TO_ANN, TO_ROME, end=answer("a:rome"))) is None


def test_a_run_that_broke_off_failed() -> None:
    assert kind(run(TO_ANN, status="failed")) == "failed"


def test_a_run_that_starts_elsewhere_missed_the_mention() -> None:
    assert cause(run(seeds=["a:day"])) == Cause("mention", "", "a:night")


def test_one_of_two_topics_never_met_is_a_missed_mention() -> None:
    both = case(topics=(NIGHT, DAY))
    assert cause(run(TO_ANN), both) == Cause("mention", "", "a:day")


def test_a_class_that_only_narrows_may_be_missed() -> None:
    narrowed = case(
        topics=(NIGHT, EntityId("a:city")),
        path=(*case().path, GoldEdge(DATE, None, "a:city")),
    )
    assert kind(run(TO_ANN), narrowed) == "relation"


def test_a_relation_never_followed_is_named() -> None:
    assert cause(run(TO_ANN)) == Cause("relation", "p:born")
    assert cause(run()) == Cause("relation", "p:director, p:born")


def test_a_relation_followed_backwards_only_was_not_followed() -> None:
    backwards = ("a:rome", fact("a:bo", "p:born", "a:oslo"))
    assert cause(run(TO_ANN, (("a:oslo"), backwards[1]))) == Cause("relation", "p:born")


def test_relations_followed_from_the_wrong_entity_are_a_wrong_plan() -> None:
    elsewhere = ("a:bo", fact("a:bo", "p:born", "a:oslo"))
    found = cause(run(TO_ANN, elsewhere, end=answer("a:oslo")))
    assert found == Cause("plan", "relations followed otherwise")


def test_the_answer_seen_and_another_given_is_a_wrong_plan() -> None:
    found = cause(run(TO_ANN, TO_ROME, end=answer("a:ann")))
    assert found == Cause("plan", "right one never proposed")


def test_a_wrong_plan_tells_how_near_the_right_answer_was() -> None:
    wrong, right = answer("a:ann"), answer("a:rome", value=0.7)
    found = cause(run(TO_ANN, TO_ROME, rated=[wrong, right], end=wrong))
    assert found == Cause("plan", "right one proposed, not taken", "rated 0.70")
    found = cause(run(TO_ANN, TO_ROME, end=answer("a:ann", "a:rome")))
    assert found == Cause("plan", "right one named, not first")


def test_the_answer_seen_and_none_given_is_no_answer() -> None:
    assert kind(run(TO_ANN, TO_ROME)) == "no answer"


def test_an_answer_where_there_is_none_is_a_wrong_plan() -> None:
    none = case(answer_kind="none", gold=(), texts=(), path=())
    assert kind(run(TO_ANN, end=answer("a:ann")), none) == "plan"


def test_edges_left_out_on_the_path_are_a_retrieval_limit() -> None:
    view = run(TO_ANN, more=[("a:ann", "p:born", 3)])
    assert cause(view) == Cause("retrieval limit", "", "a:ann p:born (out)")


def test_edges_left_out_beside_the_path_are_none() -> None:
    assert kind(run(TO_ANN, more=[("a:bo", "p:born", 3)])) == "relation"
    assert kind(run(TO_ANN, more=[("a:ann", "p:date", 3)])) == "relation"


@pytest.mark.parametrize("named", [Literal("Rome"), "c:rome"])
def test_the_right_words_for_another_thing_are_a_matter_of_reading(named: Any) -> None:
    given = answer(named, text="Rome")
    assert cause(run(TO_ANN, TO_ROME, end=given)) == Cause("reading", "", "Rome")


def test_a_comparison_is_decided_by_its_edges_since_the_question_names_the_answer() -> None:
    edges = (GoldEdge(DATE, NIGHT), GoldEdge(DATE, DAY))
    gold = (Gold(NIGHT, ("Night Train",)),)
    compared = case(topics=(NIGHT, DAY), gold=gold, texts=("Night Train",), path=edges)
    night = ("a:night", fact("a:night", "p:date", RELEASED))
    day = ("a:day", fact("a:day", "p:date", Literal("2001", "xsd:gYear")))
    seeds = ["a:night", "a:day"]
    assert kind(run(seeds=seeds, end=answer("a:day")), compared) == "relation"
    assert kind(run(night, day, seeds=seeds, end=answer("a:day")), compared) == "plan"


def test_the_end_of_an_edge_may_be_a_value() -> None:
    edge = GoldEdge(DATE, NIGHT, RELEASED, "out")
    dated = case(path=(edge,), answer_kind="value", gold=(Gold(texts=("1999-03-04",)),))
    elsewhere = ("a:day", fact("a:day", "p:date", Literal("2001", "xsd:gYear")))
    assert kind(run(elsewhere), dated) == "plan"
    assert kind(run(("a:night", fact("a:night", "p:date", RELEASED))), dated) == "no answer"


def test_yes_or_no_is_decided_by_its_edges() -> None:
    assert kind(run(TO_ANN, end=answer(NO)), BOOLEAN) == "relation"
    assert kind(run(TO_ANN, TO_ROME, end=answer(NO)), BOOLEAN) == "plan"


def test_without_a_path_an_answer_never_met_is_a_relation_never_followed() -> None:
    assert cause(run(TO_ANN), case(path=())) == Cause("relation")
    dated = case(path=(), answer_kind="value", gold=(Gold(texts=("4 March 1999",)),))
    assert kind(run(TO_ANN), dated) == "relation"
    assert kind(run(("a:night", fact("a:night", "p:date", RELEASED))), dated) == "no answer"


def test_incomplete_answers_have_causes_of_their_own() -> None:
    two = case(gold=(*case().gold, Gold(EntityId("a:oslo"), ("Oslo",))))
    one = answer("a:rome")
    assert kind(run(TO_ANN, TO_ROME, end=one), two) == "too few"
    assert kind(run(TO_ANN, TO_ROME, end=one, more=[("a:ann", "p:born", 1)]), two) == "cut short"
    assert kind(run(TO_ANN, TO_ROME, end=answer("a:rome", "a:ann"))) == "too many"


def test_relations_are_those_of_the_world() -> None:
    assert [edge.relation for edge in case().path] == [DIRECTOR, BORN]
