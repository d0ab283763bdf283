"""Chain-of-Knowledge (arXiv 2305.13269): what a journal of it holds, in order.

    NodeAdded 0 start
    Ask sample_rationales (n = samples)                     RationalesSampled: samples, votes, agreement
      agreed → NodeAdded answer, AnswerProposed, end: no source was asked
    Ask choose_domains (about 0)                            DomainsChosen: domains, offered, sources
    for each rationale, step by step:
      (from the second on, where the sample's own does not stand:) Ask next_rationale (about the node before)
      NodeAdded draft, NodeExpanded                         RationaleDrafted: node, number, text, origin
      for each source, all sources in lockstep, all steps about the draft's node:
        Ask write_sparql | write_sql | write_sentence       (role query; the step's record names the source)
        [SPARQL: Link, Ask choose_entity; for each pattern Relations, Rank, Edges]
                                                            QueryWritten: source, written, query, problem, links
        Lookup                                              KnowledgeFound: source, query, evidence, problem
        on a bad query or an empty result once more: Ask write_…, QueryWritten (is_repaired), Lookup, KnowledgeFound
                                                            SourcesDisagree (where values of graphs differ)
      Ask correct_rationale (only where something was found)
                                                            SourcesDisagree (where the model says so)
                                                            RationaleCorrected: before, after, knowledge
      NodeAdded correct (below the draft, with the triples that were found)
    Ask answer_from_rationales                              NodeAdded answer, NodeScored, AnswerProposed

With mode = parallel all drafts stand first (siblings below node 0), and their sources are asked together.
"""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.reasoners.chain_of_knowledge.config import ChainOfKnowledgeConfig
from kgcore.reasoners.chain_of_knowledge.search import chain_of_knowledge
from kgcore.reasoners.chain_of_knowledge.workload import asks
from kgcore.reasoners.workload import Asks
from kgcore.steps import Reasoning

_TEMPLATES = (
    "sample_rationales",
    "choose_domains",
    "write_sparql",
    "write_sql",
    "write_sentence",
    "mend_query",
    "choose_entity",
    "correct_rationale",
    "next_rationale",
    "answer_from_rationales",
    "repair",
)


@dataclass(frozen=True, slots=True)
class ChainOfKnowledge:
    """Rationales, corrected one by one with knowledge from sources that each speak their own language."""

    name: str = "chain-of-knowledge"
    version: str = "2"
    templates: tuple[str, ...] = _TEMPLATES
    config_class: type[ChainOfKnowledgeConfig] = ChainOfKnowledgeConfig

    def solve(self, question: str, config: ChainOfKnowledgeConfig) -> Reasoning:
        """Reason with the config as given."""
        return chain_of_knowledge(question, config)

    def asks(self, config: ChainOfKnowledgeConfig, n_places: int) -> tuple[Asks, ...]:
        """Return what a chain asks of a model."""
        return asks(config, n_places)


__all__ = ["ChainOfKnowledge", "ChainOfKnowledgeConfig", "chain_of_knowledge"]
