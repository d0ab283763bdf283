"""Settings of Think-on-Graph, with the paper's values as defaults where it states them."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.errors import InputError
from kgcore.model import wired
from kgcore.reasoners.linking import LinkingConfig
from kgcore.reasoners.settings import check_bounds

PRUNERS = ("model", "words", "bm25", "embedding")
_BOUNDS = {
    "width": (1, 20),
    "max_depth": (1, 10),
    "candidates": (1, 50),
    "edge_limit": (1, 5000),
    "max_things": (1, 200),
    "max_options": (0, 1000),
    "seed": (0, 2**31 - 1),
    "temperature": (0, 2),
}


@wired
@dataclass(frozen=True, slots=True)
class ThinkOnGraphConfig(LinkingConfig):
    """What a run may be told.

    width           N: paths kept in the beam (paper: 3)
    max_depth       D: how far paths grow (paper: 3)
    pruner          what scores relations and entities: the model (paper); or, at no request, shared words, BM25, or
                    embedding (nearness in meaning). Lists that are too long are cut by the same measure; with the
                    model, by embedding
    temperature     of the requests that score (paper: 0.4); those that reason are asked at 0
    max_options     relations offered for a path, the nearest to the question; 0 offers all
    max_things      entities and values offered for a path and a relation, the nearest to the question
    edge_limit      edges fetched for an entity along a relation
    administrative  False leaves out relations that only keep house (administrative.yaml)
    is_batched      all lists of a beam are scored in one request, and the beam's N best relations are followed;
                    off, as in the paper: one request for each path, and N relations followed from each
    own_knowledge   where the paths do not suffice, answer with the model's own knowledge too (marked as such)
    seed            of the samples that ToG-R takes

    Economy, as in every method: skip_single, link_together, spot_mentions, ask_graph_once.
    """

    width: int = 3
    max_depth: int = 3
    pruner: str = "model"
    temperature: float = 0.4
    max_options: int = 60
    max_things: int = 20
    edge_limit: int = 50
    administrative: bool = False
    is_batched: bool = True
    own_knowledge: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)
        if self.pruner not in PRUNERS:
            raise InputError(f"pruner must be one of {', '.join(PRUNERS)}, not {self.pruner!r}")
