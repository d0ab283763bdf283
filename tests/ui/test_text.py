"""Text of graphs and models as text."""

import ast
from pathlib import Path

import pytest

from pages.components.text import cell, distinct, is_web_address, plain, rows, safe_link

ISOLATE, POP = "\u2068", "\u2069"


@pytest.mark.parametrize(
    "text,expected",
    [
        ("Inception", "Inception"),
        ("a *b* _c_ `d`", r"a \*b\* \_c\_ \`d\`"),
        ("[x](y) ![z](w)", r"\[x\]\(y\) \!\[z\]\(w\)"),
        ("<script>", r"\<script\>"),
        ("$x$ # y", r"\$x\$ \# y"),
        ("1. one", r"1\. one"),
        ("- item", r"\- item"),
        ("盗梦空间", "盗梦空间"),
        ("שלום", f"{ISOLATE}שלום{POP}"),
        ("two\nlines", "two lines"),
    ],
)
def test_plain_escapes_what_markdown_would_read(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("text", ["http://x.org", "www.x.org", "me@x.org", ":smile:", ":red[x]"])
def test_plain_breaks_what_would_become_a_link_or_an_icon(text: str) -> None:
    assert "\u2060" in plain(text)


def test_plain_cuts_long_text() -> None:
    assert len(plain("x" * 10_000)) <= 160


def test_cell_escapes_and_isolates() -> None:
    assert cell('<img src=x onerror="y">') == ("<bdi>&lt;img src=x onerror=&quot;y&quot;&gt;</bdi>")
    assert "\u202e" not in cell("a\u202eb")
    assert len(cell("x" * 10_000)) < 200


@pytest.mark.parametrize(
    "url,is_good",
    [
        ("http://example.org/x", True),
        ("https://example.org", True),
        ("javascript:alert(1)", False),
        ("JavaScript://example.org/%0aalert(1)", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        ("//example.org", False),
        ("http:///x", False),
        ("http://[broken", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(url: str, is_good: bool) -> None:
    assert is_web_address(url) is is_good
    assert ("<a " in safe_link("text", url)) is is_good


def test_a_link_cannot_break_out_of_its_attribute() -> None:
    assert "<script>" not in safe_link("x", 'http://example.org/"><script>alert(1)</script>')


def test_a_long_table_is_cut_and_says_so() -> None:
    table = rows(("a",), [{"a": cell(str(i))} for i in range(500)])
    assert table.count("<tr>") == 201
    assert "and 300 more" in table
    assert rows(("a",), [], empty="none <here>") == '<p class="ts-muted">none &lt;here&gt;</p>'


PAGES = sorted((Path(__file__).parents[2] / "pages").rglob("*.py"))


def test_options_of_boxes_are_not_escaped_for_markdown_they_do_not_read() -> None:
    """A box shows its options as they are written, so a backslash would be seen."""
    looked_at = 0
    for path in PAGES:
        tree = ast.parse(path.read_text("utf-8"))
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if name not in ("selectbox", "multiselect"):
                continue
            looked_at += 1
            nodes: list[ast.AST] = [k.value for k in call.keywords if k.arg == "format_func"]
            for _ in range(3):  # what it calls, and what that calls
                names = {n.id for v in nodes for n in ast.walk(v) if isinstance(n, ast.Name)}
                assert "plain" not in names, f"{path.name}:{call.lineno}"
                near = [f for f in functions if f.name in names]
                last = {f.name: f for f in near if f.lineno < call.lineno or f.col_offset == 0}
                nodes = [*last.values()]
    assert looked_at > 20


def test_no_two_options_are_called_the_same() -> None:
    names = ["Elmton", "Elmton", "Elmton (2)", "Oakham", "Elmton"]
    told = distinct(names)
    assert told == ["Elmton", "Elmton (2)", "Elmton (2) (2)", "Oakham", "Elmton (3)"]
