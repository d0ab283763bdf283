"""The style sheets in assets/styles: each is drawn by someone, and each colour they name is set."""

import re
from itertools import chain, pairwise

import pytest

from pages.components.runs_table import DEEPEST
from pages.components.styles import STYLES, sheet
from pages.components.theme import DARK, LIGHT, Palette, color_sheet

NAMES = sorted(path.stem for path in STYLES.glob("*.css"))
PAGES = STYLES.parents[1] / "pages"
USED = re.compile(r"var\((--[\w-]+)")
SET = re.compile(r"(--[\w-]+):")
LOADED = re.compile(r"\bsheet\(([^()]*)\)")
SHEETS = pytest.mark.parametrize("name", NAMES)
PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)


def loaded() -> set[str]:
    """Return what the pages and their pieces ask for by name."""
    texts = (path.read_text("utf-8") for path in PAGES.rglob("*.py"))
    calls = chain.from_iterable(LOADED.findall(text) for text in texts)
    return {name for call in calls for name in re.findall(r'"(\w+)"', call)}


def test_every_style_sheet_is_drawn_and_every_one_drawn_is_there() -> None:
    assert sorted(loaded()) == NAMES


@PALETTES
@SHEETS
def test_every_property_a_style_sheet_uses_is_set(name: str, palette: Palette) -> None:
    rules = sheet(name)
    assert set(USED.findall(rules)) <= set(SET.findall(color_sheet(palette) + rules))


@SHEETS
def test_a_style_sheet_names_no_color_of_its_own(name: str) -> None:
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*[;}])", sheet(name)) == []


@SHEETS
def test_a_style_sheet_is_whole_and_holds_nothing_streamlit_would_drop(name: str) -> None:
    rules = sheet(name).removeprefix("<style>").removesuffix("</style>")
    assert "<" not in rules
    assert rules.count("{") == rules.count("}")


def test_style_sheets_come_in_the_order_in_which_they_are_named() -> None:
    both = sheet("room", "run_bar")
    assert both.index(".ts-fold") < both.index(".ts-kinds")
    assert both.count("<style>") == both.count("</style>") == 1


def test_colors_follow_the_theme() -> None:
    assert f"--ts-muted: {LIGHT.muted};" in color_sheet(LIGHT)
    assert f"--ts-dimmed-text: {DARK.dimmed_text};" in color_sheet(DARK)


def test_runs_are_indented_as_deep_as_the_list_goes() -> None:
    steps = re.findall(r"ts-run-d(\d+)-.*padding-left: (\d+)px", sheet("runs"))
    assert [int(n) for n, _ in steps] == list(range(1, DEEPEST + 1))
    assert len({int(after) - int(before) for (_, before), (_, after) in pairwise(steps)}) == 1
