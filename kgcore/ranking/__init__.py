"""Order texts by their relevance to a question."""

from kgcore.ranking.base import Ranker
from kgcore.ranking.stems import StemRanker, overlap

__all__ = ["Ranker", "StemRanker", "overlap"]
