"""Who gets how much room on the Ask page: with a run, all of it stands in the window.

From top to bottom: box, head, bar, notes (a line each), the two drawings, and a row of panels. Whatever may be long
(a question, notes, legends) keeps to its line and unfolds where it is pointed at or focused; a panel scrolls by itself.
The drawings take their height from the window alone, so that nothing that comes or goes resizes them; the panels take
what is left. In a window that is small the drawings keep beside each other and the page scrolls. The rules that do it
are in `assets/styles/room.css`.
"""

__all__ = ["LEFT", "WIDE", "is_long"]

LEFT = (0.33, 0.39, 0.28)  # answer, inspector, log
WIDE = (0.61, 0.39)  # what waits for a person or is challenged, and the inspector
LONG = 64  # a question of more letters may not fit on its line; letters of Chinese count twice


def is_long(text: str) -> bool:
    """Whether a text may need more than its line."""
    return sum(1 + (letter >= "\u2e80") for letter in text) > LONG
