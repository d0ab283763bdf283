"""Facts about rationales in plain words, for logs."""

from __future__ import annotations

from kgcore.steps import (
    DomainsChosen,
    KnowledgeFound,
    QueryWritten,
    RationaleCorrected,
    RationaleDrafted,
    RationalesSampled,
    SourcesDisagree,
)
from kgcore.steps.rationales import RationaleFact

Told = tuple[str, str, tuple[int, ...]]


def tell_rationale(fact: RationaleFact) -> Told:
    """Return kind (fact, error), text, and the nodes it is about."""
    if isinstance(fact, RationalesSampled):
        n = len(fact.samples)
        word = "enough to answer" if fact.is_agreed else "not enough"
        told = f"{fact.agreement:.0%} of {n} sample{'' if n == 1 else 's'} agree, {word}"
        return "fact", f"{told} (threshold {fact.threshold:.0%})", (0,)
    if isinstance(fact, DomainsChosen):
        domains = ", ".join(fact.domains) or "none"
        return "fact", f"Domains: {domains}; sources: {', '.join(fact.sources) or 'none'}", (0,)
    where = (fact.node,)
    if isinstance(fact, RationaleDrafted):
        return "fact", f"Rationale {fact.number}: {fact.text}", where
    if isinstance(fact, QueryWritten):
        return _query(fact)
    if isinstance(fact, KnowledgeFound):
        if fact.problem:
            told = f"{fact.source} refused the query: {fact.problem}"
            return (
                ("fact", f"{told}; it is mended", where)
                if fact.is_mended
                else ("error", told, where)
            )
        n = len(fact.evidence)
        more = f" (and {fact.n_more} more)" if fact.n_more else ""
        return "fact", f"{fact.source} knows {n or 'nothing'}{more}", where
    if isinstance(fact, SourcesDisagree):
        return "fact", f"Sources disagree: {fact.text}", where
    assert isinstance(fact, RationaleCorrected)
    if fact.is_changed:
        return "fact", f"Rationale {fact.number} corrected: {fact.after}", where
    word = "is supported" if fact.knowledge else "stays as it was"
    return "fact", f"Rationale {fact.number} {word}", where


def _query(fact: QueryWritten) -> Told:
    where = (fact.node,)
    why = f": {fact.problem}" if fact.problem else ""
    if fact.status == "none":
        again = " again" if fact.is_repaired else ": it cannot help here"
        return "fact", f"{fact.source} is not asked{again}", where
    if fact.status == "unread":
        return "error", f"The query for {fact.source} could not be read{why}", where
    if fact.status == "unlinked":
        if fact.is_repaired:  # the source does not know what is asked of it: no fault of the run
            return "fact", f"No query for {fact.source}{why}", where
        return "fact", f"The query for {fact.source} is mended{why}", where
    word = "Mended query" if fact.is_repaired else "Query"
    return "fact", f"{word} for {fact.source}: {fact.written}", where
