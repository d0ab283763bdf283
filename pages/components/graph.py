"""Draw a pyvis network as a two-way graph inside a page.

A pyvis ``Network`` is only the model here: its nodes and edges are sent as JSON and drawn by the
vis-network file that pyvis ships; its HTML template is never used. The whole visible state is sent
on every run of the page and the browser changes what differs (see ``assets/components/graph.js``),
so zoom, dragged nodes and the selection stay while a run grows the graph. Positions come from
Python and physics is off, so nothing ever drifts.

The library is mounted once per page by ``load``; later runs of the page send only its hash.
All text that reaches the browser is cut, freed from control characters and drawn as text.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import streamlit as st

from kgcore.views.payload import payload, short, vis_library

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["graph", "load", "payload", "short", "warm_up"]

ASSETS = Path(__file__).parents[2] / "assets" / "components"
EVENTS = frozenset({"node", "edge", "none"})
EMPTY = "Nothing to draw yet."


def load() -> None:
    """Mount the drawing library; call it once, at the top of every page that draws a graph."""
    _library()(key="kg-vis", height=1)


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Import, while the person reads, what the first drawing needs."""
    Thread(target=import_module, args=("pyvis.network",), daemon=True).start()


def graph(
    net: "Network",
    *,
    key: str,
    height: int = 430,
    select: Sequence[str | int] = (),
    focus: str | int | None = None,
    empty: str = EMPTY,
    on_event: Callable[[], None] | None = None,
) -> dict[str, Any] | None:
    """Draw the network and return what was clicked since the last run of the page, if anything.

    Every node needs ``x`` and ``y``; edges without an ``id`` get one. The event is
    ``{"type": "node" | "edge" | "none", "id": …, "k": counter}`` and is seen once. ``select`` marks
    nodes and edges; ``focus`` is a node that stays in sight at a readable size until the person
    moves the view. ``key`` names the view: camera and dragged nodes are kept for it across pages,
    so give each run its own (without "__", which Streamlit keeps to itself). Inside ``on_event``
    the event is ``st.session_state[key]["event"]``.
    """
    data = payload(net, select=select, focus=focus) | {"key": key, "height": height, "empty": empty}
    result = _view()(key=key, data=data, on_event_change=on_event or _ignore)
    event = result.get("event")
    return event if isinstance(event, dict) and event.get("type") in EVENTS else None


def _ignore() -> None:
    """Do nothing: an event needs a callback to be reported at all."""


@cache
def _library() -> Any:
    """Return the component that brings vis-network to the page."""
    ready = (ASSETS / "vis_ready.js").read_text("utf-8")
    return st.components.v2.component("kg_vis", js=f"{vis_library()}\n{ready}")


@cache
def _view() -> Any:
    """Return the component that draws one graph."""
    html, css, *scripts = (
        (ASSETS / name).read_text("utf-8")
        for name in (
            "graph.html",
            "graph.css",
            "labels.js",
            "camera.js",
            "graph.js",
            "graph_mount.js",
        )
    )
    return st.components.v2.component("kg_view", html=html, css=css, js="\n".join(scripts))
