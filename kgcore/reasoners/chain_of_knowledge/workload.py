"""How many requests a chain makes at least and at most."""

from __future__ import annotations

from kgcore.reasoners.chain_of_knowledge.config import ChainOfKnowledgeConfig
from kgcore.reasoners.workload import Asks, some

_QUERIES = ("write_sparql", "write_sql", "write_sentence", "mend_query")
_NAMES = 2  # whose meaning is unclear, of one query; queries with more are rare


def asks(config: ChainOfKnowledgeConfig, n_sources: int) -> tuple[Asks, ...]:
    """Return what a chain asks: only the samples where they agree; else for each rationale its queries and more.

    A query that fails is written once more. Of a rationale nothing but its queries is asked where no source knows
    anything.
    """
    rationales = config.max_rationales
    queries = rationales * n_sources * 2
    return some(
        (
            Asks(("sample_rationales",), 1, 1, config.samples),
            Asks(("choose_domains",), 0, int(not config.domains and n_sources > 1)),
            Asks(_QUERIES, 0, queries, role="query"),
            Asks(("choose_entity",), 0, queries * _NAMES, role="query"),
            Asks(("next_rationale",), 0, rationales),
            Asks(("correct_rationale",), 0, rationales),
            Asks(("answer_from_rationales",), 0, 1),
        )
    )
