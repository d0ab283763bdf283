"""The proof of an answer as a picture: each path from the question to what is claimed, as a line of SVG.

All text is escaped; the picture refers to nothing outside itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kgcore.model import Entity, Literal
from kgcore.views.palettes import LIGHT, Palette
from kgcore.views.safe_text import short
from kgcore.views.style import kg_colors
from kgcore.views.trace import Hop, Trace

_BOX, _ROW, _MARGIN = 34, 74, 12
_LABEL, _PATHS = 34, 12
_FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans SC', sans-serif"


def path_picture(trace: Trace, kgs: Sequence[str], palette: Palette = LIGHT) -> str:
    """Return the picture; empty where nothing is proved."""
    paths = paths_of(trace)
    if not paths:
        return ""
    ends = {claim.part.value for claim in trace.claims}
    colors = kg_colors(kgs, palette)
    drawn = [_row(path, i, ends, colors, palette) for i, path in enumerate(paths)]
    width = max(right for _, right in drawn) + _MARGIN
    height = len(drawn) * _ROW + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{escape(_FONT)}" font-size="14">'
        f"<title>{escape(_told(paths))}</title>{''.join(part for part, _ in drawn)}</svg>"
    )


def paths_of(trace: Trace) -> list[tuple[Hop, ...]]:
    """Return the paths that are drawn: those to what is claimed, and the edges that lie on none."""
    paths = [path for claim in trace.claims for path in claim.paths]
    paths += [(Hop(triple, True),) for triple in trace.rest]
    return list(dict.fromkeys(paths))[:_PATHS]


def _told(paths: Iterable[Sequence[Hop]]) -> str:
    return short("; ".join(", ".join(hop.text for hop in path) for path in paths), 600)


def _row(
    path: Sequence[Hop],
    number: int,
    ends: set[Entity | Literal],
    colors: dict[str, str],
    palette: Palette,
) -> tuple[str, int]:
    """Return one path and where it ends on the right."""
    middle = _MARGIN + number * _ROW + _ROW // 2
    first = path[0].triple.subject if path[0].is_forward else path[0].triple.object
    parts, x = _box(first, _MARGIN, middle, ends, palette)
    for hop in path:
        end = hop.triple.object if hop.is_forward else hop.triple.subject
        color = colors.get(hop.triple.kg, palette.line)
        line, x = _arrow(hop, x, middle, color, palette)
        box, x = _box(end, x, middle, ends, palette)
        parts += line + box
    return parts, x


def _box(
    value: Entity | Literal, x: int, middle: int, ends: set[Entity | Literal], palette: Palette
) -> tuple[str, int]:
    is_answer = value in ends
    label = ("★ " if is_answer else "") + short(value.name, _LABEL)
    width = _width(label, 8.2) + 26
    border, thick = (palette.answer, 3) if is_answer else (palette.line, 1.5)
    radius = 4 if isinstance(value, Literal) else _BOX // 2
    return (
        f'<rect x="{x}" y="{middle - _BOX // 2}" width="{width}" height="{_BOX}" rx="{radius}" '
        f'fill="{palette.background}" stroke="{border}" stroke-width="{thick}"/>'
        f'<text x="{x + width // 2}" y="{middle + 5}" text-anchor="middle" fill="{palette.text}">'
        f"{escape(label)}</text>",
        x + width,
    )


def _arrow(hop: Hop, x: int, middle: int, color: str, palette: Palette) -> tuple[str, int]:
    """Return an edge, its head where the graph's own direction points, and where it ends."""
    label, kg = short(hop.triple.relation.name, _LABEL), short(hop.triple.kg, _LABEL)
    width = max(_width(label, 7.0), _width(kg, 6.0)) + 34
    tip, back = (x + width - 3, -9) if hop.is_forward else (x + 3, 9)
    return (
        f'<path d="M{x + 3} {middle}H{x + width - 3}M{tip + back} {middle - 5}L{tip} {middle}'
        f'L{tip + back} {middle + 5}" fill="none" stroke="{color}" stroke-width="2"/>'
        f'<text x="{x + width // 2}" y="{middle - 9}" text-anchor="middle" font-size="12" '
        f'fill="{palette.text}">{escape(label)}</text>'
        f'<text x="{x + width // 2}" y="{middle + 18}" text-anchor="middle" font-size="11" '
        f'fill="{palette.muted}">{escape(kg)}</text>',
        x + width,
    )


def _width(text: str, letter: float) -> int:
    return int(sum(letter * (1.8 if ord(c) > 0x2E7F else 1.0) for c in text))
