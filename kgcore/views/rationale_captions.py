"""What an audience reads of rationales: the gate, queries, knowledge, corrections."""

from __future__ import annotations

from collections.abc import Callable

from kgcore.steps import (
    DomainsChosen,
    Fact,
    KnowledgeFound,
    QueryWritten,
    RationaleCorrected,
    RationalesSampled,
    SourcesDisagree,
)

Say = Callable[..., str]
Told = tuple[str, str, str, bool, tuple[int, ...]]  # kind, text, detail, is_stop, nodes


def tell(fact: Fact, say: Say, read: Callable[[str], str] = str) -> Told | None:
    """Return what to say of a fact about rationales; None for what says nothing new to an audience.

    `read` puts names in the place of ids.
    """
    if isinstance(fact, RationalesSampled):
        return _gate(fact, say)
    if isinstance(fact, DomainsChosen):
        names = ", ".join(fact.domains)
        text = say("domains", names=names) if fact.domains else say("no_domains")
        return "think", text, ", ".join(fact.sources), False, (0,)
    if isinstance(fact, QueryWritten):
        if fact.status != "run":
            return None
        text = say("query_again" if fact.is_repaired else "query", source=fact.source)
        return "graph", text, read(fact.written), False, (fact.node,)
    if isinstance(fact, KnowledgeFound):
        n, detail = len(fact.evidence), fact.problem
        text = say("knows", n, source=fact.source) if n else say("knows_not", source=fact.source)
        detail = read(fact.evidence[0].text) if n else detail
        return "graph", text, detail, False, (fact.node,)
    if isinstance(fact, SourcesDisagree):
        return "error", say("disagree"), read(fact.text), True, (fact.node,)
    if isinstance(fact, RationaleCorrected):
        nodes = (fact.node,)
        if fact.is_changed:
            text = say("rationale_changed", text=read(fact.after))
            return "think", text, say("rationale_was", text=fact.before), True, nodes
        key = "rationale_kept" if fact.knowledge else "rationale_untouched"
        return "think", say(key), fact.reason, False, nodes
    return None


def _gate(fact: RationalesSampled, say: Say) -> Told:
    most, share = fact.counts[0] if fact.counts else ("", 0), f"{fact.agreement:.0%}"
    key = "gate_agrees" if fact.is_agreed else "gate_differs"
    text = say(key, of=len(fact.samples), share=share)
    return "think", text, str(most[0]), True, (0,)
