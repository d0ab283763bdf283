"""Where a new node goes: a free spot near the node it came from, found once and kept for good.

Spots are tried on rings round the anchor. A spot is free when the node with its label covers no other; of the
nearest free ones that spot wins whose line to the anchor crosses least and leads on in the direction of growth.
Nothing here is random and nothing ever moves, so the same order of growth gives the same drawing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Size = tuple[float, float, float]  # width, room above the point, room below it

_CELL = 80.0
_FIRST_RING, _RING = 105.0, 52.0
_STRETCH = (1.3, 0.85)  # panes are wider than high
_ENOUGH = 14  # free spots to choose among
_COVERED, _CROSSED, _TURN = 150.0, 60.0, 45.0  # what a spot costs, in the unit of its distance


@dataclass(slots=True)
class Spots:
    """The boxes and lines that are taken."""

    boxes: list[Box] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    _cells: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def take(self, at: Point, size: Size) -> None:
        """Take the room of a node."""
        box = box_of(at, size)
        for cell in _cells_of(box):
            self._cells.setdefault(cell, []).append(len(self.boxes))
        self.boxes.append(box)

    def is_free(self, box: Box) -> bool:
        """Whether no node lies here."""
        return not any(
            _overlap(box, self.boxes[i])
            for cell in _cells_of(box)
            for i in self._cells.get(cell, ())
        )

    def connect(self, one: Point, other: Point) -> None:
        """Remember a line, for later spots to stay clear of."""
        self.lines.append((one, other))

    def find(self, anchors: Sequence[Point], size: Size, towards: float | None) -> Point:
        """Return the best free spot near the anchor, or amid several that the node will be joined to.

        `towards` is the angle in which the drawing grows at the anchor, if it has one.
        """
        n_anchors = len(anchors)
        centre = (sum(x for x, _ in anchors) / n_anchors, sum(y for _, y in anchors) / n_anchors)
        first = _FIRST_RING if n_anchors == 1 else 0.0
        found: list[tuple[float, Point]] = []
        for ring in range(60):
            if len(found) >= _ENOUGH:
                break
            radius = first + _RING * ring
            n = 12 + 6 * ring if radius else 1
            for i in range(n):
                angle = 2 * math.pi * i / n
                spot = (
                    round(centre[0] + radius * _STRETCH[0] * math.cos(angle), 1),
                    round(centre[1] + radius * _STRETCH[1] * math.sin(angle), 1),
                )
                if self.is_free(box_of(spot, size)):
                    turn = 0.0 if towards is None else 1 - math.cos(angle - towards)
                    found.append((radius + _TURN * turn, spot))
        return self._cheapest(found, anchors, size)

    def _cheapest(
        self, found: list[tuple[float, Point]], anchors: Sequence[Point], size: Size
    ) -> Point:
        best, least = found[0][1], math.inf
        for cost, spot in sorted(found):
            if cost >= least:  # clutter only adds to it
                break
            whole = cost + sum(self._clutter(anchor, spot, size) for anchor in anchors)
            if whole < least:
                best, least = spot, whole
        return best

    def _clutter(self, anchor: Point, spot: Point, size: Size) -> float:
        """What it costs that the new line crosses others, runs through nodes, or a line runs through here."""
        room = _shrunk(box_of(spot, size))
        way = _around(anchor, spot, room)
        cost = 0.0
        for one, other in self.lines:
            if not _overlap(_around(one, other), way):
                continue
            if _cross(anchor, spot, one, other):
                cost += _CROSSED
            if _hits(one, other, room):
                cost += _COVERED
        for box in self.boxes:
            if not _overlap(box, way) or _inside(anchor, box):
                continue
            if _hits(anchor, spot, _shrunk(box)):
                cost += _COVERED
        return cost


def box_of(at: Point, size: Size) -> Box:
    """Return the room a node takes at a place."""
    x, y = at
    width, above, below = size
    return (x - width / 2, y - above, x + width / 2, y + below)


def _around(one: Point, other: Point, room: Box | None = None) -> Box:
    """Return the box round a line, and round the room of its end."""
    left, right = min(one[0], other[0]), max(one[0], other[0])
    top, bottom = min(one[1], other[1]), max(one[1], other[1])
    if room is None:
        return (left - 1, top - 1, right + 1, bottom + 1)
    return (min(left, room[0]), min(top, room[1]), max(right, room[2]), max(bottom, room[3]))


def _cells_of(box: Box) -> list[tuple[int, int]]:
    left, top, right, bottom = (math.floor(v / _CELL) for v in box)
    return [(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and a[2] > b[0] and a[1] < b[3] and a[3] > b[1]


def _shrunk(box: Box) -> Box:
    """Return what a line should not touch of a node: all but the thin ends of its label."""
    by = 0.15 * (box[2] - box[0])
    return (box[0] + by, box[1] + 2, box[2] - by, box[3] - 2)


def _inside(point: Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two lines cross; lines that only share an end do not."""
    if a in (c, d) or b in (c, d):
        return False
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _hits(one: Point, other: Point, box: Box) -> bool:
    """Whether a line runs through a box (Liang-Barsky)."""
    start, end = 0.0, 1.0
    dx, dy = other[0] - one[0], other[1] - one[1]
    for delta, low, high in (
        (dx, box[0] - one[0], box[2] - one[0]),
        (dy, box[1] - one[1], box[3] - one[1]),
    ):
        if delta == 0:
            if low > 0 or high < 0:
                return False
            continue
        first, last = sorted((low / delta, high / delta))
        start, end = max(start, first), min(end, last)
        if start > end:
            return False
    return True
