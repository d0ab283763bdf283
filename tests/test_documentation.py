"""What the READMEs name is there: pictures, files, methods, scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgcore.reasoners import REASONERS

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.zh.md")
LINK = re.compile(r'\]\(([^)#:]+)\)|(?:src|srcset)="([^"]+)"')
SCRIPT = re.compile(r"\bbench/\w+\.py\b")


@pytest.mark.parametrize("name", READMES)
def test_links_pictures_and_scripts_are_files_of_the_repository(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    named = {link or picture for link, picture in LINK.findall(text)} | set(SCRIPT.findall(text))
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).is_file()] == []


def test_the_table_of_methods_names_each_method_once() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    table = text[text.index("| method | `--method` |") :].split("\n\n")[0]
    methods = [
        name
        for row in table.splitlines()[2:]
        for name in re.findall(r"`([\w-]+)`", row.split("|")[2])
    ]
    assert sorted(methods) == sorted(REASONERS)


def test_every_picture_is_there_in_both_themes_sizes_and_languages() -> None:
    names = {path.stem for path in (ROOT / "assets" / "screenshots").glob("*.png")}
    kinds = {re.sub(r"(-zh)?-(light|dark)-\d+$", "", name) for name in names}
    wanted = {
        f"{kind}{language}-{theme}-{width}"
        for kind in kinds
        for language in ("", "-zh")
        for theme in ("light", "dark")
        for width in (1440, 1024)
    }
    assert sorted(wanted - names) == []
