"""The requests that work on rationales: correct one, draft the next, answer from them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import Subgraph, wired
from kgcore.model.text import one_line
from kgcore.prompts.answers import SHORT_ANSWER, read_answer
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.domains import statement_lines
from kgcore.prompts.lines import fit_lines
from kgcore.prompts.matching import Offer, Offered, key
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.thoughts import tidy_rationales
from kgcore.prompts.values import GiveAnswer
from kgcore.prompts.wording import say, wording
from kgcore.steps import Knowledge, ProvenRationale

KNOWLEDGE_LIMIT = 700


@wired
@dataclass(frozen=True, slots=True)
class Corrected:
    """A rationale in the light of knowledge: its text, and positions of the pieces that support or changed it.

    `against` are the positions of pieces that contradict each other.
    """

    text: str
    used: tuple[int, ...] = ()
    against: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CorrectRationale(TypedRequest):
    """Does the knowledge agree with this statement? Reads to Corrected; the text stays as it was where it does.

    `disputed` says in words what sources are known to disagree on.
    """

    template: ClassVar[str] = "correct_rationale"
    checked: tuple[str, ...]
    rationale: str
    knowledge: tuple[Knowledge, ...]
    disputed: tuple[str, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, checked, rationale, knowledge, disputed."""
        lines = knowledge_lines(self.knowledge)
        knowledge, left_out = fit_lines(lines, budget, self.language, what="pieces of knowledge")
        return {
            "question": question_line(self.question),
            "checked": statement_lines(self.checked) or say(self.language, "no_steps"),
            "rationale": one_line(self.rationale, 800),
            "knowledge": knowledge or say(self.language, "no_facts"),
            "disputed": dispute_lines(self.disputed, self.language),
        }, left_out

    def read(self, text: str) -> Corrected:
        """Return the statement as it stands now, and what it rests on."""
        wanted = ("statement", "knowledge", "conflict", "thought")
        fields = Fields.of(text, *wanted, key="statement")
        value = fields.values.get("statement", "")
        if not fields.values:
            raise UnreadableReplyError("no statement was given")
        words = wording()
        is_same = key(value) in words.unchanged or key(value) == key(self.rationale)
        new = "" if is_same else " ".join(tidy_rationales([value.split("\n\n")[0]]))
        if not is_same and not new:
            raise UnreadableReplyError("the statement is empty")
        used = self._handles(fields.values.get("knowledge", ""))
        against = self._handles(fields.values.get("conflict", ""))
        if new and not used and not against:
            used = self._handles(fields.values.get("thought", ""))
        reason = one_line(fields.get("thought"), 400)
        return Corrected(new or self.rationale, used, against if len(against) > 1 else (), reason)

    def _handles(self, value: str) -> tuple[int, ...]:
        return knowledge_handles(value, len(self.knowledge))


@dataclass(frozen=True, slots=True)
class NextRationale(TypedRequest):
    """What follows from the statements so far? Reads to the next statement; "" when they suffice."""

    template: ClassVar[str] = "next_rationale"
    checked: tuple[str, ...]

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, checked."""
        checked = statement_lines(self.checked) or say(self.language, "no_steps")
        return {"question": question_line(self.question), "checked": checked}, ()

    def read(self, text: str) -> str:
        """Return the next statement; one that was made already says nothing new."""
        fields = Fields.of(text, "statement", "thought", key="statement")
        value = fields.values.get("statement", "") or ("" if fields.values else fields.text)
        if not key(value):
            raise UnreadableReplyError("no statement was given")
        if key(value) in wording().none or key(value) in wording().enough:
            return ""
        if not fields.values and len(value) > 2 * SHORT_ANSWER:
            raise UnreadableReplyError("no statement was given")
        found = tidy_rationales([bare(value.split("\n")[0])])
        known = {key(statement) for statement in self.checked}
        return next((text for text in found if key(text) not in known), "")


@dataclass(frozen=True, slots=True)
class AnswerFromRationales(TypedRequest):
    """Answer from the checked statements. Reads to GiveAnswer; it may name things of the subgraph."""

    template: ClassVar[str] = "answer_from_rationales"
    rationales: tuple[ProvenRationale, ...]
    subgraph: Subgraph
    disputed: tuple[str, ...] = ()

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, statements, disputed."""
        lines: list[str] = []
        for rationale in self.rationales:
            lines.append(f"{rationale.number}. {one_line(rationale.after, 800)}")
            lines += [f"   – {_piece(piece)}" for piece in rationale.knowledge]
        statements, left_out = fit_lines(lines, budget, self.language, what="lines of statements")
        return {
            "question": question_line(self.question),
            "statements": statements or say(self.language, "no_steps"),
            "disputed": dispute_lines(self.disputed, self.language),
        }, left_out

    def read(self, text: str) -> GiveAnswer:
        """Return the answer, and what it names of the graph."""
        fields = Fields.of(text, "thought", "answer", key="answer")
        if not fields.has("answer") and not fields.values and len(fields.text) <= SHORT_ANSWER:
            return read_answer(fields, self.subgraph, text=fields.text)
        return read_answer(fields, self.subgraph)


def knowledge_lines(knowledge: Sequence[Knowledge]) -> list[str]:
    """Write pieces of knowledge, each with its handle, a line each."""
    return [f"K{n} {_piece(piece)}" for n, piece in enumerate(knowledge, 1)]


def knowledge_handles(value: str, n: int) -> tuple[int, ...]:
    """Return which of n pieces of knowledge a text names by their handles."""
    offer = Offer((Offered(f"K{number}") for number in range(1, n + 1)), letter="K")
    return tuple(sorted(offer.handles_in(value)))


def _piece(knowledge: Knowledge) -> str:
    where = one_line(knowledge.source, 60)
    if knowledge.evidence.origin:
        where += f": {one_line(knowledge.evidence.origin, 120)}"
    return f"[{where}] {one_line(' '.join(knowledge.text.split()), KNOWLEDGE_LIMIT)}"


def dispute_lines(disputed: Sequence[str], language: str) -> str:
    """Write what sources disagree on, a line each."""
    lines = [f"- {one_line(text, 400)}" for text in disputed]
    return "\n".join(lines) or say(language, "no_spotted")
