"""Rank by BM25: shared stems, of which those that few options hold count more, and long options less.

The options of one question are the whole collection. They are few and seen once, so no index is built.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from kgcore.ranking.stems import stems
from kgcore.steps import Ranking

_K1, _B = 1.5, 0.75  # the usual values


class Bm25Ranker:
    """Orders options by BM25; the best has the score 1."""

    name = "bm25"

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        """Return the options with the highest BM25 first; ties keep their order."""
        scores = bm25(stems(question), [stems(option) for option in options])
        best = max(scores, default=0.0)
        shares = [round(score / best, 4) if best else 0.0 for score in scores]
        order = sorted(range(len(options)), key=lambda i: (-shares[i], i))
        return Ranking(tuple(order), tuple(shares[i] for i in order))


def bm25(wanted: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Return the BM25 of each text (Robertson and Zaragoza 2009), 0 or more; a text holds a stem at most once."""
    n_with = Counter(stem for text in texts for stem in set(text))
    mean_length = sum(map(len, texts)) / len(texts) if texts else 0.0
    scores: list[float] = []
    for text in texts:
        shared = set(wanted).intersection(text)
        rarity = sum(
            math.log(1 + (len(texts) - n_with[s] + 0.5) / (n_with[s] + 0.5)) for s in sorted(shared)
        )
        length = 1 - _B + _B * len(text) / mean_length if shared else 1.0
        scores.append(rarity * (_K1 + 1) / (1 + _K1 * length))
    return scores
