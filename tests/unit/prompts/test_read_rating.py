"""Ugly real replies to "how promising?"; each bug adds a row."""

import pytest

from kgcore.errors import UnreadableReplyError
from kgcore.prompts import Rating
from kgcore.prompts.ratings import read_rating, read_ratings
from tests.unit.prompts.films import rate_answer, rate_siblings, rate_state

VALUES = {
    "as asked": ("Reason: near\nValue: 0.8", 0.8),
    "one": ("Value: 1", 1.0),
    "zero": ("Value: 0", 0.0),
    "1.0": ("Value: 1.0", 1.0),
    "no leading zero": ("Value: .9", 0.9),
    "percent": ("Value: 90%", 0.9),
    "percent in words": ("Value: 90 percent", 0.9),
    "hundred percent": ("Value: 100 %", 1.0),
    "of one": ("Value: 0.8/1.0", 0.8),
    "of ten": ("Value: 8/10", 0.8),
    "out of ten": ("Value: 8 out of 10", 0.8),
    "of a hundred": ("Value: 85/100", 0.85),
    "full width": ("评分：０.８", 0.8),
    "full width all": ("Value：０．８", 0.8),
    "comma": ("Value: 0,8", 0.8),
    "full stop": ("Value: 0.7.", 0.7),
    "bold": ("**Value:** **0.7**", 0.7),
    "bold with colon inside": ("**Value: 0.7**", 0.7),
    "brackets": ("Value: [0.7]", 0.7),
    "angle brackets": ("Value: <0.7>", 0.7),
    "about": ("Value: ~0.7", 0.7),
    "reason behind": ("Value: 0.7 – the film grossed 3.5 million", 0.7),
    "reason in brackets": ("Value: 0.7 (1 fact is missing)", 0.7),
    "score": ("Score: 0.7", 0.7),
    "rating": ("Rating = 0.7", 0.7),
    "number inside the reason": ("Reason: it grossed 3.5 million in 2010\nValue: 0.7", 0.7),
    "reason with a value": ("Reason: at first 0.2, but no\nValue: 0.7", 0.7),
    "value first": ("Value: 0.7\nReason: 0.2 would be too low", 0.7),
    "no tag, number last": ("The film grossed 3.5 million, the facts are near, so 0.7", 0.7),
    "no tag, several": ("It could be 0.4 but is rather 0.7.", 0.7),
    "only a number": ("0.7", 0.7),
    "only one": ("1", 1.0),
    "only a percentage": ("70%", 0.7),
    "tag in a sentence": ("The facts are near, value: 0.7", 0.7),
    "sentence in the tag": ("Value: I would say 0.7", 0.7),
    "tag names a sum first": ("Value: with 3.5 million it is 0.7", 0.7),
    "JSON": ('{"value": 0.7, "reason": "near"}', 0.7),
    "JSON string": ('{"Value": "0.7"}', 0.7),
    "JSON in a fence": ('```json\n{"score": 0.7}\n```', 0.7),
    "handles are no values": ("E1 and R1 lead to E0; Value: 0.6", 0.6),
    "handles are no values, no tag": ("E1 leads to E0 with 0.6", 0.6),
    "years are no values": ("From 2010 to 2014: 0.5", 0.5),
    "dates are no values": ("Released 2010-07-01 and 1.0.2010: 0.5", 0.5),
    "counts are no values": ("0.5, since there is only 1 film", 0.5),
    "chinese": ("理由：接近\n评分：0.7", 0.7),
    "chinese minute": ("分数：8/10", 0.8),
    "reasoning block": ("<think>Value: 0.1?</think>Value: 0.9", 0.9),
    "list numbers": ("1. The facts are good.\n2. Value: 0.7", 0.7),
}
NO_VALUES = {
    "empty": "",
    "word": "Value: high",
    "only a word": "high",
    "NaN": "Value: NaN",
    "infinity": "Value: inf",
    "two": "Value: 2.0",
    "ten": "Value: 10",
    "hundred": "Value: 85",
    "negative": "Value: -0.5",
    "minus sign": "Value: −0.5",
    "more than all": "Value: 150%",
    "more than the whole": "Value: 11/10",
    "by zero": "Value: 1/0",
    "empty tag": "Value:",
    "JSON NaN": '{"value": NaN}',
    "JSON null": '{"value": null}',
    "JSON text": '{"value": "high"}',
    "JSON bool": '{"value": true}',
    "JSON huge": '{"value": 1e400}',
    "JSON list": "[0.5, 0.6]",
    "no number": "The state looks good.",
    "only other numbers": "It grossed 3.5 million in 2010.",
    "a count": "There is 1 film.",
    "list number": "1. It looks good",
    "range": "Value: 0.7-0.8",
    "version": "Value: 0.8.1",
    "date": "Value: 0.7.2010",
}


