"""Readers of answers: rows, terms, texts in several languages, what statements say."""

from __future__ import annotations

import json

import pytest

from kgcore.errors import BadReplyError, TooHeavyError
from kgcore.kg.sparql.edge_patterns import split_synthetic
from kgcore.kg.sparql.replies import Texts, parse_rows, refine, to_end
from kgcore.kg.vocabulary import NO_VALUE, RDFS, SKOS, UNKNOWN_VALUE, WD, Prefixes
from kgcore.model import Literal

PREFIXES = Prefixes()


def test_rows_are_read_with_a_byte_order_mark_too() -> None:
    body = json.dumps({"results": {"bindings": [{"x": {"type": "uri", "value": "urn:a"}}]}})
    assert len(parse_rows(body.encode())) == len(parse_rows(b"\xef\xbb\xbf" + body.encode())) == 1


@pytest.mark.parametrize(
    "body, error",
    [
        (b'{"results": {"bindings": [{"x"', TooHeavyError),
        (b'{"results": {"bindings": []}}\ntimeout', TooHeavyError),
        (b"<html>", BadReplyError),
        (b"", BadReplyError),
        (b"{}", BadReplyError),
        (b'{"results": {"bindings": [1]}}', BadReplyError),
        (b"[" * 100_000, BadReplyError),
        (b"\xff\xff", BadReplyError),
    ],
)
def test_what_is_no_whole_table_is_an_error(body: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse_rows(body)


@pytest.mark.parametrize(
    "bound, end",
    [
        ({"type": "uri", "value": WD + "Q1"}, "wd:Q1"),
        ({"type": "uri", "value": "urn:x"}, "<urn:x>"),
        ({"type": "bnode", "value": "b0"}, UNKNOWN_VALUE),
        ({"type": "bnode", "value": "nodeID://b0"}, UNKNOWN_VALUE),
        ({"type": "uri", "value": "http://x/.well-known/genid/1"}, UNKNOWN_VALUE),
        ({"type": "uri", "value": "urn:kg:nothing"}, NO_VALUE),
        ({"type": "literal", "value": "a"}, Literal("a")),
        ({"type": "literal", "value": "a", "xml:lang": "en"}, Literal("a", lang="en")),
        (
            {
                "type": "typed-literal",
                "value": "1",
                "datatype": "http://www.w3.org/2001/XMLSchema#integer",
            },
            Literal("1", "xsd:integer"),
        ),
        (
            {
                "type": "literal",
                "value": "a",
                "datatype": "http://www.w3.org/2001/XMLSchema#string",
            },
            Literal("a"),
        ),
    ],
)
def test_terms_become_ids_literals_or_words(bound: dict[str, str], end: object) -> None:
    assert to_end(bound, PREFIXES) == end


def test_the_best_text_is_by_language_then_by_property_then_by_letters() -> None:
    texts = Texts((RDFS + "label", SKOS + "prefLabel"), ("de", "en"))
    for kind, lang, text in (
        (SKOS + "prefLabel", "de", "Zweite"),
        (RDFS + "label", "de", "Erste B"),
        (RDFS + "label", "de", "Erste A"),
        (RDFS + "label", "en", "English"),
        (RDFS + "comment", "de", "no label"),
    ):
        row = {"k": {"value": kind}, "v": {"type": "literal", "value": text, "xml:lang": lang}}
        texts.add("x", row)
    assert texts.best("x") == "Erste A"
    assert texts.best("y") == ""


@pytest.mark.parametrize(
    "precision, value, refined",
    [
        ("9", "1815-01-01T00:00:00Z", Literal("1815", "xsd:gYear")),
        ("9", "-0044-01-01T00:00:00Z", Literal("-0044", "xsd:gYear")),
        ("10", "1815-12-01T00:00:00Z", Literal("1815-12", "xsd:gYearMonth")),
        ("8", "1810-01-01T00:00:00Z", Literal("1810", "xsd:gYear", unit="decade")),
        ("11", "1815-12-10T00:00:00Z", Literal("1815-12-10T00:00:00Z", "xsd:dateTime")),
        ("", "1815-12-10T00:00:00Z", Literal("1815-12-10T00:00:00Z", "xsd:dateTime")),
    ],
)
def test_a_date_has_the_precision_its_statement_gives(
    precision: str, value: str, refined: Literal
) -> None:
    date = Literal(value, "xsd:dateTime")
    assert refine(date, {"timePrecision": precision}, PREFIXES) == refined


@pytest.mark.parametrize(
    "said, unit",
    [
        ({"quantityUnit": WD + "Q11573", "unit": "metre"}, "metre"),
        ({"quantityUnit": WD + "Q11573"}, "wd:Q11573"),
        ({"quantityUnit": WD + "Q199", "unit": "1"}, ""),
        ({}, ""),
    ],
)
def test_a_quantity_has_the_unit_its_statement_gives(said: dict[str, str], unit: str) -> None:
    assert refine(Literal("1.7", "xsd:decimal"), said, PREFIXES).unit == unit


def test_a_relation_over_a_mediator_is_two_predicates() -> None:
    assert split_synthetic("http://x/ns/a.b.c..d.e.f") == ("http://x/ns/a.b.c", "http://x/ns/d.e.f")
