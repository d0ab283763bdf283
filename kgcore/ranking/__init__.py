"""Order texts by their relevance to a question."""

from kgcore.ranking.base import Ranker
from kgcore.ranking.bm25 import Bm25Ranker
from kgcore.ranking.stems import StemRanker, overlap
from kgcore.ranking.vectors import MeaningRanker, Vectors, best_vectors, default_ranker, vectors_of


def ranker_called(name: str) -> Ranker:
    """Return the ranker that a method's setting names: `words`, `bm25`; for any other name the default one."""
    if name == "words":
        return StemRanker()
    return Bm25Ranker() if name == "bm25" else default_ranker()


__all__ = [
    "Bm25Ranker",
    "MeaningRanker",
    "Ranker",
    "StemRanker",
    "Vectors",
    "best_vectors",
    "default_ranker",
    "overlap",
    "ranker_called",
    "vectors_of",
]
