"""What the drawings need of a theme, and the look that nodes and edges share.

The colours themselves are in `palettes`; here is only which role gets which.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from kgcore.views.palettes import Palette

IMPORTANT_FONT, FONT, SMALL_FONT = 16, 14, 11  # a font over 14 claims its place before others
PATH_WIDTH, SELECTED_WIDTH, LINE_WIDTH = 4.0, 3.5, 1.3
DIMMED = 0.45


def kg_colors(names: Sequence[str], palette: Palette) -> dict[str, str]:
    """Return a colour for each graph: its own in every run, another one only where two would be equal."""
    free = list(range(len(palette.sources)))
    slots: dict[str, int] = {}
    for name in dict.fromkeys(names):
        wanted = _slot(name, len(palette.sources))
        later = [s for s in free if s >= wanted] + free
        slots[name] = later[0] if later else wanted
        free = [s for s in free if s != slots[name]]
    return {name: palette.sources[slot] for name, slot in slots.items()}


def _slot(name: str, n: int) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=24).digest()
    return int.from_bytes(digest, "big") % n


def paint(background: str, border: str, palette: Palette) -> dict[str, Any]:
    """Return a node's colours; selected and under the pointer it gets the border of the selection."""
    marked = {"background": background, "border": palette.selected}
    return {"background": background, "border": border, "highlight": marked, "hover": marked}


def font(color: str, size: int) -> dict[str, Any]:
    """Return the font of a label."""
    return {"color": color, "size": size}
