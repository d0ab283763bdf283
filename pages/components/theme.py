"""The palette in force, and the few pieces of HTML built on its colours."""

from collections.abc import Iterable
from html import escape

import streamlit as st

from kgcore.views.palettes import DARK, LIGHT, Palette
from pages.components.graph import short
from pages.components.language import t

__all__ = [
    "DARK",
    "LIGHT",
    "Palette",
    "chip",
    "current",
    "heading",
    "heat_legend",
    "legend",
    "page_css",
]

CHIP_LENGTH, NAME_LENGTH = 300, 40


def current() -> Palette:
    """Return the palette of the theme the person looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def page_css(palette: Palette) -> str:
    """Return the style sheet of the HTML pieces below, for ``st.html`` once a page."""
    return f"""<style>
.ts-row {{ display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; }}
.ts-row > h2 {{ font: inherit; font-weight: 600; letter-spacing: normal; margin: 0; padding: 0; }}
.ts-hidden {{ position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }}
[data-testid="stElementContainer"]:has(> .stHtml > .ts-hidden:only-child) {{ position: absolute; width: 1px !important;
  height: 1px !important; overflow: hidden; pointer-events: none; }}
.ts-chip {{ display: inline-flex; align-items: center; gap: 6px; padding: 3px 11px;
  border: 1px solid {palette.line}; border-radius: 999px; font-size: 14px; line-height: 1.5;
  color: {palette.text}; white-space: nowrap; max-width: 100%; }}
.ts-chip > bdi, .ts-chip > a {{ min-width: 0; overflow: hidden; text-overflow: ellipsis; }}
.ts-item {{ display: inline-flex; align-items: center; gap: 6px; font-size: 13px;
  color: {palette.muted}; white-space: nowrap; }}
.ts-mark {{ display: inline-block; width: 12px; text-align: center; font-size: 13px; flex: none; }}
.ts-dot {{ width: 10px; height: 10px; border-radius: 50%; flex: none; }}
.ts-heat {{ display: inline-flex; border-radius: 3px; overflow: hidden; }}
.ts-heat i {{ width: 16px; height: 11px; }}
[class*="st-key-change-"] button:focus-visible {{ box-shadow: none; outline: 2px solid {palette.selected};
  outline-offset: 4px; }}
</style>"""


def chip(text: str, *, color: str | None = None, mark: str = "", border: str = "") -> str:
    """Return a rounded label; a coloured one has a coloured border and a dot or its mark.

    A `border` of its own keeps the label in sight where the colour may be close to the page's.
    """
    text = short(text, CHIP_LENGTH)
    if color is None:
        return f'<span class="ts-chip"><bdi>{escape(text)}</bdi></span>'
    return (
        f'<span class="ts-chip" style="border-color:{escape(border or color)}">'
        f"{_mark(mark, color, border)}<bdi>{escape(text)}</bdi></span>"
    )


def legend(title: str, items: Iterable[tuple[str, str, str]]) -> str:
    """Return a line that explains marks: each item is mark ("" for a dot), colour and name.

    The title is the heading of what the line stands above.
    """
    parts = "".join(
        f'<span class="ts-item" title="{escape(name)}">{_mark(mark, color)}'
        f"<bdi>{escape(short(name, NAME_LENGTH))}</bdi></span>"
        for mark, color, name in items
    )
    head = f"<h2>{escape(title)}</h2>" if title else ""
    return f'<div class="ts-row">{head}{parts}</div>'


def heading(text: str, *, level: int = 2) -> str:
    """Return a heading that only a screen reader meets: for a part whose place and look say what it is."""
    return f'<h{level} class="ts-hidden">{escape(text)}</h{level}>'


def heat_legend(palette: Palette, title: str = "") -> str:
    """Return the scale of values from 0 to 1."""
    title = title or t("rating")
    steps = "".join(f'<i style="background:{color}"></i>' for color in palette.heat)
    return f'<span class="ts-item">{escape(title)} 0 <span class="ts-heat">{steps}</span> 1</span>'


def _mark(mark: str, color: str, border: str = "") -> str:
    """Return a coloured mark, or a dot when there is none."""
    if mark:
        return f'<span class="ts-mark" style="color:{escape(color)}">{escape(mark)}</span>'
    ring = f";box-shadow:0 0 0 1px {escape(border)}" if border else ""
    return f'<span class="ts-dot" style="background:{escape(color)}{ring}"></span>'
