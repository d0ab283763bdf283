"""Places in the search tree: depth to the right, leaves one below the other, parents amid their children."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

COLUMN, ROW = 150.0, 84.0


def tidy_tree(
    parents: Mapping[str, str | None],
    *,
    column: float = COLUMN,
    heights: Mapping[str, float] | None = None,
) -> dict[str, tuple[float, float]]:
    """Return the place of each node, given its parent; parents come before their children.

    `heights` are the rooms that nodes take where it is not a ROW.
    """
    heights = heights or {}
    children: dict[str, list[str]] = {}
    depth: dict[str, int] = {}
    for node, parent in parents.items():
        depth[node] = 0 if parent is None else depth[parent] + 1
        if parent is not None:
            children.setdefault(parent, []).append(node)
    rows: dict[str, float] = {}
    bottom: float | None = None  # of the leaf before
    for node in _leaves_first(parents, children):
        below = children.get(node)
        if below:
            rows[node] = (rows[below[0]] + rows[below[-1]]) / 2
        else:
            half = _room(node, parents, children, heights) / 2
            rows[node] = 0.0 if bottom is None else bottom + half
            bottom = rows[node] + half
    return {node: (depth[node] * column, rows[node]) for node in parents}


def _room(
    node: str,
    parents: Mapping[str, str | None],
    children: Mapping[str, Sequence[str]],
    heights: Mapping[str, float],
) -> float:
    """Return the room of a leaf: its own, or that of a node above which has no other below it."""
    room = heights.get(node, ROW)
    above = parents[node]
    while above is not None and len(children[above]) == 1:
        room = max(room, heights.get(above, ROW))
        above = parents[above]
    return room


def _leaves_first(
    parents: Mapping[str, str | None], children: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return all nodes, each after its children, branches in order."""
    order: list[str] = []
    stack = [(root, False) for root, parent in parents.items() if parent is None][::-1]
    while stack:
        node, is_done = stack.pop()
        if is_done:
            order.append(node)
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(children.get(node, ())))
    return order
