"""Which relations are offered at a node, and in which order.

Where there are more than a few, those that are near to the question's words come first; with a shortlist, only
they are shown. The question's own names are left out of the comparison: "Titanic" says nothing of a relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgcore.reasoners.linking import without_names
from kgcore.steps import Rank, Ranking, Reasoning, RelationOption, Seed, Warned


class Offering(Protocol):
    """What a method's settings say of the relations on offer."""

    @property
    def max_options(self) -> int:
        """Relations offered at most; 0 offers all."""

    @property
    def shortlist(self) -> int:
        """So many are shown, the nearest to the question; 0 shows all that are offered."""

    @property
    def rank_options(self) -> bool:
        """Whether those near to the question come first."""


A_FEW = 6  # so many options are read at a glance, in any order


def offered(
    options: Sequence[RelationOption],
    question: str,
    seeds: Sequence[Seed],
    config: Offering,
    about: tuple[int, ...] = (),
) -> Reasoning:
    """Return the options to offer: the nearest to the question first, at most `max_options`."""
    n = len(options)
    most = config.max_options or n
    is_cut = n > most or (config.shortlist and n > config.shortlist)
    if not is_cut and not (config.rank_options and n > A_FEW):
        return tuple(options)
    ranking = yield Rank(without_names(question, seeds), tuple(o.phrase for o in options), about)
    order = ranking.order if isinstance(ranking, Ranking) else tuple(range(n))
    kept = order[:most]
    if n > most:
        yield Warned(f"{n - most} of {n} relations were not offered")
    if not config.rank_options and not config.shortlist:
        kept = tuple(sorted(kept))
    return tuple(options[i] for i in kept)
