"""The requests of a beam search: which relations, which entities, and do the paths suffice?

Think-on-Graph (arXiv 2307.07697, section 2.1.2 and 2.1.3). All relation lists of a beam are scored in one
request, and all groups of entities in another; handles run through all groups, so a reply needs no groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from kgcore.errors import UnreadableReplyError
from kgcore.model import Entity, EntityId, Literal, Subgraph, wired
from kgcore.model.text import estimate_tokens, one_line
from kgcore.prompts.answers import read_answer
from kgcore.prompts.base import TypedRequest
from kgcore.prompts.fitting import Parts, fit
from kgcore.prompts.matching import Offer, Offered
from kgcore.prompts.phrasing import option_lines, question_line
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.scores import read_scores
from kgcore.prompts.situation import Situation
from kgcore.prompts.values import GiveAnswer, Rating, Taken
from kgcore.prompts.wording import fold, say, wording
from kgcore.steps import RelationOption, Seed

# One for each thing of each group; 0 where the reply does not name it.
Scores = tuple[tuple[Rating, ...], ...]


@dataclass(frozen=True, slots=True)
class RelationGroup:
    """The relations that go on from the end of one path. `path` says it in words."""

    path: str
    entity: EntityId
    subgraph: Subgraph
    trajectory: tuple[Taken, ...]
    options: tuple[RelationOption, ...]


@dataclass(frozen=True, slots=True)
class EntityGroup:
    """What one relation leads to from the end of one path; `n_left_out` more are not on offer."""

    path: str
    phrase: str
    things: tuple[Entity | Literal, ...]
    n_left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Scoring(TypedRequest):
    """Base of the requests that score what is on offer in groups. Reads to Scores."""

    letter: ClassVar[str] = ""

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, items, and those of the request."""
        fixed = {"question": question_line(self.question), **self._own_fields()}
        room = budget if budget is None else budget - estimate_tokens("\n".join(fixed.values()))
        fitted = fit(Parts(lambda _: ("", 0), self._lines(), language=self.language), room)
        return {**fixed, "items": fitted.options}, fitted.left_out

    def _own_fields(self) -> dict[str, str]:
        return {}

    def _lines(self) -> tuple[str, ...]:
        raise NotImplementedError

    def _offered(self) -> Sequence[Sequence[tuple[str, str]]]:
        """Return id and label of each thing of each group."""
        raise NotImplementedError

    def read(self, text: str) -> Scores:
        """Return a rating for each thing of each group."""
        groups = self._offered()
        things = [thing for group in groups for thing in group]
        offer = Offer(
            (
                Offered(f"{self.letter}{n}", (name,) if name else (), (label,) if label else ())
                for n, (name, label) in enumerate(things, 1)
            ),
            letter=self.letter,
        )
        found = read_scores(text, offer)
        ratings = iter([found.get(i, Rating(0.0)) for i in range(len(things))])
        return tuple(tuple(next(ratings) for _ in group) for group in groups)


@dataclass(frozen=True, slots=True)
class ScoreRelations(_Scoring):
    """Which relations lead towards the answer? At most `width` for each path are wanted."""

    template: ClassVar[str] = "score_relations"
    letter: ClassVar[str] = "R"
    groups: tuple[RelationGroup, ...]
    width: int = 3
    seeds: tuple[Seed, ...] = ()

    def _own_fields(self) -> dict[str, str]:
        return {"width": str(self.width)}

    def _lines(self) -> tuple[str, ...]:
        lines: list[str] = []
        n = 0
        for group in self.groups:
            handles = [f"R{n + i}" for i in range(1, len(group.options) + 1)]
            options = option_lines(
                group.subgraph, group.options, (group.entity,), self.language, handles=handles
            )
            lines.append("\n  ".join([f"{one_line(group.path, 400)}:", *options]))
            n += len(options)
        return tuple(lines)

    def _offered(self) -> Sequence[Sequence[tuple[str, str]]]:
        return [[(o.relation.id, o.phrase) for o in group.options] for group in self.groups]


@dataclass(frozen=True, slots=True)
class ScoreEntities(_Scoring):
    """How much does each thing found contribute to the answer?"""

    template: ClassVar[str] = "score_entities"
    letter: ClassVar[str] = "C"
    groups: tuple[EntityGroup, ...]

    def _lines(self) -> tuple[str, ...]:
        lines: list[str] = []
        n = 0
        for group in self.groups:
            shown = [f"{one_line(group.path, 400)} – {one_line(group.phrase, 120)}:"]
            for thing in group.things:
                n += 1
                shown.append(f"C{n} {_described(thing)}")
            if group.n_left_out:
                shown.append(say(self.language, "more_options", n=group.n_left_out))
            lines.append("\n  ".join(shown))
        return tuple(lines)

    def _offered(self) -> Sequence[Sequence[tuple[str, str]]]:
        return [[(getattr(t, "id", ""), t.name) for t in group.things] for group in self.groups]


def _described(thing: Entity | Literal) -> str:
    text = one_line(thing.name, 120)
    if isinstance(thing, Entity) and thing.description:
        text += f" – {one_line(thing.description, 120)}"
    return text


@wired
@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether what was found is enough, and the answer when it is."""

    is_enough: bool
    answer: GiveAnswer | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgePaths(Situation):
    """Do the paths found suffice to answer? Reads to Verdict."""

    template: ClassVar[str] = "judge_paths"

    def read(self, text: str) -> Verdict:
        """Return the verdict; a bare "yes" says that it is enough and is never the answer."""
        fields = Fields.of(text, "thought", "enough", "answer", "entities", key="enough")
        word, rest = _yes_or_no(fields.values.get("enough", "") or fields.text)
        if word is None:
            raise UnreadableReplyError("whether this is enough was not said")
        reason = fields.get("thought")[:500]
        if not word:
            return Verdict(False, reason=reason or rest[:500])
        answer = fields.get("answer") or rest
        if not answer:
            raise UnreadableReplyError("it is said to be enough, but no answer is given")
        given = read_answer(fields, self.subgraph, text=answer)
        return Verdict(not given.is_unknown, None if given.is_unknown else given, reason)


def _yes_or_no(text: str) -> tuple[bool | None, str]:
    """Split a text into its first word, as yes or no, and the rest; None when it begins with neither."""
    text = bare(text).lstrip("{[(<*\"' ")
    for words, is_yes in ((wording().yes, True), (wording().no, False)):
        for word in sorted(words, key=len, reverse=True):
            if fold(text[: len(word)]) == word and not text[len(word) :][:1].isalpha():
                return is_yes, text[len(word) :].strip(" \t\n}])>*\"'.,;:!。，；：！–—-")
    return None, ""


@dataclass(frozen=True, slots=True)
class AnswerFromPaths(Situation):
    """Answer from what was found, own knowledge allowed where it does not suffice. Reads to GiveAnswer."""

    template: ClassVar[str] = "answer_from_paths"

    def read(self, text: str) -> GiveAnswer:
        """Return the answer with what it names."""
        fields = Fields.of(text, "thought", "answer", "entities", key="answer")
        return read_answer(fields, self.subgraph, text=fields.get("answer") or fields.text)
