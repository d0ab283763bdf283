"""A graph one can draw, a question over it, and runs on it written by hand.

Night Train –director→ Ann Lee –born in→ Rome; Day Bus –director→ Bo Ek –born in→ Oslo. Rome has the id b:rome in
another graph. The question: where was the director of Night Train born?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from kgcore.evaluation.case import Case, Gold, GoldEdge
from kgcore.evaluation.comparing import Names
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Triple
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.runs import Ended, Entry, RunView, Started
from kgcore.runs.entries import FactNoted
from kgcore.steps import (
    Answer,
    AnswerPart,
    AnswerProposed,
    NodeAdded,
    NodeScored,
    QuestionLinked,
    Seed,
)
from kgcore.testing import MemoryGraph

LABELS = {
    "a:night": "Night Train",
    "a:day": "Day Bus",
    "a:ann": "Ann Lee",
    "a:bo": "Bo Ek",
    "a:rome": "Rome",
    "a:oslo": "Oslo",
    "p:director": "director",
    "p:born": "born in",
    "p:date": "released",
}
RELEASED = Literal("1999-03-04", "xsd:date")
GRAPH = MemoryGraph(
    "films",
    [
        ("a:night", "p:director", "a:ann"),
        ("a:day", "p:director", "a:bo"),
        ("a:ann", "p:born", "a:rome"),
        ("a:bo", "p:born", "a:oslo"),
        ("a:night", "p:date", RELEASED),
    ],
    labels=LABELS,
    same_as=[("a:rome", "b:rome")],
)
NAMES = Names(GRAPH.same_as)
DIRECTOR, BORN, DATE = (RelationId(f"p:{name}") for name in ("director", "born", "date"))
CASE = Case(
    "1",
    "Where was the director of Night Train born?",
    "entity",
    "composition",
    (Gold(EntityId("a:rome"), ("Rome",)),),
    ("Rome",),
    (EntityId("a:night"),),
    (
        GoldEdge(DIRECTOR, EntityId("a:night"), "a:ann", "out"),
        GoldEdge(BORN, EntityId("a:ann"), None, "out"),
    ),
)


def case(**values: Any) -> Case:
    """Return the case with other values."""
    return replace(CASE, **values)


def thing(identifier: str) -> Entity:
    return Entity(EntityId(identifier), LABELS.get(identifier, ""), kg="films")


def fact(subject: str, relation: str, end: str | Literal) -> Triple:
    kind = Relation(RelationId(relation), LABELS[relation])
    return Triple(thing(subject), kind, end if isinstance(end, Literal) else thing(end))


def answer(*named: str | Literal, text: str = "", value: float = 0.9) -> Answer:
    """Return an answer that names these, its text their names."""
    values = [n if isinstance(n, Literal) else thing(n) for n in named]
    return Answer(
        text or ", ".join(v.name for v in values), tuple(AnswerPart(v) for v in values), value
    )


def run(
    *grown: tuple[str, Triple],
    seeds: Iterable[str] = ("a:night",),
    rated: Iterable[Answer] = (),
    end: Answer | None = None,
    more: Iterable[tuple[str, str, int]] = (),
    status: str = "",
) -> RunView:
    """Return the view of a run that fetched triples from an entity each, rated answers and gave the last.

    `more` counts edges left out: of an entity along a relation, forwards.
    """
    linked = tuple(Seed(thing(s).name, thing(s)) for s in seeds)
    left_out = tuple(((EntityId(e), RelationId(r), "out"), n) for e, r, n in more)
    facts: list[Any] = [
        QuestionLinked(linked),
        NodeAdded(0, None, 0, "start", entities=tuple(s.entity for s in linked if s.entity)),
    ]
    for node, (start, triple) in enumerate(grown, 1):
        about = (EntityId(start),)
        facts.append(
            NodeAdded(
                node,
                node - 1,
                node,
                "select_relation",
                triples=(triple,),
                selected=about,
                more=left_out,  # type: ignore[arg-type]
            )
        )
    for node, proposed in enumerate(rated, len(grown) + 1):
        facts += [
            NodeAdded(node, len(grown), node, "answer", proposed.text, "done"),
            NodeScored(node, proposed.value),
            AnswerProposed(replace(proposed, node=node)),
        ]
    started = Started("r1", CASE.question, "tree-of-traversals", "2", TraversalConfig())
    ended = Ended(status or ("answered" if end else "no_answer"), "", end, 1.0)
    bodies = [started, *(FactNoted(f) for f in facts), ended]
    return RunView.of(Entry(i, "", body) for i, body in enumerate(bodies))


TO_ANN = ("a:night", fact("a:night", "p:director", "a:ann"))
TO_ROME = ("a:ann", fact("a:ann", "p:born", "a:rome"))
