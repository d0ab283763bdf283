"""The requests of Tree-of-Traversals (arXiv 2407.21358, section 3): fields here, wording in templates/."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import EntityId, Subgraph
from kgcore.model.text import one_line
from kgcore.prompts.answers import entity_offer, read_answer
from kgcore.prompts.base import Prompt, PromptSet, TypedRequest
from kgcore.prompts.linking import QUESTION_LIMIT
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.ratings import read_rating
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.situation import (
    Fitted,
    Parts,
    facts_of,
    fit,
    names,
    option_lines,
    seed_lines,
    step_lines,
)
from kgcore.prompts.values import (
    Action,
    ExpandKG,
    GiveAnswer,
    Rating,
    SelectEntities,
    SelectRelation,
    Taken,
    Think,
)
from kgcore.prompts.wording import fold, say, wording
from kgcore.steps import RelationOption, Seed

_SHORT_ANSWER = 300


@dataclass(frozen=True, slots=True)
class Situation(TypedRequest):
    """A request about a node of the search: what is known there and how it came about."""

    subgraph: Subgraph
    seeds: tuple[Seed, ...]
    trajectory: tuple[Taken, ...]

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, seeds, facts, steps, and those of the request."""
        parts = Parts(
            facts_of(self.question, self.subgraph),
            self._options(),
            step_lines(self.subgraph, self.trajectory, self.language),
            language=self.language,
            keeps_last_option=self._keeps_last_option(),
        )
        fixed = {
            "question": one_line(self.question, QUESTION_LIMIT),
            "seeds": seed_lines(self.subgraph, self.seeds, self.language),
            **self._own_fields(),
        }
        room = budget if budget is None else budget - _tokens(fixed)
        fitted = fit(parts, room)
        changing = {"facts": fitted.facts, "steps": fitted.steps, **self._fitted_fields(fitted)}
        return {**fixed, **changing}, fitted.left_out

    def _own_fields(self) -> dict[str, str]:
        """Fields of the request that never shrink."""
        return {}

    def _fitted_fields(self, fitted: Fitted) -> dict[str, str]:
        """Fields of the request that may have shrunk."""
        return {}

    def _options(self) -> tuple[str, ...]:
        return ()

    def _keeps_last_option(self) -> bool:
        return False


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
        is_short = len(fields.text) <= _SHORT_ANSWER and "\n" not in fields.text.strip()
        if self.allowed == ("answer",) and not fields.values and fields.text and is_short:
            return "answer", bare(fields.text)
        if re.match(r"\W*(?:think|思考)\W*[:：]", fields.text, re.IGNORECASE) and fields.get(
            "thought"
        ):
            return "think", ""
        raise UnreadableReplyError("no action was named")


@dataclass(frozen=True, slots=True)
class ChooseEntities(Situation):
    """Selecting-entities state: which entities of the subgraph to expand? Reads to SelectEntities."""

    template: ClassVar[str] = "choose_entities"

    def read(self, text: str) -> SelectEntities:
        """Return the entities named, in order of growth."""
        fields = Fields.of(text, "thought", "entities", key="entities")
        offer = entity_offer(self.subgraph)
        if fields.has("entities"):
            value = fields.get("entities")
        else:
            value = _last_line(fields.text)
        if not key(value):
            raise UnreadableReplyError("no entity was named")
        if fields.has("entities"):
            value = re.split(r"\n\s*\n", value)[0]
        positions = offer.find_all(value)
        if not positions:
            raise UnreadableReplyError("no entity was named")
        return SelectEntities(tuple(self.subgraph.entities[i].id for i in positions))


@dataclass(frozen=True, slots=True)
class ChooseRelation(Situation):
    """Selecting-relation state: which option to follow? Reads to SelectRelation (index into `options`).

    Options are shown as R1, R2, … with direction, count and examples. With `shortlist` > 0 only the first
    so many are shown, as letters, with "none of these".
    """

    template: ClassVar[str] = "choose_relation"
    entities: tuple[EntityId, ...]
    options: tuple[RelationOption, ...]
    shortlist: int = 0

    def _own_fields(self) -> dict[str, str]:
        return {"selected": names(self.subgraph, self.entities), "example": self._handles()[0]}

    def _fitted_fields(self, fitted: Fitted) -> dict[str, str]:
        return {"options": fitted.options}

    def _shown(self) -> tuple[RelationOption, ...]:
        return self.options[: min(self.shortlist, 25)] if self.shortlist > 0 else self.options

    def _handles(self) -> list[str]:
        n = len(self._shown())
        if self.shortlist > 0:
            return list(string.ascii_uppercase[: n + 1])
        return [f"R{i}" for i in range(1, n + 1)] or ["R1"]

    def _options(self) -> tuple[str, ...]:
        shown, handles = self._shown(), self._handles()
        lines = option_lines(
            self.subgraph, shown, self.entities, self.language, handles=handles[: len(shown)]
        )
        if self.shortlist > 0:
            return (*lines, f"{handles[-1]} {say(self.language, 'none_of_these')}")
        return lines

    def _keeps_last_option(self) -> bool:
        return self.shortlist > 0

    def read(self, text: str) -> SelectRelation:
        """Return the option named by handle, letter, id or phrase."""
        fields = Fields.of(text, "thought", "relation", key="relation")
        value = fields.get("relation") if fields.has("relation") else _last_line(fields.text)
        if not key(value):
            raise UnreadableReplyError("no relation was named")
        first = value.split("\n")[0]
        if self.shortlist > 0:
            return SelectRelation(self._read_letter(first))
        if key(first) in wording().none:
            raise UnreadableReplyError("none of these fits")
        return SelectRelation(self._offer("R").find_one(first))

    def _read_letter(self, value: str) -> int:
        offer, handles = self._offer(""), self._handles()
        lettered = re.fullmatch(r"\W*([A-Za-z])(?:\W*|[).:：\]\s]\s*(\S.*))", bare(value))
        if lettered and lettered[1].upper() in handles:
            position = handles.index(lettered[1].upper())
            label = offer.exact(lettered[2] or "")
            if not lettered[2] or label == position or not lettered[1].islower():
                if label not in (None, position):
                    raise UnreadableReplyError(
                        f"{lettered[1]} is another option than its words say"
                    )
                if position == len(handles) - 1:
                    raise UnreadableReplyError("none of these fits")
                return position
        if key(value) in wording().none or key(value) == fold(say(self.language, "none_of_these")):
            raise UnreadableReplyError("none of these fits")
        return offer.find_one(value)

    def _offer(self, letter: str) -> Offer:
        handles = self._handles()
        return Offer(
            (
                Offered(handles[i], (option.relation.id,), _phrases(option))
                for i, option in enumerate(self._shown())
            ),
            letter=letter,
        )


