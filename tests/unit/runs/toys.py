"""A graph, a model and reasoners small enough to draw, for the rules of the journal.

film ──director──▶ nolan ──born──▶ london
film ──cast──▶ leo, tom, elliot
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from kgcore.llm import ModelReply
from kgcore.model import Entity, Relation, Triple, wired
from kgcore.prompts import Prompt, PromptSet, TypedRequest
from kgcore.prompts.sets import FilePromptSet
from kgcore.runs import Control, Launch, Ports, SqlRunStore
from kgcore.steps import (
    All,
    Answer,
    AnswerPart,
    AnswerProposed,
    Ask,
    Candidates,
    Descriptions,
    Edges,
    EdgeSet,
    Ranking,
    RelationOptions,
    Usage,
    Warned,
)
from kgcore.transport import Allowance

DIRECTOR, BORN, CAST = (Relation(f"t:{n}", n) for n in ("director", "born", "cast"))
FACTS = [
    ("t:film", DIRECTOR, "t:nolan"),
    ("t:nolan", BORN, "t:london"),
    ("t:welles", BORN, "t:kenosha"),
    ("t:film", CAST, "t:leo"),
    ("t:film", CAST, "t:tom"),
    ("t:leo", BORN, "t:la"),
    ("t:tom", BORN, "t:london"),
]


def entity(name: str) -> Entity:
    return Entity(name, name.removeprefix("t:"), kg="toy")


TRIPLES = [Triple(entity(s), r, entity(o)) for s, r, o in FACTS]


class ToyGraph:
    """Counts what it is asked; `on_edges` is called inside every edges() with the asked id."""

    def __init__(self, on_edges: Callable[[str], None] = lambda _: None) -> None:
        self.id, self.version = "toy", "1"
        self.calls: Counter[str] = Counter()
        self.on_edges = on_edges
        self._lock = threading.Lock()

    def edges(
        self, entities: Sequence[str], relation: str, direction: str = "out", *, limit: int = 50
    ) -> EdgeSet:
        with self._lock:
            self.calls[f"{'+'.join(entities)} {relation}"] += 1
        for name in entities:
            self.on_edges(name)
        found = [t for t in TRIPLES if t.subject.id in entities and t.relation.id == relation]
        return EdgeSet(tuple(found))

    def link(self, text: str, **_: Any) -> Candidates:
        return Candidates()

    def relations(self, entities: Sequence[str]) -> RelationOptions:
        return RelationOptions()

    def describe(self, entities: Sequence[str]) -> Descriptions:
        return Descriptions()

    def same_as(self, entities: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Word(TypedRequest):
    """Reads to the reply's text."""

    template: ClassVar[str] = "choose_action"
    about: str = ""

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        return Prompt("", f"{self.question} {self.about}")

    def read(self, text: str) -> str:
        return text


class ToyModel:
    """Says the next word of a list, or one more number each time; counts its requests."""

    def __init__(self, name: str = "toy-model", words: Sequence[str] = ()) -> None:
        self.name, self.prompts = name, FilePromptSet()
        self.words, self.prompts_seen, self.n = list(words), list[str](), 0
        self._lock = threading.Lock()

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        (allowance or Allowance()).take()
        with self._lock:
            self.n += 1
            text = self.words.pop(0) if self.words else f"word {self.n}"
            prompt = request.render(self.prompts).user
            self.prompts_seen.append(prompt)
        return ModelReply((text,) * n, prompt, Usage(llm_requests=1, completions=n))


class ToyRanker:
    name = "toy-ranker"

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        return Ranking(tuple(range(len(options))), (1.0,) * len(options))


@wired
@dataclass(frozen=True, slots=True)
class ToyConfig:
    language: str = "en"
    ask_graph_once: bool = True


@dataclass(frozen=True, slots=True)
class Toy:
    """A reasoner made of a generator function."""

    run: Callable[[str, ToyConfig], Any]
    version: str = "1"
    name: str = "toy"
    templates: tuple[str, ...] = ("choose_action",)
    config_class: type[ToyConfig] = ToyConfig

    def solve(self, question: str, config: ToyConfig) -> Any:
        return self.run(question, config)


def names(result: EdgeSet) -> tuple[str, ...]:
    return tuple(t.object.name for t in result.triples)


def birthplace(question: str, config: ToyConfig) -> Any:
    """Two hops, each put to the model: director of the film, then where that person was born."""
    directors = yield Edges(("t:film",), DIRECTOR.id)
    yield Ask(Word(question, "which"))
    yield Ask(Word(question, f"is it {names(directors)[0]}"))
    yield Warned(f"director {names(directors)[0]}")
    places = yield Edges((directors.triples[0].object.id,), BORN.id)
    answer = Answer(", ".join(names(places)), tuple(AnswerPart(t.object) for t in places.triples))
    yield AnswerProposed(answer)
    return answer


def everyone(question: str, config: ToyConfig) -> Any:
    """One All of three edge sets, then one model call about what came back, in order."""
    results = yield All(
        (
            Edges(("t:film",), CAST.id),
            Edges(("t:nolan",), BORN.id),
            Edges(("t:leo",), BORN.id),
        )
    )
    text = " | ".join(",".join(names(r)) for r in results)
    yield Warned(text)
    yield Ask(Word(question, text))
    return Answer(text)


def three_samples(question: str, config: ToyConfig) -> Any:
    """The same request three times at temperature 1."""
    said = []
    for _ in range(3):
        replies = yield Ask(Word(question), temperature=1.0)
        said.append(replies.value)
    return Answer(" ".join(said))


@dataclass
class Bench:
    """A store, a graph and a model, and a way to launch a toy reasoner on them."""

    folder: Path
    graph: ToyGraph = field(default_factory=ToyGraph)
    model: ToyModel = field(default_factory=ToyModel)

    def __post_init__(self) -> None:
        self.store = SqlRunStore.open(self.folder)

    def launch(self, run: Callable[..., Any], **changes: Any) -> Launch:
        ports = Ports(self.graph, {"reason": self.model}, ToyRanker())
        version = changes.pop("version", "1")
        mode = changes.pop("mode", "run")
        return Launch(Toy(run, version), ports, self.store, control=Control(mode), **changes)


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for a condition; AssertionError when it does not come true in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)
