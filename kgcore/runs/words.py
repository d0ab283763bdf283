"""A run's entries in plain words, for logs and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kgcore.model import Relation
from kgcore.runs.acts import pruned_texts
from kgcore.runs.entries import (
    BreakpointsSet,
    Ended,
    EntryBody,
    FactNoted,
    Resumed,
    Started,
    StepDone,
    StepFailed,
)
from kgcore.runs.gate import Decided
from kgcore.runs.rationale_words import tell_rationale
from kgcore.runs.standing import EndStatus, Via
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Backtracked,
    Fact,
    NodeAdded,
    NodeExpanded,
    NodeMerged,
    NodePruned,
    NodeScored,
    QuestionLinked,
    Replies,
    Warned,
    chosen_by_hand,
    named_in,
)

ASKED = {
    "find_mentions": "which names to look up",
    "choose_entity": "which entity a name stands for",
    "choose_each_entity": "which entities the names stand for",
    "choose_action": "what to do next",
    "choose_entities": "which entities to expand",
    "choose_relation": "which relation to follow",
    "rate_state": "how promising this is",
    "rate_answer": "how well the facts support the answer",
    "rate_siblings": "how promising these are",
    "answer_from_memory": "to answer without the graph",
    "answer_directly": "to answer at once",
    "take_step": "for a thought and a step",
    "next_sentence": "for the next sentence",
    "verifying_question": "what would verify it",
    "edit_rationale": "how it reads with this knowledge",
    "score_relations": "which relations to follow",
    "score_entities": "what of it helps",
    "judge_paths": "whether the paths suffice",
    "answer_from_paths": "to answer from what was found",
    "sample_rationales": "to think step by step",
    "choose_domains": "which domains can help",
    "write_sparql": "to write a query",
    "write_sql": "to write a query",
    "write_sentence": "what to search for",
    "mend_query": "to write the query again",
    "correct_rationale": "whether the knowledge agrees",
    "next_rationale": "what follows",
    "answer_from_rationales": "to answer from the rationales",
}
_VIA: dict[Via, str] = {
    "memory": " (from memory, no call)",
    "run": " (asked before, no call)",
    "parent": " (as in the parent run)",
    "human": " (decided by a person)",
}
_ACTIONS = {
    "think": "thinks: {}",
    "expand": "will look further into the graph",
    "select_entities": "picks {}",
    "search": "opens {}",
    "select_relation": "follows {}",
    "answer": "answers: {}",
    "beam": "goes via {}",
    "draft": "states: {}",
    "correct": "holds: {}",
}


class Words:
    """Tells entries in words; remembers the labels of what it has seen."""

    def __init__(self) -> None:
        self._labels: dict[str, str] = {}
        self._pruned: frozenset[str] = frozenset()  # what a person took out of the search

    def tell(self, body: EntryBody) -> tuple[str, str, tuple[int, ...]]:
        """Return kind (step, fact, human, error, end), text, and the nodes it is about."""
        if isinstance(body, Started):
            self._pruned = pruned_texts(body)
            return "fact", f"Question: {body.question}", ()
        if isinstance(body, StepDone):
            self.learn(body.result)
            kind = "human" if body.is_human else "step"
            text = self._step(body.step, body.result) + _VIA.get(body.via, "")
            if body.is_human and body.via != "human":
                text += ", decided by a person"
            text += "".join(f"; {note}" for note in getattr(body.result, "notes", ()))
            return kind, text, tuple(body.step.get("about", ()))
        if isinstance(body, StepFailed):
            about = tuple(body.step.get("about", ()))
            if body.is_cut_short:
                return "step", f"A call was cut short: {body.message}", about
            return "error", f"A call failed: {body.message}", about
        if isinstance(body, FactNoted):
            self.learn(body.fact)
            return self._fact(body.fact)
        if isinstance(body, Decided):
            return "human", _decision(body), ()
        if isinstance(body, Resumed):
            return "human", "Taken up again", ()
        if isinstance(body, BreakpointsSet):
            return "fact", f"Breakpoints were set: {_points(body)}", ()
        return "end", _end(body), ()

    def name(self, identifier: str) -> str:
        """Return the label seen for an id; the id itself when none was seen."""
        return self._labels.get(identifier, identifier)

    def names(self, identifiers: Iterable[str]) -> str:
        """Return up to three labels, and how many there are beyond; ids only where nothing has a label."""
        ids = list(identifiers)
        shown = [self._labels[i] for i in ids if i in self._labels][:3] or ids[:3]
        n_more = len(ids) - len(shown)
        return ", ".join(shown) + (f" and {n_more} more" if n_more else "")

    def learn(self, item: Any) -> None:
        """Learn the labels in a result or a fact; of several for one thing the first stays."""
        for thing in named_in(item):
            if thing.label:
                self._labels.setdefault(thing.id, thing.label)

    def _step(self, step: Mapping[str, Any], result: Any) -> str:
        kind = step["kind"]
        if kind == "Ask":
            asked = ASKED.get(step["template"], step["template"])
            n = len(result.items) if isinstance(result, Replies) else 0
            where = f", for {step['source']}" if step.get("source") else ""
            named = [e.name for e in chosen_by_hand(result)] if n else []
            found = f" – {', '.join(named)}, looked up by hand" if named else ""
            return f"Asked {asked}{where}" + (f", {n} samples" if n > 1 else "") + found
        if kind == "Link":
            n = len(getattr(result, "items", ()))
            where = f"Looked up “{step['text']}”"
            if step["is_question"]:
                where = "Looked for names in the question"
            return f"{where}: {n} candidate{'' if n == 1 else 's'}"
        if kind == "Relations":
            names = self.names(step["entities"])
            return f"Listed the relations of {names}: {len(getattr(result, 'items', ()))}"
        if kind == "Edges":
            relation = Relation(step["relation"], self.name(step["relation"]))
            phrase = relation.phrase(step["direction"])
            n = len(getattr(result, "triples", ()))
            return f"Fetched “{phrase}” of {self.names(step['entities'])}: {n}"
        if kind == "Describe":
            return f"Looked up {self.names(step['entities'])}"
        if kind == "Rank":
            return f"Ranked {len(step['options'])} options by relevance"
        n = len(getattr(result, "items", ()))
        told = getattr(result, "message", "") or f"{n} result{'' if n == 1 else 's'}"
        return f"Queried {step.get('source', kind)}: {told}"

    def _fact(self, fact: Fact) -> tuple[str, str, tuple[int, ...]]:
        if isinstance(fact, QuestionLinked):
            found = [s.entity for s in fact.seeds if s.entity is not None]
            names = ", ".join(e.name for e in found) or "nothing"
            return "fact", f"Starts from {names}", ()
        if isinstance(fact, NodeAdded):
            words = _ACTIONS.get(fact.action, fact.action).format(fact.argument)
            n = len(fact.triples)
            new = f", {n} new triple{'' if n == 1 else 's'}" if n and fact.action != "beam" else ""
            return "fact", f"#{fact.node} {words}{new}", (fact.node,)
        if isinstance(fact, NodeScored):
            reason = f" – {fact.reason}" if fact.reason else ""
            return "fact", f"#{fact.node} is rated {fact.value:.2f}{reason}", (fact.node,)
        if isinstance(fact, NodeExpanded):
            return "fact", f"Expands #{fact.node}", (fact.node,)
        if isinstance(fact, Backtracked):
            return "fact", f"Goes back to #{fact.to}: {fact.reason}", (fact.left, fact.to)
        if isinstance(fact, NodeMerged):
            return (
                "fact",
                f"#{fact.node} comes to the same as #{fact.into} and is not followed",
                (fact.node, fact.into),
            )
        if isinstance(fact, NodePruned):
            return "fact", f"#{fact.node} is not kept: others have a higher value", (fact.node,)
        if isinstance(fact, ActionRejected) and fact.text in self._pruned:
            return "human", f"At #{fact.node}: {fact.reason}", (fact.node,)
        if isinstance(fact, ActionRejected):
            return "error", f"Rejected at #{fact.node}: {fact.reason}", (fact.node,)
        if isinstance(fact, AnswerProposed):
            word = "Proposes" if fact.answer.is_answer else "Cannot tell:"
            return "fact", f"{word} “{fact.answer.text}”", (fact.answer.node,)
        if isinstance(fact, Warned):
            return "fact" if fact.is_doubt else "error", fact.message, ()
        return tell_rationale(fact)


def _decision(decided: Decided) -> str:
    n_changed = len(decided.corrections)
    n_rejected = sum(c.action == "retract" for c in decided.corrections)
    counts = (
        ("Approved", len(decided.shown) - n_changed),
        ("edited", n_changed - n_rejected),
        ("rejected", n_rejected),
    )
    told = ", ".join(f"{word} {n}" for word, n in counts if n)
    words = told[:1].upper() + told[1:] + (" triple" if len(decided.shown) == 1 else " triples")
    return words + _VIA.get(decided.via, "")


def _points(body: BreakpointsSet) -> str:
    """Return in words what the run pauses at: the first breakpoint, and how many more there are."""
    words = [point.words() for point in body.points if point.is_on]
    if not words:
        return "none is on"
    return words[0] + (f" and {len(words) - 1} more" if len(words) > 1 else "")


def _end(body: Ended) -> str:
    text = body.answer.text if body.answer else ""
    disputed = "".join(f". {c.sentence}" for c in body.answer.conflicts) if body.answer else ""
    words: dict[EndStatus, str] = {
        "answered": f"Answer: {text}{disputed}",
        "no_answer": "No answer was found" + (f" ({body.reason})" if body.reason else ""),
        "stopped": "Stopped",
        "budget": f"Stopped: {body.reason}",
        "failed": f"Failed: {body.reason}",
    }
    return words.get(body.status, body.status)
