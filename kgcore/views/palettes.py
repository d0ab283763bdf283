"""The colours of everything that is drawn, light and dark.

A colour never carries a meaning alone: each role has a second cue (shape, line, mark), named beside it here. Source
colours keep a colour distance of 19 or more under simulated colour blindness and a contrast of 3.6 or more on the
background; heat runs one way in lightness, with readable text on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["DARK", "LIGHT", "Palette"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by role for one theme; the comment names the cue that goes with the colour."""

    name: str
    background: str
    surface: str
    text: str
    muted: str
    line: str
    dimmed: str  # with a dashed border
    dimmed_text: str
    sources: tuple[str, ...]  # one per knowledge graph, in order; the graph's name in the tooltip
    memory: str  # what no triple supports: dashed, "?"
    corrected: str  # a tick or cross on the edge label
    answer: str  # a thick line, a star
    selected: str  # a thick border
    backtrack: str  # a dotted curve
    rejected: str  # a cross
    heat: tuple[str, ...]  # values 0, .2, .4, .6, .8, 1; the number in the node
    heat_text: tuple[str, ...]

    def source(self, index: int) -> str:
        """Return the colour of the index-th knowledge graph; after the last they begin anew."""
        return self.sources[index % len(self.sources)]

    def heat_of(self, value: float) -> tuple[str, str]:
        """Return fill and text colour of a value between 0 and 1."""
        last = len(self.heat) - 1
        step = min(last, max(0, int(value * last + 0.5)))
        return self.heat[step], self.heat_text[step]


LIGHT: Final = Palette(
    name="light",
    background="#FFFFFF",
    surface="#F4F6F9",
    text="#1B2430",
    muted="#667085",
    line="#B8C0CC",
    dimmed="#D5DAE1",
    dimmed_text="#6C7688",
    sources=("#274F83", "#13956A", "#8E24C9", "#6B2A12", "#0B1030"),
    memory="#E03DBC",
    corrected="#946006",
    answer="#00845F",
    selected="#1565D8",
    backtrack="#7A3FB5",
    rejected="#B42318",
    heat=("#FFF7E6", "#FFE3AE", "#FFC55C", "#F59B23", "#D9720B", "#A84B00"),
    heat_text=("#3B2A00", "#3B2A00", "#3B2A00", "#2A1A00", "#2A1A00", "#FFFFFF"),
)

DARK: Final = Palette(
    name="dark",
    background="#0E1420",
    surface="#182131",
    text="#E6EBF2",
    muted="#93A0B4",
    line="#5A6880",
    dimmed="#3A4659",
    dimmed_text="#76849A",
    sources=("#4C8DF6", "#98EDC0", "#F4EA5A", "#7F7A45", "#B9BEEF"),
    memory="#E0559F",
    corrected="#C98F1B",
    answer="#3DDCA4",
    selected="#7AB8FF",
    backtrack="#B79BF2",
    rejected="#FF7A6B",
    heat=("#2B2417", "#4A3814", "#765410", "#A9750F", "#DC9A1E", "#FFC24D"),
    heat_text=("#E6D9BD", "#F1E2C0", "#FFF1D0", "#1E1400", "#1E1400", "#1E1400"),
)
