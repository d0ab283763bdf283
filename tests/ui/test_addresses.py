"""A page's address in other letters leads to the page."""

from __future__ import annotations

import pytest

from pages.components.addresses import spelled

NAMES = ["", "runs", "corrections"]


@pytest.mark.parametrize(
    "address, found",
    [
        ("http://h:8501/Corrections", ("Corrections", "corrections")),
        ("http://h/base/RUNS/?compare=1", ("RUNS", "runs")),
        ("http://h/r%75NS", ("ruNS", "runs")),
        ("http://h/runs", ("runs", "")),
        ("http://h/", ("", "")),
        ("http://h/nothing", ("nothing", "")),
        ("", ("", "")),
    ],
)
def test_other_letters_mean_the_same_page(address: str, found: tuple[str, str]) -> None:
    assert spelled(address, NAMES) == found
