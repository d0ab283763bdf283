"""How many requests a beam search makes at least and at most."""

from __future__ import annotations

from kgcore.reasoners.think_on_graph.config import ThinkOnGraphConfig
from kgcore.reasoners.workload import Asks, linking_asks, some


def asks(
    config: ThinkOnGraphConfig, n_graphs: int, *, is_sampled: bool = False
) -> tuple[Asks, ...]:
    """Return what a search asks: for each depth the two prunings and a verdict, and an answer at the end.

    The shortest search finds nothing to start from and answers at once.
    """
    depth, width = config.max_depth, config.width
    relations, entities = (1, 1) if config.is_batched else (width, width * width)
    is_asked = config.pruner == "model"
    return some(
        (
            *linking_asks(config, n_graphs),
            Asks(("score_relations",), 0, depth * relations * is_asked),
            Asks(("score_entities",), 0, depth * entities * (is_asked and not is_sampled)),
            Asks(("judge_paths",), 0, depth, role="evaluate"),
            Asks(("answer_from_paths",), 0, 1),
        )
    )
