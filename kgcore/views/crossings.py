"""What lies in the way on the plane: boxes that overlap, lines that cross, lines that run through boxes.

Many are told in one go. Boxes and lines are the columns that `Spots` keeps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgcore.views.plane import Box, Flags, Floats, Point, Size


def box_of(at: Point, size: Size) -> Box:
    """Return the room a node takes at a place."""
    x, y = at
    width, above, below = size
    return (x - width / 2, y - above, x + width / 2, y + below)


def core(at: Point, size: Size) -> Box:
    """Return the middle and half the size of what a line should not touch of a node."""
    width, above, below = size
    return (at[0], at[1] + (below - above) / 2, 0.35 * width, (above + below) / 2 - 2)


def overlap(boxes: Floats, other: Sequence[float | Floats]) -> Flags:
    """Tell of each box whether it overlaps the other one, or of each pair by the rules of arrays."""
    left, top, right, bottom = other
    is_aside = (boxes[0] >= right) | (boxes[2] <= left)
    return np.asarray(~(is_aside | (boxes[1] >= bottom) | (boxes[3] <= top)))


def holds(boxes: Floats, point: Point) -> Flags:
    x, y = point
    left, top, right, bottom = boxes[:4]
    return np.asarray((left <= x) & (x <= right) & (top <= y) & (y <= bottom))


def crossed(start: Point, ends: Floats, lines: Floats) -> Flags:
    """Tell of each line from the start to an end, and each of the lines, whether they cross; a common end is none."""
    x, y = start
    one, other = (lines[0] - x, lines[1] - y), (lines[2] - x, lines[3] - y)
    turn = other[0] * one[1] - other[1] * one[0]  # on which side of a line the start lies
    side = np.outer(ends[0], one[1]) - np.outer(ends[1], one[0])
    other_side = np.outer(ends[0], other[1]) - np.outer(ends[1], other[0])
    is_joined = ~((one[0] != 0) | (one[1] != 0)) | ~((other[0] != 0) | (other[1] != 0))
    is_between = (side * other_side < 0) & ((side - other_side - turn) * turn > 0)
    return np.asarray(is_between & ~is_joined)


def hit(start: Point, ends: Floats, boxes: Floats) -> Flags:
    """Tell of each line from the start to an end, and each box, whether the line runs through it.

    It does when no side of either keeps them apart.
    """
    x, y, half_width, half_height = boxes[4:]
    x, y = x - start[0], y - start[1]
    half = np.abs(ends) / 2
    is_apart = np.abs(x - ends[0][:, None] / 2) > half_width + half[0][:, None]
    is_apart |= np.abs(y - ends[1][:, None] / 2) > half_height + half[1][:, None]
    reach = 2 * (np.outer(half[0], half_height) + np.outer(half[1], half_width))
    is_apart |= np.abs(np.outer(ends[1], x) - np.outer(ends[0], y)) > reach
    return np.asarray(~is_apart)


def are_hit(spots: Floats, size: Size, lines: Floats) -> Flags:
    """Tell of each spot, and each line, whether the line would run through a node of this size there."""
    dx, dy, half_width, half_height = core((0.0, 0.0), size)
    middle_x, middle_y, half_x, half_y, way_x, way_y = lines[8:]
    x = spots[0][:, None] + (dx - middle_x)
    y = spots[1][:, None] + (dy - middle_y)
    is_apart = np.abs(x) > half_width + half_x
    is_apart |= np.abs(y) > half_height + half_y
    reach = 2 * (half_height * half_x + half_width * half_y)
    is_apart |= np.abs(x * way_y - y * way_x) > reach
    return np.asarray(~is_apart)
