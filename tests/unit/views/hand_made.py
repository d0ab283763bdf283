"""A journal written by hand: a small film question, with a backtrack, a merged node and an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.runs import Ended, Entry, RunView, Started, StepDone
from kgcore.runs.entries import EntryBody, FactNoted
from kgcore.steps import (
    ActionRejected,
    Answer,
    AnswerPart,
    AnswerProposed,
    Backtracked,
    NodeAdded,
    NodeExpanded,
    NodeMerged,
    NodeScored,
    QuestionLinked,
    Replies,
    Reply,
    Seed,
    Usage,
)

QUESTION = "Which actor starred in both Inception and Interstellar?"
KG = "films"


def entity(number: int, label: str, kg: str = KG) -> Entity:
    return Entity(EntityId(f"x:{number}"), label, kg=kg, url=f"http://example.org/{number}")


INCEPTION, INTERSTELLAR = entity(1, "Inception"), entity(2, "Interstellar")
CAINE, MURPHY, FOY = entity(3, "Michael Caine"), entity(4, "Cillian Murphy"), entity(5, "Foy")
NOLAN = entity(6, "Christopher Nolan")
CAINE_ELSEWHERE = Entity(EntityId("y:artist/caine"), "Sir Michael Caine", kg="music")
CAST, DIRECTOR = (
    Relation(RelationId("x:cast"), "cast member"),
    Relation(RelationId("x:dir"), "director"),
)
RELEASED = Relation(RelationId("x:date"), "publication date")
DATE = Literal("2010-07-16", "xsd:date")


def fact(subject: Entity, relation: Relation, end: Entity | Literal, kg: str = KG) -> Triple:
    return Triple(subject, relation, end, Provenance(kg))


CAST_OF_ONE = tuple(fact(INCEPTION, CAST, who) for who in (CAINE, MURPHY))
CAST_OF_OTHER = tuple(fact(INTERSTELLAR, CAST, who) for who in (CAINE, FOY))
OTHERS = (fact(INCEPTION, DIRECTOR, NOLAN), fact(INCEPTION, RELEASED, DATE))
PROOF = (CAST_OF_ONE[0], CAST_OF_OTHER[0])
ANSWER = Answer("Michael Caine", (AnswerPart(CAINE),), 0.9, PROOF, node=6)


def asked(node: int, template: str, prompt: str, *replies: str) -> StepDone:
    usage = Usage(1, len(replies), 100, 20, 0.001)
    result = Replies(tuple(Reply(text, text) for text in replies), prompt, usage=usage)
    step = {
        "kind": "Ask",
        "template": template,
        "n": len(replies),
        "role": "reason",
        "about": (node,),
    }
    return StepDone("hash", "key", step, result, usage=usage, seconds=0.4)


def story() -> list[Any]:
    """Return the bodies of the whole run, facts as they are."""
    return [
        Started(
            "0123456789abcdef",
            QUESTION,
            "tree-of-traversals",
            "1",
            TraversalConfig(),
            kgs=((KG, "v1"), ("music", "v1")),
            models=(("reason", "scripted"),),
        ),
        QuestionLinked((Seed("Inception", INCEPTION), Seed("Interstellar", INTERSTELLAR))),
        NodeAdded(0, None, 0, "start", entities=(INCEPTION, INTERSTELLAR)),
        NodeExpanded(0, 1),
        asked(0, "choose_action", "What next?", "EXPAND", "THINK first the director", "EXPAND"),
        NodeAdded(1, 0, 1, "expand", state="selecting_entities", votes=2, samples=3),
        NodeAdded(2, 0, 1, "think", "first the director", votes=1, samples=3),
        NodeScored(1, 0.7, "the cast is needed"),
        NodeScored(2, 0.4),
        NodeExpanded(1, 2),
        NodeAdded(3, 1, 2, "select_relation", "director", triples=OTHERS, votes=1, samples=6),
        NodeAdded(
            4,
            1,
            2,
            "select_relation",
            "cast member",
            triples=CAST_OF_ONE,
            same_as=((CAINE.id, CAINE_ELSEWHERE.id),),
            more=(((INCEPTION.id, CAST.id, "out"), 12),),
            votes=3,
            samples=6,
        ),
        NodeScored(3, 0.2, "beside the point"),
        NodeScored(4, 0.3),
        Backtracked(1, 2, 0.3, 0.4, "value 0.40 is higher than 0.30"),
        NodeExpanded(2, 3),
        ActionRejected(2, "garbage", "the reply names no action"),
        NodeAdded(5, 2, 2, "think", "first the director"),
        NodeMerged(5, 2),
        Backtracked(2, 4, 0.0, 0.3, "the last node led nowhere"),
        NodeExpanded(4, 4),
        NodeAdded(6, 4, 3, "answer", "Michael Caine", "done", triples=CAST_OF_OTHER),
        NodeScored(6, 0.9, "both casts name him"),
        AnswerProposed(ANSWER),
        Ended("answered", "", ANSWER, 3.21),
    ]


def entries(bodies: Iterable[Any] | None = None) -> list[Entry]:
    """Return bodies and facts as entries of a journal."""
    chosen = story() if bodies is None else bodies
    return [
        Entry(i, f"2026-01-02T03:{i // 60:02}:{i % 60:02}.000Z", _body(b))
        for i, b in enumerate(chosen)
    ]


def _body(item: Any) -> EntryBody:
    return item if isinstance(item, EntryBody) else FactNoted(item)


def view(n: int | None = None) -> RunView:
    """Return the fold of the first n entries; of all without n."""
    return RunView.of(entries()[:n])
