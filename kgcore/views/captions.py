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
    Backtracked,
    EdgeSet,
    Fact,
    NodeAdded,
    NodeExpanded,
    NodePruned,
    NodeScored,
)
from kgcore.views.fact_captions import FactTeller
from kgcore.views.names import Names
from kgcore.views.wording import Caption, phrases_of

LANGUAGES = ("en", "zh")
_TOGETHER = (NodeAdded, NodeScored, NodePruned)


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
class _Teller(FactTeller):
    """Tells groups of entries; remembers the names it has seen."""

    words: Words = field(default_factory=Words)
    corrections: tuple[Correction, ...] = ()

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
