"""Where a new node goes: a free spot near the node it came from, found once and kept for good.

Spots are tried on rings round the anchor. A spot is free when the node with its label covers no other; of the
nearest free ones that spot wins whose line to the anchor crosses least and leads on in the direction of growth.
Nothing here is random and nothing ever moves, so the same order of growth gives the same drawing.

All spots of a few rings are looked at in one go, and so are all lines and boxes: with arrays a thousand nodes take
part of a second. In a crowded drawing every line crosses others, and the nearest free spot is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kgcore.views.plane import Rows, Tiles

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Size = tuple[float, float, float]  # width, room above the point, room below it
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIRST_RING, _RING, _N_RINGS = 105.0, 52.0, 180
_AT_ONCE = 6  # rings looked at in one go
_LOOKED_AT = 32  # spots of those, where it is crowded
_STRETCH = (1.3, 0.85)  # panes are wider than high
_ENOUGH, _PLENTY, _FEW = 14, 48, 80  # free spots to choose among; in a drawing of a few nodes
_COVERED, _CROSSED, _TURN = 150.0, 60.0, 45.0  # what a spot costs, in the unit of its distance
_JUDGED = 48  # spots whose clutter is counted in one go
# The least sizes of a node: with a name below it, with a text inside.
_LEAST: tuple[Size, ...] = ((64.0, 20.0, 40.0), (0.0, 17.0, 17.0))
_CROWDED = 300  # with more nodes lines cross anyway, and the nearest free spot is taken


@dataclass(slots=True)
class Spots:
    """The boxes and lines that are taken."""

    _boxes: Rows = field(default_factory=Rows)
    _lines: Rows = field(default_factory=Rows)
    _covered: tuple[Tiles, ...] = field(default_factory=lambda: tuple(Tiles() for _ in _LEAST))

    def take(self, at: Point, size: Size) -> None:
        """Take the room of a node."""
        left, top, right, bottom = box = box_of(at, size)
        self._boxes.add(box)
        for tiles, (width, above, below) in zip(self._covered, _LEAST, strict=True):
            tiles.cover((left - width / 2, top - below, right + width / 2, bottom + above))

    @property
    def _is_crowded(self) -> bool:
        return len(self._boxes.all) > _CROWDED

    def is_free(self, box: Box) -> bool:
        """Whether no node lies here."""
        return not bool(_overlap(self._boxes.all, np.array(box)).any())

    def connect(self, one: Point, other: Point) -> None:
        """Remember a line, for later spots to stay clear of."""
        self._lines.add((*one, *other))

    def find(self, anchors: Sequence[Point], size: Size, towards: float | None) -> Point:
        """Return the best free spot near the anchor, or amid several that the node will be joined to.

        `towards` is the angle in which the drawing grows at the anchor, if it has one.
        """
        n_anchors = len(anchors)
        centre = (sum(x for x, _ in anchors) / n_anchors, sum(y for _, y in anchors) / n_anchors)
        first = _FIRST_RING if n_anchors == 1 else 0.0
        spots, costs = self._free_spots(centre, size, first, towards)
        order = np.lexsort((spots[:, 1], spots[:, 0], costs))
        spots, costs = spots[order], costs[order]
        if self._is_crowded:
            return float(spots[0, 0]), float(spots[0, 1])
        best, least = 0, math.inf
        for start in range(0, len(spots), _JUDGED):
            if costs[start] >= least:  # clutter only adds to it
                break
            batch = slice(start, start + _JUDGED)
            whole = costs[batch] + self._clutter(anchors, spots[batch], size)
            nearest = int(whole.argmin())
            if whole[nearest] < least:
                best, least = start + nearest, float(whole[nearest])
        return float(spots[best, 0]), float(spots[best, 1])

    def _free_spots(
        self, centre: Point, size: Size, first: float, towards: float | None
    ) -> tuple[Floats, Floats]:
        """Return the free spots of the nearest rings that have enough of them, and what each costs by its place."""
        rings, covered = _rings(first), self._covered[_kind_of(size)]
        few = len(self._boxes.all) < _FEW
        enough = 1 if self._is_crowded else _PLENTY if few else _ENOUGH
        found: list[Floats] = []
        costs: list[Floats] = []
        n_found = 0
        for start in range(0, _N_RINGS, _AT_ONCE):
            ring, radius, angle, away = rings[start // _AT_ONCE]
            spots = np.round(away + centre, 1)
            free = np.flatnonzero(~covered.at(spots))
            if self._is_crowded:
                free = free[:_LOOKED_AT]
            free = free[self._are_free(spots[free], size)]
            ends = n_found + np.cumsum(np.bincount(ring[free] - start, minlength=_AT_ONCE))
            n_rings = int(np.searchsorted(ends, enough)) + 1
            free = free[ring[free] < start + n_rings]
            turn = 0.0 if towards is None else 1 - np.cos(angle[free] - towards)
            found.append(spots[free])
            costs.append(radius[free] + _TURN * turn)
            n_found += len(free)
            if n_found >= enough:
                break
        return np.concatenate(found), np.concatenate(costs)

    def _are_free(self, spots: Floats, size: Size) -> Flags:
        """Tell of each spot whether a node of this size covers no other there."""
        rooms = _rooms(spots, size)
        boxes = self._boxes.all
        if len(rooms) == 0 or len(boxes) == 0:
            return np.ones(len(rooms), np.bool_)
        whole = np.concatenate((rooms[:, :2].min(axis=0), rooms[:, 2:].max(axis=0)))
        boxes = boxes[_overlap(boxes, whole)]
        return np.asarray(~_overlap(rooms[:, None, :], boxes).any(axis=1))

    def _clutter(self, anchors: Sequence[Point], spots: Floats, size: Size) -> Floats:
        """Return what it costs that new lines cross others, run through nodes, or a line runs through a spot."""
        rooms = _shrunk(_rooms(spots, size))
        ends = np.array(anchors)
        lows = np.minimum(rooms[:, :2].min(axis=0), ends.min(axis=0))
        highs = np.maximum(rooms[:, 2:].max(axis=0), ends.max(axis=0))
        whole = np.concatenate((lows, highs))  # nothing beyond can be in the way
        lines, boxes = self._lines.all, self._boxes.all
        lines = lines[_overlap(_around(lines), whole)]
        boxes = boxes[_overlap(boxes, whole)]
        through_spot = _hits(lines, rooms).sum(axis=1)
        cost = np.zeros(len(spots))
        for anchor in anchors:
            others = _shrunk(boxes[~_holds(boxes, anchor)])
            new = np.hstack((np.broadcast_to(anchor, spots.shape), spots))
            cost += _CROSSED * _crossed(anchor, spots, lines).sum(axis=1)
            cost += _COVERED * (through_spot + _hits(new, others).sum(axis=0))
        return cost


def box_of(at: Point, size: Size) -> Box:
    """Return the room a node takes at a place."""
    x, y = at
    width, above, below = size
    return (x - width / 2, y - above, x + width / 2, y + below)


def _kind_of(size: Size) -> int:
    """Return which of the least sizes a node is sure to have; the last one all have."""
    return next(
        i for i, least in enumerate(_LEAST) if all(a >= b for a, b in zip(size, least, strict=True))
    )


@cache
def _rings(first: float) -> tuple[tuple[NDArray[np.intp], Floats, Floats, Floats], ...]:
    """Return the spots of all rings as seen from the centre, some rings at once: ring, radius, angle, place."""
    batches = []
    for start in range(0, _N_RINGS, _AT_ONCE):
        spots: list[tuple[int, float, float]] = []
        for ring in range(start, start + _AT_ONCE):
            radius = first + _RING * ring
            n = 12 + 6 * ring if radius else 1
            spots += [(ring, radius, 2 * math.pi * i / n) for i in range(n)]
        ring_of, radius_of, angle = np.array(spots).T
        away = np.stack((_STRETCH[0] * np.cos(angle), _STRETCH[1] * np.sin(angle)), axis=1)
        batches.append((ring_of.astype(np.intp), radius_of, angle, radius_of[:, None] * away))
    return tuple(batches)


def _rooms(spots: Floats, size: Size) -> Floats:
    """Return the boxes of a node at each spot."""
    width, above, below = size
    return np.hstack((spots - (width / 2, above), spots + (width / 2, below)))


def _around(lines: Floats) -> Floats:
    """Return the box round each line, a little larger, as a level line has no height."""
    one, other = lines[:, :2], lines[:, 2:]
    return np.hstack((np.minimum(one, other) - 1, np.maximum(one, other) + 1))


def _overlap(boxes: Floats, other: Floats) -> Flags:
    """Tell of each box whether it overlaps the other one, or of each pair by the rules of arrays."""
    return (
        (boxes[..., 0] < other[..., 2])
        & (boxes[..., 2] > other[..., 0])
        & (boxes[..., 1] < other[..., 3])
        & (boxes[..., 3] > other[..., 1])
    )


def _shrunk(boxes: Floats) -> Floats:
    """Return what a line should not touch of nodes: all but the thin ends of their labels."""
    by = 0.15 * (boxes[:, 2] - boxes[:, 0])
    left, top, right, bottom = boxes.T
    return np.stack((left + by, top + 2, right - by, bottom - 2), axis=1)


def _holds(boxes: Floats, point: Point) -> Flags:
    x, y = point
    left, top, right, bottom = boxes.T
    return np.asarray((left <= x) & (x <= right) & (top <= y) & (y <= bottom))


def _crossed(start: Point, ends: Floats, lines: Floats) -> Flags:
    """Tell of each line from the start to an end, and each of the lines, whether they cross; a common end is none."""
    one, other = lines[:, :2] - start, lines[:, 2:] - start
    ends = ends - start
    way = other - one
    turn = way[:, 0] * one[:, 1] - way[:, 1] * one[:, 0]  # on which side of a line the start lies
    sides = np.outer(ends[:, 0], one[:, 1]) - np.outer(ends[:, 1], one[:, 0])
    sides *= np.outer(ends[:, 0], other[:, 1]) - np.outer(ends[:, 1], other[:, 0])
    ends_at = np.outer(ends[:, 1], way[:, 0]) - np.outer(ends[:, 0], way[:, 1]) - turn
    is_joined = ~(one.any(axis=1) & other.any(axis=1))
    return (sides < 0) & (ends_at * -turn < 0) & ~is_joined


def _hits(lines: Floats, boxes: Floats) -> Flags:
    """Tell of each box, and each line, whether the line runs through it: no side of either keeps them apart."""
    middle = (lines[:, :2] + lines[:, 2:]) / 2
    half = np.abs(lines[:, 2:] - middle)
    turn = lines[:, 2:] - lines[:, :2]
    centre = (boxes[:, :2] + boxes[:, 2:]) / 2
    room = boxes[:, 2:] - centre
    x = centre[:, :1] - middle[:, 0]
    y = centre[:, 1:] - middle[:, 1]
    is_apart = np.abs(x) > room[:, :1] + half[:, 0]
    is_apart |= np.abs(y) > room[:, 1:] + half[:, 1]
    reach = np.outer(room[:, 1], np.abs(turn[:, 0])) + np.outer(room[:, 0], np.abs(turn[:, 1]))
    is_apart |= np.abs(x * turn[:, 1] - y * turn[:, 0]) > reach
    return ~is_apart