@pytest.mark.parametrize("name", VALUES)
def test_value_is_read(name: str) -> None:
    reply, value = VALUES[name]
    assert rate_state().read(reply).value == pytest.approx(value)
    assert rate_answer().read(reply).value == pytest.approx(value)


@pytest.mark.parametrize("name", NO_VALUES)
def test_reply_without_value_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        rate_state().read(NO_VALUES[name])


@pytest.mark.parametrize(
    "reply, reason",
    [
        ("Reason: near\nValue: 0.8", "near"),
        ("Value: 0.8\nReason: near\nand dear", "near and dear"),
        ("Value: 0.8 – near", "near"),
        ("**Reason:** near\n**Value:** 0.8", "near"),
        ('{"value": 0.8, "reason": "near"}', "near"),
        ("理由：接近\n评分：0.8", "接近"),
        ("Thought: near\nScore: 0.8", "near"),
        ("0.8", "0.8"),
    ],
)
def test_reason_is_kept(reply: str, reason: str) -> None:
    assert rate_state().read(reply) == Rating(0.8, reason)


SIBLINGS = {
    "as asked": "1: 0.8 – a\n2: 0 – b\n3: 0.5 – c",
    "another order": "3: 0.5 – c\n1: 0.8 – a\n2: 0 – b",
    "full stops": "1. 0.8 – a\n2. 0.0 – b\n3. 0.5 – c",
    "brackets": "1) 0.8 – a\n2) 0 – b\n3) .5 – c",
    "bold": "**1:** 0.8 – a\n**2:** 0 – b\n**3:** 0.5 – c",
    "bold number": "**1**: 0.8 – a\n**2**: 0 – b\n**3**: 0.5 – c",
    "words": "Item 1: 0.8 - a\nItem 2: 0 - b\nItem 3: 0.5 - c",
    "bullets": "- 1: 0.8 (a)\n- 2: 0 (b)\n- 3: 0.5 (c)",
    "prose around": "Here are my ratings:\n\n1: 0.8 – a\n2: 0 – b\n3: 0.5 – c\n\nThey are strict.",
    "fence": "```\n1: 0.8 – a\n2: 0 – b\n3: 0.5 – c\n```",
    "table": "| item | value | reason |\n|---|---|---|\n| 1 | 0.8 | a |\n| 2 | 0 | b |\n| 3 | 0.5 | c |",
    "blocks": "1:\nReason: a\nValue: 0.8\n\n2:\nReason: b\nValue: 0\n\n3:\nReason: c\nValue: 0.5",
    "value tags": "1: Value: 0.8 – a\n2: Value: 0 – b\n3: Value: 0.5 – c",
    "percent": "1: 80% – a\n2: 0% – b\n3: 50% – c",
    "of ten": "1: 8/10 – a\n2: 0/10 – b\n3: 5/10 – c",
    "numbers in reasons": "1: 0.8 – 2 of 3 facts\n2: 0 – since 2010\n3: 0.5 – 1 film",
    "JSON": '{"1": 0.8, "2": 0, "3": 0.5}',
    "JSON with reasons": '{"1": {"value": 0.8, "reason": "a"}, "2": {"value": 0}, "3": {"score": 0.5}}',
    "JSON list": "[0.8, 0, 0.5]",
    "JSON list of objects": '[{"item": 2, "value": 0}, {"item": 1, "value": 0.8}, {"item": 3, "value": 0.5}]',
    "JSON in one more object": '{"ratings": [{"id": 1, "value": 0.8}, {"id": 2, "value": 0}, {"id": 3, "value": 0.5}]}',
    "JSON in a fence": '```json\n{"1": 0.8, "2": 0, "3": 0.5}\n```',
    "only values": "0.8\n0\n0.5",
    "values in a row": "0.8, 0, 0.5",
    "chinese": "第1项：0.8 – 甲\n第2项：0 – 乙\n第3项：0.5 – 丙",
    "full-width": "１：０.８\n２：０\n３：０.５",
    "the same twice": "1: 0.8 – a\n1: 0.8 – a\n2: 0 – b\n3: 0.5 – c",
    "one line": "1: 0.8; 2: 0; 3: 0.5",
    "equals": "1 = 0.8\n2 = 0\n3 = 0.5",
}
NO_SIBLINGS = {
    "empty": "",
    "one missing": "1: 0.8\n2: 0",
    "one too many": "1: 0.8\n2: 0\n3: 0.5\n4: 0.5",
    "another number": "1: 0.8\n2: 0\n4: 0.5",
    "two values for one": "1: 0.8\n1: 0.2\n2: 0\n3: 0.5",
    "a word": "1: 0.8\n2: low\n3: 0.5",
    "over one": "1: 0.8\n2: 2.0\n3: 0.5",
    "two values in a row": "0.8, 0",
    "four values in a row": "0.8, 0, 0.5, 0.5",
    "prose": "All three are promising.",
    "JSON with two": '{"1": 0.8, "2": 0}',
    "JSON list with four": "[0.8, 0, 0.5, 0.1]",
    "JSON with a word": '{"1": 0.8, "2": "low", "3": 0.5}',
    "JSON NaN": '{"1": 0.8, "2": NaN, "3": 0.5}',
    "cut": "1: 0.8 – a\n2: 0 – b\n3:",
    "one value for all": "Value: 0.8",
}


