"""How many requests a tree search makes at least and at most."""

from __future__ import annotations

from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.workload import Asks, linking_asks, some

_MOVES = ("choose_action", "choose_entities", "choose_relation")


def asks(config: TraversalConfig, n_graphs: int) -> tuple[Asks, ...]:
    """Return what a search asks: one request for an expansion, and ratings of what it brought.

    The shortest search answers at its root, and does not rate an answer that cannot tell. The longest one uses up
    its expansions and is then asked for an answer at the best node.
    """
    n = _expansions(config)
    moves = Asks(_MOVES, 1, n, config.k if config.k == 1 else 2 * config.k)
    forced = Asks(("choose_action",), 0, 1, config.k)
    return some(
        (
            *linking_asks(config, n_graphs),
            moves,
            forced,
            *_ratings(config, n + 1),
            Asks(("answer_from_memory",), 0, int(config.fallback)),
        )
    )


def _expansions(config: TraversalConfig) -> int:
    """Return the most expansions; a chain ends at its depth, give or take the choices of one more edge."""
    if config.k > 1:
        return config.max_expansions
    return min(config.max_expansions, config.max_depth + 3)


def _ratings(config: TraversalConfig, n_times: int) -> tuple[Asks, ...]:
    """Return the ratings of children: of all in one request, or one each; a chain rates only answers."""
    single = ("rate_state", "rate_answer")
    if config.k == 1:
        return (Asks(("rate_answer",), 0, n_times, role="evaluate"),)
    if config.rate_together:
        return (Asks(("rate_siblings", *single), 0, n_times, role="evaluate"),)
    return (Asks(single, 0, n_times * config.k, role="evaluate"),)
