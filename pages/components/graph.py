"""Draw a pyvis network as a two-way graph inside a page.

A pyvis ``Network`` is only the model here: its nodes and edges are sent as JSON and drawn by the
vis-network file that pyvis ships; its HTML template is never used. The whole visible state is sent
on every run of the page and the browser changes what differs (see ``assets/components/graph.js``),
so zoom, dragged nodes and the selection stay while a run grows the graph. Positions come from
Python and physics is off, so nothing ever drifts.

The library, the component's own code and its words are mounted once per page by ``load``; later
runs of the page send only their hash. All text that reaches the browser is cut, freed from control characters and
drawn as text. Events are ``{"type": …, "id": …, "k": counter}``:

    node, edge, none   a click, or Enter on the keyboard's cursor; none is the ground
    open               a double click on a node
    several            two or more nodes are selected; they are in "ids"
    menu               an entry that the page added to a menu; its name is in "action"
    undo               the person takes back what ``undo`` names
    find               the person looks for the name in "text", and not all is drawn
    reveal             the person wants to see a node that was found and is not drawn

A menu is made of (action, label) pairs for each kind of item: ``menus={"node": [("grow", "Grow")]}``.
A node's or edge's kind is its own field ``kind``, else "node" or "edge"; "view" is the ground; ``barred`` lists by
action the ids of items at which it is not offered. What
needs no page – centre, select, copy, open the page, save a picture – is in every menu already.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import streamlit as st

from kgcore.views.packing import packed
from kgcore.views.payload import payload, vis_library
from kgcore.views.safe_text import file_name, short
from pages.components.language import t

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["Entries", "graph", "load", "payload", "short", "warm_up"]

ASSETS = Path(__file__).parents[2] / "assets" / "components"
EVENTS = frozenset({"node", "edge", "none", "open", "several", "menu", "undo", "find", "reveal"})
SCRIPTS = (
    "packing.js",
    "words.js",
    "places.js",
    "labels.js",
    "cards.js",
    "camera.js",
    "graph.js",
    "moved.js",
    "picking.js",
    "cursor.js",
    "menu.js",
    "find.js",
    "picture.js",
    "tools.js",
)
Entries = Sequence[tuple[str, str]]


def load() -> None:
    """Mount the drawing library; call it once, at the top of every page that draws a graph.

    The words go as one text: for a mapping inside of its data Streamlit imports pandas, which takes seconds.
    """
    _library()(key="kg-vis", height=1, data={"key": "kg-vis", "words": json.dumps(_words())})


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Import, while the person reads, what the first drawing needs."""
    Thread(target=_import_all, args=("pyvis.network", "pandas", "pyarrow"), daemon=True).start()


def _import_all(*names: str) -> None:
    for name in names:
        import_module(name)


def graph(
    net: "Network",
    *,
    key: str,
    height: int = 430,
    select: Sequence[str | int] = (),
    focus: str | int | None = None,
    current: str | int | None = None,
    empty: str | None = None,
    menus: Mapping[str, Entries] | None = None,
    barred: Mapping[str, Sequence[str]] | None = None,
    links: Mapping[str, Any] | None = None,
    undo: str = "",
    name: str = "",
    room: Sequence[float] = (),
    finding: Mapping[str, Any] | None = None,
    nowhere: str = "",
    on_event: Callable[[], None] | None = None,
) -> dict[str, Any] | None:
    """Draw the network and return what was done with it since the last run of the page, if anything.

    Every node needs ``x`` and ``y``; edges without an ``id`` get one. ``select`` marks nodes and
    edges; ``focus`` is a node that stays in sight at a readable size until the person moves the
    view; ``current`` is the one that "centre" means when nothing is selected. ``key`` names the
    view: camera and dragged nodes are kept for it across pages, so give each run its own (without
    "__", which Streamlit keeps to itself). ``links`` are the nodes' own pages as
    ``payload.links_of`` puts them; ``undo`` says in words what an undo would take back; ``name`` names
    the files of pictures; ``room`` (left, top, right, bottom) is kept in sight beside the nodes;
    ``finding`` is what ``finding.answer`` gives, ``nowhere`` says that a name is not known at all.
    Inside ``on_event`` the event is ``st.session_state[key]["event"]``.
    """
    data = payload(net, select=select, focus=focus) | {
        "key": key,
        "height": height,
        "empty": t("Nothing to draw yet.") if empty is None else empty,
    }
    more = {
        "current": current,
        "menus": {kind: [list(e) for e in entries] for kind, entries in (menus or {}).items()},
        "barred": {action: list(ids) for action, ids in (barred or {}).items() if ids},
        "links": links,
        "undo": short(undo, 80),
        "name": file_name(name) if name else "",
        "room": list(room),
        "finding": finding,
        "nowhere": nowhere,
    }
    data |= {field: value for field, value in more.items() if value}
    result = _view()(key=key, data=packed(data), on_event_change=_once(key, on_event))
    event = result.get("event")
    return event if isinstance(event, dict) and event.get("type") in EVENTS else None


