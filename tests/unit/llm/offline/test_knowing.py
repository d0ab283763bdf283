"""The offline matcher on rationales: it remembers nothing, writes queries from words, and reads what is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgcore.llm.offline.model import OfflineModel
from kgcore.model import Entity, EntityId, Relation, RelationId, SourceCard, Subgraph, Triple
from kgcore.prompts import (
    AnswerFromRationales,
    ChooseDomains,
    CorrectRationale,
    MendQuery,
    NamedQuery,
    NextRationale,
    SampleRationales,
    TypedRequest,
    write_query,
)
from kgcore.prompts.sets import FilePromptSet
from kgcore.steps import Evidence, Knowledge, ProvenRationale

MODEL = OfflineModel(FilePromptSet())
GRAPH = SourceCard(
    "films",
    "sparql",
    ("factual",),
    "films and people",
    "relations of the graph, most frequent first, to be written as <id>:\n"
    "<x:1> director (9)\n<x:2> place of birth (7)\n<x:3> cast member (5)\n<x:4> award received (1)",
    kg="films",
)
TABLES = SourceCard(
    "tables",
    "sql",
    ("factual",),
    "tables",
    "rivers(river VARCHAR, mouth VARCHAR, length_km BIGINT)  -- 3 rows\n  Rhine | North Sea | 1233\n"
    '"big trees"(tree VARCHAR, "trunk height m" DOUBLE)  -- 2 rows\n  oak | 40',
)
CARDS = SourceCard("cards", "sentence", ("medical",), "short cards on medicine")


def said(request: TypedRequest) -> Any:
    """What the matcher says, read as a run reads it."""
    return request.read(MODEL.answer(request).texts[0])


def query(card: SourceCard, question: str) -> str:
    value = said(write_query(question, question, card, language="en"))
    return value.text if isinstance(value, NamedQuery) else str(value)


def row(**cells: Any) -> Knowledge:
    text = ", ".join(f"{name}: {value}" for name, value in cells.items())
    return Knowledge("tables", "q", Evidence(text, json.dumps(cells), "rivers, row 1"))


def passage(title: str, text: str) -> Knowledge:
    raw = json.dumps({"title": title, "position": "1", "text": text})
    return Knowledge("cards", "q", Evidence(f"{title}: {text}", raw, f"{title}, 1"))


def answer(question: str, *knowledge: Knowledge) -> Any:
    rationale = ProvenRationale(1, question, "…", knowledge)
    triples = [t for piece in knowledge for t in piece.triples]
    return said(AnswerFromRationales(question, (rationale,), Subgraph().add(triples)))


def test_it_remembers_nothing() -> None:
    texts = MODEL.answer(SampleRationales("Who directed Inception?"), n=3).texts
    read = [SampleRationales("Who directed Inception?").read(text) for text in texts]
    assert all(t.rationales == () and t.answer.is_unknown for t in read)


def test_its_first_rationale_is_the_question_and_nothing_follows() -> None:
    assert said(NextRationale("Who directed Inception?", ())) == "Who directed Inception?"
    assert said(NextRationale("Who directed Inception?", ("It was Nolan.",))) == ""


@pytest.mark.parametrize(
    "question, domains",
    [
        ("Is it a question of medicine?", ("medical",)),
        ("Which people made it?", ("factual",)),
        ("What is it?", ("factual", "medical")),
    ],
)
def test_domains_are_chosen_by_words_and_all_where_none_fits(
    question: str, domains: tuple[str, ...]
) -> None:
    assert said(ChooseDomains(question, (), (GRAPH, CARDS))).domains == domains


@pytest.mark.parametrize(
    "question, pattern",
    [
        ("Who directed Inception?", "{ <Inception> <director> ?x01 }"),
        (
            "Where was the director of Inception born?",
            "{ <Inception> <director> ?x01 . ?x01 <place of birth> ?x02 }",
        ),
        ("What is the boiling point?", ""),
    ],
)
def test_sparql_follows_the_clues_by_the_relations_of_the_schema(
    question: str, pattern: str
) -> None:
    found = query(GRAPH, question)
    assert found.endswith(pattern) and bool(found) == bool(pattern)


def test_two_names_joined_by_and_are_tried_apart() -> None:
    question = "Which film did Leonardo DiCaprio and Tom Hardy star in?"
    first = write_query(question, question, GRAPH, language="en")
    written = query(GRAPH, question)
    again = said(MendQuery(question, first, written, "nothing is called that"))
    assert "<Leonardo DiCaprio> <cast member> ?x . <Tom Hardy> <cast member> ?x" in again.text


@pytest.mark.parametrize(
    "question, sql",
    [
        (
            "What is the mouth of the Rhine?",
            "SELECT * FROM rivers WHERE river ILIKE 'Rhine' OR mouth ILIKE 'Rhine' LIMIT 10",
        ),
        (
            "Which river has the largest length?",
            "SELECT * FROM rivers ORDER BY length_km DESC NULLS LAST LIMIT 1",
        ),
        (
            "Which tree has the smallest trunk height?",
            'SELECT * FROM "big trees" ORDER BY "trunk height m" ASC NULLS LAST LIMIT 1',
        ),
        ("Who directed Inception?", ""),
    ],
)
def test_sql_takes_the_table_and_the_columns_that_the_question_names(
    question: str, sql: str
) -> None:
    assert query(TABLES, question) == sql


def test_a_quote_in_a_name_cannot_end_a_text_of_sql() -> None:
    assert "ILIKE 'O''Hara'" in query(TABLES, "What is the mouth of the river O'Hara?")


def test_a_query_is_mended_with_less_or_not_at_all() -> None:
    question = "What is the mouth of the Rhine?"
    first = write_query(question, question, TABLES, language="en")
    loose = said(MendQuery(question, first, query(TABLES, question), "it found nothing"))
    assert "ILIKE '%Rhine%'" in loose
    sentence = write_query("Who is it?", "Who is it?", CARDS, language="en")
    assert said(MendQuery("Who is it?", sentence, query(CARDS, "Who is it?"), "nothing")) == ""


def test_a_statement_becomes_the_sentence_that_holds_most_of_its_words() -> None:
    question = "Which hormone lowers blood glucose?"
    pieces = (
        passage("Glucagon", "Glucagon is a hormone. It works against insulin."),
        passage("Insulin", "Insulin is a hormone of the pancreas. It lowers blood glucose."),
    )
    corrected = said(CorrectRationale(question, (), question, pieces))
    assert (corrected.text, corrected.used) == ("Insulin: It lowers blood glucose", (1,))
    assert answer(question, *pieces).text.startswith("Insulin: It lowers blood glucose")


def test_a_statement_stays_where_nothing_is_about_it() -> None:
    corrected = said(
        CorrectRationale(
            "Who knows?", (), "Bile is made by the liver.", (passage("Rome", "A city."),)
        )
    )
    assert (corrected.text, corrected.used) == ("Bile is made by the liver.", ())


def test_a_cell_that_the_question_asks_for_is_the_answer() -> None:
    rhine = row(river="Rhine", mouth="North Sea", length_km=1233)
    assert answer("What is the mouth of the Rhine?", rhine).text == "North Sea"
    assert answer("What length does the Rhine have?", rhine).text == "1233"


def test_rows_that_speak_of_the_question_alike_answer_it_together() -> None:
    rows = (row(city="Brill", country="Norland"), row(city="Brill", country="Sudland"))
    assert answer("In which country is Brill?", *rows).text == "Norland, Sudland"
    cities = (row(city="Brill", country="Norland"), row(city="Ashford", country="Norland"))
    assert answer("Which cities are in Norland?", *cities).text == "Brill, Ashford"


@pytest.mark.parametrize(
    "question", ["How many cities are in Norland?", "Who founded Ashford?", "Where is Ashford?"]
)
def test_a_cell_of_another_kind_than_is_asked_for_is_no_answer(question: str) -> None:
    cells = {"city": "Ashford", "country": "Norland", "inhabitants": 12000, "founded": 1180}
    if question.startswith("Where"):
        del cells["country"]
    assert answer(question, row(**cells)).is_unknown
    assert answer("How many inhabitants does Ashford have?", row(**cells)).text == "12000"


def test_of_a_row_the_year_says_when() -> None:
    prize = row(year=1903, laureate="Marie Curie", for_what="radioactivity")
    assert answer("When was the prize given to Marie Curie?", prize).text == "1903"


def test_only_a_row_that_holds_every_word_says_yes() -> None:
    rhine = row(river="Rhine", mouth="North Sea")
    assert (
        answer("Is the mouth of the river Rhine the North Sea?", rhine)
        .text.casefold()
        .startswith("yes")
    )
    assert answer("Is the mouth of the river Rhine the Black Sea?", rhine).is_unknown


def test_facts_of_a_graph_are_read_as_in_any_search() -> None:
    film, nolan, london = (
        Entity(EntityId(f"x:{n}"), n, kg="films") for n in ("Inception", "Nolan", "London")
    )
    triples = (
        Triple(film, Relation(RelationId("x:1"), "director"), nolan),
        Triple(nolan, Relation(RelationId("x:2"), "place of birth"), london),
    )
    piece = Knowledge("films", "q", Evidence("…", triples=triples))
    given = answer("Where was the director of Inception born?", piece)
    assert given.text == "London" and given.entities == (london.id,)
    assert answer("Who composed the music of Inception?", piece).is_unknown


def test_a_sentence_that_holds_too_few_of_the_words_is_no_answer() -> None:
    question = "Which disease is caused by lack of vitamin C?"
    piece = passage("Vitamin C", "Vitamin C is needed to make collagen.")
    assert answer(question, piece).is_unknown
