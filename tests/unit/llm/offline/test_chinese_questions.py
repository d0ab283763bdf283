"""Chinese questions over the demo graphs, asked through the real loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import yaml

from kgcore.bootstrap import Studio, Task, build
from kgcore.evaluation import Case, Evaluator, Outcome
from kgcore.evaluation.datasets import read_samples
from kgcore.runs import RunView

ROOT = Path(__file__).resolve().parents[4]
FILE = ROOT / "tests" / "data" / "questions_zh.yaml"
QUESTIONS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
PREFIXES = {
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "mb": "https://musicbrainz.org/",
    "mbp": "urn:kg:musicbrainz:p:",
    "demo": "urn:kg:demo:",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
ENOUGH = 0.85


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    """A studio with the demo graphs."""
    return build(tmp_path_factory.mktemp("home"), environ={})


def ask(studio: Studio, cases: tuple[Case, ...], kgs: tuple[str, ...]) -> list[Outcome]:
    """Ask every case of the offline matcher."""

    def answer(question: str) -> RunView:
        run = studio.ask(Task(question, kgs, model="offline"))
        run.drive()
        return studio.view(run.id)

    evaluator = Evaluator(answer, studio.graph(kgs, language="zh"))
    return [evaluator.evaluate(case) for case in cases]


def test_most_chinese_questions_are_answered_rightly(studio: Studio) -> None:
    dataset = read_samples(FILE, "zh")
    outcomes = ask(studio, dataset.cases, tuple(dataset.graphs))
    wrong = [(o.case.question, o.answer) for o in outcomes if not o.score.is_complete]
    assert len(outcomes) >= 20
    assert len(wrong) <= (1 - ENOUGH) * len(outcomes), wrong


def test_the_chinese_sample_questions_are_answered_rightly(studio: Studio) -> None:
    dataset = read_samples(ROOT / "assets" / "questions.yaml", "zh")
    cases = tuple(case for case in dataset.cases if not case.is_for_model)
    outcomes = ask(studio, cases, tuple(dataset.graphs))
    wrong = [(o.case.question, o.answer) for o in outcomes if not o.score.is_complete]
    assert len(outcomes) >= 6
    assert wrong == []


@pytest.fixture(scope="module")
def store() -> ox.Store:
    """Both demo graphs together."""
    both = ox.Store()
    for name in ("demo-wikidata", "demo-musicbrainz"):
        path = ROOT / "assets" / "demo" / f"{name}.ttl"
        both.load(path=str(path), format=ox.RdfFormat.TURTLE)
    return both


def expand(name: str) -> str:
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["id"]))
def test_gold_answers_follow_from_the_graphs(store: ox.Store, question: dict[str, Any]) -> None:
    head = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    result = store.query(head + question["gold"])
    if isinstance(result, ox.QueryBoolean):
        found = {str(bool(result)).lower()}
    else:
        assert isinstance(result, ox.QuerySolutions)
        found = {solution["answer"].value for solution in result}
    gold = [expand(a["id"]) if "id" in a else a["value"] for a in question["answers"]]
    assert sorted(found) == sorted(gold)


def test_the_questions_are_of_many_kinds_and_not_the_samples() -> None:
    samples = yaml.safe_load((ROOT / "assets" / "questions.yaml").read_text("utf-8"))
    asked = {q["question_zh"] for q in QUESTIONS}
    assert len({q["kind"] for q in QUESTIONS}) >= 8
    assert len(asked) == len(QUESTIONS) >= 20
    assert asked.isdisjoint(s.get("question_zh") for s in samples)