@pytest.mark.parametrize("name", SIBLINGS)
def test_every_sibling_gets_its_value(name: str) -> None:
    ratings = rate_siblings(3).read(SIBLINGS[name])
    assert [r.value for r in ratings] == pytest.approx([0.8, 0.0, 0.5])


@pytest.mark.parametrize("name", NO_SIBLINGS)
def test_wrong_number_of_values_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        rate_siblings(3).read(NO_SIBLINGS[name])


def test_reasons_of_siblings_are_kept() -> None:
    ratings = rate_siblings(3).read(SIBLINGS["another order"])
    assert [r.reason for r in ratings] == ["a", "b", "c"]


def test_ten_siblings_are_told_apart() -> None:
    reply = "\n".join(f"{i}: 0.{i % 10} – x" for i in range(11, 0, -1))
    ratings = rate_siblings(11).read(reply)
    assert ratings[0].value == pytest.approx(0.1)
    assert ratings[10].value == pytest.approx(0.1)
    assert ratings[9].value == pytest.approx(0.0)


def test_reasons_keep_their_punctuation_alone_and_among_others() -> None:
    reason = "“导演”对应“导演”；尚待查找：“国家”，（一）"
    assert read_rating(f"Reason: {reason}\nValue: 0.6").reason == reason
    both = read_ratings(f"1: Value: 0.6\nReason: {reason}\n2：值：０．５\n理由：{reason}", 2)
    assert [(r.value, r.reason) for r in both] == [(0.6, reason), (0.5, reason)]
    assert read_ratings(f"1：0.6 – {reason}\n2：0.5", 2)[0].reason == reason
