"""Two runs drawn side by side: what both have stands at the same place in both drawings.

What only the other run has is drawn too, as a faint dotted shape with a mark of its own (what was rejected is dashed),
so both drawings have the same extent and the eye finds what is missing. Nodes of the search trees are the same where the way to them is: the same actions with the
same arguments from the root on. Entities and triples are the same by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from kgcore.i18n import translate
from kgcore.runs import NodeView, RunView
from kgcore.runs.entries import FactNoted
from kgcore.runs.first_difference import Difference
from kgcore.steps import AnswerProposed, NodeAdded
from kgcore.views.growth import Growth
from kgcore.views.kg_network import kg_network
from kgcore.views.palettes import Palette
from kgcore.views.style import SELECTED_WIDTH, font, paint
from kgcore.views.tree_layout import tidy_tree
from kgcore.views.tree_network import BEAM_COLUMN, BEAM_ROW, tree_network

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["ONLY_OTHER", "aligned_graphs", "aligned_trees", "common_growth"]

MAX_GHOSTS = 150
GHOST_OPACITY = 0.85
MARK = "≠ "
ONLY_OTHER = "◌"  # before the name of what only the other run has


def aligned_trees(
    first: RunView,
    second: RunView,
    palette: Palette,
    difference: Difference | None = None,
    *,
    language: str = "en",
) -> tuple[Network, Network]:
    """Return the drawings of two search trees; nodes about the first difference carry a mark."""
    one = tree_network(first, palette, language=language)
    other = tree_network(second, palette, language=language)
    if difference is not None:
        _mark(one, difference.first.nodes, palette, language)
        _mark(other, difference.second.nodes, palette, language)
    if _is_beam(first) != _is_beam(second):
        return one, other
    slots = _Slots()
    mine, theirs = slots.take(first, one), slots.take(second, other)
    places = (
        tidy_tree(slots.parents, column=BEAM_COLUMN, heights=dict.fromkeys(slots.parents, BEAM_ROW))
        if _is_beam(first)
        else tidy_tree(slots.parents)
    )
    for net, taken in ((one, mine), (other, theirs)):
        for node in net.nodes:
            node["x"], node["y"] = places[taken[node["id"]]]
    _haunt((one, other), mine, theirs, palette, language)
    return one, other


def _is_beam(view: RunView) -> bool:
    return any(node.action == "beam" for node in view.nodes.values())


@dataclass(slots=True)
class _Slots:
    """The tree that holds both trees: a slot for each way from the root."""

    parents: dict[str, str | None] = field(default_factory=dict)
    _children: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def take(self, view: RunView, net: Network) -> dict[str, str]:
        """Return the slot of each node of a drawing, made where there is none yet."""
        drawn = [str(node["id"]) for node in net.nodes]
        taken: dict[str, str] = {}
        used: set[str] = set()
        for name in drawn:
            node = view.nodes.get(int(name)) if name.isdecimal() else None
            above = name[1:] if node is None else "" if node.parent is None else str(node.parent)
            what = name[0] if node is None else _what(node)
            parent = taken.get(above)
            slots = self._children.setdefault((parent or "", what), [])
            free = next((slot for slot in slots if slot not in used), None)
            if free is None:
                free = f"{len(self.parents)}"
                slots.append(free)
                self.parents[free] = parent
            used.add(free)
            taken[name] = free
        return taken


def _what(node: NodeView) -> str:
    return f"{node.action}\t{node.argument}"


def _mark(net: Network, nodes: Iterable[int], palette: Palette, language: str) -> None:
    names = {str(node) for node in nodes}
    for node in net.nodes:
        if node["id"] in names:
            node["label"] = MARK + str(node["label"])
            node["title"] = f"{translate('the first difference', language)}\n{node['title']}"
            node["borderWidth"] = SELECTED_WIDTH
            node["color"] = {**node["color"], "border": palette.selected}


def _haunt(
    nets: tuple[Network, Network],
    mine: Mapping[str, str],
    theirs: Mapping[str, str],
    palette: Palette,
    language: str,
) -> None:
    """Draw in each drawing, faintly, what only the other one has."""
    one, other = nets
    lost = _missing(other, theirs, mine)
    gained = _missing(one, mine, theirs)
    for net, beside, nodes in ((one, other, lost), (other, one, gained)):
        here, there = (mine, theirs) if net is one else (theirs, mine)
        names = {slot: name for name, slot in here.items()}
        names |= {there[node["id"]]: f"ghost\t{node['id']}" for node in nodes}
        for node in nodes:
            net.add_node(names[there[node["id"]]], **_ghost(node, palette, language))
        lines = [(e["from"], e["to"]) for e in beside.edges if e["id"] == f"{e['from']}>{e['to']}"]
        for start, end in lines:
            if start in there and end in there and there[end] not in here.values():
                _add_line(net, names.get(there[start]), names.get(there[end]), palette)


def _missing(net: Network, its: Mapping[str, str], others: Mapping[str, str]) -> list[Any]:
    known = set(others.values())
    return [node for node in net.nodes if its[node["id"]] not in known][:MAX_GHOSTS]


def _add_line(net: Network, start: str | None, end: str | None, palette: Palette) -> None:
    if start is not None and end is not None:
        line = {"color": palette.dimmed, "width": 1.0, "dashes": [1, 4]}
        net.add_edge(start, end, id=f"ghost\t{start}>{end}", **line)


def _ghost(node: Mapping[str, Any], palette: Palette, language: str) -> dict[str, Any]:
    kept = ("x", "y", "shape", "margin", "size", "widthConstraint", "card")
    look = {name: node[name] for name in kept if name in node}
    if look.get("shape") in ("star", "diamond", "hexagon"):
        look["shape"] = "dot"
    name = str(node.get("label", "")).removeprefix(MARK)
    return look | {
        "label": f"{ONLY_OTHER} {name}" if name else "",
        "title": f"{translate('only in the other run', language)}\n{node.get('title', '')}",
        "borderWidth": 1.2,
        "color": paint(palette.background, palette.line, palette),
        "font": font(palette.dimmed_text, 11),
        "opacity": GHOST_OPACITY,
        "shapeProperties": {"borderDashes": [1, 3]},
    }


def aligned_graphs(
    first: RunView, second: RunView, palette: Palette, *, language: str = "en"
) -> tuple[Network, Network]:
    """Return the drawings of two knowledge subgraphs."""
    growths = common_growth(first, second)
    nets = [
        kg_network(view, palette, growth=growth, language=language)
        for view, growth in zip((first, second), growths, strict=True)
    ]
    for net, beside in (nets, nets[::-1]):
        known = {node["id"] for node in net.nodes if not str(node["id"]).startswith("ghost\t")}
        lost = [n for n in beside.nodes if n["id"] not in known]
        lost = [n for n in lost if not str(n["id"]).startswith(("ghost\t", "+\t"))]
        for node in lost[:MAX_GHOSTS]:
            net.add_node(f"ghost\t{node['id']}", **_ghost(node, palette, language))
    return nets[0], nets[1]


def common_growth(first: RunView, second: RunView) -> tuple[Growth, Growth]:
    """Return one plan for both subgraphs, once in the names of each run."""
    plan = Growth()
    for view in (first, second):
        for entry in view.entries:
            if isinstance(entry.body, FactNoted) and isinstance(entry.body.fact, NodeAdded):
                plan.grow(entry.body.fact)
            elif isinstance(entry.body, FactNoted) and isinstance(entry.body.fact, AnswerProposed):
                plan.show_answer(entry.body.fact.answer)
        if view.answer is not None:
            plan.show_answer(view.answer)
    return _named_as(plan, first), _named_as(plan, second)


def _named_as(plan: Growth, view: RunView) -> Growth:
    """Return the plan with places for the names under which a run knows its entities.

    One run may have learned that two entities are one, and the other not.
    """
    merged = {
        member: plan.canonical(entity.id)
        for entity in view.subgraph.entities
        if (member := view.subgraph.canonical(entity.id)) != plan.canonical(entity.id)
    }
    positions = dict(plan.positions)
    for name, known in merged.items():
        for old, (x, y) in plan.positions.items():
            start = f"=\t{known}\t"
            if old == known:
                positions.setdefault(name, (x + 46.0, y + 46.0))
            elif old.startswith(start):
                positions.setdefault(f"=\t{name}\t{old[len(start) :]}", (x + 46.0, y + 46.0))
    return replace(plan, positions=positions, n_entries=view.n_entries)
