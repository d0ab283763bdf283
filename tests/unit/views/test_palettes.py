"""The colours of both themes: what is written can be read."""

from __future__ import annotations

import pytest

from kgcore.views.palettes import DARK, LIGHT, Palette

READABLE = 4.5  # WCAG 2, level AA, for text of ordinary size


def brightness(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_contrast_even_where_it_stands_back(palette: Palette) -> None:
    for text in (palette.text, palette.muted, palette.dimmed_text, palette.rejected):
        assert contrast(text, palette.background) >= READABLE
    for fill, text in zip(palette.heat, palette.heat_text, strict=True):
        assert contrast(text, fill) >= READABLE
