"""What an audience reads of facts: the search and its tree, links, answers, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Backtracked,
    Fact,
    NodeAdded,
    NodeMerged,
    NodePruned,
    NodeScored,
    QuestionLinked,
    Warned,
)
from kgcore.views import rationale_captions
from kgcore.views.safe_text import short
from kgcore.views.wording import SAID, Caption, Wording


@dataclass(slots=True)
class FactTeller(Wording):
    """Tells facts of one kind that come together; remembers what the nodes of the search tree are about."""

    pruned: frozenset[str] = frozenset()  # what a person took out of the search
    ideas: dict[int, str] = field(default_factory=dict)  # by the number of the node

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
