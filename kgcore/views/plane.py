"""The plane that nodes are placed on: rows of numbers that grow, and tiles that are covered."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_TILE = 8.0
_MARGIN = 64  # tiles a map grows beyond what it must hold


@dataclass(slots=True)
class Rows:
    """Rows of four numbers, boxes or lines, as one array that grows."""

    _held: NDArray[np.float64] = field(default_factory=lambda: np.empty((64, 4)))
    _n: int = 0

    def add(self, row: tuple[float, float, float, float]) -> None:
        """Add one row."""
        if self._n == len(self._held):
            self._held = np.concatenate((self._held, np.empty_like(self._held)))
        self._held[self._n] = row
        self._n += 1

    @property
    def all(self) -> NDArray[np.float64]:
        """All rows so far."""
        return self._held[: self._n]


@dataclass(slots=True)
class Tiles:
    """Which small squares of the plane lie wholly in some covered box: a quick answer for many points."""

    _tiles: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((1, 1), np.bool_))
    _left: int = 0
    _top: int = 0

    def cover(self, box: tuple[float, float, float, float]) -> None:
        """Cover the inner part of a box."""
        left, top = (math.floor(v / _TILE) + 1 for v in box[:2])
        right, bottom = (math.ceil(v / _TILE) - 1 for v in box[2:])
        if left < right and top < bottom:
            self._make_room(left, top, right, bottom)
            columns = slice(left - self._left, right - self._left)
            self._tiles[top - self._top : bottom - self._top, columns] = True

    def at(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell of each point whether it is covered; False may also mean: look closer."""
        places = np.floor(points / _TILE).astype(np.intp) - (self._left, self._top)
        n_rows, n_columns = self._tiles.shape
        x, y = places[:, 0], places[:, 1]
        is_known = (x >= 0) & (x < n_columns) & (y >= 0) & (y < n_rows)
        return np.asarray(is_known & self._tiles[y.clip(0, n_rows - 1), x.clip(0, n_columns - 1)])

    def _make_room(self, left: int, top: int, right: int, bottom: int) -> None:
        """Let the map hold these tiles."""
        n_rows, n_columns = self._tiles.shape
        before = (max(0, self._top - top), max(0, self._left - left))
        after = (max(0, bottom - self._top - n_rows), max(0, right - self._left - n_columns))
        if not any((*before, *after)):
            return
        up, aside = (n + _MARGIN if n else 0 for n in before)
        down, along = (n + _MARGIN if n else 0 for n in after)
        self._tiles = np.pad(self._tiles, ((up, down), (aside, along)))
        self._left, self._top = self._left - aside, self._top - up
