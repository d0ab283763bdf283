"""Triples that wait at the approval gate, drawn with the subgraph they may become part of.

They are dashed and carry a "?"; what a person is about to reject carries a "✗", what is to be edited a "✎", and what
it would become a "✓". A place that is found for them is the one they keep once they are approved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from kgcore.i18n import mark, translate
from kgcore.model import Entity, EntityId, Literal, RelationId, Subgraph, Triple
from kgcore.views.edge_ids import edge_id, same_in
from kgcore.views.growth import FANNED, MAX_NODES, SHOWN, Fold, Growth, fold_id, node_id
from kgcore.views.palettes import Palette
from kgcore.views.style import FONT, LINE_WIDTH, SELECTED_WIDTH, SMALL_FONT, font, paint

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["Waiting", "WaitingLine", "add_waiting", "waiting_lines"]

State = OneOf["waiting", "rejected", "edited", "replaced", "new"]
MARKS: Mapping[State, str] = {
    "waiting": "?",
    "rejected": "✗",
    "edited": "✎",
    "replaced": "✗",
    "new": "✓ ?",
}
WORDS: Mapping[State, str] = {
    "waiting": mark("waiting for your decision"),
    "rejected": mark("waiting; you are about to reject it"),
    "edited": mark("waiting; you are editing it"),
    "replaced": mark("waiting; you are about to replace it"),
    "new": mark("waiting; what you edited becomes this"),
}
_DASHES = [5, 4]
_EDITED = RelationId("")  # a group of its own for each end that is edited


@dataclass(frozen=True, slots=True)
class Waiting:
    """A batch of the gate, with what a person chose for it so far; what is not named is approved."""

    batch: tuple[Triple, ...] = ()
    rejected: Collection[Triple] = ()
    edited: Collection[Triple] = ()
    replaced: Mapping[Triple, Entity | Literal] = field(default_factory=dict)

    def state(self, triple: Triple) -> State:
        """Return what would become of a triple."""
        if triple in self.replaced:
            return "replaced"
        if triple in self.edited:
            return "edited"
        return "rejected" if triple in self.rejected else "waiting"


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """A line that waits: its triple as the subgraph knows it, and its place in the batch."""

    place: int
    triple: Triple
    state: State

    @property
    def id(self) -> str:
        """The id of the line, which it keeps when it is approved."""
        return edge_id(self.triple)

    @property
    def ends(self) -> tuple[str, str]:
        """The ids of the nodes it joins."""
        triple = self.triple
        return triple.subject.id, node_id(triple.object, triple.subject.id, triple.relation.id)

    @property
    def is_off(self) -> bool:
        """Whether it will not become part of the subgraph."""
        return self.state in ("rejected", "replaced")

    def is_of(self, name: str) -> bool:
        """Whether this is the id of the line or of one of its ends."""
        return name in (self.id, *self.ends)


def waiting_lines(waiting: Waiting, subgraph: Subgraph) -> list[WaitingLine]:
    """Return the lines of a batch; an edited triple has two, what it was and what it becomes."""
    lines: list[WaitingLine] = []
    for place, (given, known) in enumerate(
        zip(waiting.batch, same_in(subgraph, waiting.batch), strict=True)
    ):
        lines.append(WaitingLine(place, known, waiting.state(given)))
        if given in waiting.replaced:
            (new,) = same_in(subgraph, [replace(known, object=waiting.replaced[given])])
            lines.append(WaitingLine(place, new, "new"))
    return lines


def add_waiting(
    net: Network,
    waiting: Waiting,
    subgraph: Subgraph,
    growth: Growth,
    palette: Palette,
    *,
    selected: str = "",
    language: str = "en",
) -> None:
    """Draw the lines that wait and the nodes at their ends, as far as they are not folded."""
    lines = waiting_lines(waiting, subgraph)
    drawn = {str(node["id"]) for node in net.nodes}
    known = {str(edge["id"]) for edge in net.edges}
    groups, roots = _new_ends(lines, drawn)
    shown = _place(growth, groups, roots)
    for line in lines:
        if line.state == "new":
            subject, end = line.ends
            shown |= _place(
                growth, {(EntityId(subject), _EDITED, "out"): {end: line.triple.object.name}}, {}
            )
    touching: dict[str, list[WaitingLine]] = {}
    for line in lines:
        for node in line.ends:
            touching.setdefault(node, []).append(line)
    for line in lines:
        for node, value in zip(line.ends, (line.triple.subject, line.triple.object), strict=True):
            at = growth.place_of(node)
            if node in shown and node not in drawn and at is not None:
                is_new = EntityId(node) not in subgraph
                look = _node(value, touching[node], palette, language, is_new=is_new)
                net.add_node(node, x=at[0], y=at[1], **look)
                drawn.add(node)
        if drawn.issuperset(line.ends) and line.id not in known:
            known.add(line.id)
            net.add_edge(*line.ends, id=line.id, **_edge(line, palette, selected, language))
    _add_folds(net, growth, groups, drawn, palette, language)


# places


def _new_ends(
    lines: Sequence[WaitingLine], drawn: Collection[str]
) -> tuple[dict[Fold, dict[str, str]], dict[str, str]]:
    """Return the nodes that lines bring, with names, by the group that they are folded with; and those of no other."""
    groups: dict[Fold, dict[str, str]] = {}
    roots: dict[str, str] = {}
    known = set(drawn)
    for line in lines:
        (subject, end), triple = line.ends, line.triple
        if line.state == "new":  # what a person edits folds nothing that is seen
            continue
        if subject not in known and end not in known:
            roots[subject] = triple.subject.name
            known.add(subject)
        if end not in known:
            fold: Fold = (EntityId(subject), triple.relation.id, "out")
            groups.setdefault(fold, {})[end] = triple.object.name
        elif subject not in known:
            fold = (EntityId(end), triple.relation.id, "in")
            groups.setdefault(fold, {})[subject] = triple.subject.name
        known |= {subject, end}
    return groups, roots


def _place(
    growth: Growth, groups: Mapping[Fold, Mapping[str, str]], roots: Mapping[str, str]
) -> set[str]:
    """Find places for new nodes as the run's own would get them; return those that are to be drawn."""
    shown: set[str] = set()
    for root, name in roots.items():
        if growth.place_of(root) is not None or growth.room:
            growth.place_extra_root(root, name)
            shown.add(root)
    for (anchor, _, _), leaves in groups.items():
        room = FANNED if len(leaves) <= FANNED else SHOWN
        room = 0 if len(growth.positions) + len(shown) >= MAX_NODES else room
        for node, name in list(leaves.items())[:room]:
            if growth.place_of(node) is None and growth.room:
                growth.place_extra(node, name, anchor)
            is_folded = node in growth.positions and not growth.is_shown(node)
            if growth.place_of(node) is not None and not is_folded:
                shown.add(node)
    return shown


