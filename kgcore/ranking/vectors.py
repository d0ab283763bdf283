"""Rank by meaning: nearness of vectors together with shared stems.

A vector knows that *wife* is near *spouse*, a stem that *directed* is *director*; each finds what the other
misses, so the score is their mean. Vectors of labels are kept, since the same labels come again and again.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from kgcore.errors import ServiceError
from kgcore.ranking.base import Ranker
from kgcore.ranking.encoders import ENCODERS, Encoder, load_encoder
from kgcore.ranking.stems import StemRanker, overlap
from kgcore.steps import Ranking

KEPT_LABELS = 20_000  # vectors of labels in memory: 20 MB of 256 numbers each
_log = logging.getLogger(__name__)


class Vectors:
    """Vectors of texts by one encoder, the latest kept; can be used from several threads at once."""

    def __init__(self, encoder: Encoder, *, kept: int = KEPT_LABELS) -> None:
        self.name = encoder.name
        self._encoder, self._kept = encoder, kept
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def nearness(self, question: str, labels: Sequence[str]) -> list[float]:
        """Return how near each label is to the question, in 0…1."""
        with self._lock:
            rows = self._of(labels)
            (asked,) = _unit(self._encoder.encode([question], is_question=True))
        return [self._share(asked @ rows[label]) for label in labels]

    def likeness(self, one: str, other: str) -> float:
        """Return how alike two labels are, in 0…1."""
        with self._lock:
            rows = self._of((one, other))
        return self._share(rows[one] @ rows[other])

    def _share(self, cosine: Any) -> float:
        """Return a cosine as a share of the range in which the encoder's cosines lie."""
        floor = self._encoder.floor
        return min(1.0, max(0.0, round((float(cosine) - floor) / (1.0 - floor), 4)))

    def _of(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return the labels' vectors; those that are new are encoded together."""
        new = [label for label in dict.fromkeys(labels) if label not in self._known]
        fresh = dict(zip(new, _unit(self._encoder.encode(new)), strict=True)) if new else {}
        rows: dict[str, Any] = {}
        for label in labels:
            rows[label] = fresh[label] if label in fresh else self._known[label]
            self._known[label] = rows[label]
            self._known.move_to_end(label)
        while len(self._known) > self._kept:
            self._known.popitem(last=False)
        return rows

    def __len__(self) -> int:
        return len(self._known)


def _unit(rows: Any) -> Any:
    """Scale rows to length 1; what has no length stays as it is."""
    lengths = (rows * rows).sum(axis=1, keepdims=True) ** 0.5
    lengths[lengths == 0] = 1.0
    return rows / lengths


class MeaningRanker:
    """Orders options by nearness in meaning and by shared stems."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.name = f"stems+{vectors.name}"

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        """Return the options by the mean of both measures; ties keep their order."""
        near = self._vectors.nearness(question, options) if options else []
        scores = [
            round((n + overlap(question, o)) / 2, 4) for n, o in zip(near, options, strict=True)
        ]
        order = sorted(range(len(options)), key=lambda i: (-scores[i], i))
        return Ranking(tuple(order), tuple(scores[i] for i in order))


class LazyRanker:
    """A ranker that is made when it is first used; its name, too, is known only then."""

    def __init__(self, make: Callable[[], Ranker]) -> None:
        self._make = make
        self._made: Ranker | None = None
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """What the ranker behind it is called."""
        return self._ranker().name

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        """Let the ranker behind it rank."""
        return self._ranker().rank(question, options)

    def _ranker(self) -> Ranker:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


def default_ranker() -> Ranker:
    """Return a ranker by meaning where an encoder can be loaded, by stems alone where none can."""
    return LazyRanker(_best_ranker)


def _best_ranker() -> Ranker:
    vectors = best_vectors()
    return StemRanker() if vectors is None else MeaningRanker(vectors)


def best_vectors() -> Vectors | None:
    """Return the vectors of the best encoder there is; None without any.

    The multilingual encoder is an extra: who has installed it wants it.
    """
    found = (vectors_of(name) for name in ENCODERS)
    return next((vectors for vectors in found if vectors is not None), None)


@cache
def vectors_of(name: str) -> Vectors | None:
    """Return an encoder's vectors, one table for the whole process; None where it cannot be loaded."""
    try:
        return Vectors(load_encoder(name))
    except ServiceError as error:
        _log.info("%s", error)
        return None
