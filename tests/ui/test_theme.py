"""The colours can be told apart and read, also by people who see fewer of them."""

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

from pages.components.theme import DARK, LIGHT, Palette, chip, heat_legend, legend

# How red, green and blue light mix for the three kinds of colour blindness (Machado et al. 2009).
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)


def light(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return linear(red), linear(green), linear(blue)


def linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def lab(rgb: tuple[float, float, float]) -> tuple[float, float, float]:
    red, green, blue = rgb
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def seen(color: str, sight: str) -> tuple[float, float, float]:
    rgb = light(color)
    red, green, blue = (
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb, strict=True))))
        for row in SIGHT[sight]
    )
    return lab((red, green, blue))


def contrast(color: str, other: str) -> float:
    dark, bright = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), light(x), strict=True))
        for x in (color, other)
    )
    return (bright + 0.05) / (dark + 0.05)


def origins(palette: Palette) -> Iterator[str]:
    yield from palette.sources
    yield palette.memory
    yield palette.corrected


@PALETTES
@pytest.mark.parametrize("sight", SIGHT)
def test_origins_of_a_triple_differ_for_every_eye(palette: Palette, sight: str) -> None:
    for one, other in combinations(origins(palette), 2):
        assert math.dist(seen(one, sight), seen(other, sight)) >= 19, (one, other)


@PALETTES
def test_origins_stand_out_from_the_background(palette: Palette) -> None:
    for color in origins(palette):
        assert contrast(color, palette.background) >= 3.6, color


@PALETTES
def test_text_is_readable(palette: Palette) -> None:
    assert contrast(palette.text, palette.surface) >= 7
    for color in (palette.muted, palette.answer, palette.rejected, palette.backtrack):
        assert contrast(color, palette.background) >= 4.5, color
    for fill, text in zip(palette.heat, palette.heat_text, strict=True):
        assert contrast(text, fill) >= 4.5, fill


@PALETTES
@pytest.mark.parametrize("sight", SIGHT)
def test_heat_runs_one_way(palette: Palette, sight: str) -> None:
    lightness = [seen(color, sight)[0] for color in palette.heat]
    steps = [(later - earlier) > 0 for earlier, later in pairwise(lightness)]
    assert len(set(steps)) == 1


def test_a_value_takes_the_nearest_heat() -> None:
    assert LIGHT.heat_of(0) == ("#FFF7E6", "#3B2A00")
    assert LIGHT.heat_of(0.49)[0] == "#FFC55C"
    assert LIGHT.heat_of(1)[0] == LIGHT.heat_of(7)[0] == "#A84B00"
    assert LIGHT.heat_of(-1)[0] == "#FFF7E6"


def test_more_graphs_than_colours_begin_anew() -> None:
    assert LIGHT.source(5) == LIGHT.source(0)


def test_run_text_is_escaped_in_html() -> None:
    evil = "<img src=x onerror=alert(1)>"
    pieces = [
        chip(evil),
        chip(evil, color=evil, mark=evil),
        legend(evil, [(evil, evil, evil)]),
        heat_legend(LIGHT, evil),
    ]
    assert all("<img" not in piece for piece in pieces)
