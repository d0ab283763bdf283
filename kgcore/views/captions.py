"""What an audience reads while a run is played: entries of a journal in plain words.

`captions_of` tells a whole journal or any prefix of one. Entries that say nothing to an audience (a prompt sent, options
ranked) have no caption; they belong to the next one. Facts of one kind that come together are one caption: a choice
among three ideas is one moment. The words are in `phrases/`, one file a language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgcore.corrections import Correction
from kgcore.model import Entity
from kgcore.runs import Entry, StepDone, StepFailed
from kgcore.runs.acts import pruned_texts
from kgcore.runs.entries import Ended, FactNoted, Resumed, Started
from kgcore.runs.gate import Decided
from kgcore.runs.words import Words
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Backtracked,
    EdgeSet,
    Fact,
    NodeAdded,
    NodeExpanded,
    NodeMerged,
    NodePruned,
    NodeScored,
    QuestionLinked,
    Warned,
)
from kgcore.views import rationale_captions
from kgcore.views.names import Names
from kgcore.views.safe_text import short
from kgcore.views.wording import SAID, Wording, phrases_of

LANGUAGES = ("en", "zh")
KINDS = ("start", "graph", "think", "score", "back", "error", "human", "answer", "end")
TEXT, DETAIL = 220, 260
_TOGETHER = (NodeAdded, NodeScored, NodePruned)


@dataclass(frozen=True, slots=True)
class Caption:
    """A moment of a run: the entries first…last, what kind of thing happened, and what to say of it.

    `is_stop` marks what a presenter will want to speak about: playing stops there. `nodes` are those of the search
    tree it is about, `entities` those of the graph.
    """

    first: int
    last: int
    kind: str
    text: str
    detail: str = ""
    is_stop: bool = False
    nodes: tuple[int, ...] = ()
    entities: tuple[str, ...] = ()


def captions_of(entries: Iterable[Entry], language: str = "en") -> tuple[Caption, ...]:
    """Return the captions of a journal or a prefix of one, in order; together they cover all entries."""
    entries = list(entries)
    phrases = phrases_of(language if language in LANGUAGES else "en")
    teller = _Teller(phrases, language, Names.of(entries))
    told: list[Caption] = []
    first = 0
    for group in _groups(entries):
        caption = teller.tell(group)
        if caption is not None:
            told.append(replace(caption, first=first, last=group[-1].seq))
            first = group[-1].seq + 1
        elif told and isinstance(group[-1].body, Ended):
            told[-1] = replace(told[-1], last=group[-1].seq)
    return tuple(told)


def _groups(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return the entries, facts of one kind that follow each other together; of a beam all that make it.

    What the search turned back to is gone on with in the same moment.
    """
    groups: list[list[Entry]] = []
    for entry in entries:
        if groups and _goes_with(groups[-1], entry):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def _goes_with(group: Sequence[Entry], entry: Entry) -> bool:
    first, last, fact = _fact(group[0]), _fact(group[-1]), _fact(entry)
    if isinstance(fact, NodeExpanded):
        return isinstance(last, Backtracked)
    is_of_beam = isinstance(first, NodeAdded) and first.action == "beam"
    return isinstance(fact, _TOGETHER) and (is_of_beam or type(fact) is type(last))


def _fact(entry: Entry) -> Fact | None:
    return entry.body.fact if isinstance(entry.body, FactNoted) else None


