"""Markdown that reads well as it is and that shows every text as it was written."""

import re

import pytest

from kgcore.views.document_markdown import text_of

PLAIN = (
    "Status: answered",
    "rated 0.95",
    "0.95",
    "-5 °C (at night), +3 by day",
    "1899-12-25",
    "India – population – 1210854977 → 1450935791",
    "What is 'Imagine'? A song! By John Lennon & Yoko Ono.",
    "snake_case_name",
    "4 of 10 = 40 %, No. 5",
    "costs $5",
    "《卡萨布兰卡》的导演是谁？",
    "C:\\Users",
)
SIGNS = (
    ("# no heading", "\\# no heading"),
    ("#4 is no issue", "\\#4 is no issue"),
    ("- no list", "\\- no list"),
    ("+ Reykjavík – population", "\\+ Reykjavík – population"),
    ("1. no list", "1\\. no list"),
    ("> no quote", "\\> no quote"),
    ("===", "\\==="),
    ("*bold* and _slanted_", "\\*bold\\* and \\_slanted\\_"),
    ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
    ("<b>", "\\<b>"),
    ("a | b", "a \\| b"),
    ("`code`", "\\`code\\`"),
    ("~~gone~~", "\\~\\~gone\\~\\~"),
    ("&lt;", "\\&lt;"),
    ("$x$ and $y$", "\\$x\\$ and \\$y\\$"),
    ("https://evil.example", "https\\://evil.example"),
    ("www.evil.example", "www\\.evil.example"),
    ("me@evil.example", "me\\@evil.example"),
    (":smile:", "\\:smile:"),
    ("a\\*b", "a\\\\\\*b"),
)


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_without_signs_stays_as_it_is(text: str) -> None:
    assert text_of(text) == text


@pytest.mark.parametrize("text, written", SIGNS)
def test_what_markdown_would_read_as_a_sign_is_escaped(text: str, written: str) -> None:
    assert text_of(text) == written
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written) == text
