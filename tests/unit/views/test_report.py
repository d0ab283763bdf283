"""The report of a run as plain data."""

import json
from dataclasses import replace

import pytest

from kgcore.model import Conflict, Entity, EntityId, Literal, Provenance, Triple
from kgcore.runs import Ended, RunView
from kgcore.steps import Answer, AnswerPart
from kgcore.views.report import run_report, term_dict, term_name
from tests.unit.views import hand_made as made

KEYS = [
    "run_id",
    "question",
    "status",
    "answer",
    "answers",
    "value",
    "proof",
    "model_memory",
    "fallback",
    "method",
    "model",
    "kgs",
    "usage",
    "warnings",
]


def ended(status: str, answer: Answer | None, reason: str = "") -> RunView:
    bodies = [*made.story()[:-2], Ended(status, reason, answer, 1.0)]
    return RunView.of(made.entries(bodies))


def test_a_report_names_the_answer_and_proves_it() -> None:
    report = run_report(made.view())
    assert (report["status"], report["answer"], report["value"]) == (
        "answered",
        "Michael Caine",
        0.9,
    )
    assert report["answers"] == [{"id": "x:3", "label": "Michael Caine", "model_memory": False}]
    assert report["proof"][0] == {
        "subject": {"id": "x:1", "label": "Inception"},
        "relation": {"id": "x:cast", "label": "cast member"},
        "object": {"id": "x:3", "label": "Michael Caine"},
        "kg": "films",
    }
    assert not report["model_memory"]


def test_a_report_counts_what_was_spent() -> None:
    usage = run_report(made.view())["usage"]
    assert usage == {
        "llm_requests": 1,
        "completions": 3,
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "cost_usd": 0.001,
        "kg_requests": 0,
        "wall_s": 3.21,
    }


def test_every_prefix_of_a_journal_has_a_report_of_the_same_form() -> None:
    for n in range(len(made.entries()) + 1):
        report = run_report(made.view(n))
        assert list(report) == KEYS
        assert json.loads(json.dumps(report)) == report


def test_a_run_under_way_reports_the_best_answer_so_far() -> None:
    report = run_report(made.view(-1))
    assert (report["status"], report["answer"]) == ("running", "Michael Caine")
    assert run_report(made.view(-1), status="interrupted")["status"] == "interrupted"


def test_an_answer_that_cannot_tell_is_no_answer() -> None:
    report = run_report(ended("no_answer", Answer("I cannot tell", is_answer=False)))
    assert (report["answer"], report["answers"], report["proof"]) == (None, [], [])
    assert report["value"] is None


def test_a_part_without_a_triple_is_model_memory() -> None:
    answer = Answer("42", (AnswerPart(Literal("42", unit="km"), is_supported=False),), 0.5)
    report = run_report(ended("answered", answer))
    assert report["answers"] == [{"value": "42", "unit": "km", "model_memory": True}]
    assert report["model_memory"]
    assert report["warnings"] == ["a part of the answer rests on no triple (model memory)"]


def test_a_disagreement_of_the_graphs_is_the_first_warning() -> None:
    answer = made.view().answer
    assert answer is not None
    cast, film = answer.proof[0].relation, answer.proof[0].subject
    born = [
        Triple(film, cast, Literal(year, "xsd:gYear"), Provenance(kg))
        for year, kg in (("1970", "films"), ("1971", "music"))
    ]
    disputed = replace(answer, conflicts=(Conflict(tuple(born)),))
    assert run_report(ended("answered", disputed))["warnings"] == [
        "The graphs disagree: cast member of Inception is 1970 (films) and 1971 (music)"
    ]


@pytest.mark.parametrize("status", ["failed", "budget"])
def test_the_reason_of_an_early_end_is_a_warning(status: str) -> None:
    assert run_report(ended(status, None, "the reason"))["warnings"] == ["the reason"]


@pytest.mark.parametrize(
    "value, name",
    [
        (Entity(EntityId("x:1"), "Inception"), "Inception"),
        (Entity(EntityId("x:1")), "x:1"),
        (Literal("2010-07-16", "xsd:date"), "2010-07-16"),
        (Literal("42", unit="km"), "42 km"),
    ],
)
def test_a_term_of_a_report_is_called_as_the_thing_is(value: Entity | Literal, name: str) -> None:
    assert term_name(term_dict(value)) == name == value.name
