"""How a knowledge subgraph is drawn: colour by graph, seeds, literals, the answer and its path.

No mark is a colour alone: a seed is a diamond, a literal a box, an answer a star, an entity that several graphs
know a hexagon, model memory has a dashed border and a "?", a corrected triple a tick, a value on which graphs disagree
a "≠", a suspect edge dashes and a "?!", the rest of a group a "+n".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgcore.i18n import mark, told, translate
from kgcore.model import Entity, EntityId, Literal, Subgraph, Triple
from kgcore.model.conflicts import find_conflicts
from kgcore.steps import Answer
from kgcore.views.edge_ids import edge_id, same_in
from kgcore.views.growth import Fold, Growth, fold_id, memory_id, node_id
from kgcore.views.palettes import Palette
from kgcore.views.style import (
    DIMMED,
    FONT,
    IMPORTANT_FONT,
    LINE_WIDTH,
    PATH_WIDTH,
    SELECTED_WIDTH,
    SMALL_FONT,
    font,
    kg_colors,
    paint,
)

if TYPE_CHECKING:
    from pyvis.network import Network


def _by_relation(item: tuple[Fold, list[str]]) -> bool:
    """Folds that a person made come first; they are of no relation."""
    return bool(item[0][1])


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: a subgraph, the graphs it comes from, where it began, and the answer if there is one."""

    subgraph: Subgraph
    kgs: tuple[str, ...] = ()
    seeds: tuple[EntityId, ...] = ()
    seed_words: str = mark("named in the question")
    answer: Answer | None = None
    is_over: bool = False
    language: str = "en"

    def say(self, message: str, **values: object) -> str:
        """Return a text in the language of the drawing."""
        return translate(message, self.language, **values)


