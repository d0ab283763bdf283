"""The style sheets of the pages, read from `assets/styles`.

Their colours are custom properties, which `theme.color_sheet` sets. This module imports next to nothing, for what is
drawn while the program is still being read.
"""

from functools import cache
from pathlib import Path

__all__ = ["STYLES", "sheet"]

STYLES = Path(__file__).parents[2] / "assets" / "styles"


@cache
def sheet(*names: str) -> str:
    """Return these style sheets, in this order, as one element for ``st.html``."""
    rules = "\n".join((STYLES / f"{name}.css").read_text("utf-8") for name in names)
    return f"<style>\n{rules}</style>"