@dataclass(frozen=True, slots=True)
class RateState(Situation):
    """How promising is this node? Reads to Rating. `state` is the action state the node is in."""

    template: ClassVar[str] = "rate_state"
    state: str = "default"
    selected: tuple[EntityId, ...] = ()

    def _own_fields(self) -> dict[str, str]:
        return {"state": self.state_text()}

    def state_text(self) -> str:
        """Say what the node is about to do."""
        where = names(self.subgraph, self.selected)
        return say(self.language, f"state_{self.state}", entities=where)

    def read(self, text: str) -> Rating:
        """Return the value in 0…1 and its reason."""
        return read_rating(text)


@dataclass(frozen=True, slots=True)
class RateAnswer(Situation):
    """How well do the facts support this answer? Reads to Rating, on a pessimistic scale."""

    template: ClassVar[str] = "rate_answer"
    answer: GiveAnswer

    def _own_fields(self) -> dict[str, str]:
        return {"answer": self.answer_text()}

    def answer_text(self) -> str:
        """Say the answer, with what it names in the subgraph."""
        text = one_line(self.answer.text, 1000)
        named = names(self.subgraph, self.answer.entities)
        return f"{text} [{named}]" if named else text

    def read(self, text: str) -> Rating:
        """Return the value in 0…1 and its reason."""
        return read_rating(text)


@dataclass(frozen=True, slots=True)
class AnswerFromMemory(TypedRequest):
    """Chain-of-thought without any graph (the →CoT fallback). Reads to GiveAnswer without entities."""

    template: ClassVar[str] = "answer_from_memory"

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question."""
        return {"question": one_line(self.question, QUESTION_LIMIT)}, ()

    def read(self, text: str) -> GiveAnswer:
        """Return the answer's text."""
        fields = Fields.of(text, "thought", "answer", key="answer")
        if not fields.has("answer") and not fields.values and len(fields.text) <= _SHORT_ANSWER:
            return read_answer(fields, None, text=fields.text)
        return read_answer(fields, None)


@dataclass(frozen=True, slots=True)
class Repair(TypedRequest):
    """One repair turn: the reply could not be read; ask for it again in the form that was asked for.

    Reads as the original request reads.
    """

    template: ClassVar[str] = "repair"
    original: TypedRequest
    reply: str
    problem: str

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: reply, problem, form."""
        return {
            "reply": one_line(self.reply.strip(), 1500) or "–",
            "problem": one_line(self.problem, 300)
            or say(self.original.language, "problem_default"),
            "form": "",
        }, ()

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        """Return the original prompt with the unreadable reply, the problem and the wanted form behind it."""
        language = self.original.language
        addition = self._addition(prompts, language)
        room = None if max_tokens is None else max_tokens - _tokens({"": addition}) - 2
        prompt = self.original.render(prompts, max_tokens=room)
        return replace(prompt, user=f"{prompt.user}\n\n{addition}")

    def _addition(self, prompts: PromptSet, language: str) -> str:
        from kgcore.prompts.base import fill

        fields = {**self.fields(None)[0], "form": self.original.form(prompts)}
        where = f"prompts/{prompts.name}/{language}/{self.template}.txt"
        return fill(prompts.template(self.template, language), fields, where=where).strip()

    def read(self, text: str) -> object:
        """Return what the original request reads."""
        return self.original.read(text)


def _tokens(fields: Mapping[str, str]) -> int:
    from kgcore.model.text import estimate_tokens

    return estimate_tokens("\n".join(fields.values()))


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
    return " ".join(thought.split())[:2000]


def _last_line(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    return lines[-1] if lines else ""


def _phrases(option: RelationOption) -> tuple[str, ...]:
    """Return the words an option goes by: with its direction told, and the plain label only when it leads out."""
    return (option.phrase,)
