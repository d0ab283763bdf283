"""The plane that nodes are placed on: columns of numbers that grow, and tiles that are covered."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Size = tuple[float, float, float]  # width, room above the point, room below it
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]

_TILE = 8.0
_MARGIN = 64  # tiles a map grows beyond what it must hold


@dataclass(slots=True)
class Columns:
    """One thing a column, boxes or lines, each with the same numbers, as one array that grows."""

    n_numbers: int
    _held: Floats = field(init=False)
    _n: int = 0

    def __post_init__(self) -> None:
        self._held = np.empty((self.n_numbers, 64))

    def __len__(self) -> int:
        return self._n

    def add(self, *numbers: float) -> None:
        """Add one column."""
        if self._n == self._held.shape[1]:
            self._held = np.concatenate((self._held, np.empty_like(self._held)), axis=1)
        self._held[:, self._n] = numbers
        self._n += 1

    @property
    def all(self) -> Floats:
        """All columns so far."""
        return self._held[:, : self._n]


@dataclass(slots=True)
class Tiles:
    """Which small squares of the plane lie wholly in some covered box: a quick answer for many points."""

    _tiles: Flags = field(default_factory=lambda: np.zeros((1, 1), np.bool_))
    _left: int = 0
    _top: int = 0

    def cover(self, box: Box) -> None:
        """Cover the inner part of a box."""
        left, top = int(box[0] // _TILE) + 1, int(box[1] // _TILE) + 1
        right, bottom = math.ceil(box[2] / _TILE) - 1, math.ceil(box[3] / _TILE) - 1
        if left < right and top < bottom:
            self._make_room(left, top, right, bottom)
            columns = slice(left - self._left, right - self._left)
            self._tiles[top - self._top : bottom - self._top, columns] = True

    def free(self, points: Floats, far: Box) -> Places:
        """Return which of the points are not covered, or look so; all lie in the box `far`."""
        left, top, right, bottom = far
        self._make_room(
            int(left // _TILE), int(top // _TILE), int(right // _TILE) + 1, int(bottom // _TILE) + 1
        )
        x, y = np.floor(points / _TILE).astype(np.intp)
        x += (y - self._top) * self._tiles.shape[1] - self._left
        return np.flatnonzero(~self._tiles.ravel()[x])

    def _make_room(self, left: int, top: int, right: int, bottom: int) -> None:
        """Let the map hold these tiles."""
        n_rows, n_columns = self._tiles.shape
        is_wide_enough = left >= self._left and right <= self._left + n_columns
        if is_wide_enough and top >= self._top and bottom <= self._top + n_rows:
            return
        before = (max(0, self._top - top), max(0, self._left - left))
        after = (max(0, bottom - self._top - n_rows), max(0, right - self._left - n_columns))
        up, aside = (n + _MARGIN if n else 0 for n in before)
        down, along = (n + _MARGIN if n else 0 for n in after)
        self._tiles = np.pad(self._tiles, ((up, down), (aside, along)))
        self._left, self._top = self._left - aside, self._top - up
