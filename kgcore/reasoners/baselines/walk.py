"""A walk through the graphs as ReAct takes it: what is known, what is open, and the steps so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgcore.model import Entity, EntityId, Subgraph
from kgcore.model.text import one_line
from kgcore.prompts import GiveAnswer, Move, Search, SelectRelation, Taken, TakeStep
from kgcore.prompts.wording import fold
from kgcore.reasoners.baselines.config import ReActConfig
from kgcore.reasoners.growing import grow
from kgcore.reasoners.linking import link_names, links_between, root_of
from kgcore.reasoners.offering import offered
from kgcore.reasoners.proofs import Explored, proven
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Ask,
    Candidate,
    Candidates,
    Edges,
    EdgeSet,
    Link,
    NodeAdded,
    NodeExpanded,
    NodeScored,
    QuestionLinked,
    Reasoning,
    RelationOption,
    RelationOptions,
    Relations,
    Seed,
)

NOTHING_NEW = "this relation brings nothing new"
UNSETTLED = "the model cannot tell from the facts that it found"
FEW = 5  # things that are opened as soon as a relation leads to them


class Walk:
    """What a run knows. Its tree is a single path: a thought and a step, again and again."""

    def __init__(self, question: str, config: ReActConfig) -> None:
        self.question, self.config = question, config
        self._graph = Subgraph().add(entities=config.seeds)
        self._searched = [Seed(e.name, e) for e in config.seeds]
        self._taken: list[Taken] = []
        self._opened: tuple[EntityId, ...] = ()
        self._spotted: tuple[Candidate, ...] = ()
        self._options: tuple[RelationOption, ...] = ()
        self._n_nodes, self._last, self._depth, self._n_steps = 1, 0, 0, 0

    @property
    def seeds(self) -> tuple[Seed, ...]:
        """What was searched for and stands in the question, with what the run was told to start from.

        A proof begins there: a name that the model came up with itself is its memory.
        """
        told = {e.id for e in self.config.seeds}
        return tuple(
            s for s in self._searched if (s.entity and s.entity.id in told) or self._is_asked(s)
        )

    def _is_asked(self, seed: Seed) -> bool:
        names = (seed.mention, seed.entity.label if seed.entity else "")
        return any(fold(name) and fold(name) in fold(self.question) for name in names)

    def number(self) -> int:
        """Return the number of a new node of the tree; the first is 0."""
        self._n_nodes += 1
        return self._n_nodes - 1

    def start(self) -> Reasoning:
        """Plant the tree."""
        if self.config.spot_mentions:
            limit = self.config.candidates
            found = yield Link(self.question, limit=limit, is_question=True)
            self._spotted = found.items if isinstance(found, Candidates) else ()
        yield root_of(self._graph)
        if self.config.seeds:
            yield QuestionLinked(self.seeds)

    def next_move(self, left: int) -> Reasoning:
        """Ask for a thought and a step; return the step as Move, None when the reply cannot be read."""
        self._n_steps += 1
        yield NodeExpanded(self._last, self._n_steps)
        request = TakeStep(
            self.question,
            self._graph,
            tuple(self._searched),
            tuple(self._taken),
            self._opened,
            self._options,
            left,
            self._spotted,
            language=self.config.language,
        )
        replies = yield Ask(request, about=(self._last,))
        move: Move | None = replies.value
        if move is None:
            item = replies.items[0] if replies.items else None
            text, why = (item.text, item.problem) if item else ("", "the model wrote nothing")
            yield ActionRejected(self._last, text, why)
            words = one_line(" ".join(text.split()), 200)
            said = f"“{words}” → {why}" if words else f"→ {why}"
            self._taken.append(Taken("unread", said))
        elif move.thought:
            yield self._node("think", move.thought)
            self._taken.append(Taken("think", move.thought))
        return move

    def search(self, action: Search) -> Reasoning:
        """Look a name up, or open what is known already, and list the relations of it."""
        opened, before = action.entities, self._graph
        if not opened:
            opened = yield from self._look_up(action.name)
            if not opened:
                return
        opened = tuple(dict.fromkeys(self._graph.canonical(e) for e in opened))
        names = ", ".join(self._graph.entity(e).name for e in opened)
        grown = self._graph if self._graph is not before else None
        yield self._node(
            "search",
            action.name or names,
            entities=grown.added_entities if grown else (),
            same_as=grown.added_same_as if grown else (),
            selected=opened,
        )
        handles = ", ".join(f"{self._graph.handle(e)} {self._graph.entity(e).name}" for e in opened)
        found = f"“{action.name}” → {handles}" if action.name else f"→ {handles}"
        self._taken.append(Taken("search", found, opened, name=action.name))
        yield from self._open(opened)

    def _open(self, opened: tuple[EntityId, ...]) -> Reasoning:
        """Open entities: list what leads on from them."""
        self._opened = opened
        ids = tuple(m.id for e in self._opened for m in self._graph.members(e))
        result = yield Relations(ids, about=(self._last,))
        options = result.items if isinstance(result, RelationOptions) else ()
        self._options = yield from offered(
            options, self.question, self._searched, self.config, (self._last,)
        )

    def _look_up(self, name: str) -> Reasoning:
        """Return the ids of what a name stands for, of each graph that has it."""
        chosen = yield from link_names(self.question, (name,), self.config, self._spotted)
        entities: list[Entity] = [entity for _, entity in chosen]
        if not entities:
            self._taken.append(Taken("search", f"“{name}” → –", name=name))
            return ()
        links = yield from links_between(entities)
        self._graph = self._graph.add(entities=entities, same_as=links)
        names = dict.fromkeys(self._graph.canonical(entity.id) for entity in entities)
        seeds = [Seed(name, self._graph.entity(e)) for e in names]
        self._searched += [seed for seed in seeds if seed not in self._searched]
        if any(self._is_asked(seed) for seed in seeds):
            yield QuestionLinked(self.seeds)
        return tuple(names)

    def follow(self, action: SelectRelation) -> Reasoning:
        """Fetch what a relation leads to from what is open; a few things are opened at once, as a search opens them."""
        option = self._options[action.option]
        members = tuple(m.id for e in self._opened for m in self._graph.members(e))
        ids = tuple(i for i in members if i in option.touches) or members
        limit = self.config.edge_limit
        result = yield Edges(ids, option.relation.id, option.direction, limit, (self._last,))
        grown = grow(self._graph, option, result)
        if grown is self._graph:
            yield ActionRejected(self._last, option.phrase, NOTHING_NEW)
            self._taken.append(Taken("follow", f"“{option.phrase}” → –"))
            return
        n_new = len(grown) - len(self._graph)
        self._graph = grown
        yield self._node(
            "select_relation",
            option.phrase,
            entities=grown.added_entities,
            triples=grown.added_triples,
            same_as=grown.added_same_as,
            more=grown.added_more,
            selected=self._opened,
            direction=option.direction,
        )
        self._taken.append(Taken("select_relation", option.phrase, self._opened, option, n_new))
        reached = _reached(grown, option, result)
        if 0 < len(reached) <= FEW and not result.more:
            yield from self._open(reached)

    def answered(self, given: GiveAnswer) -> Reasoning:
        """Write the answer down and return it with its proof. Its value is the share of it that facts support."""
        explored = Explored(self._graph, tuple(self._taken))
        added = self._node("answer", given.text, state="done")
        answer = proven(given, explored, self.seeds, node=added.node)
        is_fallback = answer.is_answer and not answer.proof
        limit = "" if answer.is_answer else UNSETTLED
        answer = replace(answer, is_fallback=is_fallback, limit=limit)
        yield added
        yield NodeScored(added.node, round(answer.value, 3))
        yield AnswerProposed(answer)
        return answer

    def _node(self, action: str, argument: str, **values: Any) -> NodeAdded:
        parent, self._last, self._depth = self._last, self.number(), self._depth + 1
        return NodeAdded(self._last, parent, self._depth, action, argument, **values)


def _reached(graph: Subgraph, option: RelationOption, result: EdgeSet) -> tuple[EntityId, ...]:
    """Return the entities that a relation led to, each once; values lead nowhere."""
    ends = [t.object if option.direction == "out" else t.subject for t in result.triples]
    return tuple(dict.fromkeys(graph.canonical(e.id) for e in ends if isinstance(e, Entity)))