# looks


def _color(lines: Sequence[WaitingLine], palette: Palette) -> str:
    return palette.rejected if all(line.is_off for line in lines) else palette.corrected


def _node(
    value: Entity | Literal,
    lines: Sequence[WaitingLine],
    palette: Palette,
    language: str,
    *,
    is_new: bool,
) -> dict[str, object]:
    color, is_off = _color(lines, palette), all(line.is_off for line in lines)
    told = translate(WORDS[lines[0].state] if len(lines) == 1 else WORDS["waiting"], language)
    titles = [value.name, getattr(value, "description", ""), told if is_new else ""]
    look: dict[str, object] = {
        "label": value.name + ((" ✗" if is_off else " ?") if is_new else ""),
        "title": "\n".join(filter(None, titles)),
        "borderWidth": 2,
        "color": paint(palette.background, color, palette),
        "font": font(palette.text, FONT - 1),
        "shapeProperties": {"borderDashes": _DASHES},
        "kind": "waiting",
    }
    if isinstance(value, Literal):
        return look | {"shape": "box", "margin": 5}
    return look | {"shape": "dot", "size": 11}


def _edge(line: WaitingLine, palette: Palette, selected: str, language: str) -> dict[str, object]:
    color, triple, is_selected = _color([line], palette), line.triple, line.id == selected
    source = translate("from {kg}", language, kg=triple.kg)
    color = palette.selected if is_selected else color
    return {
        "label": f"{triple.relation.name} {MARKS[line.state]}",
        "title": f"{triple.text}\n{source}\n{translate(WORDS[line.state], language)}",
        "color": {"color": color, "highlight": palette.selected, "hover": palette.selected},
        "width": SELECTED_WIDTH if is_selected else LINE_WIDTH + 0.7,
        "dashes": _DASHES,
        "font": font(palette.text if is_selected else color, SMALL_FONT),
        "kind": "waiting edge",
    }


def _add_folds(
    net: Network,
    growth: Growth,
    groups: Mapping[Fold, Mapping[str, str]],
    drawn: set[str],
    palette: Palette,
    language: str,
) -> None:
    """Say where more waits than is drawn; all of it is listed at the gate."""
    for fold, leaves in groups.items():
        n, name = len(leaves.keys() - drawn), fold_id(fold)
        if not n or fold[0] not in drawn or name in drawn:
            continue
        growth.place_extra(name, "+00 ?", fold[0])
        at = growth.place_of(name)
        if at is None:
            continue
        told = translate("{n} more wait, not drawn; they are listed below", language, n=n)
        net.add_node(
            name,
            x=at[0],
            y=at[1],
            label=f"+{n} ?",
            title=told,
            shape="box",
            margin=5,
            borderWidth=1.5,
            color=paint(palette.background, palette.corrected, palette),
            font=font(palette.text, FONT - 1),
            shapeProperties={"borderDashes": _DASHES},
            kind="waiting fold",
        )
        drawn.add(name)
        ends = (fold[0], name) if fold[2] == "out" else (name, fold[0])
        line = {"color": palette.corrected, "width": LINE_WIDTH, "dashes": _DASHES}
        net.add_edge(*ends, id=f"-{name}", **line)
