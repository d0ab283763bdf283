"""Ugly real replies to "think, expand or answer?"; each bug adds a row."""

import pytest

from kgcore.errors import UnreadableReplyError
from kgcore.prompts import ExpandKG, GiveAnswer, Think
from tests.unit.prompts.films import DICAPRIO, HARDY, NOLAN, choose_action, handle

THOUGHT = "The cast is needed."

READABLE = {
    "as asked": (f"Thought: {THOUGHT}\nAction: think", Think(THOUGHT)),
    "expand": (f"Thought: {THOUGHT}\nAction: expand", ExpandKG()),
    "case and full stop": (f"THOUGHT: {THOUGHT}\nACTION: Think.", Think(THOUGHT)),
    "markdown": (f"**Thought:** {THOUGHT}\n\n**Action:** `expand`", ExpandKG()),
    "bold keyword, colon outside": (f"**Thought**: {THOUGHT}\n**Action**: **expand**", ExpandKG()),
    "bullets": (f"- Thought: {THOUGHT}\n- Action: think", Think(THOUGHT)),
    "numbered": (f"1. Thought: {THOUGHT}\n2. Action: think", Think(THOUGHT)),
    "headings": (f"### Thought: {THOUGHT}\n### Action: expand", ExpandKG()),
    "heading over value": (f"Thought:\n{THOUGHT}\n\nAction:\nexpand", ExpandKG()),
    "quote marks": (f'Thought: "{THOUGHT}"\nAction: "think"', Think(THOUGHT)),
    "brackets": (f"Thought: {THOUGHT}\nAction: [expand]", ExpandKG()),
    "one line": (f"Thought: {THOUGHT} Action: expand", ExpandKG()),
    "code fence": (f"```\nThought: {THOUGHT}\nAction: think\n```", Think(THOUGHT)),
    "JSON": (f'{{"thought": "{THOUGHT}", "action": "think"}}', Think(THOUGHT)),
    "JSON in a fence with prose": (
        f'Sure! Here it is:\n```json\n{{"Thought": "{THOUGHT}", "Action": "expand"}}\n```\nHope it helps.',
        ExpandKG(),
    ),
    "JSON in the thought": (
        'Thought: {"action": "answer"} would be too early.\nAction: think',
        Think('{"action": "answer"} would be too early.'),
    ),
    "JSON over several lines": (
        'Here:\n{\n  "thought": "x",\n  "action": "expand"\n}',
        ExpandKG(),
    ),
    "nested JSON": ('{"action": {"action": "expand", "thought": "x"}}', ExpandKG()),
    "prose before": (f"Let me see.\nThought: {THOUGHT}\nAction: expand", ExpandKG()),
    "goes on to invent the next turn": (
        f"Thought: {THOUGHT}\nAction: expand\n\nObservation: E99\nThought: x\nAction: answer\nAnswer: y",
        ExpandKG(),
    ),
    "thought holds the word ANSWER": (
        "Thought: The ANSWER must be among the cast.\nAction: think",
        Think("The ANSWER must be among the cast."),
    ),
    "thought talks of expanding and answering": (
        "Thought: I could expand or answer, but first I think.\nAction: think",
        Think("I could expand or answer, but first I think."),
    ),
    "thought holds a field in the same line": (
        "Thought: Final Answer: not yet known\nAction: think",
        Think("Final Answer: not yet known"),
    ),
    "thought of several lines": (
        "Thought: One.\nTwo.\n\nThree.\nAction: think",
        Think("One. Two. Three."),
    ),
    "thought behind the action": (f"Action: think\nThought: {THOUGHT}", Think(THOUGHT)),
    "thought in the action": (f"Action: think – {THOUGHT}", Think(THOUGHT)),
    "think as keyword": (f"Think: {THOUGHT}", Think(THOUGHT)),
    "function call": ("Action: expand(E1)", ExpandKG()),
    "upper case constant": ("Action: EXPAND_KG", ExpandKG()),
    "camel case": ("Action: ExpandKG", ExpandKG()),
    "in a sentence": ("Action: I will expand", ExpandKG()),
    "expand to find the answer": ("Action: expand the graph to find the answer", ExpandKG()),
    "only a word": ("expand", ExpandKG()),
    "reasoning block": (
        f"<think>Action: answer? No.\nAnswer: x</think>\nThought: {THOUGHT}\nAction: expand",
        ExpandKG(),
    ),
    "windows line ends": (f"Thought: {THOUGHT}\r\nAction: think\r\n", Think(THOUGHT)),
    "chinese keywords": ("思考：需要导演。\n动作：扩展", ExpandKG()),
    "chinese thought": ("思考：需要导演。\n动作：思考", Think("需要导演。")),
    "full-width colon": ("Thought：需要导演。\nAction：think", Think("需要导演。")),
    "full-width letters": ("Thought: x\nAction: ｅｘｐａｎｄ", ExpandKG()),
    "hidden marks": ("Thought: x\nAction: \u200fexpand\u200f", ExpandKG()),
}

