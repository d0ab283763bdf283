"""Where a new node goes: a free spot near the node it came from, found once and kept for good.

Spots are tried on rings round the anchor. A spot is free when the node with its label covers no other; of the
nearest free ones that spot wins whose line to the anchor crosses least and leads on in the direction of growth.
Nothing here is random and nothing ever moves, so the same order of growth gives the same drawing.

All spots of a few rings are looked at in one go, and so are all lines and boxes: with arrays a thousand nodes take
part of a second. In a crowded drawing every line crosses others, and the nearest free spot is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from kgcore.views.crossings import are_hit, box_of, core, crossed, hit, holds, overlap
from kgcore.views.plane import Box, Columns, Flags, Floats, Places, Point, Size, Tiles

_FIRST_RING, _RING, _N_RINGS = 105.0, 52.0, 180
_AT_ONCE = 6  # rings looked at in one go
_LOOKED_AT = 32  # spots of those, where it is crowded
_STRETCH = (1.3, 0.85)  # panes are wider than high
_ENOUGH, _PLENTY, _FEW = 14, 48, 80  # free spots to choose among; in a drawing of a few nodes
_COVERED, _CROSSED, _TURN = 150.0, 60.0, 45.0  # what a spot costs, in the unit of its distance
_SPREAD, _AHEAD = 30, 0.8  # with so many nodes, leaves lie ahead: the least cosine of their turn
_HIDDEN = 75.0  # and what it costs that a line drawn later would run through nodes
_JUDGED = 48  # spots whose clutter is counted in one go
# The least sizes of a node: with a name below it, with a text inside.
_LEAST: tuple[Size, ...] = ((64.0, 20.0, 40.0), (0.0, 17.0, 17.0))
_CROWDED = 300  # with more nodes lines cross anyway, and the nearest free spot is taken


@dataclass(slots=True)
class Spots:
    """The boxes and lines that are taken.

    Of a box its sides are kept, and the middle and half the size of what a line should not touch of it: all but the
    thin ends of its label. Of a line its ends, the box round it, its middle, half its size and its direction.
    """

    _boxes: Columns = field(default_factory=lambda: Columns(8))
    _lines: Columns = field(default_factory=lambda: Columns(14))
    _covered: tuple[Tiles, ...] = field(default_factory=lambda: tuple(Tiles() for _ in _LEAST))
    _full: dict[tuple[Point, float, float | None], dict[Size, int]] = field(default_factory=dict)

    def take(self, at: Point, size: Size) -> None:
        """Take the room of a node."""
        left, top, right, bottom = box = box_of(at, size)
        self._boxes.add(*box, *core(at, size))
        for tiles, (width, above, below) in zip(self._covered, _LEAST, strict=True):
            tiles.cover((left - width / 2, top - below, right + width / 2, bottom + above))

    @property
    def _is_crowded(self) -> bool:
        return len(self._boxes) > _CROWDED

    def is_free(self, box: Box) -> bool:
        """Whether no node lies here."""
        return not bool(overlap(self._boxes.all, box).any())

    def connect(self, one: Point, other: Point) -> None:
        """Remember a line, for later spots to stay clear of."""
        (x, y), (u, v) = one, other
        around = (
            min(x, u) - 1,
            min(y, v) - 1,
            max(x, u) + 1,
            max(y, v) + 1,
        )  # a level line has no height
        half = (abs(u - x) / 2, abs(v - y) / 2)
        self._lines.add(x, y, u, v, *around, (x + u) / 2, (y + v) / 2, *half, u - x, v - y)

    def find(
        self,
        anchors: Sequence[Point],
        size: Size,
        towards: float | None,
        *,
        later: Sequence[Point] = (),
        least: float = _FIRST_RING,
    ) -> Point:
        """Return the best free spot near the anchor, or amid several that the node will be joined to.

        `towards` is the angle in which the drawing grows at the anchor, if it has one; `later` are nodes that it
        may be joined to later on, and `least` is how far from a single anchor it stands at least.
        """
        n_anchors = len(anchors)
        centre = (sum(x for x, _ in anchors) / n_anchors, sum(y for _, y in anchors) / n_anchors)
        first = least if n_anchors == 1 else 0.0
        spots, costs = self._free_spots(centre, size, first, towards)
        order = np.lexsort((spots[1], spots[0], costs))
        if self._is_crowded:
            return float(spots[0, order[0]]), float(spots[1, order[0]])
        spots, costs = spots[:, order], costs[order]
        later = later if len(self._boxes) < _FEW else ()
        best, least = 0, math.inf
        for start in range(0, len(costs), _JUDGED):
            if costs[start] >= least:  # clutter only adds to it
                break
            batch = slice(start, start + _JUDGED)
            whole = costs[batch] + self._clutter(anchors, spots[:, batch], size)
            whole += self._hidden_ways(later, spots[:, batch])
            nearest = int(whole.argmin())
            if whole[nearest] < least:
                best, least = start + nearest, float(whole[nearest])
        return float(spots[0, best]), float(spots[1, best])

    def _free_spots(
        self, centre: Point, size: Size, first: float, towards: float | None
    ) -> tuple[Floats, Floats]:
        """Return the free spots of the nearest rings that have enough of them, and what each costs by its place."""
        few = len(self._boxes) < _FEW
        wanted = 1 if self._is_crowded else _PLENTY if few else _ENOUGH
        found: list[Floats] = []
        costs: list[Floats] = []
        ahead = towards if len(self._boxes) >= _SPREAD else None
        for ring, radius, angle, spots in self._looked_at(centre, size, first, ahead):
            n = len(ring)
            if n >= wanted:  # all of the ring that completes them
                n = int(ring.searchsorted(ring[wanted - 1], side="right"))
            turn = 0.0 if towards is None else 1 - np.cos(angle[:n] - towards)
            found.append(spots[:, :n])
            costs.append(radius[:n] + _TURN * turn)
            wanted -= n
            if wanted <= 0:
                break
        return np.concatenate(found, axis=1), np.concatenate(costs)

    def _looked_at(
        self, centre: Point, size: Size, first: float, ahead: float | None
    ) -> Iterator[tuple[Places, Floats, Floats, Floats]]:
        """Yield the free spots of ring after ring, some rings in one go: ring, radius, angle, place.

        Only those that lie ahead, where that is an angle.
        Rings that have none for a size never have one for it or a larger one again: they are passed over.
        """
        covered = self._covered[_kind_of(size)]
        full = self._full.setdefault((centre, first, ahead), {})
        begin = max((n for least, n in full.items() if _has_room(size, least)), default=0)
        (x, y), middle = centre, np.array(centre)[:, None]
        for start in range(begin, _N_RINGS, _AT_ONCE):
            rings = _rings(first, start)
            spots = np.round(rings.away + middle, 1)
            free = covered.free(spots, (x - rings.far, y - rings.far, x + rings.far, y + rings.far))
            if ahead is not None:
                free = free[np.cos(rings.angle[free] - ahead) >= _AHEAD]
            n_free = len(free)
            if self._is_crowded:
                free = free[:_LOOKED_AT]
            is_all = len(free) == n_free
            spots = spots[:, free]
            is_free = self._are_free(spots, size)
            free, spots = free[is_free], spots[:, is_free]
            if start == begin and is_all and not len(free):
                begin = full[size] = start + _AT_ONCE
            yield rings.number[free], rings.radius[free], rings.angle[free], spots

    def _are_free(self, spots: Floats, size: Size) -> Flags:
        """Tell of each spot whether a node of this size covers no other there."""
        boxes = self._boxes.all
        if not spots.size or not boxes.size:
            return np.ones(spots.shape[1], np.bool_)
        width, above, below = size
        x, y = spots[:, :, None]
        rooms = (x - width / 2, y - above, x + width / 2, y + below)
        whole = (rooms[0].min(), rooms[1].min(), rooms[2].max(), rooms[3].max())
        boxes = boxes[:4, overlap(boxes, whole)]
        return np.asarray(~overlap(boxes, rooms).any(axis=1))

    def _clutter(self, anchors: Sequence[Point], spots: Floats, size: Size) -> Floats:
        """Return what it costs that new lines cross others, run through nodes, or a line runs through a spot."""
        width, above, below = size
        left, top = spots.min(axis=1)
        right, bottom = spots.max(axis=1)
        x, y = zip(*anchors, strict=True)
        lows = (min(left - width / 2, *x), min(top - above, *y))
        highs = (max(right + width / 2, *x), max(bottom + below, *y))
        lines, boxes = self._lines.all, self._boxes.all
        lines = lines[:, overlap(lines[4:], (*lows, *highs))]  # nothing beyond can be in the way
        boxes = boxes[:, overlap(boxes, (*lows, *highs))]
        through_spot = are_hit(spots, size, lines).sum(axis=1)
        cost = np.zeros(spots.shape[1])
        for anchor in anchors:
            ends = spots - np.array(anchor)[:, None]
            others = boxes[:, ~holds(boxes, anchor)]
            cost += _CROSSED * crossed(anchor, ends, lines).sum(axis=1)
            cost += _COVERED * (through_spot + hit(anchor, ends, others).sum(axis=1))
        return cost

    def _hidden_ways(self, later: Sequence[Point], spots: Floats) -> Floats:
        """Return what it costs that a line which may be drawn later would run through nodes."""
        cost = np.zeros(spots.shape[1])
        for end in later:
            ways = spots - np.array(end)[:, None]
            others = self._boxes.all
            cost += _HIDDEN * hit(end, ways, others[:, ~holds(others, end)]).any(axis=1)
        return cost


def _kind_of(size: Size) -> int:
    """Return which of the least sizes a node is sure to have; the last one all have."""
    return next(i for i, least in enumerate(_LEAST) if _has_room(size, least))


def _has_room(size: Size, other: Size) -> bool:
    return size[0] >= other[0] and size[1] >= other[1] and size[2] >= other[2]


@dataclass(frozen=True, slots=True)
class _Rings:
    """The spots of some rings as seen from the centre, and how far away they are at most."""

    number: Places
    radius: Floats
    angle: Floats
    away: Floats
    far: float


@cache
def _rings(first: float, start: int) -> _Rings:
    """Return some rings from the start-th on."""
    rings = np.arange(start, start + _AT_ONCE)
    radii = first + _RING * rings
    n = np.where(radii > 0, 12 + 6 * rings, 1)
    radius = np.repeat(radii, n)
    angle = 2 * math.pi * np.concatenate([np.arange(k) for k in n]) / np.repeat(n, n)
    away = radius * np.stack((_STRETCH[0] * np.cos(angle), _STRETCH[1] * np.sin(angle)))
    return _Rings(np.repeat(rings, n), radius, angle, away, float(np.abs(away).max()) + 1)
