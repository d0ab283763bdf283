"""What the data folder holds, as far as the pages tell."""

from pathlib import Path

import streamlit as st

__all__ = ["prompt_sets", "shown", "size_of"]


def prompt_sets(home: Path) -> list[str]:
    """Return the names of the person's own prompt sets."""
    folder = home / "prompts"
    return sorted(p.name for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []


def shown(folder: Path) -> str:
    """Return a path as people write it: from their home on where it lies there."""
    try:
        return str(Path("~") / folder.relative_to(Path.home()))
    except (ValueError, RuntimeError):  # it lies elsewhere, or there is no home
        return str(folder)


@st.cache_data(ttl=20, show_spinner=False)
def size_of(home: Path) -> int:
    """Return how many bytes the data folder holds."""
    total = 0
    for path in home.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # it went away while we looked
            continue
    return total
