"""A graph one can draw and a player that answers a reasoner's steps by hand.

inception ──cast──▶ leo, caine        inception ──director──▶ nolan ──born──▶ london
interstellar ──cast──▶ caine, anne    interstellar ──director──▶ nolan
storm ──cast──▶ hart                  storm ──director──▶ hart
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgcore.model import Entity, Literal, Relation, Triple
from kgcore.prompts import (
    AnswerFromMemory,
    AnswerFromPaths,
    ChooseAction,
    ChooseEachEntity,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    FindMentions,
    GiveAnswer,
    JudgePaths,
    RateAnswer,
    RateSiblings,
    RateState,
    Rating,
    ScoreEntities,
    ScoreRelations,
    SelectEntities,
    SelectRelation,
    Verdict,
)
from kgcore.steps import (
    All,
    Ask,
    Candidate,
    Candidates,
    Describe,
    Descriptions,
    Edges,
    EdgeSet,
    Fact,
    Link,
    Rank,
    Ranking,
    RelationOption,
    RelationOptions,
    Relations,
    Replies,
    Reply,
    Step,
)

CAST, DIRECTOR, BORN, DATE = (
    Relation(f"w:{n}", label)
    for n, label in (
        ("cast", "cast member"),
        ("director", "director"),
        ("born", "place of birth"),
        ("date", "publication date"),
    )
)


def entity(name: str) -> Entity:
    return Entity(f"w:{name}", name.capitalize(), kg="world")


TRIPLES = [
    Triple(entity("inception"), CAST, entity("leo")),
    Triple(entity("inception"), CAST, entity("caine")),
    Triple(entity("interstellar"), CAST, entity("caine")),
    Triple(entity("interstellar"), CAST, entity("anne")),
    Triple(entity("inception"), DIRECTOR, entity("nolan")),
    Triple(entity("interstellar"), DIRECTOR, entity("nolan")),
    Triple(entity("nolan"), BORN, entity("london")),
    Triple(entity("storm"), CAST, entity("hart")),
    Triple(entity("storm"), DIRECTOR, entity("hart")),
    Triple(entity("inception"), DATE, Literal("2010-07-16", "xsd:date")),
    Triple(entity("interstellar"), DATE, Literal("2014-11-07", "xsd:date")),
]


def relations(ids: Sequence[str]) -> RelationOptions:
    found: dict[tuple[str, str], RelationOption] = {}
    for t in TRIPLES:
        ends = [("out", t.subject.id)]
        if isinstance(t.object, Entity):
            ends.append(("in", t.object.id))
        for direction, end in ends:
            if end in ids:
                key = (t.relation.id, direction)
                old = found.get(key)
                n, touches = (old.count, old.touches) if old else (0, ())
                touches = tuple(dict.fromkeys((*touches, end)))
                found[key] = RelationOption(t.relation, direction, n + 1, touches)  # type: ignore[arg-type]
    return RelationOptions(tuple(found[k] for k in sorted(found)))


def edges(step: Edges) -> EdgeSet:
    def touches(t: Triple) -> bool:
        end = t.subject if step.direction == "out" else t.object
        return isinstance(end, Entity) and end.id in step.entities

    return EdgeSet(tuple(t for t in TRIPLES if t.relation.id == step.relation and touches(t)))


Policy = Callable[[Any], Any]


def says(*values: Any) -> Replies:
    """Replies that read to these values; an Exception stands for an unreadable one."""
    return Replies(
        tuple(
            Reply("?", None, str(v)) if isinstance(v, Exception) else Reply(str(v), v)
            for v in values
        )
    )


@dataclass
class Player:
    """Answers every step of a reasoner: the graph's from the world, the model's from `policy`.

    `policy` gets the request and returns the value(s) of the samples; None takes the default below.
    """

    policy: Policy = lambda request: None
    links: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)
    same_as: tuple[tuple[str, str], ...] = ()
    steps: list[Any] = field(default_factory=list)
    rounds: list[tuple[Any, ...]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def play(self, generator: Any) -> Any:
        """Drive the generator to its end and return its answer."""
        sent = None
        try:
            while True:
                item = generator.send(sent)
                if not isinstance(item, Step):
                    self.facts.append(item)
                    sent = None
                    continue
                leaves = item.steps if isinstance(item, All) else (item,)
                self.rounds.append(leaves)
                self.steps.extend(leaves)
                results = tuple(self.answer(leaf) for leaf in leaves)
                sent = results if isinstance(item, All) else results[0]
        except StopIteration as stop:
            return stop.value

    def asked(self, kind: type) -> list[Ask]:
        """All asks of one request class."""
        return [s for s in self.steps if isinstance(s, Ask) and isinstance(s.request, kind)]

    def of(self, kind: type) -> list[Any]:
        """All facts of one class."""
        return [f for f in self.facts if isinstance(f, kind)]

    def answer(self, step: Any) -> Any:
        if isinstance(step, Link):
            return Candidates() if step.is_question else Candidates(self._link(step.text))
        if isinstance(step, Relations):
            return relations(step.entities)
        if isinstance(step, Edges):
            return edges(step)
        if isinstance(step, Describe):
            return Descriptions((), self.same_as)  # type: ignore[arg-type]
        if isinstance(step, Rank):
            return Ranking(tuple(range(len(step.options))), (0.5,) * len(step.options))
        assert isinstance(step, Ask)
        value = self.policy(step.request)
        if value is None:
            value = default(step.request)
        if isinstance(value, Replies):
            return value
        values = value if isinstance(value, list) else [value] * step.n
        return says(*values)

    def _link(self, text: str) -> tuple[Candidate, ...]:
        if text in self.links:
            return self.links[text]
        return (Candidate(entity(text.lower()), 1.0, text),)


def default(request: Any) -> Any:
    """What a dull but willing model says."""
    if isinstance(request, FindMentions):
        return ("Inception",)
    if isinstance(request, ChooseEntity):
        return 0
    if isinstance(request, ChooseEachEntity):
        return tuple(default(item) for item in request.items)
    if isinstance(request, ChooseEntities):
        return SelectEntities((request.subgraph.entities[0].id,))
    if isinstance(request, ChooseRelation):
        return SelectRelation(0)
    if isinstance(request, RateSiblings):
        return tuple(default(item) for item in request.items)
    if isinstance(request, RateState):
        return Rating(0.5)
    if isinstance(request, RateAnswer):
        return Rating(0.9)
    if isinstance(request, AnswerFromMemory):
        return GiveAnswer("from memory")
    if isinstance(request, ScoreRelations):
        return tuple((Rating(0.5),) * len(group.options) for group in request.groups)
    if isinstance(request, ScoreEntities):
        return tuple((Rating(0.5),) * len(group.things) for group in request.groups)
    if isinstance(request, JudgePaths):
        return Verdict(False)
    if isinstance(request, AnswerFromPaths):
        return GiveAnswer("as far as I know")
    assert isinstance(request, ChooseAction)
    return GiveAnswer("Leo", (entity("leo").id,))
