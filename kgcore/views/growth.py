"""The drawing's plan of a knowledge subgraph: which nodes it shows and where, as the run grew it.

A `Growth` is a fold over a run's journal, like a view: it places each entity when it first arrives, near the
one it came from, and nothing it placed ever moves. So the drawing of an earlier moment is the same drawing with
less in it. Of many leaves at the end of one relation only the first few are placed; the others wait behind a
"+n" node until the run uses them, the answer needs them, or a person asks for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kgcore.model import Direction, Entity, EntityId, Literal, RelationId, Subgraph, Triple
from kgcore.runs import Entry
from kgcore.runs.entries import FactNoted
from kgcore.steps import Answer, AnswerPart, AnswerProposed, NodeAdded
from kgcore.views.crossings import box_of
from kgcore.views.payload import HARD_STOP
from kgcore.views.plane import Point, Size
from kgcore.views.spots import Spots

MAX_NODES = 300  # from here on new leaves are folded
FANNED, SHOWN = 10, 8  # more than so many leaves of a group: show so many and fold the rest
_ROOT_GAP = 430.0
_FEW_ROOTS = 4
_EXTRA_GAP = 185.0  # lines of what is opened beside the run are long enough for their names

Leaf = tuple[str, str]  # id, name
Fold = tuple[EntityId, RelationId, Direction]


def node_id(value: Entity | Literal, subject: EntityId, relation: RelationId) -> str:
    """Return the id of a node: an entity's own; a literal belongs to its triple, so equal values stay apart."""
    if isinstance(value, Entity):
        return value.id
    return literal_id(value, subject, relation)


def literal_id(value: Literal, subject: EntityId, relation: RelationId) -> str:
    """Return the id of the box that shows a triple's literal."""
    return "\t".join(("=", subject, relation, value.value, value.datatype, value.lang))


def fold_id(fold: Fold) -> str:
    """Return the id of the "+n" node of a group of leaves."""
    return "\t".join(("+", *fold))


def memory_id(part: AnswerPart) -> str:
    """Return the id of a node for a part of an answer that is in no graph."""
    return "\t".join(("?", part.value.name))