def _once(key: str, on_event: Callable[[], None] | None) -> Callable[[], None]:
    """Return a callback that takes each event once.

    Streamlit calls a callback again when the run of the page that followed the event was cut short by another one.
    An event needs a callback to be reported at all.
    """

    def call() -> None:
        taken: dict[str, int] = st.session_state.setdefault("graph-events", {})
        state = st.session_state.get(key)
        event = state.get("event") if state is not None else None
        counter = event.get("k") if isinstance(event, dict) else None
        if on_event is None or (counter is not None and taken.get(key) == counter):
            return
        taken[key] = counter
        on_event()

    return call


@cache
def _library() -> Any:
    """Return the component that brings to the page what its graphs share.

    Streamlit sends a component's code again whenever its data change, so that of a graph is short.
    """
    html, css, more, kit = (
        (ASSETS / name).read_text("utf-8")
        for name in ("graph.html", "graph.css", "tools.css", "kit.js")
    )
    parts = f"const HTML = {json.dumps(html)};\nconst CSS = {json.dumps(css + more)};"
    scripts = "\n".join((ASSETS / name).read_text("utf-8") for name in SCRIPTS)
    return st.components.v2.component("kg_vis", js=f"{vis_library()}\n{scripts}\n{parts}\n{kit}")


@cache
def _view() -> Any:
    """Return the component that draws one graph."""
    mount = (ASSETS / "graph_mount.js").read_text("utf-8")
    return st.components.v2.component(
        "kg_view", html='<div class="kg-frame" data-empty="true"></div>', js=mount
    )


def _words() -> dict[str, str]:
    """Return the words of the front end; those in braces are filled in there."""
    n, m, every = "{n}", "{m}", "{all}"
    return {
        "tools": t("Tools of the drawing"),
        "view": t("View"),
        "zoomIn": t("Zoom in"),
        "zoomOut": t("Zoom out"),
        "fit": t("Fit to view"),
        "follow": t("Follow the current node"),
        "centre": t("Centre on what is selected or current"),
        "centreHere": t("Centre on it"),
        "find": t("Find a name"),
        "found": t("Names found"),
        "nothing": t("nothing found"),
        "area": t("Select several in a frame"),
        "undo": t("Undo"),
        "menu": t("Menu"),
        "select": t("Add to the selection"),
        "unselect": t("Take from the selection"),
        "selected": t("{n} selected", n=n),
        "clear": t("Clear"),
        "page": t("Open its page"),
        "copyId": t("Copy its id"),
        "copyText": t("Copy its text"),
        "copied": t("Copied"),
        "letGo": t("Put moved nodes back"),
        "png": t("Save as PNG"),
        "svg": t("Save as SVG"),
        "saved": t("The picture was saved"),
        "lines": t("connections: {n}", n=n),
        "graph": t("graph"),
        "about": t(
            "Graph with {n} nodes and {m} edges. Arrow keys move from node to node, Enter picks, M opens the "
            "menu, the slash key finds a name; with Shift the arrows move the view.",
            n=n,
            m=m,
        ),
        "cut": t("Only {n} of {all} nodes are drawn. Fold branches to see others.", n=n, all=every),
    }
