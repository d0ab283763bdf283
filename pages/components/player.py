"""The player of a recorded run inside a page: the same that an exported file holds."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import streamlit as st

from kgcore.bootstrap.exporting import player_files
from kgcore.views.deck import colors_of
from pages.components.theme import Palette

__all__ = ["show"]


def show(deck: Mapping[str, Any], palette: Palette, *, key: str, start: int = 0) -> None:
    """Draw the player at the height of the window, less the bar above it."""
    data = {
        "key": key,
        "deck": deck,
        "palettes": {palette.name: colors_of(palette)},
        "start": start,
    }
    _component()(key=f"player-{key}", data=data)


@cache
def _component() -> Any:
    files = player_files("player_mount.js")
    css = f"{files.css}\n.pl {{ height: max(560px, calc(100vh - 58px)); }}"
    return st.components.v2.component("kg_player", html=files.html, css=css, js=files.js)