@dataclass(slots=True)
class _Teller(Wording):
    """Tells groups of entries; remembers the names it has seen."""

    words: Words = field(default_factory=Words)
    corrections: tuple[Correction, ...] = ()
    pruned: frozenset[str] = frozenset()  # what a person took out of the search
    ideas: dict[int, str] = field(default_factory=dict)  # what nodes of the search tree are about

    def tell(self, group: Sequence[Entry]) -> Caption | None:
        for entry in group:
            self.words.tell(entry.body)  # learns the names
        body = group[0].body
        if isinstance(body, Started):
            return self._start(body)
        if isinstance(body, StepDone):
            return self._step(body)
        if isinstance(body, StepFailed):
            return self._caption(
                "error", self._say("failed"), self._told(body.message), is_stop=True
            )
        if isinstance(body, Decided):
            return self._caption("human", self._say("decided"), self._decision(body), is_stop=True)
        if isinstance(body, Resumed):
            return self._caption("human", self._say("resumed"))
        if isinstance(body, Ended):
            return self._end(body)
        facts = [e.body.fact for e in group if isinstance(e.body, FactNoted)]
        return self._facts(facts) if facts else None  # breakpoints change nothing that happens

    # entries

    def _caption(self, kind: str, text: str, detail: str = "", **values: Any) -> Caption:
        return Caption(0, 0, kind, short(text, TEXT), short(detail, DETAIL), **values)

    def _start(self, started: Started) -> Caption:
        self.corrections, self.pruned = started.corrections, pruned_texts(started)
        n, parts = len(started.corrections), []
        if started.kind == "fork":
            parts.append(self._say("forked"))
        if n:
            told = self._join([self.names.read(c.text) for c in started.corrections])
            parts.append(self._say("corrections", n) + f" – {told}")
        text = self._say("question", text=started.question)
        return self._caption("start", text, self._and(*parts), is_stop=bool(parts))

    def _step(self, done: StepDone) -> Caption | None:
        caption = self._look(done.step, done.result)
        if not done.is_human:
            return caption
        said = caption.text if caption is not None else self._told(self.words.tell(done)[1])
        return self._caption("human", self._say("human_choice"), said, is_stop=True)

    def _look(self, step: Mapping[str, Any], result: Any) -> Caption | None:
        kind, n = step["kind"], len(getattr(result, "items", ()))
        if kind == "Link":
            is_question = step["is_question"]
            text = self._say("names", n) if is_question else None
            return self._caption(
                "graph", text or self._say("name", n, text=self._quote(step["text"]))
            )
        if kind == "Relations":
            names = self._names(step["entities"])
            text, detail = self._say("relations", n, names=names), self._nameless(*step["entities"])
            return self._caption("graph", text, detail, entities=tuple(step["entities"]))
        if kind == "Edges":
            return self._edges(step, result)
        if kind == "Lookup" and not step.get("about"):  # of a rationale, the query is told already
            return self._caption("graph", self._say("source", source=str(step.get("source", ""))))
        return None

    def _edges(self, step: Mapping[str, Any], result: Any) -> Caption:
        name = self.names.name(step["relation"])
        changed = [c for c in self.corrections if c.relation.id == step["relation"]]
        changed = [c for c in changed if c.subject.id in step["entities"]]
        text = self._say(
            "edges" if step["direction"] == "out" else "edges_in",
            relation=self._quote(name) if name else self._say("nameless_relation"),
            names=self._names(step["entities"]),
            found=self._found(step, result),
        )
        is_cut = getattr(result, "is_partial", False) or getattr(result, "more", ())
        nameless = self._nameless(step["relation"], *step["entities"])
        detail = self._and(self._say("cut") if is_cut else "", nameless)
        if changed:
            told = self._join([self.names.read(c.text) for c in changed])
            detail = self._say("corrected_here", text=told)
        kind = "human" if changed else "graph"
        entities = tuple(step["entities"])
        return self._caption(kind, text, detail, is_stop=bool(changed), entities=entities)

    def _found(self, step: Mapping[str, Any], result: Any) -> str:
        """Return how much was found, and of what kind where it is all of one."""
        if not isinstance(result, EdgeSet) or not result.triples:
            return self._say("nothing")
        ends = [t.object if step["direction"] == "out" else t.subject for t in result.triples]
        distinct = {(e.id if isinstance(e, Entity) else e): e for e in ends}.values()
        types = [{t.lower() for t in e.types} for e in distinct if isinstance(e, Entity)]
        for kind, phrase in self.phrases["kinds"].items():
            if len(types) == len(distinct) and all(kind in names for names in types):
                return str(phrase[0 if len(types) == 1 else 1]).format(n=len(types))
        return self._say("results", len(distinct))

    def _decision(self, decided: Decided) -> str:
        n_changed = len(decided.corrections)
        n_retracted = sum(c.action == "retract" for c in decided.corrections)
        counts = {
            "approved": len(decided.shown) - n_changed,
            "edited": n_changed - n_retracted,
            "retracted": n_retracted,
        }
        told = [self._say(key, n) for key, n in counts.items() if n]
        return self._join([*told, *(self.names.read(c.text) for c in decided.corrections)])

    def _end(self, ended: Ended) -> Caption:
        answer = ended.answer
        if ended.status == "answered" and answer is not None:
            detail = ""
            if answer.is_fallback or not (answer.proof or answer.knowledge):
                detail = self._say("from_memory")
            elif answer.knowledge:
                detail = self._say("known", len(answer.knowledge))
            elif answer.proof:
                detail = self._say("supported", len(answer.proof))
            detail = self._and(detail, *(self._told(c.sentence) for c in answer.conflicts))
            text = self._say("answered", text=self.names.read(answer.text))
            return self._caption("end", text, detail, is_stop=True, nodes=(answer.node,))
        key: str = "failed_end" if ended.status == "failed" else ended.status
        if key == "no_answer" and ended.reason and not ended.reason.startswith("limit: "):
            key = "silent"  # the method itself says why; it may not have looked at any graph
        return self._caption("end", self._say(key), self._told(ended.reason), is_stop=True)

    # facts

    def _facts(self, facts: Sequence[Fact]) -> Caption | None:
        fact = facts[0]
        if isinstance(fact, NodeAdded) and fact.action == "beam":
            return self._beam(facts)
        if isinstance(fact, NodeAdded):
            return self._added([f for f in facts if isinstance(f, NodeAdded)])
        if isinstance(fact, NodeScored):
            return self._scored([f for f in facts if isinstance(f, NodeScored)])
        if isinstance(fact, NodePruned):
            return self._dropped([f.node for f in facts if isinstance(f, NodePruned)])
        if isinstance(fact, QuestionLinked):
            return self._linked(fact)
        if isinstance(fact, AnswerProposed):
            return self._proposed(fact)
        if isinstance(fact, Backtracked):
            return self._back(fact)
        if isinstance(fact, NodeMerged):
            idea = self.ideas.get(fact.into, "")
            text = self._say("merged_with", text=self._quote(idea)) if idea else self._say("merged")
            return self._caption("think", text, nodes=(fact.node,))
        if isinstance(fact, ActionRejected):
            text, nodes = self._say("rejected"), (fact.node,)
            kind = "human" if fact.text in self.pruned else "error"
            return self._caption(kind, text, self._told(fact.reason), nodes=nodes)
        if isinstance(fact, Warned):
            kind = "graph" if fact.is_doubt else "error"
            return self._caption(kind, self._say("warned"), self._told(fact.message))
        return self._rationale(fact)

    def _rationale(self, fact: Fact) -> Caption | None:
        told = rationale_captions.tell(fact, self._say, self.names.read)
        if told is None:
            return None
        kind, text, detail, is_stop, nodes = told
        return self._caption(kind, text, detail, is_stop=is_stop, nodes=nodes)

    def _back(self, fact: Backtracked) -> Caption:
        idea = self.ideas.get(fact.to, "")
        text = self._say("turns_back_to", text=self._quote(idea)) if idea else ""
        text, nodes = text or self._say("turns_back"), (fact.to, fact.left)
        return self._caption("back", text, self._why_back(fact), is_stop=True, nodes=nodes)

    def _why_back(self, fact: Backtracked) -> str:
        """Return why the search turned back, by the values it compared."""
        to, left = f"{fact.to_value:.2f}", f"{fact.left_value:.2f}"
        if not fact.left_value:
            return self._say("back_from_end", value=to)
        if fact.to_value > fact.left_value:
            return self._say("back_to_better", value=to, other=left)
        return self._told(fact.reason)

    def _idea(self, node: int) -> str:
        """Return what a node of the search tree is about, in quotes; without a text in other words."""
        idea = self.ideas.get(node, "")
        return self._quote(idea) if idea else self._say("this_idea")

    def _dropped(self, nodes: Sequence[int]) -> Caption:
        ideas = [self._quote(self.ideas[n]) for n in nodes if self.ideas.get(n)]
        detail = self._join(ideas) if ideas else ""
        return self._caption("score", self._say("pruned", len(nodes)), detail, nodes=tuple(nodes))

    def _linked(self, fact: QuestionLinked) -> Caption:
        found = [s.entity for s in fact.seeds if s.entity is not None]
        if not found:
            return self._caption("start", self._say("starts_nowhere"))
        ids = tuple(e.id for e in found)
        text = self._say("starts", names=self._names(ids))
        return self._caption("start", text, self._nameless(*ids), entities=ids)

    def _proposed(self, fact: AnswerProposed) -> Caption:
        answer = fact.answer
        if not answer.is_answer:
            return self._caption("think", self._say("cannot_tell"), nodes=(answer.node,))
        text = self._say("proposed", text=self.names.read(answer.text))
        return self._caption("answer", text, nodes=(answer.node,))

    def _added(self, facts: Sequence[NodeAdded]) -> Caption | None:
        fact = facts[0]
        self.ideas |= {f.node: self.names.read(f.argument) for f in facts}
        if fact.action in ("start", "correct"):  # how a rationale reads now is told by its own fact
            return None
        key = fact.action if fact.action in self.phrases else "think"
        parts = []
        if fact.triples:
            parts.append(self._say("new_facts", len(fact.triples)))
        if len(facts) > 1:
            parts.append(self._say("other_ideas", len(facts) - 1))
        text = self._say(key, text=short(self.ideas[fact.node], SAID))
        return self._caption(
            "think",
            text,
            self._and(*parts),
            nodes=tuple(f.node for f in facts),
            entities=tuple(f.selected[0] for f in facts[:1] if f.selected),
        )

    def _beam(self, facts: Sequence[Fact]) -> Caption:
        """Tell the paths of one depth together: how many, the best, and how many are not kept."""
        added = [f for f in facts if isinstance(f, NodeAdded)]
        values = {f.node: f.value for f in facts if isinstance(f, NodeScored)}
        dropped = [f.node for f in facts if isinstance(f, NodePruned)]
        self.ideas |= {f.node: self.names.read(f.argument) for f in added}
        best = max(added, key=lambda f: values.get(f.node, 0.0))
        text = self._say("beams", len(added), text=self._idea(best.node))
        parts = []
        if best.node in values:
            parts.append(self._say("best_value", value=f"{values[best.node]:.2f}"))
        if dropped:
            parts.append(self._say("dropped", len(dropped)))
        detail, entities = self._and(*parts), tuple(best.selected[:1])
        return self._caption("think", text, detail, nodes=(best.node,), entities=entities)

    def _scored(self, facts: Sequence[NodeScored]) -> Caption:
        best = max(facts, key=lambda fact: fact.value)
        value, nodes = f"{best.value:.2f}", (best.node,)
        idea = self._idea(best.node)
        if len(facts) == 1:
            text = self._say("rated", text=idea, value=value)
        else:
            text = str(self.phrases["rated_best"]).format(n=len(facts), text=idea, value=value)
        return self._caption("score", text, self._told(best.reason), nodes=nodes)
