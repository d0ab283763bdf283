"""Two texts compared word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgcore.views.word_diff import word_diff


def kinds(before: str, after: str) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in word_diff(before, after)]


def test_a_word_put_in_place_of_another_stands_after_it() -> None:
    assert kinds("born in Paris", "born in Lyon") == [
        ("same", "born in "), ("gone", "Paris"), ("new", "Lyon"),
    ]  # fmt: skip


def test_chinese_is_compared_sign_by_sign() -> None:
    assert ("gone", "巴黎") in kinds("他生于巴黎", "他生于里昂")
    assert ("same", "他生于") in kinds("他生于巴黎", "他生于里昂")


def test_texts_with_little_in_common_are_told_one_after_the_other() -> None:
    before, after = "What is the symbol of tungsten?", "symbol: W, element: tungsten, mass: 183.84"
    assert kinds(before, after) == [("gone", before), ("new", after)]
    before, after = "《盗梦空间》的导演在哪里出生？", "盗梦空间 – 导演 – 诺兰; 诺兰 – 出生地 – 伦敦"
    assert kinds(before, after) == [("gone", before), ("new", after)]


def test_a_longer_text_that_holds_the_other_keeps_its_words() -> None:
    assert kinds("Heat is a film.", "Heat is a film. Michael Mann directed it in the year 1995.")[
        0
    ] == ("same", "Heat is a film.")


@pytest.mark.parametrize("text", ["", "one", "两个字"])
def test_equal_texts_have_no_changes(text: str) -> None:
    assert all(kind == "same" for kind, _ in kinds(text, text))


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_pieces_make_both_texts(before: str, after: str) -> None:
    pieces = word_diff(before, after)
    assert "".join(p.text for p in pieces if p.kind != "new") == before
    assert "".join(p.text for p in pieces if p.kind != "gone") == after