UNREADABLE = {
    "empty": "",
    "white space": " \n\t ",
    "no action": "I am sure we will find it.",
    "only a thought": f"Thought: {THOUGHT}",
    "the form repeated": "Thought: …\nAction: think | expand | answer",
    "unknown action": "Thought: x\nAction: dance",
    "two actions": "Thought: x\nAction: either expand, or maybe answer",
    "nothing behind the action": f"Thought: {THOUGHT}\nAction:",
    "think without thought": "Action: think",
    "answer without answer": f"Thought: {THOUGHT}\nAction: answer",
    "empty answer": f"Thought: {THOUGHT}\nAction: answer\nAnswer:\nEntities: none",
    "placeholder for an answer": "Action: answer\nAnswer: <the answer>\nEntities: none",
    "dots for an answer": "Action: answer\nAnswer: …",
    "reasoning that never ended": "<think>I should expand.\nAction: expand",
    "cut JSON": '{"thought": "x", "act',
    "deep JSON": "[" * 5000,
    "JSON with the wrong type": '{"action": 3}',
    "JSON null": '{"thought": "x", "action": null}',
}


@pytest.mark.parametrize("name", READABLE)
def test_action_is_read(name: str) -> None:
    reply, wanted = READABLE[name]
    assert choose_action().read(reply) == wanted


@pytest.mark.parametrize("name", UNREADABLE)
def test_reply_without_action_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        choose_action().read(UNREADABLE[name])


ANSWERS = {
    "as asked": f"Thought: x\nAction: answer\nAnswer: Christopher Nolan\nEntities: {handle(NOLAN)}",
    "without action": f"Answer: Christopher Nolan\nEntities: {handle(NOLAN)}",
    "final answer": f"Thought: x\nFinal Answer: Christopher Nolan\nEntities: [{handle(NOLAN)}]",
    "in the action": "Thought: x\nAction: answer: Christopher Nolan",
    "in brackets": "Thought: x\nAction: answer[Christopher Nolan]",
    "JSON": f'{{"action": "answer", "answer": "Christopher Nolan", "entities": ["{handle(NOLAN)}"]}}',
    "markdown": f"**Action:** answer\n**Answer:** **Christopher Nolan**\n**Entities:** {handle(NOLAN)}",
    "id": "Action: answer\nAnswer: Christopher Nolan\nEntities: f:2",
    "label": "Action: answer\nAnswer: Christopher Nolan\nEntities: Christopher Nolan",
    "no entities, label in the answer": "Action: answer\nAnswer: Christopher Nolan",
    "handle in the answer": f"Action: answer\nAnswer: {handle(NOLAN)} Christopher Nolan",
    "only a handle": f"Action: answer\nAnswer: {handle(NOLAN)}",
    "handle behind": f"Action: answer\nAnswer: Christopher Nolan ({handle(NOLAN)})\nEntities: none",
    "chinese": f"动作：回答\n答案：Christopher Nolan\n实体：{handle(NOLAN)}",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answer_is_read_with_its_entity(name: str) -> None:
    answer = choose_action().read(ANSWERS[name])
    assert answer == GiveAnswer("Christopher Nolan", (NOLAN.id,))


def test_action_that_is_not_allowed_is_unreadable() -> None:
    with pytest.raises(UnreadableReplyError, match="expand is not possible"):
        choose_action("answer").read("Thought: x\nAction: expand\nAnswer: Nolan")
    with pytest.raises(UnreadableReplyError, match="think is not possible"):
        choose_action("expand", "answer").read("Thought: x\nAction: think")


def test_forced_answer_may_be_bare() -> None:
    assert choose_action("answer").read("Christopher Nolan") == GiveAnswer(
        "Christopher Nolan", (NOLAN.id,)
    )


def test_bare_text_is_no_answer_while_other_actions_are_possible() -> None:
    with pytest.raises(UnreadableReplyError):
        choose_action().read("Christopher Nolan")


def test_order_of_entities_does_not_matter() -> None:
    one = choose_action().read(f"Answer: both\nEntities: {handle(HARDY)}, {handle(DICAPRIO)}")
    other = choose_action().read(f"Answer: both\nEntities: {handle(DICAPRIO)}, {handle(HARDY)}")
    assert one == other
    assert one.entities == (DICAPRIO.id, HARDY.id)
