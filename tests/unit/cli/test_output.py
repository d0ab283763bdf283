"""What the command line prints for people."""

from __future__ import annotations

import pytest

from kgcore.cli.output import plain, report_lines, table


@pytest.mark.parametrize(
    "text, printed",
    [
        ("Björk 比约克 日本 👩‍🚀", "Björk 比约克 日本 👩‍🚀"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x07\x00\x9b", "a\\x07\\x00\\x9b"),
        ("left\u202eright\u2066", "left\\u202eright\\u2066"),
        ("two\nlines\r\nand\ta tab\u2028", "two lines and a tab\\u2028"),
        ("\ud800", "\\ud800"),
        ("", ""),
    ],
)
def test_no_control_character_reaches_the_terminal(text: str, printed: str) -> None:
    assert plain(text) == printed


def test_a_very_long_text_is_cut() -> None:
    assert plain("x" * 10_000) == "x" * 999 + "…"


def test_columns_fit_wide_characters() -> None:
    lines = table([["星际穿越", "a"], ["Up", "b"], ["A very long name", "c"]], (8, 9))
    assert lines == ["星际穿越  a", "Up        b", "A very …  c"]


def test_no_rows_are_no_lines() -> None:
    assert table([], (3, 4)) == []


def report(**changes: object) -> dict[str, object]:
    usage = {
        "llm_requests": 2,
        "completions": 4,
        "prompt_tokens": 1000,
        "completion_tokens": 234,
        "cost_usd": 0.0123,
        "kg_requests": 3,
        "wall_s": 1.25,
    }
    triple = {
        "subject": {"id": "t:film", "label": "Film"},
        "relation": {"id": "t:length", "label": "length"},
        "object": {"value": "148", "datatype": "xsd:decimal", "unit": "min"},
        "kg": "toy",
    }
    base = {
        "run_id": "0" * 32,
        "status": "no_answer",
        "answer": None,
        "answers": [],
        "value": None,
        "proof": [triple],
        "method": "tree-of-traversals",
        "model": "m",
        "kgs": ["toy"],
        "usage": usage,
        "warnings": ["mind\nthis"],
    }
    return {**base, **changes}


def test_a_report_tells_answer_proof_and_cost() -> None:
    part = {"value": "148", "unit": "min", "model_memory": True}
    lines = report_lines(report(status="answered", answer="148 min", answers=[part], value=0.9))
    assert lines == [
        "148 min   (rated 0.90)",
        "  148   (model memory)",
        "",
        "Proof",
        "  Film – length – 148 min   [toy]",
        "",
        "Note: mind this",
        "",
        "Status: answered   2 model requests, 3 graph requests, 1,234 tokens, $0.0123, 1.2 s",
        f"Run:    {'0' * 32}   tree-of-traversals, m, on toy",
    ]


def test_a_report_says_that_there_is_no_answer() -> None:
    assert report_lines(report())[0] == "No answer."


def test_an_answer_below_the_threshold_says_so_and_why() -> None:
    low = report(status="answered", answer="Ada", value=0.66, below_threshold=0.8, reason="open: x")
    assert report_lines(low)[:2] == [
        "Ada   (rated 0.66)",
        "best so far, below the threshold 0.8: open: x",
    ]


def test_a_report_names_the_sources_that_were_asked_instead_of_the_graphs() -> None:
    assert report_lines(report(sources=["films"]))[-1].endswith("on films")