@dataclass(slots=True)
class Drawing:
    """One drawing in the making."""

    scene: Scene
    palette: Palette
    growth: Growth
    selected: str = ""
    marked: frozenset[str] = frozenset()
    suspects: Mapping[str, str] = field(default_factory=dict)  # lines, with why they are suspect
    colors: Mapping[str, str] = field(default_factory=dict)
    path_nodes: set[str] = field(default_factory=set)
    path_edges: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    unsupported: set[str] = field(default_factory=set)
    disputed: dict[str, str] = field(default_factory=dict)  # lines, with what the graphs say
    seeds: set[str] = field(default_factory=set)
    drawn: set[str] = field(default_factory=set)
    is_dim: bool = False

    def network(self, part: Subgraph) -> Network:
        """Return the drawing of a part of the scene, or of all of it."""
        answer = self.scene.answer
        self.colors = kg_colors(self.scene.kgs, self.palette)
        self.seeds = {self.subgraph.canonical(seed) for seed in self.scene.seeds}
        if answer is not None and answer.is_answer:
            self._read_answer(answer)
        for conflict in find_conflicts(self.subgraph.triples):
            self.disputed |= {edge_id(triple): conflict.sentence for triple in conflict.triples}
        from pyvis.network import Network  # slow to import

        net = Network(directed=True)
        triples = {edge_id(t): t for t in same_in(self.subgraph, part.triples)}
        for name in dict.fromkeys(self.subgraph.canonical(e.id) for e in part.entities):
            if self.growth.is_shown(name):
                self._add_node(net, name, self._entity(self.subgraph.entity(name)))
        for key, triple in triples.items():
            end = node_id(triple.object, triple.subject.id, triple.relation.id)
            if isinstance(triple.object, Literal) and self.growth.is_shown(end):
                self._add_node(net, end, self._literal(triple, end))
            if self.drawn >= {triple.subject.id, end}:
                net.add_edge(triple.subject.id, end, **self._edge(key, triple))
        self._add_folds(net, triples)
        if answer is not None and answer.is_answer:
            self._add_memory(net, answer)
        return net

    @property
    def subgraph(self) -> Subgraph:
        """All that is known."""
        return self.scene.subgraph

    def _read_answer(self, answer: Answer) -> None:
        for triple in same_in(self.subgraph, answer.proof):
            end = node_id(triple.object, triple.subject.id, triple.relation.id)
            self.path_edges.add(edge_id(triple))
            self.path_nodes |= {triple.subject.id, end}
            for part in answer.parts:
                if isinstance(part.value, Literal) and part.value == triple.object:
                    self.answers.add(end)
        for part in answer.parts:
            if isinstance(part.value, Entity):
                known = self.subgraph.canonical(part.value.id)
                (self.answers if part.is_supported else self.unsupported).add(known)
        self.is_dim = self.scene.is_over and bool(self.path_edges)

    def _add_node(self, net: Network, name: str, style: dict[str, Any]) -> None:
        x, y = self.growth.positions[name]
        if name == self.selected:
            style["borderWidth"] = SELECTED_WIDTH
            style["color"] = {**style["color"], "border": self.palette.selected}
        net.add_node(name, x=x, y=y, **style)
        self.drawn.add(name)

    # nodes

    def _entity(self, entity: Entity) -> dict[str, Any]:
        kgs = self._kgs(entity)
        color = self.colors.get(kgs[0] if kgs else entity.kg, self.palette.muted)
        is_shared = len(self.subgraph.members(entity.id)) > 1
        is_off = self.is_dim and entity.id not in self.path_nodes | self.answers
        style: dict[str, Any] = {
            "label": entity.name,
            "title": self._title(entity, kgs),
            "shape": "hexagon" if is_shared else "dot",
            "size": 13 if is_shared else 11,
            "borderWidth": 1.5,
            "color": paint(color, color, self.palette),
            "font": font(self.palette.text, FONT),
            "opacity": DIMMED if is_off and entity.id != self.selected else 1.0,
            "shapeProperties": {"borderDashes": False},
        }
        if entity.id in self.seeds:
            style |= {"shape": "diamond", "size": 16, "borderWidth": 2.5}
            style["color"] = paint(color, self.palette.text, self.palette)
            style["font"] = font(self.palette.text, IMPORTANT_FONT)
        if entity.id in self.path_nodes:
            style |= {"borderWidth": 3, "font": font(self.palette.text, IMPORTANT_FONT)}
            style["color"] = paint(color, self.palette.answer, self.palette)
        if entity.id in self.answers:
            style |= {"shape": "star", "size": 20, "borderWidth": 2}
            style["color"] = paint(self.palette.answer, self.palette.answer, self.palette)
            style["font"] = font(self.palette.text, IMPORTANT_FONT + 1)
        if entity.id in self.unsupported:
            style |= {"label": f"{entity.name} ?", "borderWidth": 2.5, "opacity": 1.0}
            style["color"] = paint(color, self.palette.memory, self.palette)
            style["shapeProperties"] = {"borderDashes": [4, 3]}
        if is_off:
            style["font"] = font(self.palette.dimmed_text, FONT - 1)
        return style

    def _kgs(self, entity: Entity) -> list[str]:
        """Return the graphs that know an entity, in order of arrival."""
        members = self.subgraph.members(entity.id)
        return list(dict.fromkeys(m.kg for m in members if m.kg))

    def _title(self, entity: Entity, kgs: list[str]) -> str:
        say, lines = self.scene.say, [entity.name]
        if entity.description:
            lines.append(entity.description)
        if entity.types:
            lines.append(", ".join(entity.types[:3]))
        lines.append(say("in {kgs}", kgs=" + ".join(kgs)) if kgs else "")
        others = [m.id for m in self.subgraph.members(entity.id) if m.id != entity.id]
        if others:
            lines.append(say("the same as {names}", names=", ".join(others[:3])))
        if entity.id in self.seeds:
            lines.append(say(self.scene.seed_words))
        if entity.id in self.unsupported:
            lines.append(say("model memory: no triple supports it"))
        return "\n".join(line for line in lines if line)

    def _literal(self, triple: Triple, name: str) -> dict[str, Any]:
        color = self.colors.get(triple.kg, self.palette.muted)
        is_off = self.is_dim and name not in self.path_nodes
        text, border, width = self.palette.text, color, 1.2
        if name in self.path_nodes:
            border, width = self.palette.answer, 3.0
        if is_off:
            text, border = self.palette.dimmed_text, self.palette.dimmed
        relation = self.scene.say(
            "{relation} of {subject}", relation=triple.relation.name, subject=triple.subject.name
        )
        star = "★ " if name in self.answers else ""
        return {
            "label": star + triple.object.name,
            "title": f"{triple.object.name}\n{relation}",
            "shape": "box",
            "margin": 5,
            "borderWidth": width,
            "color": paint(self.palette.surface, border, self.palette),
            "font": font(text, FONT - 1),
            "kind": "value",
        }

    # edges

    def _edge(self, key: str, triple: Triple) -> dict[str, Any]:
        palette, is_on = self.palette, key in self.path_edges
        is_corrected = bool(triple.provenance and triple.provenance.correction)
        color, width, text = palette.line, LINE_WIDTH, palette.muted
        if not self.is_dim:
            color = self.colors.get(triple.kg, palette.line)
        elif not is_on:
            color, text = palette.dimmed, palette.dimmed_text
        if is_corrected:
            color = palette.corrected
        if is_on:
            color, width, text = palette.answer, PATH_WIDTH, palette.text
        if is_corrected:  # also where the line has the colour of the answer
            text = palette.corrected
        if key in self.suspects:
            color, text = palette.rejected, palette.rejected
            width = max(width, SELECTED_WIDTH)
        if key == self.selected or key in self.marked:
            color, text = palette.selected, palette.text
            width = max(width, SELECTED_WIDTH)
        marks = (" ✓" if is_corrected else "") + (" ≠" if key in self.disputed else "")
        marks += " ?!" if key in self.suspects else ""
        disputed = told(self.disputed.get(key, ""), self.scene.language)
        source = self.scene.say("from {kg}", kg=triple.kg)
        titles = (triple.text, source, disputed, self.suspects.get(key, ""))
        return {
            "id": key,
            "label": triple.relation.name + marks,
            "title": "\n".join(filter(None, titles)),
            "color": {"color": color, "highlight": palette.selected, "hover": palette.selected},
            "width": width,
            "dashes": [7, 4] if key in self.suspects else False,
            "font": font(text, SMALL_FONT + 1 if is_on else SMALL_FONT),
        }

    # what is left out

    def _add_folds(self, net: Network, triples: Mapping[str, Triple]) -> None:
        nodes = {node_id(t.object, t.subject.id, t.relation.id) for t in triples.values()}
        nodes |= {t.subject.id for t in triples.values()}
        counted: set[str] = set()
        for fold, waiting in sorted(self.growth.folds.items(), key=_by_relation):
            hidden = {n for n in waiting if n in nodes and not self.growth.is_shown(n)} - counted
            counted |= hidden
            n = len(hidden)
            anchor, name = self.subgraph.canonical(fold[0]), fold_id(fold)
            if not n or anchor not in self.drawn:
                continue
            style = {
                "label": f"+{n}",
                "title": self.scene.say("{n} more, not drawn\nClick to draw them", n=n),
                "shape": "box",
                "margin": 5,
                "borderWidth": 1.2,
                "color": paint(self.palette.background, self.palette.line, self.palette),
                "font": font(self.palette.muted, FONT - 1),
                "shapeProperties": {"borderDashes": [4, 3]},
                "kind": "fold",
            }
            self._add_node(net, name, style)
            ends = (anchor, name) if fold[2] == "out" else (name, anchor)
            line = {"color": self.palette.line, "width": LINE_WIDTH, "dashes": [4, 3]}
            net.add_edge(*ends, id=f"-{name}", **line)

    def _add_memory(self, net: Network, answer: Answer) -> None:
        """Draw the parts of an answer that are in no graph."""
        for part in answer.parts:
            name = memory_id(part)
            if not self.growth.is_shown(name):
                continue
            style = {
                "label": f"{part.value.name} ?",
                "title": f"{part.value.name}\n{self.scene.say('model memory: no triple supports it')}",
                "shape": "dot",
                "size": 14,
                "borderWidth": 2.5,
                "color": paint(self.palette.background, self.palette.memory, self.palette),
                "font": font(self.palette.text, IMPORTANT_FONT),
                "shapeProperties": {"borderDashes": [4, 3]},
                "kind": "memory",
            }
            self._add_node(net, name, style)
