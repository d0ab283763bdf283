"""What a person opens in a run's drawing beside the run itself, and how to take it back.

One hop round an entity is fetched from the graphs outside the run and drawn faintly, "not part of the run"; leaves are
folded behind a "+n" node, and "+n" nodes are opened. Each act is kept, so the last one can be undone. Nothing of this
touches the journal, and nothing that stands somewhere is moved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from kgcore.i18n import mark, translate
from kgcore.model import Entity, EntityId, Literal, RelationId, Subgraph, Triple
from kgcore.runs import RunView
from kgcore.views.edge_ids import edge_id, same_in
from kgcore.views.growth import Fold, Growth, node_id
from kgcore.views.palettes import Palette
from kgcore.views.style import FONT, LINE_WIDTH, SMALL_FONT, font, paint

if TYPE_CHECKING:
    from pyvis.network import Network

__all__ = ["Act", "Beside", "add_beside", "leaves_of", "needed_of"]

ActKind = OneOf["expand", "collapse", "open", "fold"]
OPACITY = 0.6
TITLE = mark("not part of the run")


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a person did to the drawing: what it concerned, under which name, and what it changed."""

    kind: ActKind
    name: str
    entity: EntityId
    triples: tuple[Triple, ...] = ()
    fold: Fold | None = None
    nodes: tuple[str, ...] = ()
    before: tuple[Triple, ...] = ()  # what was open around it already


@dataclass(slots=True)
class Beside:
    """The hops that are open, by entity in the order they were opened, and what was done."""

    hops: dict[EntityId, tuple[Triple, ...]] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)

    @property
    def last(self) -> Act | None:
        """What an undo would take back."""
        return self.acts[-1] if self.acts else None

    def entity(self, name: str) -> Entity | None:
        """Return an entity of the open hops."""
        for triples in self.hops.values():
            for triple in triples:
                for end in (triple.subject, triple.object):
                    if isinstance(end, Entity) and end.id == name:
                        return end
        return None

    def expand(self, growth: Growth, entity: Entity, triples: Iterable[Triple]) -> int:
        """Open a hop; return how many of its nodes found no room."""
        kept, before = tuple(triples), self.hops.get(entity.id, ())
        self.hops[entity.id] = kept
        self.acts.append(Act("expand", entity.name, entity.id, kept, before=before))
        return _place(growth, entity.id, kept)

    def collapse(self, entity: Entity) -> bool:
        """Close a hop, if it is open."""
        kept = self.hops.pop(entity.id, None)
        if kept is None:
            return False
        self.acts.append(Act("collapse", entity.name, entity.id, kept))
        return True

    def fold(self, growth: Growth, entity: Entity, nodes: Iterable[str]) -> bool:
        """Put leaves of an entity behind a "+n" node, if there are any."""
        folded = tuple(node for node in nodes if growth.is_shown(node))
        if not folded:
            return False
        fold: Fold = (growth.canonical(entity.id), RelationId(""), "out")
        growth.close(fold, folded)
        self.acts.append(Act("fold", entity.name, entity.id, fold=fold, nodes=folded))
        return True

    def open(self, growth: Growth, fold: Fold, name: str) -> bool:
        """Show what waits behind a "+n" node; tell whether all of it found room."""
        opened = growth.open(fold)
        if opened:
            self.acts.append(Act("open", name, fold[0], fold=fold, nodes=tuple(opened)))
        return all(growth.is_shown(node) for node in growth.folds.get(fold, ()))

    def undo(self, growth: Growth) -> None:
        """Take back the last act."""
        if not self.acts:
            return
        act = self.acts.pop()
        if act.kind == "expand" and act.before:
            self.hops[act.entity] = act.before
        elif act.kind == "expand":
            self.hops.pop(act.entity, None)
        elif act.kind == "collapse":
            self.hops[act.entity] = act.triples
        elif act.fold is not None and act.kind == "open":
            growth.close(act.fold, act.nodes)
        elif act.fold is not None:
            growth.open(act.fold)


def _place(growth: Growth, anchor: EntityId, triples: Iterable[Triple]) -> int:
    left_out = 0
    for triple in triples:
        node, name = _far_end(growth, anchor, triple)
        if growth.place_of(node) is not None:
            continue
        if growth.room:
            growth.place_extra(node, name, growth.canonical(anchor))
        else:
            left_out += 1
    return left_out


