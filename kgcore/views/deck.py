"""A recorded run as a deck: one slide for each caption, with both drawings as they were then.

Every slide is the fold of a prefix of the journal, drawn at the places that the whole run gives its nodes, so nothing
moves between slides. A slide holds only what differs from the one before; texts and styles are kept once and named by
number. Colours are roles ("@answer"), so one deck plays in any palette.

    {"version": 1, "question": …, "facts": […], "texts": […], "styles": […],
     "slides": [{"kind": …, "text": …, "detail": …, "stop": …, "kg": {…}, "tree": {…}}]}

The change of a drawing is {"nodes": [[id, x, y, style, label, title]], "edges": [[id, from, to, style, label, title]],
"gone": [ids], "focus": id or null}: all ids, labels, titles are numbers of texts; -1 is none.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgcore.config import OFFLINE_MATCHER
from kgcore.i18n import translate
from kgcore.model import Entity, EntityId
from kgcore.reasoners import LABELS
from kgcore.runs import Entry, RunView
from kgcore.views.captions import captions_of
from kgcore.views.growth import Growth
from kgcore.views.kg_network import kg_network
from kgcore.views.names import Names, spoken
from kgcore.views.palettes import LIGHT, Palette
from kgcore.views.payload import LABEL_LENGTH, payload
from kgcore.views.run_settings import MATCHER
from kgcore.views.safe_text import short
from kgcore.views.style import kg_colors
from kgcore.views.tree_network import tree_network
from kgcore.views.wording import Caption

if TYPE_CHECKING:
    from pyvis.network import Network

VERSION = 1
QUESTION = 300
Item = dict[str, Any]


def _tokens() -> Palette:
    """Return a palette whose colours are the names of their roles."""
    values: dict[str, Any] = {}
    for item in dataclasses.fields(Palette):
        known = getattr(LIGHT, item.name)
        if isinstance(known, tuple):
            values[item.name] = tuple(f"@{item.name}{i}" for i in range(len(known)))
        else:
            values[item.name] = f"@{item.name}"
    return Palette(**values)


TOKENS = _tokens()


def colors_of(palette: Palette) -> dict[str, str]:
    """Return the colours of a palette by the names that a deck uses for them."""
    colors: dict[str, str] = {}
    for item in dataclasses.fields(Palette):
        token, value = getattr(TOKENS, item.name), getattr(palette, item.name)
        colors |= (
            dict(zip(token, value, strict=True)) if isinstance(value, tuple) else {token: value}
        )
    return colors


@dataclass(slots=True)
class _Pool:
    """Values by number, each once."""

    values: list[Any] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, value: Any) -> int:
        if value is None:
            return -1
        key = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


@dataclass(slots=True)
class _Track:
    """The changes of one drawing from slide to slide."""

    texts: _Pool
    styles: _Pool
    names: Names = field(default_factory=Names)
    options: Item = field(default_factory=dict)
    _shown: dict[tuple[str, str], list[Any]] = field(default_factory=dict)

    def change(self, net: Network, places: Mapping[str, tuple[float, float]], focus: str) -> Item:
        data = payload(net)
        self.options = data["options"]
        wanted: dict[tuple[str, str], list[Any]] = {}
        for node in data["nodes"]:
            x, y = places.get(node["id"], (node["x"], node["y"]))
            wanted["nodes", node["id"]] = self._item(node, [round(x), round(y)], ("x", "y"))
        for edge in data["edges"]:
            ends = [self.texts.number(str(edge[end])) for end in ("from", "to")]
            wanted["edges", edge["id"]] = self._item(edge, ends, ("from", "to"))
        gone = [self.texts.number(name) for kind, name in self._shown.keys() - wanted.keys()]
        change: Item = {"focus": self.texts.number(focus) if ("nodes", focus) in wanted else -1}
        for kind in ("nodes", "edges"):
            news = [i for k, i in wanted.items() if k[0] == kind and self._shown.get(k) != i]
            change |= {kind: news} if news else {}
        self._shown = wanted
        return change | ({"gone": sorted(gone)} if gone else {})

    def _item(self, item: Mapping[str, Any], middle: list[Any], apart: Sequence[str]) -> list[Any]:
        own = (*apart, "id", "label", "title")
        style = {name: value for name, value in item.items() if name not in own}
        texts = [self.texts.number(self._named(item.get(name))) for name in ("label", "title")]
        return [self.texts.number(item["id"]), *middle, self.styles.number(style), *texts]

    def _named(self, text: str | None) -> str | None:
        """Return a text of the drawing with names in the place of ids, where these are known."""
        if text is None or ":" not in text:
            return text
        known = self.names.labels.get(text) or spoken(text) if " " not in text else ""
        return short(known, LABEL_LENGTH) if known else self.names.read(text)


def deck_of(entries: Iterable[Entry], language: str = "en") -> Item:
    """Return the deck of a run, or of what there is of it so far."""
    entries = list(entries)
    whole = RunView.of(entries)
    texts, styles, names = _Pool(), _Pool(), Names.of(entries)
    kg, tree = _Track(texts, styles, names), _Track(texts, styles, names)
    places = {str(n["id"]): (n["x"], n["y"]) for n in tree_network(whole, TOKENS).nodes}
    view, growth = RunView(), Growth()
    slides = []
    for caption in captions_of(entries, language):
        for entry in entries[caption.first : caption.last + 1]:
            view.add(entry)
        slide = _slide(caption, view)
        at_kg, at_tree = _focus(caption, view)
        slide["kg"] = kg.change(
            kg_network(view, TOKENS, growth=growth, language=language), {}, at_kg
        )
        slide["tree"] = tree.change(tree_network(view, TOKENS, language=language), places, at_tree)
        slides.append(slide)
    return {
        "version": VERSION,
        "language": language,
        "question": short(whole.started.question, QUESTION) if whole.started else "",
        "facts": _facts(whole, language),
        "isOffline": _is_offline(whole),
        "graphs": _graphs(whole),
        "isCorrected": any(
            triple.provenance is not None and bool(triple.provenance.correction)
            for triple in whole.subgraph.triples
        ),
        "isBeam": any(node.action == "beam" for node in whole.nodes.values()),
        "texts": texts.values,
        "styles": styles.values,
        "options": {"kg": kg.options, "tree": tree.options},
        "slides": slides,
    }


def _slide(caption: Caption, view: RunView) -> Item:
    return {
        "kind": caption.kind,
        "text": caption.text,
        "detail": caption.detail,
        "stop": caption.is_stop,
        "step": caption.last + 1,
        "calls": view.usage.llm_requests,
        "triples": len(view.subgraph.triples),
    }


def _focus(caption: Caption, view: RunView) -> tuple[str, str]:
    """Return the nodes of both drawings to keep in sight."""
    answer = view.answer
    node = str(caption.nodes[0]) if caption.nodes else str(view.current or 0)
    ids = [EntityId(name) for name in caption.entities]
    if caption.kind in ("answer", "end") and answer is not None:
        ids = [part.value.id for part in answer.parts if isinstance(part.value, Entity)] or ids
    known = [view.subgraph.canonical(name) for name in ids if name in view.subgraph]
    return (known[0] if known else "", node)


def _facts(view: RunView, language: str) -> list[str]:
    """Return what made the run: method, models."""
    started = view.started
    if started is None:
        return []
    models = dict.fromkeys(model for _, model in started.models)
    named = [LABELS.get(started.method, started.method)]
    named += [MATCHER if model == OFFLINE_MATCHER else model for model in models]
    return [short(translate(name, language), 60) for name in named]


def _is_offline(view: RunView) -> bool:
    """Tell whether no language model was asked, but the matcher."""
    models = [model for _, model in view.started.models] if view.started else []
    return bool(models) and set(models) == {OFFLINE_MATCHER}


def _graphs(view: RunView) -> list[list[str]]:
    """Return the graphs with their colours."""
    names = [name for name, _ in view.started.kgs] if view.started else []
    return [[short(name, 40), color] for name, color in kg_colors(names, TOKENS).items()]
