"""The sample questions of the demo's knowledge sources: each names a source that states its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kgcore.bootstrap import DEMO_GRAPHS, Studio, Task, build
from kgcore.evaluation.comparing import occurs
from kgcore.steps import Passages

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / "assets" / "source_questions.yaml").read_text("utf-8")
)
REQUIRED = {"id", "question", "field", "source", "gold", "answers"}
OPTIONAL = {"question_zh", "answers_zh", "needs"}
FIELDS = {"tables", "medicine", "physics", "biology", "graph"}
question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["id"]))


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    made = build(tmp_path_factory.mktemp("sources"), environ={})
    made.graphs()
    return made


def test_there_are_enough_of_each_field_and_some_in_chinese() -> None:
    fields = [q["field"] for q in QUESTIONS]
    assert set(fields) == FIELDS and all(fields.count(field) >= 3 for field in FIELDS)
    assert sum("question_zh" in q for q in QUESTIONS) >= 4
    assert len({q["id"] for q in QUESTIONS}) == len(QUESTIONS)


@question
def test_a_question_has_the_keys_of_its_format(question: dict[str, Any]) -> None:
    assert set(question) >= REQUIRED and set(question) <= REQUIRED | OPTIONAL
    assert ("question_zh" in question) == ("answers_zh" in question)
    assert question.get("needs", "language model") == "language model"
    assert question["answers"] and all(isinstance(a, str) for a in question["answers"])


@question
@pytest.mark.parametrize("language", ["en", "zh"])
def test_its_source_states_the_answer(
    studio: Studio, question: dict[str, Any], language: str
) -> None:
    answers = question["answers"] if language == "en" else question.get("answers_zh", [])
    found = studio.source(question["source"], language=language).run(question["gold"])
    assert isinstance(found, Passages) and found.items
    for answer in answers:
        assert any(occurs(answer, item.text) for item in found.items), answer


def test_the_demo_graphs_alone_stand_for_all_sources_of_the_demo(studio: Studio) -> None:
    """The page always names the graphs that are chosen; as it comes, these are the demo's."""
    named = studio.ask(Task("What is the unit of force?", DEMO_GRAPHS, "chain-of-knowledge"))
    unnamed = studio.ask(Task("What is the unit of force?", (), "chain-of-knowledge"))
    pinned = [studio.journal(run.id).started.config.sources for run in (named, unnamed)]
    assert pinned[0] == pinned[1] and {q["source"] for q in QUESTIONS} <= {c.id for c in pinned[0]}
    one = studio.ask(
        Task("What is the unit of force?", ("demo-musicbrainz",), "chain-of-knowledge")
    )
    assert [c.id for c in studio.journal(one.id).started.config.sources] == ["demo-musicbrainz"]