@dataclass(slots=True)
class Growth:
    """Positions of all nodes placed so far, and the folds with those that were not."""

    positions: dict[str, Point] = field(default_factory=dict)
    folds: dict[Fold, list[str]] = field(default_factory=dict)
    extra: dict[str, Point] = field(default_factory=dict)  # beside the run, on a person's wish
    n_entries: int = 0
    _subgraph: Subgraph = field(default_factory=Subgraph)
    _spots: Spots = field(default_factory=Spots)
    _origin: dict[str, str] = field(default_factory=dict)
    _waiting: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)  # anchors, name
    _hidden: set[str] = field(default_factory=set)  # placed, and folded by a person
    _seen: set[tuple[str, str, str]] = field(default_factory=set)
    _roots: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Growth:
        """Fold the entries of a journal or of a prefix of one."""
        growth = cls()
        growth.follow(entries)
        return growth

    def follow(self, entries: Sequence[Entry]) -> None:
        """Fold those of a run's entries that were not folded yet."""
        for entry in entries[self.n_entries :]:
            self.n_entries += 1
            if not isinstance(entry.body, FactNoted):
                continue
            fact = entry.body.fact
            if isinstance(fact, NodeAdded):
                self.grow(fact)
            elif isinstance(fact, AnswerProposed):
                self.show_answer(fact.answer)

    def is_shown(self, node: str) -> bool:
        """Whether the node has a place in the drawing."""
        return node in self.positions and node not in self._hidden

    @property
    def room(self) -> int:
        """How many more nodes may be drawn."""
        return max(0, HARD_STOP - len(self.positions) - len(self.extra) + len(self._hidden))

    def canonical(self, entity_id: EntityId) -> EntityId:
        """Return the id under which the plan knows an entity."""
        return self._subgraph.canonical(entity_id)

    def show_answer(self, answer: Answer) -> None:
        """Place what an answer rests on."""
        for triple in answer.proof:
            self._show(self._ends(triple))
        for part in answer.parts:
            if isinstance(part.value, Entity) and part.value.id in self._subgraph:
                self._show([self._subgraph.canonical(part.value.id)])
            elif not part.is_supported and not self.is_shown(memory_id(part)):
                self._place_root(memory_id(part), part.value.name)

    # what a person opens and folds

    def open(self, fold: Fold) -> list[str]:
        """Show what waits behind a "+n" node, as far as there is room; return what that was."""
        waiting = [node for node in self.folds.get(fold, ()) if not self.is_shown(node)]
        opened = waiting[: self.room]
        self._show(opened)
        if not fold[1]:  # made by a person; what comes out of it goes back to where it came from
            self.folds[fold] = waiting[len(opened) :]
        return opened

    def close(self, fold: Fold, nodes: Iterable[str]) -> None:
        """Put nodes behind a "+n" node, which is made where there is none; they keep their places."""
        known = self.folds.setdefault(fold, [])
        known.extend(node for node in nodes if node not in known)
        self._hidden.update(nodes)
        if fold_id(fold) not in self.positions:
            self._place(fold_id(fold), "+00", (fold[0],))

    def place_extra(self, node: str, name: str, anchor: str) -> None:
        """Find a place for what is not part of the run; once found it stays, also when the run gets there."""
        at = self.positions.get(anchor) or self.extra.get(anchor)
        if node in self.positions or node in self.extra or at is None:
            return
        size = _size(node, name)
        spot = self._spots.find([at], size, self._direction(anchor, at), least=_EXTRA_GAP)
        self.extra[node] = spot
        self._origin[node] = anchor
        self._spots.take(spot, size)
        self._spots.connect(at, spot)

    def place_extra_root(self, node: str, name: str) -> None:
        """Find a place for what comes from no other node and is not part of the run yet."""
        if self.place_of(node) is None:
            self._place_root(node, name)
            self.extra[node] = self.positions.pop(node)

    def place_of(self, node: str) -> Point | None:
        """Return where a node is drawn, of the run or beside it."""
        return self.positions.get(node) or self.extra.get(node)

    # folding one node of the search tree

    def grow(self, fact: NodeAdded) -> None:
        """Place what one node added."""
        before = self._subgraph
        self._subgraph = before.add(fact.triples, entities=fact.entities, same_as=fact.same_as)
        for entity in fact.entities:
            known = self._subgraph.canonical(entity.id)
            if known == entity.id and not self._is_known(known):
                self._place_root(known, entity.name)
        self._move_literals(fact)
        arriving: dict[Fold, list[Leaf]] = {}
        for triple in fact.triples:
            self._arrive(triple, arriving)
        for fold, leaves in arriving.items():
            self._fan_out(fold, leaves)
        self._show([self._subgraph.canonical(e) for e in fact.selected])

    def _move_literals(self, fact: NodeAdded) -> None:
        """Literals of an entity that turned out to be another one keep their place under the new name."""
        for pair in fact.same_as:
            target = self._subgraph.canonical(pair[0])
            for old in pair:
                start = f"=\t{old}\t"
                if old == target:
                    continue
                for name in [n for n in self.positions if n.startswith(start)]:
                    new = f"=\t{target}\t{name[len(start) :]}"
                    self.positions.setdefault(new, self.positions[name])

    def _arrive(self, triple: Triple, arriving: dict[Fold, list[Leaf]]) -> None:
        """Sort a triple: an end not seen yet becomes a leaf of the other; a waiting end is needed now."""
        subject, end = self._ends(triple)
        key = (subject, triple.relation.id, end)
        if key in self._seen:  # two branches of the search may fetch the same
            return
        self._seen.add(key)
        is_new = [not self._is_known(subject), not self._is_known(end)]
        if all(is_new):
            self._place_root(subject, triple.subject.name)
            is_new[0] = False
        if is_new[1]:
            self._await(end, triple.object.name, subject)
            out: Fold = (EntityId(subject), triple.relation.id, "out")
            arriving.setdefault(out, []).append((end, triple.object.name))
        elif is_new[0]:
            self._await(subject, triple.subject.name, end)
            back: Fold = (EntityId(end), triple.relation.id, "in")
            arriving.setdefault(back, []).append((subject, triple.subject.name))
        elif {subject, end} <= self.positions.keys():
            self._spots.connect(self.positions[subject], self.positions[end])
        else:
            self._join(subject, end, arriving)

    def _await(self, node: str, name: str, anchor: str) -> None:
        self._waiting[node] = ((anchor,), name)

    def _join(self, one: str, other: str, arriving: Mapping[Fold, Sequence[Leaf]]) -> None:
        """Two nodes meet of which at least one waits: one that just came goes amid all it is joined to."""
        fresh = {leaf for leaves in arriving.values() for leaf, _ in leaves}
        for node, neighbour in ((one, other), (other, one)):
            if node not in self._waiting:
                continue
            anchors, name = self._waiting[node]
            if neighbour not in anchors:
                self._waiting[node] = ((*anchors, neighbour), name)
            if node not in fresh:
                self._show([node])

    def _fan_out(self, fold: Fold, leaves: list[Leaf]) -> None:
        anchor = fold[0]
        leaves = sorted(leaves, key=lambda leaf: leaf[0] not in self.extra)  # what is seen stays
        n_seen = sum(node in self.extra for node, _ in leaves)
        self._show([anchor])
        self._show([node for node, _ in leaves if len(self._waiting.get(node, ((),))[0]) > 1])
        room = max(SHOWN, min(n_seen, FANNED)) if len(leaves) > FANNED else FANNED
        if len(self.positions) >= MAX_NODES:
            room = 0
        folded = [node for node, _ in leaves[room:] if node in self._waiting]
        for node, _ in leaves[:room]:
            self._show([node])
        if folded:
            known = self.folds.setdefault(fold, [])
            known.extend(folded)
            if fold_id(fold) not in self.positions:
                self._place(fold_id(fold), "+00", (anchor,))

    # places

    def _ends(self, triple: Triple) -> tuple[str, str]:
        subject = self._subgraph.canonical(triple.subject.id)
        end = triple.object
        if isinstance(end, Entity):
            return subject, self._subgraph.canonical(end.id)
        return subject, literal_id(end, subject, triple.relation.id)

    def _is_known(self, node: str) -> bool:
        return node in self.positions or node in self._waiting

    def _show(self, nodes: Iterable[str]) -> None:
        for node in nodes:
            self._hidden.discard(node)
            if node in self._waiting:
                anchors, name = self._waiting.pop(node)
                self._show(anchors)
                self._place(node, name, anchors)

    def _place_root(self, node: str, name: str) -> None:
        """Place an entity that came from no other: question entities stand in a row, then below it."""
        if node in self.extra:
            self.positions[node] = self.extra.pop(node)
            return
        row, column = divmod(len(self._roots), 4)
        at = (column * _ROOT_GAP, row * _ROOT_GAP * 0.7 + (column % 2) * 40.0)
        size = _size(node, name)
        while not self._spots.is_free(box_of(at, size)):
            at = (at[0], at[1] + 90.0)
        self._roots.append(node)
        self.positions[node] = at
        self._spots.take(at, size)

    def _place(self, node: str, name: str, anchors: Sequence[str]) -> None:
        starts = [self.positions[anchor] for anchor in anchors if anchor in self.positions]
        starts = starts or [(0.0, 0.0)]
        size = _size(node, name)
        at = self.extra.pop(node, None)
        if at is None:
            towards = self._direction(anchors[0], starts[0])
            later = self._later_ends(node, anchors)
            at = self._spots.find(starts, size, towards, later=later)
            self._spots.take(at, size)
        self.positions[node] = at
        self._origin[node] = anchors[0]
        for start in starts:
            self._spots.connect(start, at)

    def _later_ends(self, node: str, anchors: Sequence[str]) -> list[Point]:
        """Return where lines of a new entity may lead later: what a question is about has much in common."""
        if node.startswith(("=\t", "+\t")) or not 1 < len(self._roots) <= _FEW_ROOTS:
            return []
        roots = [root for root in self._roots if root not in anchors]
        return [self.positions[root] for root in roots if root in self.positions]

    def _direction(self, anchor: str, at: Point) -> float | None:
        """Return the angle in which the drawing grows at a node, if it came from another one."""
        origin = self.place_of(self._origin.get(anchor, ""))
        return None if origin is None else math.atan2(at[1] - origin[1], at[0] - origin[0])


def _size(node: str, name: str) -> Size:
    """Return the room of a node with the label in or below it, as estimated from the label's length."""
    name = name[:80]
    is_narrow = name.isascii()
    letters = len(name) if is_narrow else sum(1.9 if ord(c) > 0x2E7F else 1.0 for c in name)
    if node.startswith(("=\t", "+\t")):
        half = 17.0 if letters < 22 else 25.0
        return (min(170.0, 7.0 * letters + 24), half, half)
    lines = min(3, 1 + int(letters / 23))
    return (max(64.0, min(165.0, 7.4 * letters + 10)), 20.0, 22.0 + 18.0 * lines)
