"""What an answer names, and whether it says that it cannot tell."""

import pytest

from kgcore.errors import UnreadableReplyError
from kgcore.model import Literal
from kgcore.prompts import AnswerFromMemory, GiveAnswer
from tests.unit.prompts.films import (
    CROUCHING,
    DATE,
    DICAPRIO,
    DOLLARS,
    FILMS,
    HARDY,
    INCEPTION,
    MINUTES,
    NOLAN,
    PARIS_TEXAS,
    UNKNOWN,
    WAR_AND_PEACE,
    YEAR,
    YES,
    choose_action,
    handle,
)


def read(answer: str, entities: str = "") -> GiveAnswer:
    listed = f"\nEntities: {entities}" if entities else ""
    value = choose_action().read(f"Thought: x\nAction: answer\nAnswer: {answer}{listed}")
    assert isinstance(value, GiveAnswer)
    return value


SAYS_UNKNOWN = [
    "I cannot tell",
    "I can't tell.",
    "I can’t tell from the facts.",
    "There is not enough information to say.",
    "The director cannot be determined from the given facts.",
    "unknown",
    "Unknown.",
    "The answer is unknown",
    "N/A",
    "none",
    "I don't know",
    "**I do not know.**",
    "无法确定",
    "无法确定。",
    "根据现有事实，无法确定导演是谁。",
    "不能确定",
    "不能",
    "未知",
    "信息不足",
    "不知道",
]
SAYS_SOMETHING = [
    "Christopher Nolan",
    "确定",
    "可以确定是诺兰",
    "确定是北京",
    "The Unknown",
    "“Not Enough Information” by Tom Hardy",
    "the unknown soldier",
    "Unknown Pleasures",
    "An unknown number of films",
    "他不能飞",
    "Cannot",
    "0",
    "no",
]


@pytest.mark.parametrize("answer", SAYS_UNKNOWN)
def test_cannot_tell_is_recognised(answer: str) -> None:
    assert read(answer).is_unknown
    assert read(answer).entities == ()


@pytest.mark.parametrize("answer", SAYS_SOMETHING)
def test_words_inside_an_answer_are_not_cannot_tell(answer: str) -> None:
    assert not read(answer).is_unknown


def test_title_of_an_entity_is_not_cannot_tell() -> None:
    answer = read("The Unknown", handle(UNKNOWN))
    assert answer == GiveAnswer("The Unknown", (UNKNOWN.id,))


@pytest.mark.parametrize(
    "answer",
    ["yes", "Yes.", "No", "no, it is not", "Yes – both are films", "是", "不是。", "是的，都是"],
)
def test_yes_and_no_name_no_entity(answer: str) -> None:
    value = read(answer, handle(INCEPTION))
    if answer != "yes" and answer != "Yes.":  # a band of the graph is called so
        assert value.entities == ()
    assert value.literals == ()
    assert not value.is_unknown


def test_entity_called_yes_can_be_an_answer() -> None:
    assert read("Yes", handle(YES)).entities == (YES.id,)
    assert read("Yes", "none").entities == ()
    assert read("Yes").entities == ()


def test_title_that_begins_with_no_is_no_no() -> None:
    assert read("No Country for Old Men", handle(INCEPTION)).entities == (INCEPTION.id,)


SAME_VALUE = [
    ("2010-07-16", DATE),
    ("16 July 2010", DATE),
    ("July 16, 2010", DATE),
    ("July 16th, 2010.", DATE),
    ("16 Jul 2010", DATE),
    ("2010/07/16", DATE),
    ("16.07.2010", DATE),
    ("2010年7月16日", DATE),
    ("It was released on July 16, 2010", DATE),
    ("2010-07-16T00:00:00Z", DATE),
    ("1927", YEAR),
    ("in 1927", YEAR),
    ("1927年", YEAR),
    ("2010", DATE),
    ("148", MINUTES),
    ("148 minutes", MINUTES),
    ("148.0", MINUTES),
    ("１４８", MINUTES),
    ("836800000", DOLLARS),
    ("836,800,000", DOLLARS),
    ("$836,800,000", DOLLARS),
    ("836.8 million US dollars", DOLLARS),
    ("$836.8 million", DOLLARS),
    ("8.368亿", DOLLARS),
]
OTHER_VALUE = [
    "16 July 2011",
    "17 July 2010",
    "7 June 2010",
    "149",
    "1480",
    "14",
    "148 metres",
    "-148",
    "10",
]


@pytest.mark.parametrize("answer, literal", SAME_VALUE)
def test_value_in_another_writing_is_found(answer: str, literal: Literal) -> None:
    assert read(answer, "none").literals == (literal,)


@pytest.mark.parametrize("answer", OTHER_VALUE)
def test_other_value_is_not_found(answer: str) -> None:
    assert read(answer, "none").literals == ()


