"""Asking, judging, the baseline, and the report over it all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgcore.errors import ServiceError
from kgcore.evaluation import Evaluator, Outcome, Report, Score
from kgcore.evaluation.case import Gold
from kgcore.evaluation.causes import Cause
from kgcore.evaluation.report import (
    calibration_table,
    causes_table,
    details_table,
    results_table,
    table,
    time_table,
    wrong_list,
)
from kgcore.model import EntityId
from kgcore.runs import RunView
from tests.unit.evaluation.world import CASE, GRAPH, TO_ANN, TO_ROME, answer, case, run

RIGHT_RUN = run(TO_ANN, TO_ROME, rated=[answer("a:rome")], end=answer("a:rome"))


def evaluate(view: RunView | Exception, **values: Any) -> Outcome:
    def ask(question: str) -> RunView:
        assert question == CASE.question
        if isinstance(view, Exception):
            raise view
        return view

    return Evaluator(ask, GRAPH).evaluate(case(**values))


def test_a_right_run_is_judged_right() -> None:
    outcome = evaluate(RIGHT_RUN)
    assert (outcome.status, outcome.answer, outcome.value) == ("answered", "Rome", 0.9)
    assert outcome.score.is_complete
    assert outcome.cause is None
    assert [r.is_right for r in outcome.rated] == [True]
    assert outcome.seconds > 0


def test_an_error_is_a_wrong_answer_and_other_questions_go_on() -> None:
    outcome = evaluate(ServiceError("the graph is gone"))
    assert outcome.score == Score()
    assert outcome.cause == Cause("failed", "ServiceError", "the graph is gone")


def test_a_bug_is_not_counted_away() -> None:
    with pytest.raises(ZeroDivisionError):
        evaluate(ZeroDivisionError())


def test_what_the_graph_does_not_hold_is_no_missed_mention() -> None:
    topics = (EntityId("a:night"), EntityId("a:unknown"))
    outcome = evaluate(run(TO_ANN), topics=topics)
    assert outcome.cause == Cause("relation", "p:born")


def test_the_baseline_names_all_within_two_hops_in_both_directions() -> None:
    evaluator = Evaluator(lambda question: RIGHT_RUN, GRAPH)
    # Night Train, Ann Lee, the date, Rome
    score = evaluator.score_baseline(CASE)
    assert (score.hit, score.precision, score.recall) == (0.25, 0.25, 1.0)
    far = evaluator.score_baseline(case(gold=(Gold(EntityId("a:oslo"), ("Oslo",)),)))
    assert (far.hit, far.recall) == (0.0, 0.0)
    back = case(topics=(EntityId("a:rome"),), gold=(Gold(EntityId("a:night")),))
    assert evaluator.score_baseline(back).recall == 1.0
    dated = case(answer_kind="value", gold=(Gold(texts=("4 March 1999",)),))
    assert evaluator.score_baseline(dated).recall == 1.0


def test_the_baseline_never_says_yes() -> None:
    yes = case(answer_kind="boolean", gold=(Gold(texts=("yes",)),))
    assert Evaluator(lambda question: RIGHT_RUN, GRAPH).score_baseline(yes) == Score()


def outcomes() -> tuple[Outcome, ...]:
    one, other = case(id="1", type="easy"), case(id="2", type="hard")
    return (
        Outcome(one, "answered", "Rome", 0.9, 1.0, Score(1.0, 1.0, 1.0, True), baseline=Score(0.1)),
        Outcome(
            other, "no_answer", seconds=3.0, cause=Cause("plan", "other way"), baseline=Score(0.3)
        ),
    )


def test_a_report_has_a_row_for_each_type_and_one_for_all() -> None:
    report = Report("films", outcomes())
    assert [(r.type, r.n, r.hits, r.f1, r.n_no_answer) for r in report.rows()] == [
        ("easy", 1, 1.0, 1.0, 0),
        ("hard", 1, 0.0, 0.0, 1),
        ("all", 2, 0.5, 0.5, 1),
    ]
    assert report.row().baseline_hits == pytest.approx(0.2)
    assert report.causes() == {"plan": 1}
    assert report.causes("easy") == {}
    assert report.median_s == 2.0
    assert report.p95_s == 3.0


def test_a_report_is_plain_data() -> None:
    data = Report("films", (*outcomes(), evaluate(RIGHT_RUN))).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert [c["id"] for c in data["cases"]] == ["1", "2", "1"]
    assert data["cases"][1]["cause"] == "plan"


def test_an_empty_report_has_figures_too() -> None:
    report = Report("films", ())
    assert (report.row().n, report.row().hits, report.median_s, report.p95_s) == (0, 0.0, 0.0, 0.0)


def test_tables_show_every_report() -> None:
    reports = [Report("films", outcomes()), Report("places", (evaluate(RIGHT_RUN),))]
    results = results_table(reports).splitlines()
    assert len(results) == 1 + 3 + 1
    assert results[3].split()[:5] == ["films", "all", "2", "50.0", "50.0"]
    causes = causes_table(reports).splitlines()
    assert causes[2].split()[:4] == ["films", "hard", "1", "0"]
    assert details_table(reports).splitlines()[1].split() == ["films", "plan", "other", "way", "1"]
    assert [line.split()[:3] for line in map(wrong_list, reports)] == [
        ["films", "hard", "plan"],
        [],
    ]
    assert [line.split()[0] for line in calibration_table(reports).splitlines()] == [
        "set",
        "films",
        "places",
        "all",
    ]
    assert time_table(reports).splitlines()[1].split() == ["films", "2", "2.00", "3.00", "0"]


def test_a_table_aligns_names_left_and_numbers_right() -> None:
    assert table([["set", "n"], ["2wiki", "100"]], 1) == "set      n\n2wiki  100"
