"""Records of published question sets become cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.evaluation.case import Case, Dataset, Gold, GoldEdge
from kgcore.evaluation.datasets import read_dataset, read_samples
from kgcore.evaluation.readers import (
    edges_of,
    from_2wiki,
    from_freebase,
    from_metaqa,
    from_pathquestion,
    from_sample,
)
from kgcore.model import Literal
from tests.unit.evaluation.world import CASE

WD = "http://www.wikidata.org/entity/"
SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "questions.yaml"


def record(**values: Any) -> dict[str, Any]:
    """Return a record with what all sets have."""
    return {
        "id": "1",
        "question": "Who?",
        "answers": ["Ann Lee"],
        "answer_kind": "entity",
        "answer_nodes": [WD + "Q7"],
        "topic_entities": [{"iri": WD + "Q1", "label": "Night Train"}],
        **values,
    }


def test_evidence_triples_are_the_path() -> None:
    evidence = [["Q1", "P57", "Q7"], ["Q7", "P569", "1951-02-03T00:00:00Z"]]
    case = from_2wiki(record(type="compositional", gold_triples=evidence))
    assert case.topics == ("wd:Q1",)
    assert case.gold == (Gold("wd:Q7", ("Ann Lee",)),)
    assert case.path == (
        GoldEdge("wdt:P57", "wd:Q1", "wd:Q7", "out"),
        GoldEdge("wdt:P569", "wd:Q7", Literal("1951-02-03T00:00:00Z", "xsd:dateTime"), "out"),
    )


def test_a_question_over_freebase_names_no_path_and_is_of_its_data_set() -> None:
    node = "http://rdf.freebase.com/ns/m.0d3k14"
    case = from_freebase(record(dataset="CWQ", sparql="SELECT ?x {}", answer_nodes=[node]))
    assert (case.type, case.path) == ("CWQ", ())
    assert case.gold == (Gold("fb:m.0d3k14", ("Ann Lee",)),)


def test_a_date_is_one_value_in_two_writings() -> None:
    values = {
        "answer_kind": "date",
        "answer_nodes": ["1634-06-20T00:00:00Z"],
        "answers": ["20 June 1634"],
    }
    case = from_2wiki(record(type="inference", gold_triples=[], **values))
    assert case.answer_kind == "value"
    assert case.gold == (Gold(texts=("1634-06-20T00:00:00Z", "20 June 1634")),)


def test_a_question_type_names_relations_and_directions() -> None:
    case = from_metaqa(record(hops="3", qtype="movie_to_writer_to_movie_to_year"))
    assert case.type == "3-hop"
    assert [(e.relation, e.direction) for e in case.path] == [
        ("<urn:kg:metaqa:p:written_by>", "out"),
        ("<urn:kg:metaqa:p:written_by>", "in"),
        ("<urn:kg:metaqa:p:release_year>", "out"),
    ]


def test_a_path_of_names_ends_at_an_answer_that_may_be_one_of_several() -> None:
    path = ["ann", "spouse", "bo", "profession", "baker"]
    case = from_pathquestion(record(hops="2", gold_path=path))
    start = "<urn:kg:pathquestion:"
    assert case.path == (
        GoldEdge(f"{start}p:spouse>", f"{start}ann>", f"{start}bo>", "out"),
        GoldEdge(f"{start}p:profession>", f"{start}bo>", None, "out"),
    )


@pytest.mark.parametrize(
    "sparql, edges",
    [
        ("SELECT ?x WHERE {wd:Q1 wdt:P1 ?x}", [("wdt:P1", "wd:Q1", None)]),
        (
            "SELECT ?x WHERE{wd:Q1 wdt:P1 wd:Q2; wdt:P3 ?x.}",
            [("wdt:P1", "wd:Q1", "wd:Q2"), ("wdt:P3", "wd:Q1", None)],
        ),
        (
            "SELECT ?x { ?x wdt:P1 wd:Q1 , wd:Q2 }",
            [("wdt:P1", None, "wd:Q1"), ("wdt:P1", None, "wd:Q2")],
        ),
        ("ASK {wd:Q1 wdt:P1 wd:Q2}", [("wdt:P1", "wd:Q1", "wd:Q2")]),
        (
            "SELECT ?x { mb:artist\\/1-a mbp:area ?a . ?a owl:sameAs ?c . ?c wdt:P36 ?x }",
            [("mbp:area", "mb:artist/1-a", None), ("wdt:P36", None, None)],
        ),
        (
            "SELECT ?x { VALUES ?x { wd:Q1 wd:Q2 } ?x wdt:P5 ?n } ORDER BY DESC(?n) LIMIT 1",
            [("wdt:P5", None, None)],
        ),
    ],
)
def test_patterns_of_a_query_are_edges(
    sparql: str, edges: list[tuple[str, str | None, str | None]]
) -> None:
    assert [(e.relation, e.subject, e.object) for e in edges_of(sparql)] == edges


def test_a_sample_is_read_in_the_languages_it_is_worded_in() -> None:
    sample = {
        "id": "x",
        "question": "Is it?",
        "kind": "yes_no",
        "answers": [{"value": "true", "datatype": "xsd:boolean", "label": "yes"}],
        "gold": "ASK {wd:Q1 wdt:P1 wd:Q2}",
    }
    case = from_sample(sample, "en")
    assert case is not None
    assert (case.answer_kind, case.gold) == ("boolean", (Gold(texts=("yes",)),))
    assert from_sample(sample, "zh") is None


def test_the_sample_questions_can_be_read() -> None:
    english, chinese = read_samples(SAMPLES), read_samples(SAMPLES, "zh")
    assert set(english.graphs) == {"demo-wikidata", "demo-musicbrainz"}
    assert {c.answer_kind for c in english.cases} == {"entity", "value", "boolean", "none"}
    assert all(c.path for c in english.cases if c.gold)
    assert 0 < len(chinese.cases) < len(english.cases)
    assert {c.language for c in chinese.cases} == {"zh"}


def test_a_set_is_read_from_its_folder(tmp_path: Path) -> None:
    rows = [
        record(id="1", sparql="ASK {}", gold_facts_in_kg=True),
        record(id="2", sparql="ASK {}", gold_facts_in_kg=False),
    ]
    (tmp_path / "qald10").mkdir()
    lines = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "qald10" / "questions.jsonl").write_text(lines + "\n", "utf-8")
    dataset = read_dataset("qald10", tmp_path)
    assert [case.id for case in dataset.cases] == ["1"]
    assert dataset.graphs["codex"] == (tmp_path / "codex" / "kg.nt.gz",)


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nonsense"):
        read_dataset("nonsense", tmp_path)
    with pytest.raises(InputError, match="metaqa"):
        read_dataset("metaqa", tmp_path)


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    cases = tuple(Case(str(i), "?", "none", "t") for i in range(20))
    dataset = Dataset("d", cases, {})
    ids = [c.id for c in dataset.sample(5, 1).cases]
    assert ids == [c.id for c in dataset.sample(5, 1).cases]
    assert ids == sorted(ids, key=int)
    assert ids != [c.id for c in dataset.sample(5, 2).cases]
    assert dataset.sample(0) is dataset.sample(20) is dataset


def test_gold_answers_and_their_kind_go_together() -> None:
    with pytest.raises(InputError):
        Case("1", "?", "entity", "t")
    with pytest.raises(InputError):
        Case("1", "?", "none", "t", CASE.gold)