def test_names_in_the_text_count_where_all_are_known() -> None:
    value = read("Leonardo DiCaprio and Tom Hardy", f"{handle(INCEPTION)}, {handle(HARDY)}")
    assert value.entities == (DICAPRIO.id, HARDY.id)


def test_listed_entities_count_where_the_text_is_a_sentence() -> None:
    value = read("It was directed by Nolan.", handle(NOLAN))
    assert value.entities == (NOLAN.id,)


def test_label_with_a_comma_is_one_entity() -> None:
    assert read("Crouching Tiger, Hidden Dragon").entities == (CROUCHING.id,)
    both = read("Inception, and Crouching Tiger, Hidden Dragon")
    assert both.entities == (INCEPTION.id, CROUCHING.id)


@pytest.mark.parametrize("number", ["2", "3", "2 films", "2.", "2, 3"])
def test_number_is_no_handle(number: str) -> None:
    assert read(number, "none").entities == ()
    assert read(number).entities == ()


def test_nearly_the_same_name_is_another_name() -> None:
    assert read("Tim Hardy").entities == ()
    assert read("Leonardo Dicapria").entities == ()


def test_id_beside_a_handle_must_be_offered_too() -> None:
    with pytest.raises(UnreadableReplyError):
        read("both", f"{handle(NOLAN)}, wd:Q42")


def test_label_with_a_separator_of_chinese_is_one_entity() -> None:
    assert read("战争与和平").entities == (WAR_AND_PEACE.id,)


def test_name_that_two_have_needs_its_handle() -> None:
    assert read("Paris").entities == ()
    assert read("Paris", handle(PARIS_TEXAS)).entities == (PARIS_TEXAS.id,)


def test_part_of_a_name_names_nothing() -> None:
    assert read("Toy Story").entities == ()
    assert read("Toy Story 3").entities == ()
    assert read("Inception 2").entities == ()


@pytest.mark.parametrize("wrong", ["E99", "e99", f"{handle(NOLAN)}, E99", "f:99", "f:2, wd:Q1"])
def test_handle_that_was_not_offered_is_rejected(wrong: str) -> None:
    with pytest.raises(UnreadableReplyError):
        read("Christopher Nolan", wrong)


def test_name_that_the_graph_does_not_hold_is_passed_over() -> None:
    value = read("Tom Hardy and Hans Zimmer", f"{handle(HARDY)}, Hans Zimmer")
    assert value == GiveAnswer("Tom Hardy and Hans Zimmer", (HARDY.id,))


def test_handles_do_not_reach_the_person() -> None:
    answer = read(f"Both {handle(HARDY)} and Leonardo DiCaprio ({handle(DICAPRIO)})", "none")
    assert answer.text == "Both Tom Hardy and Leonardo DiCaprio"


def test_answer_may_hold_what_looks_like_a_handle() -> None:
    assert read("E999 is a road").text == "E999 is a road"


def test_list_of_lines_becomes_one_line() -> None:
    answer = read("\n- Leonardo DiCaprio\n- Tom Hardy")
    assert answer.text == "Leonardo DiCaprio, Tom Hardy"
    assert answer.entities == (DICAPRIO.id, HARDY.id)


def test_what_follows_the_first_paragraph_is_no_part_of_the_answer() -> None:
    assert read("Tom Hardy\n\nLet me know if you need more.").text == "Tom Hardy"


def test_joined_ids_all_name_the_entity() -> None:
    other = NOLAN.id.replace("f:", "mb:")
    graph = FILMS.add(same_as=[(NOLAN.id, other)])  # type: ignore[list-item]
    request = choose_action()
    joined = type(request)(request.question, graph, request.seeds, request.trajectory)
    value = joined.read(f"Action: answer\nAnswer: x\nEntities: {other}")
    assert value.entities == (NOLAN.id,)


@pytest.mark.parametrize(
    "reply, text",
    [
        ("Thought: long ago\nAnswer: Paris", "Paris"),
        ("Paris", "Paris"),
        ("**Answer:** Paris", "Paris"),
        ('{"thought": "x", "answer": "Paris"}', "Paris"),
        ("思考：想一想\n答案：巴黎", "巴黎"),
        ("<think>hm</think>Answer: Paris", "Paris"),
        ("Let's think. It is in France. So the final answer: Paris", "Paris"),
    ],
)
def test_answer_from_memory_is_read(reply: str, text: str) -> None:
    assert AnswerFromMemory("Where?").read(reply) == GiveAnswer(text)


@pytest.mark.parametrize("reply", ["", "Answer:", "Thought: hm", "Answer: …"])
def test_no_answer_from_memory_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        AnswerFromMemory("Where?").read(reply)


def test_answer_from_memory_may_be_unknown() -> None:
    assert AnswerFromMemory("Where?").read("Answer: I cannot tell").is_unknown
