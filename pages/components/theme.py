"""The palette in force, and the few pieces of HTML built on its colours."""

from collections.abc import Iterable
from dataclasses import fields
from functools import cache
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
    "color_sheet",
    "current",
    "heading",
    "heat_legend",
    "legend",
]

CHIP_LENGTH, NAME_LENGTH = 300, 40


def current() -> Palette:
    """Return the palette of the theme the person looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT


@cache
def color_sheet(palette: Palette) -> str:
    """Return the colours as what the style sheets call them, such as `--ts-muted`, for ``st.html`` once a page."""
    named = [(field.name, getattr(palette, field.name)) for field in fields(palette)]
    told = [
        f"--ts-{name.replace('_', '-')}: {value};"
        for name, value in named
        if name != "name" and isinstance(value, str)
    ]
    return f"<style>:root {{ {' '.join(told)} }}</style>"


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
