"""What a journal says of rationales, folded entry by entry: part of RunView.

`address` of a query is that of the request which wrote it: an edited reply there forks the run from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kgcore.runs.entries import Address, Entry, FactNoted, StepDone
from kgcore.steps import (
    DomainsChosen,
    Evidence,
    Fact,
    Knowledge,
    KnowledgeFound,
    NameLinked,
    NodeAdded,
    QueryOutcome,
    QueryWritten,
    RationaleCorrected,
    RationaleDrafted,
    RationalesSampled,
    SourcesDisagree,
)


@dataclass(frozen=True, slots=True)
class QueryView:
    """A query for one source, and what came of it.

    `problem` says why the query was not run or is a second try; `failure` what the source said against it.
    """

    source: str
    language: str
    written: str = ""
    query: str = ""
    problem: str = ""
    is_repaired: bool = False
    links: tuple[NameLinked, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    n_more: int = 0
    failure: str = ""
    is_answered: bool = False
    address: Address | None = None
    seq: int = 0
    outcome: QueryOutcome = "run"

    @property
    def status(self) -> str:
        """none (the source cannot help), unread, unlinked (both not run), asked, bad, empty or found."""
        if self.is_answered:
            return "bad" if self.failure else "found" if self.evidence else "empty"
        return "asked" if self.outcome == "run" else self.outcome

    @property
    def is_mended(self) -> bool:
        """Whether it is the second query, and mends the first: there was something to run, or to look for."""
        return self.is_repaired and self.outcome in ("run", "unlinked")

    @property
    def knowledge(self) -> tuple[Knowledge, ...]:
        """The pieces it found, as facts about rationales name them."""
        return tuple(Knowledge(self.source, self.query, item) for item in self.evidence)


@dataclass(frozen=True, slots=True)
class RationaleView:
    """A rationale as a watcher sees it: its draft, who was asked about it, and how it reads now."""

    number: int
    node: int
    draft: str
    origin: str = "sample"
    queries: tuple[QueryView, ...] = ()
    disputes: tuple[SourcesDisagree, ...] = ()
    corrected: RationaleCorrected | None = None
    corrected_node: int | None = None
    addresses: Mapping[str, Address] = field(default_factory=dict)  # template → where it was asked
    seq: int = 0

    @property
    def text(self) -> str:
        """The rationale as it stands now."""
        return self.corrected.after if self.corrected else self.draft

    @property
    def knowledge(self) -> tuple[Knowledge, ...]:
        """What supports or changed it."""
        return self.corrected.knowledge if self.corrected else ()

    @property
    def status(self) -> str:
        """draft, changed, supported (knowledge agrees) or unchanged (knowledge says nothing)."""
        if self.corrected is None:
            return "draft"
        if self.corrected.is_changed:
            return "changed"
        return "supported" if self.corrected.knowledge else "unchanged"


@dataclass(slots=True)
class RationalesView:
    """The gate, the domains and the rationales of a run after some of its entries."""

    sampled: RationalesSampled | None = None
    domains: DomainsChosen | None = None
    by_node: dict[int, RationaleView] = field(default_factory=dict)  # node of the draft → rationale
    addresses: dict[str, Address] = field(default_factory=dict)  # template → last asked where
    _asked: dict[tuple[int, str], Address] = field(default_factory=dict)

    @property
    def items(self) -> tuple[RationaleView, ...]:
        """The rationales by number, the queries of each in the order of the sources."""
        order = self.domains.sources if self.domains else ()
        places = {source: place for place, source in enumerate(order)}
        found = sorted(self.by_node.values(), key=lambda r: r.number)
        return tuple(
            replace(r, queries=tuple(sorted(r.queries, key=lambda q: places.get(q.source, 0))))
            for r in found
        )

    def copy(self) -> RationalesView:
        """Return a view that stays as it is while the fold goes on."""
        by_node, addresses, asked = dict(self.by_node), dict(self.addresses), dict(self._asked)
        return replace(self, by_node=by_node, addresses=addresses, _asked=asked)

    def add(self, entry: Entry) -> None:
        """Fold one more entry; those that are not about rationales change nothing."""
        if isinstance(entry.body, StepDone):
            self._add_step(entry, entry.body.step)
        elif isinstance(entry.body, FactNoted):
            self._add_fact(entry, entry.body.fact)

    def _add_step(self, entry: Entry, step: Mapping[str, Any]) -> None:
        if step.get("kind") != "Ask":
            return
        template, source = str(step.get("template", "")), str(step.get("source", ""))
        self.addresses[template] = entry.address
        for node in step.get("about", ()):
            if source:
                self._asked[node, source] = entry.address
            elif node in self.by_node:
                known = self.by_node[node]
                self._change(node, addresses={**known.addresses, template: entry.address})

    def _add_fact(self, entry: Entry, fact: Fact) -> None:
        if isinstance(fact, RationalesSampled):
            self.sampled = fact
        elif isinstance(fact, DomainsChosen):
            self.domains = fact
        elif isinstance(fact, RationaleDrafted):
            self.by_node[fact.node] = RationaleView(
                fact.number, fact.node, fact.text, fact.origin, seq=entry.seq
            )
        elif isinstance(fact, NodeAdded):
            if fact.action == "correct" and fact.parent is not None:
                self._change(fact.parent, corrected_node=fact.node)
        elif isinstance(fact, (QueryWritten, KnowledgeFound, SourcesDisagree, RationaleCorrected)):
            self._add_to_rationale(entry, fact)

    def _add_to_rationale(
        self,
        entry: Entry,
        fact: QueryWritten | KnowledgeFound | SourcesDisagree | RationaleCorrected,
    ) -> None:
        known = self.by_node.get(fact.node)
        if known is None:
            return
        if isinstance(fact, QueryWritten):
            address = self._asked.get((fact.node, fact.source))
            self._change(fact.node, queries=(*known.queries, _written(fact, address, entry.seq)))
        elif isinstance(fact, KnowledgeFound):
            self._change(fact.node, queries=_answered(known.queries, fact))
        elif isinstance(fact, SourcesDisagree):
            self._change(fact.node, disputes=(*known.disputes, fact))
        else:
            self._change(fact.node, corrected=fact)

    def _change(self, node: int, **values: Any) -> None:
        if node in self.by_node:
            self.by_node[node] = replace(self.by_node[node], **values)


def _written(fact: QueryWritten, address: Address | None, seq: int) -> QueryView:
    return QueryView(
        fact.source,
        fact.language,
        fact.written,
        fact.query,
        fact.problem,
        fact.is_repaired,
        fact.links,
        address=address,
        seq=seq,
        outcome=fact.status,
    )


def _answered(queries: tuple[QueryView, ...], fact: KnowledgeFound) -> tuple[QueryView, ...]:
    """Return the queries with the last one of that source answered."""
    at = max((n for n, q in enumerate(queries) if q.source == fact.source), default=None)
    if at is None:
        return queries
    answered = replace(
        queries[at],
        query=fact.query,
        evidence=fact.evidence,
        n_more=fact.n_more,
        failure=fact.problem,
        is_answered=True,
    )
    return (*queries[:at], answered, *queries[at + 1 :])