def _ends(growth: Growth, triple: Triple) -> tuple[str, str]:
    subject = growth.canonical(triple.subject.id)
    end = triple.object
    if isinstance(end, Entity):
        return subject, growth.canonical(end.id)
    return subject, node_id(end, subject, triple.relation.id)


def _far_end(growth: Growth, anchor: EntityId, triple: Triple) -> tuple[str, str]:
    subject, end = _ends(growth, triple)
    is_out = subject == growth.canonical(anchor)
    return (end, triple.object.name) if is_out else (subject, triple.subject.name)


def leaves_of(subgraph: Subgraph, entity: EntityId, *, kept: Collection[str] = ()) -> list[str]:
    """Return the nodes that hang on one entity alone, but for those that are kept."""
    around: dict[str, set[str]] = {}
    for triple in same_in(subgraph, subgraph.triples):
        end = node_id(triple.object, triple.subject.id, triple.relation.id)
        around.setdefault(triple.subject.id, set()).add(end)
        around.setdefault(end, set()).add(triple.subject.id)
    found = sorted(around.get(subgraph.canonical(entity), ()))
    return [node for node in found if len(around[node]) == 1 and node not in kept]


def needed_of(view: RunView) -> set[str]:
    """Return the nodes that question and answer are about."""
    needed: set[str] = {
        view.subgraph.canonical(seed.entity.id) for seed in view.seeds if seed.entity is not None
    }
    for triple in same_in(view.subgraph, view.answer.proof if view.answer is not None else ()):
        end = node_id(triple.object, triple.subject.id, triple.relation.id)
        needed |= {triple.subject.id, end}
    return needed


def add_beside(
    net: Network,
    beside: Beside,
    growth: Growth,
    palette: Palette,
    *,
    colors: Mapping[str, str],
    language: str = "en",
) -> None:
    """Draw the open hops whose entity is drawn, faintly, each node once."""
    drawn = {str(node["id"]) for node in net.nodes}
    lines = {str(edge["id"]) for edge in net.edges}
    told = translate(TITLE, language)
    last = beside.last
    new = frozenset(last.triples) - frozenset(last.before) if last is not None else frozenset()
    for anchor, triples in beside.hops.items():
        if growth.canonical(anchor) not in drawn:
            continue
        for triple in triples:
            subject, end = _ends(growth, triple)
            for node, value in ((subject, triple.subject), (end, triple.object)):
                at = growth.place_of(node)
                if node not in drawn and at is not None:
                    look = _look(value, palette, colors, told)
                    net.add_node(node, x=at[0], y=at[1], **look)
                    drawn.add(node)
            name = edge_id(triple)
            if {subject, end} <= drawn and name not in lines:
                lines.add(name)
                look = _line(triple, palette, told)
                net.add_edge(subject, end, id=name, **look, isNew=triple in new)


def _look(
    value: Entity | Literal, palette: Palette, colors: Mapping[str, str], told: str
) -> dict[str, object]:
    color = colors.get(getattr(value, "kg", ""), palette.muted)
    lines = [value.name, getattr(value, "description", ""), told]
    look: dict[str, object] = {
        "label": value.name,
        "title": "\n".join(line for line in lines if line),
        "borderWidth": 1.5,
        "color": paint(palette.background, color, palette),
        "opacity": OPACITY,
        "font": font(palette.muted, FONT - 1),
        "shapeProperties": {"borderDashes": [3, 3]},
        "kind": "extra",
    }
    if isinstance(value, Literal):
        return look | {"shape": "box", "margin": 5, "kind": "extra value"}
    return look | {"shape": "dot", "size": 9}


def _line(triple: Triple, palette: Palette, told: str) -> dict[str, object]:
    return {
        "label": triple.relation.name,
        "title": f"{triple.text}\n{told}",
        "color": {"color": palette.line, "highlight": palette.selected, "hover": palette.selected},
        "width": LINE_WIDTH,
        "dashes": [2, 4],
        "font": font(palette.muted, SMALL_FONT),
        "kind": "extra edge",
    }
