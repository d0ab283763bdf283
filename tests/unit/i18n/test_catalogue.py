"""Look-ups in the catalogues, and finished sentences that are found again by their patterns."""

import pytest

from kgcore.i18n import plural, told, translate


def test_a_text_nobody_translated_stays_english() -> None:
    assert translate("no such text {n}", "zh", n=3) == "no such text 3"


def test_an_unknown_language_is_english() -> None:
    assert translate("Run", "xx") == "Run"
    assert told("the question is empty", "xx") == "the question is empty"


def test_values_are_filled_in() -> None:
    assert translate("{n:,} triples", "zh", n=12345) == "12,345 个三元组"


def test_the_number_decides_on_the_form() -> None:
    assert plural("{n} run deleted.", "{n} runs deleted.", 1, "en") == "1 run deleted."
    assert plural("{n} run deleted.", "{n} runs deleted.", 2, "en") == "2 runs deleted."


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("the question is empty", "问题为空"),
        ("no run 4f2a", "没有运行 4f2a"),
        # A number that the text formats is found again as it was written.
        ("at least 12,345 triples", "至少 12,345 个三元组"),
        # A reason inside a sentence is told too.
        (
            "the graph 'films' cannot be opened: its data are gone",
            "无法打开图谱 'films'：其数据已不存在",
        ),
        ("films.csv, line 3: an object is empty", "films.csv 第 3 行：宾语为空"),
        # The longest pattern that fits counts.
        ("#3 follows cast member, 4 new triples", "#3 沿 cast member 走，4 个新三元组"),
        (
            "Fetched “genre” of Inception: 3 (from memory, no call)",
            "取得 Inception 的“genre”：3 条（来自记忆，未调用）",
        ),
        # The opening of a sentence is no part of the first value of what it is about.
        ("Failed: openai refused the key (401)", "失败：openai 拒绝了密钥（401）"),
        ("A call failed: openai refused the key (401)", "调用失败：openai 拒绝了密钥（401）"),
        ("#0 start", "#0 开始"),
        # Values may hold anything, also what looks like a hole.
        ("no run {n}", "没有运行 {n}"),
        ("no run {0}", "没有运行 {0}"),
        ("a sentence nobody knows: with a reason nobody knows", None),
        ("Inception: Interstellar", None),
    ],
)
def test_finished_sentences_are_found_by_their_pattern(sentence: str, expected: str | None) -> None:
    assert told(sentence, "zh") == (expected or sentence)


def test_a_name_is_no_sentence() -> None:
    """A value is taken over as it is, even where it is a word that has a translation of its own."""
    assert told("no run Stop", "zh") == "没有运行 Stop"
