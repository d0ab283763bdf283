"""Order texts by their relevance to a question."""

from kgcore.ranking.base import Ranker
from kgcore.ranking.stems import StemRanker, overlap
from kgcore.ranking.vectors import MeaningRanker, Vectors, best_vectors, default_ranker, vectors_of

__all__ = [
    "MeaningRanker",
    "Ranker",
    "StemRanker",
    "Vectors",
    "best_vectors",
    "default_ranker",
    "overlap",
    "vectors_of",
]
