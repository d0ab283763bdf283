"""Settings of Tree-of-Traversals, with the paper's values as defaults where it states them."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.model import wired
from kgcore.reasoners.linking import LinkingConfig
from kgcore.reasoners.settings import check_bounds

_BOUNDS = {
    "k": (1, 50),
    "max_depth": (1, 100),
    "max_expansions": (1, 1000),
    "candidates": (1, 50),
    "edge_limit": (1, 5000),
    "shortlist": (0, 26),
    "threshold": (0, 1),
    "max_options": (0, 1000),
}


@wired
@dataclass(frozen=True, slots=True)
class TraversalConfig(LinkingConfig):
    """What a run may be told. The economy settings, all off, give exactly the paper's procedure.

    k               actions sampled in the default state (paper: 3); 1 is Chain-of-Traversals
    max_depth       from this depth on, the only action in the default state is to answer
    max_expansions  expansions of the whole search
    threshold       an answer rated at least this ends the search
    edge_limit      edges fetched for an entity along a relation
    fallback        answer from the model's own memory when the graph gives no answer (→CoT)
    shortlist       show only so many relation options, the nearest to the question, as letters; 0 shows all
    max_options     offer at most so many relation options, the nearest to the question; 0 offers all

    Economy: rate_together (siblings rated in one request), rank_options (where there are more than a few relations,
    those near to the question's words come first; off: the order of the graph), and those of linking: skip_single,
    link_together, spot_mentions, ask_graph_once.
    """

    k: int = 3
    max_depth: int = 7
    max_expansions: int = 20
    threshold: float = 0.8
    edge_limit: int = 50
    fallback: bool = False
    shortlist: int = 0
    max_options: int = 60
    rate_together: bool = True
    rank_options: bool = True

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)

    @property
    def temperature(self) -> float:
        """Sampling temperature: 0 for a single sample, 1 otherwise (paper, section 4)."""
        return 0.0 if self.k == 1 else 1.0
