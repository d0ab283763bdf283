"""The request of the default state: think, expand or answer?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model.text import one_line
from kgcore.prompts.answers import SHORT_ANSWER, read_answer
from kgcore.prompts.matching import key
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.situation import Situation
from kgcore.prompts.values import Action, ExpandKG, Think
from kgcore.prompts.wording import fold, say, wording

THOUGHT_LIMIT = 2000


@dataclass(frozen=True, slots=True)
class ChooseAction(Situation):
    """Default state: think, expand or answer? `allowed` names the legal ones ("think", "expand", "answer").

    Reads to Think, ExpandKG or GiveAnswer. A reply that names an action that is not allowed is unreadable.
    """

    template: ClassVar[str] = "choose_action"
    allowed: tuple[str, ...] = ("think", "expand", "answer")

    def _own_fields(self) -> dict[str, str]:
        is_forced = self.allowed == ("answer",)
        ways = ["only_answer"] if is_forced else [f"allowed_{name}" for name in self.allowed]
        return {
            "actions": "\n".join(f"- {say(self.language, way)}" for way in ways),
            "action_names": " | ".join(self.allowed),
        }

    def read(self, text: str) -> Action:
        """Return the action that the field "Action" names; a word in a thought names none."""
        fields = Fields.of(text, "thought", "action", "answer", "entities", key="action")
        name, rest = self._named(fields)
        if name not in self.allowed:
            raise UnreadableReplyError(
                f"the action {name} is not possible now (possible: {', '.join(self.allowed)})"
            )
        if name == "expand":
            return ExpandKG()
        if name == "answer":
            return read_answer(fields, self.subgraph, text=fields.get("answer") or rest)
        thought = _thought(fields, rest)
        if not thought:
            raise UnreadableReplyError("the action is to think, and there is no thought")
        return Think(thought)

    def _named(self, fields: Fields) -> tuple[str, str]:
        """Return the action a reply names, and what it says behind the name."""
        if fields.has("action"):
            return _action(fields.values["action"])
        if fields.get("answer"):
            return "answer", ""
        whole = wording().actions.get(key(fields.text))
        if whole:
            return whole, ""
        is_short = len(fields.text) <= SHORT_ANSWER and "\n" not in fields.text.strip()
        if self.allowed == ("answer",) and not fields.values and fields.text and is_short:
            return "answer", bare(fields.text)
        if re.match(r"\W*(?:think|思考)\W*[:：]", fields.text, re.IGNORECASE) and fields.get(
            "thought"
        ):
            return "think", ""
        raise UnreadableReplyError("no action was named")


def _action(value: str) -> tuple[str, str]:
    """Return the action that a value begins with, and the rest; "unknown" words raise."""
    ways = wording().actions
    text = value.strip()
    if "|" in text.split("\n")[0]:
        raise UnreadableReplyError("all actions were repeated; one was asked for")
    whole = ways.get(key(text.split("\n")[0]))
    if whole:
        return whole, "\n".join(text.split("\n")[1:]).strip()
    start = re.match(r"[\W\d_]*", text)
    body = text[start.end() if start else 0 :]
    folded = body.casefold()
    for way in sorted(ways, key=lambda w: (-len(w), w)):
        if folded.startswith(way) and not re.match(r"\w", folded[len(way) :]):
            rest = bare(body[len(way) :].strip().lstrip(":：-–—,，. \t").strip())
            return ways[way], rest
    found = {a for w, a in ways.items() if re.search(rf"(?<!\w){re.escape(w)}(?!\w)", fold(text))}
    if len(found) == 1:
        return found.pop(), ""
    raise UnreadableReplyError(f"“{one_line(text, 60)}” is no action")


def _thought(fields: Fields, rest: str) -> str:
    thought = fields.get("thought") or rest
    if not thought:
        lines = [
            line
            for line in fields.text.split("\n")
            if not re.match(r"\W*(?:action|动作)", line, re.I)
        ]
        thought = bare("\n".join(lines)) if not fields.data else ""
    return " ".join(thought.split())[:THOUGHT_LIMIT]
