"""The knowledge subgraph of a run as a pyvis network."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from kgcore.model import Subgraph
from kgcore.runs import RunView
from kgcore.views.beside import Beside, add_beside
from kgcore.views.edge_ids import edge_id, edges_by_id, same_in
from kgcore.views.growth import Growth
from kgcore.views.kg_drawing import Drawing, Scene
from kgcore.views.palettes import Palette
from kgcore.views.waiting import Waiting, add_waiting

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["edge_id", "edges_by_id", "kg_network", "same_in"]


def kg_network(
    view: RunView,
    palette: Palette,
    *,
    growth: Growth | None = None,
    subgraph: Subgraph | None = None,
    selected: str = "",
    marked: Collection[str] = (),
    suspects: Mapping[str, str] | None = None,
    beside: Beside | None = None,
    waiting: Waiting | None = None,
    language: str = "en",
) -> Network:
    """Return the drawing of the run's subgraph, or of a part of it at the same places.

    `growth` keeps places between calls; without it they are found anew, and are the same. `subgraph` is what one
    node of the search tree knows; `selected` is a node's or edge's id, `marked` are ids of edges to stress,
    `suspects` those a challenge ranked, with the reason; `beside` is what a person opened outside the run,
    `waiting` what the approval gate holds.
    """
    growth = growth or Growth()
    growth.follow(view.entries)
    if view.answer is not None:
        growth.show_answer(view.answer)
    started = view.started
    scene = Scene(
        view.subgraph,
        tuple(name for name, _ in started.kgs) if started else (),
        tuple(seed.entity.id for seed in view.seeds if seed.entity is not None),
        answer=view.answer,
        is_over=view.ended is not None,
        language=language,
    )
    drawing = Drawing(scene, palette, growth, selected, frozenset(marked), suspects or {})
    net = drawing.network(view.subgraph if subgraph is None else subgraph)
    if waiting is not None:
        add_waiting(
            net,
            waiting,
            view.subgraph,
            growth,
            palette,
            selected=selected,
            language=language,
        )
    if beside is not None:
        add_beside(net, beside, growth, palette, colors=drawing.colors, language=language)
    return net
